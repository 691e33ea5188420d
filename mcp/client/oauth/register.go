package oauth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"mcpworks/internal/secret"
)

// The ways of authenticating at a token endpoint.
const (
	methodNone  = "none"
	methodBasic = "client_secret_basic"
	methodPost  = "client_secret_post"
)

// client returns who the client is for an authorization server: the one that was
// registered there beforehand, its own description, or the one that it registers
// now. What one server knows a client by is never told another.
func (t *Transport) client(ctx context.Context, as *authority) (Client, error) {
	if client, ok := t.cfg.Clients[as.issuer]; ok {
		return client, nil
	}
	if as.readsMetadata && t.cfg.MetadataURL != "" {
		return Client{ID: t.cfg.MetadataURL, Method: methodNone}, nil
	}
	t.mu.Lock()
	client, ok := t.registered[as.issuer]
	t.mu.Unlock()
	switch {
	case ok:
		return client, nil
	case as.register == "":
		return Client{}, fmt.Errorf("the authorization server %s takes no registrations; register the client there by hand", as.issuer)
	}
	client, err := t.register(ctx, as)
	if err != nil {
		return Client{}, fmt.Errorf("registering with %s: %w", as.issuer, err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.registered[as.issuer] = client
	return client, nil
}

// unregister forgets a client that its authorization server does not know any
// more.
func (t *Transport) unregister(as *authority) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.registered, as.issuer)
}

// register makes the client known, as RFC 7591 has it.
func (t *Transport) register(ctx context.Context, as *authority) (Client, error) {
	content, err := json.Marshal(map[string]any{
		"client_name":                t.cfg.Name,
		"redirect_uris":              []string{t.cfg.RedirectURL},
		"grant_types":                []string{"authorization_code", "refresh_token"},
		"response_types":             []string{"code"},
		"application_type":           "native",
		"token_endpoint_auth_method": as.choose(methodNone, methodBasic, methodPost),
	})
	if err != nil {
		return Client{}, err
	}
	header := http.Header{"Content-Type": {"application/json"}}
	status, body, err := t.fetch(ctx, http.MethodPost, as.register, header, bytes.NewReader(content))
	switch {
	case err != nil:
		return Client{}, err
	case status != http.StatusCreated && status != http.StatusOK:
		return Client{}, refusal(status, body)
	}
	client := Client{
		ID: text(body, "client_id"), Secret: secret.New(text(body, "client_secret")), Method: text(body, "token_endpoint_auth_method"),
	}
	if client.ID == "" {
		return Client{}, errors.New("the answer has no client_id")
	}
	return client, nil
}

// choose returns the first of some methods that the server has.
func (as *authority) choose(methods ...string) string {
	has := as.methods
	if has == nil {
		has = []string{methodBasic}
	}
	for _, method := range methods {
		if slices.Contains(has, method) {
			return method
		}
	}
	return methods[0]
}

// method is how a client authenticates with a server.
func (as *authority) method(client Client) string {
	switch {
	case client.Method != "":
		return client.Method
	case client.Secret.IsZero():
		return methodNone
	}
	return as.choose(methodBasic, methodPost, methodNone)
}
