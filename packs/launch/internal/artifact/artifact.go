// Package artifact is what the stages of a run leave for each other: one type
// for each document, the schema it has to fit, and its bytes on disk.
//
// Each document has a file of its own here, and a schema in schemas. Nothing in
// them depends on the time or the place of the run, except in pr.json: equal
// inputs give equal bytes (6.10).
package artifact

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"mcpworks/internal/jsonschema"
	"mcpworks/internal/rawjson"
)

// The documents, by their names in a run's folder artifacts.
const (
	RepoInventoryName       = "repo_inventory.json"
	FrontmatterContractName = "frontmatter_contract.json"
	SiteContextName         = "site_context.json"
	HugoFactsName           = "hugo_facts.json"
	ProductFactsName        = "product_facts.json"
	EvidenceMapName         = "evidence_map.json"
	TruthLockReportName     = "truth_lock_report.json"
	SnippetCatalogName      = "snippet_catalog.json"
	PagePlanName            = "page_plan.json"
	DraftManifestName       = "draft_manifest.json"
	ReviewReportName        = "review_report.json"
	PatchBundleName         = "patch_bundle.json"
	PatchConflictsName      = "patch_conflicts.json"
	ValidationReportName    = "validation_report.json"
	PullRequestName         = "pr.json"
)

// Version is the schema_version of all documents.
const Version = "1.0"

//go:embed schemas/*.json
var schemaFiles embed.FS

// Names are all documents that have a schema, sorted.
func Names() []string {
	entries, err := schemaFiles.ReadDir("schemas")
	if err != nil {
		panic(err) // it is embedded
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// SchemaID names the schema of a document in events and in the index.
func SchemaID(name string) string { return strings.TrimSuffix(name, ".json") + "/" + Version }

// schemas are compiled when they are first used.
var schemas = sync.OnceValue(func() map[string]*jsonschema.Schema {
	compiled := map[string]*jsonschema.Schema{}
	for _, name := range Names() {
		text, err := schemaFiles.ReadFile("schemas/" + name)
		if err != nil {
			panic(err)
		}
		if compiled[name], err = jsonschema.CompileOwn(text); err != nil {
			panic(fmt.Sprintf("schema of %s: %v", name, err)) // a test compiles all of them
		}
	}
	return compiled
})

// Schema returns the schema of a document; ok is false if there is none.
func Schema(name string) (text []byte, ok bool) {
	text, err := schemaFiles.ReadFile("schemas/" + name)
	return text, err == nil
}

// Validate says what in the text of a document breaks its schema.
func Validate(name string, text []byte) ([]jsonschema.Violation, error) {
	schema := schemas()[name]
	if schema == nil {
		return nil, fmt.Errorf("there is no schema for %q", name)
	}
	if err := rawjson.Check(text, rawjson.Limits{Depth: 64}); err != nil {
		return nil, err
	}
	value, err := rawjson.Decode(text)
	if err != nil {
		return nil, err
	}
	return schema.Validate(value), nil
}

// Encode writes a document as it is on disk: keys sorted, two spaces, LF, one
// newline at the end (0).
//
// Lists and maps that nobody has made are empty in it, and not null.
func Encode(document any) ([]byte, error) {
	text, err := json.Marshal(filled(document))
	if err != nil {
		return nil, err
	}
	value, err := decode(text)
	if err != nil {
		return nil, err
	}
	return append(appendIndented(nil, value, 0), '\n'), nil
}

// filled returns the document with its lists and maps made.
func filled(document any) any {
	if document == nil {
		return nil
	}
	value := reflect.New(reflect.TypeOf(document)).Elem()
	value.Set(reflect.ValueOf(document))
	fill(value)
	return value.Interface()
}

func fill(value reflect.Value) {
	switch value.Kind() {
	case reflect.Pointer:
		if !value.IsNil() {
			fill(value.Elem())
		}
	case reflect.Struct:
		for i := range value.NumField() {
			if value.Type().Field(i).IsExported() {
				fill(value.Field(i))
			}
		}
	case reflect.Slice:
		if value.IsNil() && value.CanSet() {
			value.Set(reflect.MakeSlice(value.Type(), 0, 0))
		}
		for i := range value.Len() {
			fill(value.Index(i))
		}
	case reflect.Map:
		if value.IsNil() && value.CanSet() {
			value.Set(reflect.MakeMap(value.Type()))
		}
	}
}

// Canonical writes a value as hashes see it: keys sorted, nothing between them
// (0).
func Canonical(value any) ([]byte, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	decoded, err := decode(text)
	if err != nil {
		return nil, err
	}
	return appendCompact(nil, decoded), nil
}

// Decode reads a document strictly: a member that its type does not have is an
// error.
func Decode(text []byte, document any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	return decoder.Decode(document)
}

// decode keeps numbers as they are written.
func decode(text []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	err := decoder.Decode(&value)
	return value, err
}

func appendCompact(dst []byte, value any) []byte {
	switch value := value.(type) {
	case map[string]any:
		dst = append(dst, '{')
		for i, key := range slices.Sorted(maps.Keys(value)) {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(rawjson.AppendString(dst, key), ':')
			dst = appendCompact(dst, value[key])
		}
		return append(dst, '}')
	case []any:
		dst = append(dst, '[')
		for i, element := range value {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendCompact(dst, element)
		}
		return append(dst, ']')
	}
	return appendScalar(dst, value)
}

func appendIndented(dst []byte, value any, depth int) []byte {
	newline := func(dst []byte, depth int) []byte {
		return append(append(dst, '\n'), strings.Repeat("  ", depth)...)
	}
	switch value := value.(type) {
	case map[string]any:
		if len(value) == 0 {
			return append(dst, "{}"...)
		}
		dst = append(dst, '{')
		for i, key := range slices.Sorted(maps.Keys(value)) {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(rawjson.AppendString(newline(dst, depth+1), key), ": "...)
			dst = appendIndented(dst, value[key], depth+1)
		}
		return append(newline(dst, depth), '}')
	case []any:
		if len(value) == 0 {
			return append(dst, "[]"...)
		}
		dst = append(dst, '[')
		for i, element := range value {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendIndented(newline(dst, depth+1), element, depth+1)
		}
		return append(newline(dst, depth), ']')
	}
	return appendScalar(dst, value)
}

func appendScalar(dst []byte, value any) []byte {
	switch value := value.(type) {
	case string:
		return rawjson.AppendString(dst, value)
	case json.Number:
		return append(dst, value...)
	case bool:
		if value {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	}
	return append(dst, "null"...)
}
