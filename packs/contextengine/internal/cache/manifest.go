package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/packs/contextengine/internal/document"
)

// buildConfig is how every cache of this format was built (CACHE-1).
const buildConfig = `{"version":"1","hash_algorithm":"sha256"}`

// maxDepth is how deep JSON in a cache may be nested.
const maxDepth = 128

// A Manifest is what manifest.json says.
type Manifest struct {
	CacheVersion string
	CreatedAt    string  // RFC 3339; informational
	Entries      []Entry // in byte order of id
}

// An Entry names one document.
type Entry struct {
	ID      string
	Version document.Version
}

// Size returns about how many bytes of memory the manifest takes.
func (m *Manifest) Size() (n int64) {
	for i := range m.Entries {
		n += int64(len(m.Entries[i].ID)) + 48
	}
	return n
}

// File returns the name of the document's file (CACHE-5).
func (e *Entry) File() string { return DocumentsName + "/" + e.Version.FileName() }

// VersionOf returns the cache version of documents in byte order of id
// (CACHE-2).
func VersionOf(entries []Entry) string {
	hash := sha256.New()
	line := []byte(buildConfig)
	for i := range entries {
		line = append(append(line, entries[i].ID...), ':')
		line = entries[i].Version.Append(line)
		hash.Write(line)
		line = line[:0]
	}
	hash.Write(line)
	return "sha256:" + hex.EncodeToString(hash.Sum(nil))
}

// AppendManifest appends manifest.json (CACHE-3 to CACHE-7).
func (m *Manifest) AppendManifest(dst []byte) []byte {
	dst = rawjson.AppendString(append(dst, "{\n  \"cache_version\": "...), m.CacheVersion)
	dst = append(dst, ",\n  \"build_config\": {\n    \"version\": \"1\",\n    \"hash_algorithm\": \"sha256\"\n  }"...)
	dst = rawjson.AppendString(append(dst, ",\n  \"created_at\": "...), m.CreatedAt)
	dst = strconv.AppendInt(append(dst, ",\n  \"document_count\": "...), int64(len(m.Entries)), 10)
	dst = append(dst, ",\n  \"documents\": ["...)
	for i := range m.Entries {
		if i > 0 {
			dst = append(dst, ',')
		}
		e := &m.Entries[i]
		dst = rawjson.AppendString(append(dst, "\n    {\n      \"id\": "...), e.ID)
		dst = e.Version.Append(append(dst, ",\n      \"version\": \""...))
		dst = append(append(dst, "\",\n      \"file\": \""...), e.File()...)
		dst = append(dst, "\"\n    }"...)
	}
	if len(m.Entries) > 0 {
		dst = append(dst, "\n  "...)
	}
	return append(dst, "]\n}"...)
}

// AppendIndex appends index.json (CACHE-8).
func (m *Manifest) AppendIndex(dst []byte) []byte {
	dst = append(dst, '{')
	for i := range m.Entries {
		if i > 0 {
			dst = append(dst, ',')
		}
		e := &m.Entries[i]
		dst = rawjson.AppendString(append(dst, "\n  "...), e.ID)
		dst = append(append(append(dst, `: "`...), e.File()...), '"')
	}
	if len(m.Entries) > 0 {
		dst = append(dst, '\n')
	}
	return append(dst, '}')
}

// ParseManifest reads manifest.json and checks all that it says of itself
// (LOAD-4 to LOAD-7).
func ParseManifest(text []byte) (*Manifest, error) {
	raw, err := readManifest(text)
	if err != nil {
		return nil, err
	}
	return raw.check()
}

// A rawManifest is a manifest of the right shape (LOAD-4), whatever it says.
type rawManifest struct {
	Manifest
	count              uint64
	buildVersion, hash string
	files, versions    []string // of the entries, where they are not what they should be
	// order is that of the documents in the file, as indexes of Entries; nil if
	// it is the same. Documents are checked in it.
	order []int
}

// readManifest reads the shape.
func readManifest(text []byte) (*rawManifest, error) {
	if err := rawjson.Check(text, rawjson.Limits{Depth: maxDepth}); err != nil {
		return nil, err
	}
	m := &rawManifest{}
	var config, documents []byte
	err := members(text, map[string]func([]byte) bool{
		"cache_version":  stringInto(&m.CacheVersion),
		"build_config":   func(v []byte) bool { config = v; return rawjson.KindOf(v) == rawjson.Object },
		"created_at":     stringInto(&m.CreatedAt),
		"document_count": func(v []byte) (ok bool) { m.count, ok = parseCount(v); return ok },
		"documents":      func(v []byte) bool { documents = v; return rawjson.KindOf(v) == rawjson.Array },
	})
	if err != nil {
		return nil, err
	}
	if !IsTimestamp(m.CreatedAt) {
		return nil, errors.New("created_at is not a time by RFC 3339")
	}
	err = members(config, map[string]func([]byte) bool{
		"version": stringInto(&m.buildVersion), "hash_algorithm": stringInto(&m.hash),
	})
	if err != nil {
		return nil, fmt.Errorf("build_config: %w", err)
	}
	return m, m.readEntries(documents, min(m.count, uint64(len(text))/100))
}

func (m *rawManifest) readEntries(documents []byte, expected uint64) error {
	m.Entries = make([]Entry, 0, expected)
	var id, version, file string
	into := map[string]func([]byte) bool{
		"id": stringInto(&id), "version": stringInto(&version), "file": stringInto(&file),
	}
	for element := range rawjson.Elements(documents) {
		if err := members(element, into); err != nil {
			return fmt.Errorf("documents[%d]: %w", len(m.Entries), err)
		}
		entry := Entry{ID: id}
		var ok bool
		if entry.Version, ok = document.ParseVersion(version); !ok {
			m.versions = append(m.versions, id)
		} else if file != entry.File() {
			m.files = append(m.files, id)
		}
		m.Entries = append(m.Entries, entry)
	}
	byID := func(a, b Entry) int { return strings.Compare(a.ID, b.ID) }
	if !slices.IsSortedFunc(m.Entries, byID) { // no rule asks it of a cache that was made elsewhere
		m.sort(byID)
	}
	return nil
}

func (m *rawManifest) sort(byID func(a, b Entry) int) {
	inFile := slices.Clone(m.Entries)
	sorted := make([]int, len(inFile)) // places in the file
	for i := range sorted {
		sorted[i] = i
	}
	slices.SortStableFunc(sorted, func(a, b int) int { return byID(inFile[a], inFile[b]) })
	m.order = make([]int, len(inFile))
	for i, place := range sorted {
		m.Entries[i], m.order[place] = inFile[place], i
	}
}

// members hands the members of an object to those who read them. Each has to be
// there, once; others are ignored.
func members(object []byte, readers map[string]func([]byte) bool) error {
	if rawjson.KindOf(object) != rawjson.Object {
		return errors.New("is not an object")
	}
	var seen [5]string
	found := seen[:0]
	for name, value := range rawjson.Members(object) {
		read := readers[string(name)]
		if read == nil {
			continue
		}
		if slices.Contains(found, string(name)) {
			return fmt.Errorf("%s is there twice", name)
		}
		if !read(value) {
			return fmt.Errorf("%s is of the wrong kind", name)
		}
		found = append(found, string(name))
	}
	if len(found) == len(readers) {
		return nil
	}
	absent := make([]string, 0, len(readers))
	for name := range readers {
		if !slices.Contains(found, name) {
			absent = append(absent, name)
		}
	}
	slices.Sort(absent)
	return fmt.Errorf("%s is missing", strings.Join(absent, ", "))
}

func stringInto(dst *string) func([]byte) bool {
	return func(value []byte) (ok bool) {
		*dst, ok = rawjson.String(value)
		return ok
	}
}

// parseCount reads a non-negative integer.
func parseCount(raw []byte) (uint64, bool) {
	n, err := strconv.ParseUint(string(raw), 10, 64)
	if err != nil {
		return 0, false
	}
	return n, true
}

// check holds a manifest to what it must say (LOAD-5 to LOAD-7).
func (m *rawManifest) check() (*Manifest, error) {
	if problems := m.problems(); len(problems) > 0 {
		return nil, errors.New(problems[0])
	}
	return &m.Manifest, nil
}

func (m *rawManifest) problems() (problems []string) {
	found := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	if m.buildVersion != "1" {
		found("build_config.version is %q and not \"1\": another version of this program built it", m.buildVersion)
	}
	if m.hash != "sha256" {
		found("build_config.hash_algorithm is %q and not \"sha256\"", m.hash)
	}
	if m.count != uint64(len(m.Entries)) {
		found("document_count is %d, but %d documents are named", m.count, len(m.Entries))
	}
	for i := 1; i < len(m.Entries); i++ {
		if m.Entries[i].ID == m.Entries[i-1].ID {
			found("the document %q is named twice", m.Entries[i].ID)
		}
	}
	for _, id := range m.versions {
		found("the version of %q is not a SHA-256", id)
	}
	for _, id := range m.files {
		found("the file of %q is not the one its version gives", id)
	}
	if len(problems) > 0 {
		return problems // the hash would only repeat it
	}
	if want := VersionOf(m.Entries); m.CacheVersion != want {
		found("cache_version is %q, its documents give %s", m.CacheVersion, want)
	}
	return problems
}
