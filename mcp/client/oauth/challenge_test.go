package oauth

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBearer(t *testing.T) {
	for _, test := range []struct {
		name  string
		lines []string
		want  map[string]string // nil for no challenge
	}{
		{"nothing", nil, nil},
		{"the scheme alone", []string{"Bearer"}, map[string]string{}},
		{"small letters", []string{"bearer realm=x"}, map[string]string{"realm": "x"}},
		{"quoted", []string{`Bearer scope="a b", error="insufficient_scope"`}, map[string]string{"scope": "a b", "error": "insufficient_scope"}},
		{"escapes", []string{`Bearer realm="a\"b\\c"`}, map[string]string{"realm": `a"b\c`}},
		{"a comma in quotes", []string{`Bearer realm="a, Basic x=y", scope=z`}, map[string]string{"realm": "a, Basic x=y", "scope": "z"}},
		{"spaces", []string{"Bearer  realm = x ,, scope\t=\ty"}, map[string]string{"realm": "x", "scope": "y"}},
		{"another first", []string{`Basic realm="x", Bearer scope=y`}, map[string]string{"scope": "y"}},
		{"another behind", []string{`Bearer scope=y, Basic realm="x"`}, map[string]string{"scope": "y"}},
		{"another line", []string{`Basic realm="x"`, `Bearer scope=y`}, map[string]string{"scope": "y"}},
		{"the first counts", []string{`Bearer scope=y, scope=z`, `Bearer scope=w`}, map[string]string{"scope": "y"}},
		{"only others", []string{`Basic realm="Bearer"`}, nil},
		{"no end", []string{`Bearer scope=y, realm="x`}, map[string]string{"scope": "y", "realm": ""}},
		{"no grammar", []string{`Bearer scope=y ; realm=x`}, map[string]string{"scope": "y"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, found := bearer(test.lines)
			if found != (test.want != nil) {
				t.Errorf("found: %t", found)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzBearer holds that any header is read to its end, and that what was read
// can be written and read again.
func FuzzBearer(f *testing.F) {
	for _, line := range []string{`Bearer scope="a b", error=x`, `Basic a, Bearer b="\"`, "Bearer =", `Bearer a="b`, "x y z=,,,"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		params, found := bearer([]string{line})
		if !found {
			return
		}
		again := "Bearer"
		quoter := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
		separator := " "
		for name, value := range params {
			again += separator + name + `="` + quoter.Replace(value) + `"`
			separator = ", "
		}
		got, _ := bearer([]string{again})
		if diff := cmp.Diff(params, got); diff != "" {
			t.Errorf("%q and %q (-first +second):\n%s", line, again, diff)
		}
	})
}

func TestChallengeOf(t *testing.T) {
	for _, test := range []struct {
		status int
		header string
		want   *challenge
	}{
		{http.StatusOK, "Bearer", nil},
		{http.StatusUnauthorized, "", &challenge{scopes: []string{}}},
		{http.StatusUnauthorized, "Basic realm=x", nil},
		{http.StatusUnauthorized, `Bearer resource_metadata="https://a/b", scope="c d"`, &challenge{metadata: "https://a/b", scopes: []string{"c", "d"}}},
		{http.StatusForbidden, "", nil},
		{http.StatusForbidden, "Bearer error=invalid_token", nil},
		{http.StatusForbidden, "Bearer error=insufficient_scope, scope=a", &challenge{scopes: []string{"a"}, insufficient: true}},
	} {
		resp := &http.Response{StatusCode: test.status, Header: http.Header{}}
		if test.header != "" {
			resp.Header.Set("WWW-Authenticate", test.header)
		}
		if diff := cmp.Diff(test.want, challengeOf(resp), cmp.AllowUnexported(challenge{})); diff != "" {
			t.Errorf("%d %q (-want +got):\n%s", test.status, test.header, diff)
		}
	}
}

// AUTH-8: the resource is the server, or a folder that it is in.
func TestCovers(t *testing.T) {
	server := &url.URL{Scheme: "https", Host: "mcp.example", Path: "/a/mcp"}
	for resource, want := range map[string]bool{
		"https://mcp.example/a/mcp": true, "https://mcp.example/a/mcp/": true, "https://mcp.example/a": true, "https://mcp.example": true,
		"HTTPS://MCP.example:443/a/mcp": true,
		"https://mcp.example/a/m":       false, "https://mcp.example/a/mcp/b": false, "https://mcp.example/a/mcp?x": false,
		"https://mcp.example/a/mcp#x": false, "http://mcp.example/a/mcp": false, "https://evil.example/a/mcp": false, "": false, "%": false,
	} {
		if covers(resource, server) != want {
			t.Errorf("%q: want %t", resource, want)
		}
	}
}

// SEC-4: which addresses a server can send a client to.
func TestAddresses(t *testing.T) {
	for text, want := range map[string]bool{
		"https://as.example/x": true, "http://localhost:1/x": true, "http://127.0.0.1:1": true, "http://[::1]:1": true,
		"http://as.example": false, "http://127.0.0.1.as.example": false, "https://u:p@as.example": false, "https://as.example/#x": false,
		"javascript:alert(1)": false, "file:///etc/passwd": false, "//as.example": false, "": false,
	} {
		if _, err := address(text); (err == nil) != want {
			t.Errorf("%q: %v", text, err)
		}
	}
	for text, want := range map[string]bool{
		"93.184.216.34": true, "2606:2800:220:1::1": true,
		"127.0.0.1": false, "10.1.2.3": false, "172.16.0.1": false, "192.168.1.1": false, "169.254.169.254": false, "100.64.0.1": false,
		"0.0.0.0": false, "224.0.0.1": false, "255.255.255.255": false, "::1": false, "fe80::1": false, "fd00:ec2::254": false,
		"::ffff:10.0.0.1": false, "64:ff9b::a00:1": false, "2002:a00:1::": false, "::": false,
	} {
		if isPublic(netip.MustParseAddr(text).Unmap()) != want {
			t.Errorf("%s: want %t", text, want)
		}
	}
}

// SEC-4: whatever a name resolves to is checked when it is connected to.
func TestOwnClientKeepsToPublicAddresses(t *testing.T) {
	for local, want := range map[bool]string{false: "not a public address", true: "refused"} {
		_, err := newHTTPClient(local).Get("http://localhost:1/")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("local %t: %v", local, err)
		}
	}
}
