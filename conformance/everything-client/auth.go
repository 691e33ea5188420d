package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"mcpworks/internal/secret"
	"mcpworks/mcp/client"
	"mcpworks/mcp/client/oauth"
)

const (
	// redirectURL is where nobody listens: visit does not go there.
	redirectURL = "http://127.0.0.1:33418/callback"
	// metadataURL is the one that the suite knows.
	metadataURL = "https://conformance-test.local/client-metadata.json"
)

// authorized uses a server that wants a token.
func authorized(ctx context.Context, t *task) error {
	tokens, err := oauth.New(oauth.Config{
		Server: string(t.server), Name: t.options.Info.Name,
		RedirectURL: redirectURL, Visit: visit,
		Clients: t.registered(), MetadataURL: metadataURL,
	})
	if err != nil {
		return err
	}
	t.options.HTTPClient = &http.Client{Transport: tokens}
	err = t.session(ctx, func(s *client.Session) error {
		if _, err := s.AllTools(ctx); err != nil {
			return err
		}
		return call(ctx, s, "test-tool", nil)
	})
	return errors.Join(err, tokens.Err())
}

// registered is the client that the scenario has registered, if it has.
func (t *task) registered() map[string]oauth.Client {
	if t.given.ClientID == "" {
		return nil
	}
	return map[string]oauth.Client{
		t.given.Issuer: {ID: t.given.ClientID, Secret: secret.New(t.given.ClientSecret)},
	}
}

// visit is a user who agrees: the suite's authorization servers redirect at
// once.
func visit(ctx context.Context, address string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	browser := &http.Client{
		Timeout:       10 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	resp, err := browser.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	location := resp.Header.Get("Location")
	if !strings.HasPrefix(location, redirectURL) {
		return "", fmt.Errorf("HTTP status %d, and no redirect to the client", resp.StatusCode)
	}
	return location, nil
}
