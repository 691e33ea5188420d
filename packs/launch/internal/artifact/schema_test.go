package artifact_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/internal/jsonschema"
	"mcpworks/packs/launch/internal/artifact"
)

var update = flag.Bool("update", false, "write the schemas anew")

// documents are the types, by the names of their files.
var documents = map[string]any{
	artifact.RepoInventoryName:       artifact.RepoInventory{},
	artifact.FrontmatterContractName: artifact.FrontmatterContract{},
	artifact.SiteContextName:         artifact.SiteContext{},
	artifact.HugoFactsName:           artifact.HugoFacts{},
	artifact.ProductFactsName:        artifact.ProductFacts{},
	artifact.EvidenceMapName:         artifact.EvidenceMap{},
	artifact.TruthLockReportName:     artifact.TruthLockReport{},
	artifact.SnippetCatalogName:      artifact.SnippetCatalog{},
	artifact.PagePlanName:            artifact.PagePlan{},
	artifact.DraftManifestName:       artifact.DraftManifest{},
	artifact.ReviewReportName:        artifact.ReviewReport{},
	artifact.PatchBundleName:         artifact.PatchBundle{},
	artifact.PatchConflictsName:      artifact.PatchConflicts{},
	artifact.ValidationReportName:    artifact.ValidationReport{},
	artifact.PullRequestName:         artifact.PullRequest{},
}

// constraints are what a Go type cannot say, by "Type.member", or by member
// where it means the same everywhere.
var constraints = map[string]string{
	"schema_version":  `"const":"` + artifact.Version + `"`,
	"claim_id":        `"type":"string","pattern":"^[a-f0-9]{64}$"`,
	"claim_a_id":      `"type":"string","pattern":"^[a-f0-9]{64}$"`,
	"claim_b_id":      `"type":"string","pattern":"^[a-f0-9]{64}$"`,
	"snippet_id":      `"type":"string","pattern":"^[a-f0-9]{64}$"`,
	"sha256":          `"type":"string","pattern":"^[a-f0-9]{64}$"`,
	"content_hash":    `"type":"string","pattern":"^[a-f0-9]{64}$"`,
	"claim_ids":       `"type":"array","items":{"type":"string","pattern":"^[a-f0-9]{64}$"}`,
	"repo_sha":        `"type":"string","pattern":"^[a-f0-9]{40}$"`,
	"site_sha":        `"type":"string","pattern":"^[a-f0-9]{40}$"`,
	"resolved_sha":    `"type":"string","pattern":"^[a-f0-9]{40}$"`,
	"base_sha":        `"type":"string","pattern":"^[a-f0-9]{40}$"`,
	"claim_text":      `"type":"string","minLength":1`,
	"claim_kind":      `"enum":["limitation","install","workflow","api","format","feature"]`,
	"truth_status":    `"enum":["fact","inference"]`,
	"confidence":      `"enum":["high","medium","low"]`,
	"audience":        `"enum":["user_facing","internal_detail","developer_instruction"]`,
	"source_priority": `"type":"integer","minimum":1,"maximum":7`,
	"start_line":      `"type":"integer","minimum":1`,
	"end_line":        `"type":"integer","minimum":1`,
	"launch_tier":     `"enum":["minimal","standard","rich"]`,
	"page_id":         `"type":"string","minLength":1`,
	"writer":          `"enum":["offline","llm"]`,
	"severity":        `"enum":["info","warn","error","blocker"]`,
	"error_code":      `"type":"string","pattern":"^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$"`,
	"issue_id":        `"type":"string","pattern":"^iss_[a-f0-9]{12}$"`,
	"patch_id":        `"type":"string","pattern":"^p_[a-f0-9]{12}$"`,
	"origin":          `"enum":["draft","navigation","fix","manual"]`,
	"runnable_ok":     `"enum":[true,false,"unknown"]`,
	"profile":         `"enum":["local","ci","prod"]`,

	"Issue.status":                `"enum":["OPEN","IN_PROGRESS","RESOLVED","UNFIXABLE"]`,
	"GateResult.status":           `"enum":["pass","fail","skipped","timeout","error"]`,
	"SupportedFormat.status":      `"enum":["implemented","planned","unknown"]`,
	"Patch.type":                  `"enum":["create_file","update_by_anchor","update_frontmatter_keys","update_file_range","delete_file"]`,
	"SnippetSource.type":          `"enum":["repo_file","generated"]`,
	"PublicAPIScope.policy":       `"enum":["explicit","heuristic","unknown"]`,
	"Contradiction.resolution":    `"enum":["prefer_higher_priority","manual_review_required","unresolved"]`,
	"ReviewReport.overall_status": `"enum":["PASS","NEEDS_CHANGES","REJECT"]`,
	"PullRequest.base_ref":        `"type":"string","pattern":"^[a-f0-9]{40}$"`,
	"PullRequest.affected_paths":  `"type":"array","minItems":1,"items":{"type":"string"}`,
	"PullRequest.rollback_steps":  `"type":"array","minItems":1,"items":{"type":"string"}`,
}

// The schemas are those of the types: what a type has not, a document must not
// have, and what is not left out when empty must be there.
func TestSchemasAreFresh(t *testing.T) {
	for name, document := range documents {
		text := schemaOf(t, name, reflect.TypeOf(document))
		file := filepath.Join("schemas", name)
		if *update {
			if err := os.WriteFile(file, text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		stored, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(stored), string(text)); diff != "" {
			t.Errorf("%s is stale; run this test with -update (-want +got):\n%s", file, diff)
		}
		if _, err := jsonschema.CompileOwn(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if diff := cmp.Diff(len(documents), len(artifact.Names())); diff != "" {
		t.Error(diff)
	}
}

func schemaOf(t *testing.T, name string, typ reflect.Type) []byte {
	t.Helper()
	defs := map[string]string{}
	root := describe(t, typ, defs)
	var out strings.Builder
	fmt.Fprintf(&out, `{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":%q,%s`, artifact.SchemaID(name), root)
	if len(defs) > 0 {
		var names []string
		for def := range defs {
			names = append(names, def)
		}
		slices.Sort(names)
		for i, def := range names {
			names[i] = fmt.Sprintf("%q:{%s}", def, defs[def])
		}
		fmt.Fprintf(&out, `,"$defs":{%s}`, strings.Join(names, ","))
	}
	out.WriteString("}")
	text, err := artifact.Encode(rawText(out.String()))
	if err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	return text
}

type rawText string

func (r rawText) MarshalJSON() ([]byte, error) { return []byte(r), nil }

// describe returns the members of the schema of a type.
func describe(t *testing.T, typ reflect.Type, defs map[string]string) string {
	t.Helper()
	switch typ.Kind() {
	case reflect.String:
		return `"type":"string"`
	case reflect.Bool:
		return `"type":"boolean"`
	case reflect.Int, reflect.Int64:
		return `"type":"integer","minimum":0`
	case reflect.Interface:
		return ""
	case reflect.Slice:
		return fmt.Sprintf(`"type":"array","items":{%s}`, reference(t, typ.Elem(), defs))
	case reflect.Map:
		return fmt.Sprintf(`"type":"object","additionalProperties":{%s}`, reference(t, typ.Elem(), defs))
	case reflect.Struct:
		return describeStruct(t, typ, defs)
	}
	t.Fatalf("nobody has said what %v is", typ)
	return ""
}

// reference is describe, with structs put among the definitions.
func reference(t *testing.T, typ reflect.Type, defs map[string]string) string {
	t.Helper()
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if typ.Kind() != reflect.Struct {
		return describe(t, typ, defs)
	}
	if _, known := defs[typ.Name()]; !known {
		defs[typ.Name()] = "" // it may contain itself
		defs[typ.Name()] = describe(t, typ, defs)
	}
	return fmt.Sprintf(`"$ref":"#/$defs/%s"`, typ.Name())
}

func describeStruct(t *testing.T, typ reflect.Type, defs map[string]string) string {
	t.Helper()
	var members, required []string
	for _, field := range reflect.VisibleFields(typ) {
		tag := field.Tag.Get("json")
		if field.Anonymous || tag == "" {
			continue
		}
		name, rest, _ := strings.Cut(tag, ",")
		owner := typ
		if len(field.Index) > 1 {
			owner = typ.Field(field.Index[0]).Type
		}
		text := reference(t, field.Type, defs)
		for _, key := range []string{name, owner.Name() + "." + name} {
			if constraint, ok := constraints[key]; ok {
				text = constraint
			}
		}
		if field.Type.Kind() == reflect.Pointer && field.Type.Elem().Kind() == reflect.Bool {
			text = `"type":["boolean","null"]`
		}
		members = append(members, fmt.Sprintf("%q:{%s}", name, text))
		if !strings.Contains(rest, "omitempty") {
			required = append(required, fmt.Sprintf("%q", name))
		}
	}
	return fmt.Sprintf(`"type":"object","additionalProperties":false,"required":[%s],"properties":{%s}`, strings.Join(required, ","), strings.Join(members, ","))
}

// 0: equal values are equal bytes, with sorted keys, two spaces, LF and one
// newline at the end.
func TestEncode(t *testing.T) {
	got, err := artifact.Encode(map[string]any{"b": []any{1, "<é>"}, "a": map[string]any{}, "c": []any{}, "d": nil, "e": true})
	if err != nil {
		t.Fatal(err)
	}
	want := "{\n  \"a\": {},\n  \"b\": [\n    1,\n    \"<é>\"\n  ],\n  \"c\": [],\n  \"d\": null,\n  \"e\": true\n}\n"
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
	compact, err := artifact.Canonical(struct {
		Z int    `json:"z"`
		A string `json:"a"`
	}{1, "x"})
	if err != nil || string(compact) != `{"a":"x","z":1}` {
		t.Errorf("%s, %v", compact, err)
	}
}

// A document that has what its type has not is refused, and so is one that
// lacks something.
func TestValidate(t *testing.T) {
	good, err := artifact.Encode(artifact.SnippetCatalog{SchemaVersion: artifact.Version})
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		text []byte
		bad  bool
	}{
		"good":    {good, false},
		"unknown": {bytes.Replace(good, []byte("{"), []byte(`{"colour":1,`), 1), true},
		"lacking": {[]byte(`{"schema_version":"1.0"}`), true},
		"version": {bytes.Replace(good, []byte(artifact.Version), []byte("9.9"), 1), true},
	} {
		violations, err := artifact.Validate(artifact.SnippetCatalogName, test.text)
		if err != nil || (len(violations) > 0) != test.bad {
			t.Errorf("%s: %v, %v", name, violations, err)
		}
	}
	if _, err := artifact.Validate("nothing.json", good); err == nil {
		t.Error("a document without a schema was validated")
	}
}

// 6.1: the largest repository that is taken has a document that is taken.
func TestValidateLarge(t *testing.T) {
	inventory := artifact.RepoInventory{SchemaVersion: artifact.Version, RepoSHA: strings.Repeat("a", 40), SiteSHA: strings.Repeat("b", 40)}
	inventory.RepoProfile.PublicAPIScope.Policy = "unknown"
	for i := range 100_000 {
		name := fmt.Sprintf("data/file-%d.txt", i)
		inventory.Files = append(inventory.Files, artifact.RepoFile{Path: name, SHA256: strings.Repeat("c", 64)})
		inventory.Paths = append(inventory.Paths, name)
	}
	text, err := artifact.Encode(inventory)
	if err != nil {
		t.Fatal(err)
	}
	if violations, err := artifact.Validate(artifact.RepoInventoryName, text); err != nil || len(violations) > 0 {
		t.Errorf("%v, %v", violations, err)
	}
	text = bytes.Replace(text, []byte(strings.Repeat("c", 64)), []byte("c"), 1)
	if violations, err := artifact.Validate(artifact.RepoInventoryName, text); err != nil || len(violations) != 1 {
		t.Errorf("%v, %v", violations, err)
	}
}
