package wireschema

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"mcpworks/mcp"
)

// load returns all revisions by their letter.
func load(t testing.TB) map[string]*revision {
	t.Helper()
	all := map[string]*revision{}
	for i, r := range mcp.Revisions() {
		compiled, err := revisions[r.Version]()
		if err != nil {
			t.Fatalf("%s: %v", r.Version, err)
		}
		all[string("EDCBA"[i])] = compiled
	}
	return all
}

// Every message of every revision has a valid and a broken sample in testdata.
func TestSamplesAreComplete(t *testing.T) {
	text, err := os.ReadFile("testdata/messages.txt")
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]bool{} // by letter, sender, kind, method and validity
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 3 && fields[0] != "#" {
			validity := "valid"
			if strings.Contains(line, " => ") && !strings.HasSuffix(strings.TrimSpace(line), "/method enum") {
				validity = "broken"
			}
			for _, letter := range fields[0] {
				has[strings.Join([]string{string(letter), fields[1], fields[2], fields[3], validity}, " ")] = true
				has[strings.Join([]string{string(letter), fields[2], fields[3], validity}, " ")] = true
			}
		}
	}
	for letter, r := range load(t) {
		var want []string
		for _, from := range []Direction{Client, Server} {
			for method := range r.sent[from] {
				kind := "request "
				if strings.HasPrefix(method, "notifications/") {
					kind = "notification "
				}
				want = append(want, from.String()+" "+kind+method)
				if kind == "request " {
					want = append(want, "result "+method)
				}
			}
		}
		slices.Sort(want)
		if len(want) < 20 {
			t.Errorf("%s: only %v", letter, want)
		}
		for _, message := range slices.Compact(want) {
			for _, validity := range []string{" valid", " broken"} {
				if !has[letter+" "+message+validity] {
					t.Errorf("no%s sample of %s %s", validity, letter, message)
				}
			}
		}
	}
}

// Methods and notifications of each revision, as the protocol counts them.
func TestMethodsPerRevision(t *testing.T) {
	for _, tt := range []struct {
		letter                                    string
		client, server, answers, asking, failures int
	}{
		{"A", 17, 10, 15, 0, 0},
		{"B", 17, 10, 15, 0, 0},
		{"C", 17, 11, 16, 0, 0},
		{"D", 22, 17, 20, 0, 1},
		{"E", 11, 8, 13, 3, 3},
	} {
		r := load(t)[tt.letter]
		got := []int{len(r.sent[Client]), len(r.sent[Server]), len(r.answers), len(r.asking), len(r.failures)}
		if want := []int{tt.client, tt.server, tt.answers, tt.asking, tt.failures}; !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", tt.letter, got, want)
		}
	}
}

// The files hold facts in a fixed form: no sentence, keys in order, every
// reference resolved.
func TestPublishedFilesHoldFactsOnly(t *testing.T) {
	for _, r := range mcp.Revisions() {
		raw, err := published.ReadFile("schema/" + r.Version + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var doc map[string]any
		if err := json.Unmarshal(raw, &doc); err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		encoder := json.NewEncoder(&b)
		encoder.SetIndent("", " ")
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(doc); err != nil || b.String() != string(raw) {
			t.Errorf("%s: not in its fixed form, %v", r.Version, err)
		}
		definitions := doc["$defs"].(map[string]any)
		factsOnly(t, r.Version, doc, definitions)
	}
}

func factsOnly(t *testing.T, version string, schema any, definitions map[string]any) {
	t.Helper()
	object, ok := schema.(map[string]any)
	if !ok {
		return
	}
	for keyword, v := range object {
		switch keyword {
		case "$ref":
			if name := strings.TrimPrefix(v.(string), definitionsPrefix); definitions[name] == nil {
				t.Errorf("%s: no definition %s", version, name)
			}
		case "$defs", "properties":
			for _, part := range v.(map[string]any) {
				factsOnly(t, version, part, definitions)
			}
		case "items", "additionalProperties":
			factsOnly(t, version, v, definitions)
		case "anyOf", "allOf":
			for _, part := range v.([]any) {
				factsOnly(t, version, part, definitions)
			}
		case "$schema", "type", "const", "enum", "required", "format", "minimum", "maximum", "maxItems":
		default:
			t.Errorf("%s: keyword %s", version, keyword)
		}
	}
}

// Each correction is of something that is published, for a reason, and undoes
// a refusal.
func TestCorrections(t *testing.T) {
	for _, c := range corrections {
		if c.reason == "" || len(c.revisions) == 0 || c.published == c.corrected {
			t.Errorf("%s: %+v", c.pointer, c)
		}
		c.published = `"something else"`
		for _, version := range c.revisions {
			raw, err := published.ReadFile("schema/" + version + ".json")
			if err != nil {
				t.Fatal(err)
			}
			var doc any
			if err := json.Unmarshal(raw, &doc); err != nil {
				t.Fatal(err)
			}
			if err := c.apply(doc); err == nil {
				t.Errorf("%s: corrected what is not there", c.pointer)
			}
		}
	}
}
