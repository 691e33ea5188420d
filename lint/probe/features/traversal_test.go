package features_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"mcpworks/lint"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/step"
	"mcpworks/mcp"
	"mcpworks/mcp/client"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport/streamable"
)

// A server that joins paths without looking is found out, in every form that it
// understands, and the file it should not have found is gone afterwards
// (RES-012). Its lists have pages of one element, which all rules about pages
// are content with (PAGE-001…006).
func TestTraversal(t *testing.T) {
	careless := func(path string) string { return filepath.Join("/srv/notes", path) }
	record := probed(t, client.URL(notes(t, careless)), wire.Streamable)
	report := lint.Run(record, rules(), lint.Options{})
	var found []string
	for _, f := range report.Findings {
		found = append(found, f.RuleID+" "+f.Message)
	}
	const outside = "RES-012 a file outside of what is offered can be read: "
	want := []string{
		outside + "dots", outside + "encoded dots", outside + "encoded slashes",
		outside + "template dots", outside + "template encoded dots", outside + "template encoded slashes",
	}
	if !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
	for _, result := range report.Results {
		if result.Rule.Category() == "PAGE" && result.Status != lint.Pass {
			t.Errorf("%s: %v (%s)", result.Rule.ID, result.Status, result.Reason)
		}
	}
	wantRemoved(t, record)
}

// The same server with a root passes (RES-012).
func TestNoTraversal(t *testing.T) {
	careful := func(path string) string {
		if !filepath.IsLocal(path) {
			return ""
		}
		return filepath.Join("/srv/notes", path)
	}
	record := probed(t, client.URL(notes(t, careful)), wire.Streamable)
	for _, result := range lint.Run(record, rules(), lint.Options{}).Results {
		if result.Rule.ID == "RES-012" && result.Status != lint.Pass {
			t.Errorf("%v (%s)", result.Status, result.Reason)
		}
	}
	wantRemoved(t, record)
}

// notes serves files by a template, from where locate says.
func notes(t *testing.T, locate func(path string) string) string {
	t.Helper()
	read := func(_ context.Context, call *server.ReadCall) (*mcp.ReadResourceResult, error) {
		path, err := url.PathUnescape(call.Variables["path"])
		if err != nil {
			return nil, server.ErrNotFound
		}
		text, err := os.ReadFile(locate(path))
		if err != nil {
			return nil, server.ErrNotFound
		}
		return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{URI: call.URI, Text: string(text)}}}, nil
	}
	options := server.Options{
		Info: mcp.Implementation{Name: "notes", Version: "1"}, PageSize: 1,
		Templates: []server.ResourceTemplate{{
			ResourceTemplate: mcp.ResourceTemplate{URITemplate: "file:///srv/notes/{+path}", Name: "note"}, Read: read,
		}},
	}
	for i := range 3 {
		uri := fmt.Sprintf("file:///srv/notes/%d.txt", i)
		options.Resources = append(options.Resources, server.Resource{
			Resource: mcp.Resource{URI: uri, Name: fmt.Sprint(i), MIMEType: "text/plain"},
			Read: func(context.Context, *server.ReadCall) (*mcp.ReadResourceResult, error) {
				return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{URI: uri, MIMEType: "text/plain", Text: "a note"}}}, nil
			},
		})
	}
	srv, err := server.New(options)
	if err != nil {
		t.Fatal(err)
	}
	endpoint := streamable.New(srv, streamable.Options{})
	web := httptest.NewServer(endpoint)
	t.Cleanup(func() {
		endpoint.Close()
		web.Close()
	})
	return web.URL
}

// wantRemoved looks for the file that was read by the way with plain dots.
func wantRemoved(t *testing.T, record *lint.Record) {
	t.Helper()
	form := regexp.MustCompile(`^file:///srv/notes/(?:\.\./)+(.+/mcplint-[^/]+)/outside\.txt$`)
	for _, talk := range record.Talks {
		s := talk.Step(step.ReadTraversal, "dots")
		if talk.Phase != step.Probing {
			continue
		}
		if s == nil {
			t.Fatal("no file was looked for")
		}
		uri, _ := lint.Text(lint.Member(s.Asked().Params, "uri"))
		parts := form.FindStringSubmatch(uri)
		if parts == nil {
			t.Fatalf("%s was read", uri)
		}
		if _, err := os.Stat("/" + parts[1]); !os.IsNotExist(err) {
			t.Errorf("the folder /%s is still there (%v)", parts[1], err)
		}
	}
}
