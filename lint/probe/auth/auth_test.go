package auth_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"mcpworks/lint"
	"mcpworks/lint/probe/auth"
	"mcpworks/lint/probe/wire"
	rules "mcpworks/lint/rules/auth"
	"mcpworks/lint/step"
	"mcpworks/mcp/client"
)

const token = "the-token-of-the-user"

// A guardian is a server that lets in who has the token. Its switches break one
// rule each.
type guardian struct {
	base string

	unnamed   bool // the challenge leads nowhere, and nothing is well known (AUTH-001)
	elsewhere bool // the metadata are those of another server (AUTH-002)
	noPKCE    bool // the authorization server does not know S256 (AUTH-003)
	anyToken  bool // (AUTH-004)
	fromQuery bool // (AUTH-005)
	noScope   bool // (AUTH-006)
	inward    bool // the metadata lead to an address that is not public
}

func (g *guardian) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/mcp":
		g.serve(w, r)
	case "/.well-known/oauth-protected-resource/mcp":
		resource, issuer := g.base+"/mcp", g.base+"/issuer"
		if g.elsewhere {
			resource = "https://other.example/mcp"
		}
		if g.inward {
			issuer = "https://10.0.0.1"
		}
		if g.unnamed {
			http.NotFound(w, r)
			return
		}
		answer(w, `{"resource":%q,"authorization_servers":[%q]}`, resource, issuer)
	case "/issuer/.well-known/openid-configuration": // the last of three places
		methods := "S256"
		if g.noPKCE {
			methods = "plain"
		}
		answer(w, `{"issuer":%q,"authorization_endpoint":%[1]q,"token_endpoint":%[1]q,"code_challenge_methods_supported":[%q]}`, g.base+"/issuer", methods)
	default:
		http.NotFound(w, r)
	}
}

func (g *guardian) serve(w http.ResponseWriter, r *http.Request) {
	given, isBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if given == token || isBearer && g.anyToken || g.fromQuery && r.URL.Query().Get("access_token") == token {
		answer(w, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"guardian","version":"1"}}}`)
		return
	}
	challenge := "Bearer"
	if !g.unnamed {
		challenge += fmt.Sprintf(" resource_metadata=%q", g.base+"/.well-known/oauth-protected-resource/mcp")
	}
	if !g.noScope {
		challenge += `, scope="all"`
	}
	w.Header().Set("WWW-Authenticate", challenge)
	http.Error(w, "no", http.StatusUnauthorized)
}

func answer(w http.ResponseWriter, format string, args ...any) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, format, args...)
}

// AUTH-001 to AUTH-006, each broken by one switch, on a record that has nothing
// but the talk about credentials, and with the user's token.
func TestGuardian(t *testing.T) {
	for name, test := range map[string]struct {
		guardian guardian
		found    []string
	}{
		"sound":     {guardian{}, nil},
		"unnamed":   {guardian{unnamed: true}, []string{"AUTH-001"}},
		"elsewhere": {guardian{elsewhere: true}, []string{"AUTH-002"}},
		"noPKCE":    {guardian{noPKCE: true}, []string{"AUTH-003"}},
		"anyToken":  {guardian{anyToken: true}, []string{"AUTH-004"}},
		"fromQuery": {guardian{fromQuery: true}, []string{"AUTH-005"}},
		"noScope":   {guardian{noScope: true}, []string{"AUTH-006"}},
	} {
		t.Run(name, func(t *testing.T) {
			report := lint.Run(probed(t, &test.guardian, token), rules.Rules(), lint.Options{})
			var found []string
			for _, f := range report.Findings {
				found = append(found, f.RuleID)
			}
			if !slices.Equal(found, test.found) {
				t.Errorf("found %q, want %q: %+v", found, test.found, report.Findings)
			}
			for _, result := range report.Results[:6] {
				decided := result.Status == lint.Pass || result.Status == lint.Fail
				if !decided && !test.guardian.unnamed {
					t.Errorf("%s: %v (%s)", result.Rule.ID, result.Status, result.Reason)
				}
			}
		})
	}
}

// Without a token of the user there is none to try.
func TestStranger(t *testing.T) {
	record := probed(t, &guardian{}, "")
	for _, talk := range record.Talks {
		if talk.Step(step.QueryToken, "") != nil {
			t.Error("a token was tried that nobody has given")
		}
	}
	report := lint.Run(record, rules.Rules(), lint.Options{})
	if result := report.Results[4]; result.Rule.ID != "AUTH-005" || result.Status != lint.NotApplicable {
		t.Errorf("%s: %v (%s)", result.Rule.ID, result.Status, result.Reason)
	}
}

// D2.66: what a server names is not opened inside of the user's network.
func TestInwardAddressIsNotOpened(t *testing.T) {
	record := probed(t, &guardian{inward: true}, "")
	steps := 0
	for _, talk := range record.Talks {
		for _, s := range talk.StepsOf(step.IssuerMetadata) {
			steps++
			if x := s.Exchange(); x.Status != 0 || !strings.Contains(x.Err, "is not a public address") {
				t.Errorf("status %d, %s", x.Status, x.Err)
			}
		}
	}
	if steps != 2 {
		t.Errorf("%d steps", steps)
	}
}

// probed is the record of a server that was only knocked at. The token is not in
// it.
func probed(t *testing.T, g *guardian, token string) *lint.Record {
	t.Helper()
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	g.base = server.URL
	opts := wire.Options{Level: lint.Call}
	if token != "" {
		opts.Client.Header = http.Header{"Authorization": {"Bearer " + token}}
	}
	s, err := wire.NewServer(client.URL(server.URL+"/mcp"), opts)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Finish()
	var running sync.WaitGroup
	for _, plan := range auth.Plans(s) {
		running.Go(func() { plan.Run(t.Context(), s) })
	}
	running.Wait()
	record := s.Record()
	if len(record.Talks) != 1 {
		t.Errorf("%d talks", len(record.Talks))
	}
	var text bytes.Buffer
	if err := record.Write(&text); err != nil {
		t.Fatal(err)
	}
	if token != "" && bytes.Contains(text.Bytes(), []byte(token)) {
		t.Error("the token is in the record")
	}
	return record
}
