package plantuml_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"mcpworks/packs/plantuml"
)

func TestPageIsSelfContained(t *testing.T) {
	r := newService(t).play(t, &conversation{method: "GET", target: "/"})
	if r.status != http.StatusOK || r.header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Fatalf("%d %v", r.status, r.header)
	}
	policy := r.header.Get("Content-Security-Policy")
	if policy != plantuml.PagePolicy || !strings.HasPrefix(policy, "default-src 'none'; ") {
		t.Errorf("policy is %s", policy)
	}
	// The policy allows exactly the style and the script that are inside.
	for directive, element := range map[string]string{"style-src": "style", "script-src": "script"} {
		_, rest, found := strings.Cut(r.body, "<"+element+">")
		source, _, closed := strings.Cut(rest, "</"+element+">")
		sum := sha256.Sum256([]byte(source))
		want := directive + " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "';"
		if !found || !closed || !strings.Contains(policy, want) {
			t.Errorf("the policy lacks %s: %s", want, policy)
		}
	}
	for _, pattern := range []string{`<(script|link|img|iframe)[^>]+(src|href)="?(http|//)`, `style="`, ` on[a-z]+="`, `@import`, `url\(`} {
		if found := regexp.MustCompile(pattern).FindString(r.body); found != "" {
			t.Errorf("the page has %s", found)
		}
	}
}

func TestPageTellsWhatTheContractSays(t *testing.T) {
	body := newService(t).play(t, &conversation{method: "GET", target: "/?any=query"}).body
	for code := range plantuml.Statuses() {
		if !strings.Contains(body, `<tr id="`+code+`">`) {
			t.Errorf("the page lacks %s", code)
		}
	}
	for _, part := range []string{
		"51,200", "1,048,576", "plantumlCode", "SoWkIImgAStDuNBAJrBGjLDmpCbCJbMmKiX8pSd9vt98pKi1IW80",
		`<label for="code">`, `lang="en"`, "mcpServers", "<title>PlantUML encoder</title>",
	} {
		if !strings.Contains(body, part) {
			t.Errorf("the page lacks %s", part)
		}
	}
}

// Below another path the page is at its root, and finds the service by itself.
func TestHandlerBelowAPath(t *testing.T) {
	s := listen(t, &logBuffer{}, http.StripPrefix("/plantuml", plantuml.Handler(plantuml.Config{})))
	for target, want := range map[string]string{
		"/plantuml/":                         "<h1>PlantUML encoder</h1>",
		"/plantuml/api/tools":                `{"tools":[`,
		"/plantuml/api/tools/%2Fx":           "Only POST method is allowed",
		"/plantuml/api/tools/encodePlantUML": "Only POST method is allowed",
	} {
		if r := s.play(t, &conversation{method: "GET", target: target}); !strings.Contains(r.body, want) {
			t.Errorf("%s: %d %s", target, r.status, r.body)
		}
	}
}
