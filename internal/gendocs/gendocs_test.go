package gendocs_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/internal/gendocs"
	"mcpworks/mcp/transport"
	"mcpworks/packs/contextengine"
	"mcpworks/packs/judge"
	"mcpworks/packs/plantuml"
)

var update = flag.Bool("update", false, "write the pages anew")

// TestPagesAreFresh holds docs/tools to what the servers say today.
func TestPagesAreFresh(t *testing.T) {
	for _, server := range []struct {
		program string
		make    func() (transport.Service, error)
	}{
		{judge.Name, func() (transport.Service, error) { return judge.New(judge.Config{BaseURL: "http://127.0.0.1:7856"}) }},
		{"context", func() (transport.Service, error) {
			engine, err := contextengine.New(contextengine.Config{Root: "caches"})
			if err != nil {
				return nil, err
			}
			t.Cleanup(engine.Close)
			return engine.Server()
		}},
		{plantuml.Name, func() (transport.Service, error) { return plantuml.New(plantuml.Config{}) }},
	} {
		t.Run(server.program, func(t *testing.T) {
			service, err := server.make()
			if err != nil {
				t.Fatal(err)
			}
			want, err := gendocs.Tools(t.Context(), server.program, service)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("..", "..", "docs", "tools", server.program+".md")
			if *update {
				if err := os.WriteFile(file, want, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			got, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("%s is stale; run this test with -update (-want +got):\n%s", file, diff)
			}
		})
	}
}
