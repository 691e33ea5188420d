package oauth_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mcpworks/internal/secret"
	"mcpworks/mcp/client/oauth"

	"github.com/google/go-cmp/cmp"
)

const (
	serverURL = "https://mcp.example/mcp"
	issuer    = "https://as.example"
	callback  = "http://127.0.0.1:1/callback"
)

// A world is an MCP server with an authorization server, without a network. Its
// fields are what can be out of order in it.
type world struct {
	resource, authority map[string]any // metadata
	needs               string         // the scope that the server wants, empty for any token
	anonymous           bool           // the server wants no token
	challenge           string         // of a 401; empty for the usual one
	redirect            func(url.Values)
	redirectTo          string         // empty for where the client wants it
	token               map[string]any // members of the token response, beside the token

	mu     sync.Mutex
	tokens map[string]string // their scopes
	said   []string          // what was asked of the authorization server
	seen   []string          // requests that reached a host, with their tokens
}

func newWorld() *world {
	return &world{
		resource: map[string]any{"resource": serverURL, "authorization_servers": []string{issuer}},
		authority: map[string]any{
			"issuer": issuer, "authorization_endpoint": issuer + "/authorize", "token_endpoint": issuer + "/token",
			"registration_endpoint": issuer + "/register", "code_challenge_methods_supported": []string{"S256"},
			"token_endpoint_auth_methods_supported": []string{"none"},
		},
		redirect: func(url.Values) {},
		token:    map[string]any{},
		tokens:   map[string]string{},
	}
}

// RoundTrip implements http.RoundTripper for all hosts.
func (w *world) RoundTrip(req *http.Request) (*http.Response, error) {
	inner := httptest.NewRequestWithContext(req.Context(), req.Method, req.URL.String(), req.Body)
	inner.Header = req.Header.Clone()
	rec := httptest.NewRecorder()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = append(w.seen, strings.TrimSpace(req.Method+" "+req.URL.Host+req.URL.Path+" "+strings.TrimPrefix(req.Header.Get("Authorization"), "Bearer ")))
	switch req.URL.Host + req.URL.Path {
	case "mcp.example/mcp":
		w.serve(rec, inner)
	case "mcp.example/.well-known/oauth-protected-resource/mcp":
		answer(rec, http.StatusOK, w.resource)
	case "as.example/.well-known/oauth-authorization-server":
		answer(rec, http.StatusOK, w.authority)
	case "as.example/register":
		w.register(rec, inner)
	case "as.example/authorize":
		w.authorize(rec, inner)
	case "as.example/token":
		w.exchange(rec, inner)
	default:
		http.NotFound(rec, inner)
	}
	resp := rec.Result()
	resp.Request = req
	return resp, nil
}

func answer(rec http.ResponseWriter, status int, object map[string]any) {
	if object == nil {
		status = http.StatusNotFound
	}
	rec.Header().Set("Content-Type", "application/json")
	rec.WriteHeader(status)
	_ = json.NewEncoder(rec).Encode(object)
}

func (w *world) serve(rec http.ResponseWriter, req *http.Request) {
	scopes, known := w.tokens[strings.TrimPrefix(req.Header.Get("Authorization"), "Bearer ")]
	switch {
	case w.anonymous:
	case !known:
		challenge := w.challenge
		if challenge == "" {
			challenge = `Bearer scope="read"`
		}
		rec.Header().Set("WWW-Authenticate", challenge)
		rec.WriteHeader(http.StatusUnauthorized)
		return
	case w.needs != "" && !slices.Contains(strings.Fields(scopes), w.needs):
		rec.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer error="insufficient_scope", scope=%q`, w.needs))
		rec.WriteHeader(http.StatusForbidden)
		return
	}
	_, _ = io.Copy(rec, req.Body)
}

func (w *world) register(rec http.ResponseWriter, req *http.Request) {
	var asked map[string]any
	_ = json.NewDecoder(req.Body).Decode(&asked)
	w.said = append(w.said, fmt.Sprintf("register %v %v %v", asked["application_type"], asked["redirect_uris"], asked["token_endpoint_auth_method"]))
	answer(rec, http.StatusCreated, map[string]any{"client_id": "registered"})
}

func (w *world) authorize(rec http.ResponseWriter, req *http.Request) {
	query := req.URL.Query()
	w.said = append(w.said, strings.TrimSpace(fmt.Sprintf("authorize %s %s %s", query.Get("client_id"), query.Get("resource"), query.Get("scope"))))
	back := url.Values{"code": {"code " + query.Get("code_challenge") + " " + query.Get("scope")}, "state": {query.Get("state")}}
	w.redirect(back)
	rec.Header().Set("Location", firstOf(w.redirectTo, query.Get("redirect_uri"))+"?"+back.Encode())
	rec.WriteHeader(http.StatusFound)
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func (w *world) exchange(rec http.ResponseWriter, req *http.Request) {
	_ = req.ParseForm()
	user, password, _ := req.BasicAuth()
	w.said = append(w.said, strings.TrimSpace(fmt.Sprintf("%s %s %s %s%s%s",
		req.Form.Get("grant_type"), req.Form.Get("client_id"), req.Form.Get("resource"), user, password, req.Form.Get("client_secret"))))
	scopes := ""
	if fields := strings.Fields(req.Form.Get("code")); len(fields) > 1 {
		scopes = strings.Join(fields[2:], " ")
	}
	token := fmt.Sprintf("token%d", len(w.tokens)+1)
	w.tokens[token] = scopes
	object := map[string]any{"access_token": token, "token_type": "bearer"}
	for name, value := range w.token {
		object[name] = value
	}
	answer(rec, http.StatusOK, object)
}

// transport returns a transport for the server of the world.
func (w *world) transport(t *testing.T, change func(*oauth.Config)) *oauth.Transport {
	t.Helper()
	cfg := oauth.Config{
		Server: serverURL, Name: "test", RedirectURL: callback, Base: w, HTTPClient: &http.Client{Transport: w},
		Visit: func(ctx context.Context, address string) (string, error) {
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
			if err != nil {
				return "", err
			}
			resp, err := w.RoundTrip(req)
			if err != nil {
				return "", err
			}
			return resp.Header.Get("Location"), nil
		},
	}
	if change != nil {
		change(&cfg)
	}
	tr, err := oauth.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// post sends a request and returns the status and the body of the answer.
func post(t *testing.T, tr http.RoundTripper, address string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader("hello"))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := tr.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

func (w *world) wantSaid(t *testing.T, want ...string) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if diff := cmp.Diff(want, w.said); diff != "" {
		t.Errorf("what was asked of the authorization server (-want +got):\n%s", diff)
	}
}

// AUTH-9, AUTH-11, AUTH-12: the resource in both requests, a native client, the
// scope of the challenge. The body is sent again, and the token kept.
func TestTokenIsFetchedAndKept(t *testing.T) {
	w := newWorld()
	tr := w.transport(t, nil)
	for range 2 {
		if status, body := post(t, tr, serverURL); status != http.StatusOK || body != "hello" {
			t.Fatalf("status %d, body %q, %v", status, body, tr.Err())
		}
	}
	w.wantSaid(t,
		"register native ["+callback+"] none",
		"authorize registered "+serverURL+" read",
		"authorization_code registered "+serverURL)
}

func TestServerWithoutTokensIsLeftAlone(t *testing.T) {
	w := newWorld()
	w.anonymous = true
	if status, _ := post(t, w.transport(t, nil), serverURL); status != http.StatusOK {
		t.Fatal(status)
	}
	w.wantSaid(t)
}

// AUTH-11: pre-registered, then the metadata document, then registration.
func TestOrderOfRegistration(t *testing.T) {
	for _, test := range []struct {
		name    string
		cfg     func(*oauth.Config)
		methods []string
		want    []string
	}{
		{"registered beforehand", func(cfg *oauth.Config) {
			cfg.Clients = map[string]oauth.Client{issuer: {ID: "mine", Secret: secret.New("hush")}}
			cfg.MetadataURL = "https://client.example/me.json"
		}, []string{"client_secret_basic", "none"}, []string{
			"authorize mine " + serverURL + " read", "authorization_code  " + serverURL + " minehush",
		}},
		{"a secret in the form", func(cfg *oauth.Config) {
			cfg.Clients = map[string]oauth.Client{issuer: {ID: "mine", Secret: secret.New("hush")}}
		}, []string{"client_secret_post"}, []string{
			"authorize mine " + serverURL + " read", "authorization_code mine " + serverURL + " hush",
		}},
		{"registered with another server", func(cfg *oauth.Config) {
			cfg.Clients = map[string]oauth.Client{"https://elsewhere.example": {ID: "mine", Secret: secret.New("hush")}}
			cfg.MetadataURL = "https://client.example/me.json"
		}, []string{"none"}, []string{
			"authorize https://client.example/me.json " + serverURL + " read",
			"authorization_code https://client.example/me.json " + serverURL,
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld()
			w.authority["client_id_metadata_document_supported"] = true
			w.authority["token_endpoint_auth_methods_supported"] = test.methods
			if status, _ := post(t, w.transport(t, test.cfg), serverURL); status != http.StatusOK {
				t.Fatal(status)
			}
			w.wantSaid(t, test.want...)
		})
	}
}

// AUTH-12: a step up asks for all scopes, once.
func TestStepUp(t *testing.T) {
	w := newWorld()
	tr := w.transport(t, nil)
	post(t, tr, serverURL)
	w.needs = "write"
	if status, _ := post(t, tr, serverURL); status != http.StatusOK {
		t.Fatal(status, tr.Err())
	}
	w.wantSaid(t,
		"register native ["+callback+"] none",
		"authorize registered "+serverURL+" read", "authorization_code registered "+serverURL,
		"authorize registered "+serverURL+" read write", "authorization_code registered "+serverURL)

	w.mu.Lock()
	clear(w.tokens)
	w.tokens["token2"] = "" // what was granted is taken back
	w.mu.Unlock()
	if status, _ := post(t, tr, serverURL); status != http.StatusForbidden || tr.Err() == nil {
		t.Errorf("status %d, error %v: want the refusal of the server, and why", status, tr.Err())
	}
	if len(w.said) != 5 {
		t.Errorf("the user was asked again: %q", w.said[5:])
	}
}

// AUTH-8, AUTH-9, AUTH-10, AUTH-13, BEAR-6: what is out of order ends the
// attempt before a token is asked for, and the server's refusal is the answer.
func TestRefusals(t *testing.T) {
	for _, test := range []struct {
		name  string
		spoil func(*world)
		want  string // in the error
		asked bool   // the user was
	}{
		{"no metadata", func(w *world) { w.resource, w.authority = nil, nil }, "says nothing of where its tokens come from", false},
		{"metadata of another server", func(w *world) { w.resource["resource"] = "https://evil.example/mcp" }, "evil.example", false},
		{"metadata of another folder", func(w *world) { w.resource["resource"] = "https://mcp.example/mc" }, "mcp.example/mc", false},
		{"no authorization server", func(w *world) { delete(w.resource, "authorization_servers") }, "name no authorization server", false},
		{"an insecure authorization server", func(w *world) { w.resource["authorization_servers"] = []string{"http://as.example"} }, "is not https", false},
		{"no metadata of it", func(w *world) { w.authority = nil }, "no such document", false},
		{"those of another", func(w *world) { w.authority["issuer"] = issuer + "/" }, "another authorization server", false},
		{"no PKCE", func(w *world) { delete(w.authority, "code_challenge_methods_supported") }, "PKCE", false},
		{"an endpoint that is a script", func(w *world) { w.authority["authorization_endpoint"] = "javascript:alert(1)" }, "is no address", false},
		{"an insecure endpoint", func(w *world) { w.authority["token_endpoint"] = "http://as.example/token" }, "is not https", false},
		{"no registration", func(w *world) { delete(w.authority, "registration_endpoint") }, "register the client there by hand", false},
		{"another place to go back to", func(w *world) { w.redirectTo = callback + "s" }, "somewhere else", true},
		{"another state", func(w *world) { w.redirect = func(q url.Values) { q.Set("state", "guessed") } }, "state", true},
		{"another issuer", func(w *world) {
			w.redirect = func(q url.Values) { q.Set("iss", "https://evil.example"); q.Set("error", "look at this") }
		}, "from another authorization server", true},
		{"the issuer with a slash", func(w *world) { w.redirect = func(q url.Values) { q.Set("iss", issuer+"/") } }, "from another", true},
		{"two issuers", func(w *world) { w.redirect = func(q url.Values) { q["iss"] = []string{issuer, issuer} } }, "from another", true},
		{"no issuer though promised", func(w *world) { w.authority["authorization_response_iss_parameter_supported"] = true }, "does not say", true},
		{"a user who says no", func(w *world) { w.redirect = func(q url.Values) { q.Set("error", "access_denied"); q.Del("code") } }, "access_denied", true},
		{"no code", func(w *world) { w.redirect = func(q url.Values) { q.Del("code") } }, "no code", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld()
			test.spoil(w)
			tr := w.transport(t, nil)
			if status, _ := post(t, tr, serverURL); status != http.StatusUnauthorized {
				t.Errorf("status %d, want the refusal of the server", status)
			}
			if err := tr.Err(); err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "look at this") {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
			for _, said := range w.said {
				if strings.HasPrefix(said, "authorization_code") || strings.HasPrefix(said, "authorize") && !test.asked {
					t.Errorf("it went as far as %q", said)
				}
			}
		})
	}
}

// A token that cannot be used is refused.
func TestTokensThatAreNone(t *testing.T) {
	for name, token := range map[string]map[string]any{
		"another type": {"token_type": "DPoP"},
		"no type":      {"token_type": nil},
		"a header":     {"access_token": "a\r\nHost: evil.example"},
		"no token":     {"access_token": nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.token = token
			tr := w.transport(t, nil)
			if status, _ := post(t, tr, serverURL); status != http.StatusUnauthorized || tr.Err() == nil {
				t.Errorf("status %d, error %v", status, tr.Err())
			}
		})
	}
}

// AUTH-8: the order of the places where metadata are looked for.
func TestOrderOfDiscovery(t *testing.T) {
	w := newWorld()
	w.resource = nil
	post(t, w.transport(t, nil), serverURL)
	want := []string{
		"POST mcp.example/mcp",
		"GET mcp.example/.well-known/oauth-protected-resource/mcp",
		"GET mcp.example/.well-known/oauth-protected-resource",
		"GET mcp.example/.well-known/oauth-authorization-server",
		"GET mcp.example/.well-known/openid-configuration",
	}
	if diff := cmp.Diff(want, w.seen); diff != "" {
		t.Errorf("without metadata (-want +got):\n%s", diff)
	}

	w = newWorld()
	w.resource["authorization_servers"] = []string{issuer + "/tenant/"}
	post(t, w.transport(t, nil), serverURL)
	want = []string{
		"POST mcp.example/mcp",
		"GET mcp.example/.well-known/oauth-protected-resource/mcp",
		"GET as.example/.well-known/oauth-authorization-server/tenant",
		"GET as.example/.well-known/openid-configuration/tenant",
		"GET as.example/tenant/.well-known/openid-configuration",
	}
	if diff := cmp.Diff(want, w.seen); diff != "" {
		t.Errorf("of an issuer with a path (-want +got):\n%s", diff)
	}

	w = newWorld()
	w.challenge = `Bearer resource_metadata="https://mcp.example/here.json"`
	post(t, w.transport(t, nil), serverURL)
	if diff := cmp.Diff([]string{"POST mcp.example/mcp", "GET mcp.example/here.json"}, w.seen); diff != "" {
		t.Errorf("with a hint that is wrong (-want +got):\n%s", diff)
	}
}

// BEAR-6: the token is for the server's origin, and not in place of another.
func TestTokenStaysWithItsOrigin(t *testing.T) {
	w := newWorld()
	tr := w.transport(t, nil)
	post(t, tr, serverURL)
	w.seen = nil
	post(t, tr, serverURL)
	post(t, tr, "https://other.example/mcp")
	post(t, tr, "http://mcp.example/mcp")
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, serverURL, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer theirs")
	if resp, err := tr.RoundTrip(req); err != nil || resp.StatusCode != http.StatusUnauthorized {
		t.Error(resp, err)
	}
	want := []string{"POST mcp.example/mcp token1", "POST other.example/mcp", "POST mcp.example/mcp", "GET mcp.example/mcp theirs"}
	if diff := cmp.Diff(want, w.seen); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A token is renewed before it expires, and when the server has forgotten it.
func TestRenewal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.token = map[string]any{"expires_in": 60, "refresh_token": "r"}
		tr := w.transport(t, nil)
		post(t, tr, serverURL)
		time.Sleep(40 * time.Second)
		post(t, tr, serverURL)
		w.wantSaid(t, "register native ["+callback+"] none", "authorize registered "+serverURL+" read", "authorization_code registered "+serverURL)
		w.said = nil
		time.Sleep(15 * time.Second)
		post(t, tr, serverURL)
		w.wantSaid(t, "refresh_token registered "+serverURL)
		w.said = nil
		w.tokens = map[string]string{"": ""} // the next has another name
		if status, _ := post(t, tr, serverURL); status != http.StatusOK {
			t.Error(status, tr.Err())
		}
		w.wantSaid(t, "refresh_token registered "+serverURL)
	})
}

// Requests that are refused at once lead to one question.
func TestUserIsAskedOnce(t *testing.T) {
	w := newWorld()
	tr := w.transport(t, nil)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if status, _ := post(t, tr, serverURL); status != http.StatusOK {
				t.Error(status, tr.Err())
			}
		})
	}
	all.Wait()
	if len(w.said) != 3 {
		t.Errorf("asked of the authorization server: %q", w.said)
	}
}

// Who gives up waiting for another's question gets the refusal.
func TestWaitingEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		shown, answer := make(chan struct{}), make(chan struct{})
		tr := w.transport(t, func(cfg *oauth.Config) {
			cfg.Visit = func(context.Context, string) (string, error) {
				close(shown)
				<-answer
				return "", errors.New("nobody is there")
			}
		})
		var first sync.WaitGroup
		first.Go(func() { post(t, tr, serverURL) })
		<-shown
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, serverURL, strings.NewReader("hello"))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := tr.RoundTrip(req)
		if err != nil || resp.StatusCode != http.StatusUnauthorized {
			t.Errorf("%v, %v: want the refusal", resp, err)
		}
		close(answer)
		first.Wait()
	})
}

// A body that cannot be read twice is not sent twice.
func TestBodyThatIsGone(t *testing.T) {
	w := newWorld()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, serverURL, io.NopCloser(strings.NewReader("hello")))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := w.transport(t, nil).RoundTrip(req)
	if err != nil || resp.StatusCode != http.StatusUnauthorized || len(w.seen) != 1 {
		t.Errorf("%v, %v, %q", resp, err, w.seen)
	}
}

func TestConfigIsChecked(t *testing.T) {
	visit := func(context.Context, string) (string, error) { return "", nil }
	for _, cfg := range []oauth.Config{
		{Server: "mcp.example", RedirectURL: callback, Visit: visit},
		{Server: "ftp://mcp.example", RedirectURL: callback, Visit: visit},
		{Server: serverURL, Visit: visit},
		{Server: serverURL, RedirectURL: callback + "?a=b", Visit: visit},
		{Server: serverURL, RedirectURL: callback},
	} {
		if _, err := oauth.New(cfg); err == nil {
			t.Errorf("%+v was taken", cfg)
		}
	}
}
