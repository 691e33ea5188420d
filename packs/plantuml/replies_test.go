package plantuml_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"

	"mcpworks/packs/plantuml"
)

// routeMethods says which Access-Control-Allow-Methods a request is told.
func routeMethods(method, target string) string {
	path, _, _ := strings.Cut(target, "?")
	rest, ok := strings.CutPrefix(path, "/api/tools")
	switch {
	case path == "/mcp/v1/encode-plantuml":
		return "POST, OPTIONS"
	case !ok || rest != "" && rest[0] != '/':
		return "GET, POST, OPTIONS"
	case rest == "", strings.Trim(rest, "/") == "" && method != http.MethodPost:
		return "GET, OPTIONS"
	}
	return "POST, OPTIONS"
}

var encodedForm = regexp.MustCompile(`^([0-9A-Za-z_-]{4})+$`)

type document struct {
	Success *bool
	Result  *struct{ URL, Encoded, Format string }
	Error   *struct{ Code, Message string }
	Tools   []json.RawMessage

	// Of the legacy route.
	Status, Code, Message string
	URL, Encoded, Format  string
}

// checkReply holds a reply of the /api routes and of the legacy one to
// invariants 6 to 9, 11 and 12.
func checkReply(t failer, r reply) {
	t.Helper()
	isLegacy := r.target == "/mcp/v1/encode-plantuml"
	if !strings.HasPrefix(r.target, "/api") && !isLegacy {
		return
	}
	checkHeaders(t, r)
	if r.method == http.MethodHead || r.method == http.MethodOptions && r.status == http.StatusOK {
		if r.body != "" {
			t.Fatalf("invariant 10: the body of %s is %q", r.method, r.body)
		}
		return
	}
	var d document
	if err := json.Unmarshal([]byte(r.body), &d); err != nil {
		t.Fatalf("invariant 8: %v in %q", err, r.body)
	}
	if isLegacy {
		d = nested(d)
	}
	switch {
	case d.Tools != nil:
		return
	case d.Success == nil || *d.Success != (d.Result != nil) || *d.Success == (d.Error != nil):
		t.Fatalf("invariant 6: %s", r.body)
	case *d.Success != (r.status == http.StatusOK):
		t.Fatalf("invariant 7: status %d of %s", r.status, r.body)
	case !*d.Success && (d.Error.Code == "" || d.Error.Message == "" || plantuml.Statuses()[d.Error.Code] != r.status):
		t.Fatalf("invariant 7: status %d of %s", r.status, r.body)
	case *d.Success && (d.Result.URL != "https://www.plantuml.com/plantuml/svg/"+d.Result.Encoded || d.Result.Format != "svg"):
		t.Fatalf("invariant 11: %s", r.body)
	case *d.Success && !encodedForm.MatchString(d.Result.Encoded):
		t.Fatalf("invariant 12: %s", r.body)
	}
}

func checkHeaders(t failer, r reply) {
	t.Helper()
	for name, want := range map[string]string{
		"Content-Type":                 "application/json",
		"Access-Control-Allow-Origin":  "*",
		"Access-Control-Allow-Headers": "Content-Type",
		"Access-Control-Allow-Methods": routeMethods(r.method, r.target),
	} {
		if got := r.header.Values(name); len(got) != 1 || got[0] != want {
			t.Fatalf("invariants 8 and 9: %s %s: %s is %q, want %q", r.method, r.target, name, got, want)
		}
	}
	if (r.status == http.StatusMethodNotAllowed) != (r.header.Get("Allow") != "") {
		t.Fatalf("section 4: Allow is %q with status %d", r.header.Get("Allow"), r.status)
	}
}

// nested is a flat document of the legacy route in the form of the others.
func nested(flat document) document {
	success := flat.Status == "success"
	d := document{Success: &success}
	if success {
		d.Result = &struct{ URL, Encoded, Format string }{flat.URL, flat.Encoded, flat.Format}
	} else {
		d.Error = &struct{ Code, Message string }{flat.Code, flat.Message}
	}
	return d
}
