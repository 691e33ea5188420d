package httpguard_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"mcpworks/internal/httpguard"
	"mcpworks/internal/secret"
)

// A closed server on loopback: the guards are listed from the outside in.
func Example() {
	tokens, err := httpguard.NewTokens(httpguard.Token{
		Principal: "ci", Scopes: []string{"read"}, Secret: secret.New("3f786850e387550fdab836ed7e6dc881"),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	hosts := httpguard.Hosts{Listen: "127.0.0.1:8080"}
	host, errHost := httpguard.Host(httpguard.HostConfig{Hosts: hosts})
	origin, errOrigin := httpguard.Origin(httpguard.OriginConfig{Hosts: hosts})
	bearer, errBearer := httpguard.Bearer(httpguard.BearerConfig{Tokens: tokens, Exempt: []string{"/healthz"}})
	if errHost != nil || errOrigin != nil || errBearer != nil {
		fmt.Println(errHost, errOrigin, errBearer)
		return
	}

	var handler http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		principal, _ := httpguard.PrincipalFrom(r.Context())
		fmt.Fprintln(w, "hello", principal.Name)
	})
	guards := []httpguard.Middleware{
		httpguard.Headers(httpguard.HeadersConfig{Streams: true}), host, origin, httpguard.Discovery404, bearer,
	}
	for i := len(guards) - 1; i >= 0; i-- {
		handler = guards[i](handler)
	}

	for _, authorization := range []string{"", "Bearer 3f786850e387550fdab836ed7e6dc881"} {
		r := httptest.NewRequest("POST", "http://localhost:8080/mcp", nil)
		if authorization != "" {
			r.Header.Set("Authorization", authorization)
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		fmt.Println(w.Code, w.Body)
	}
	// Output:
	// 401 {"jsonrpc":"2.0","error":{"code":401,"message":"authentication required"}}
	// 200 hello ci
}
