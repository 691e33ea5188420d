package launch_test

import (
	"strings"
	"testing"

	mcpgoclient "github.com/mark3labs/mcp-go/client"
	mcpgo "github.com/mark3labs/mcp-go/mcp"

	"mcpworks/packs/launch"
	"mcpworks/packs/launch/internal/fixtures"
)

// S-51: a second client that somebody else made uses the program over its standard
// streams. The first is that of the official SDK, in the program's own tests.
func TestS51OtherClient(t *testing.T) {
	name, err := program()
	if err != nil {
		t.Fatal(err)
	}
	w := newWorkplace(t, fixtures.AcmeTool())
	client, err := mcpgoclient.NewStdioMCPClient(name, nil, "--data-dir", w.data, "--profiles-dir", w.profiles)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	var hello mcpgo.InitializeRequest
	hello.Params.ProtocolVersion, hello.Params.ClientInfo = "2025-06-18", mcpgo.Implementation{Name: "test", Version: "0"}
	if first, err := client.Initialize(t.Context(), hello); err != nil || first.ProtocolVersion != "2025-06-18" || first.ServerInfo.Name != launch.Name {
		t.Fatalf("initialize: %+v, %v", first, err)
	}
	//lint:ignore SA1019 the revision that is spoken here has it
	if err := client.Ping(t.Context()); err != nil {
		t.Errorf("ping: %v", err)
	}
	if listed, err := client.ListTools(t.Context(), mcpgo.ListToolsRequest{}); err != nil || len(listed.Tools) != len(names) {
		t.Errorf("S-2: %+v, %v", listed, err)
	}
	call := func(tool string, arguments map[string]any) (map[string]any, error) {
		var request mcpgo.CallToolRequest
		request.Params.Name, request.Params.Arguments = tool, arguments
		result, err := client.CallTool(t.Context(), request)
		if err != nil {
			return nil, err
		}
		answer, _ := result.StructuredContent.(map[string]any)
		return answer, nil
	}
	started, err := call("launch_run", map[string]any{"github_repo_url": w.repo})
	run, _ := started["run_id"].(string)
	if err != nil || run == "" {
		t.Fatalf("launch_run: %v, %v", started, err)
	}
	if answer, err := call("cancel_run", map[string]any{"run_id": run}); err != nil || answer["state"] != "CANCELLED" {
		t.Errorf("cancel_run: %v, %v", answer, err)
	}
	if _, err := call("get_run_status", map[string]any{"run_id": "../x"}); err == nil || !strings.Contains(err.Error(), "invalid arguments") {
		t.Errorf("get_run_status: %v", err)
	}
	listed, err := client.ListResources(t.Context(), mcpgo.ListResourcesRequest{})
	if err != nil || len(listed.Resources) == 0 {
		t.Errorf("S-26: %+v, %v", listed, err)
	}
	var read mcpgo.ReadResourceRequest
	read.Params.URI = "resource://run/" + run + "/snapshot.json"
	if result, err := client.ReadResource(t.Context(), read); err != nil || len(result.Contents) != 1 {
		t.Errorf("S-26: %+v, %v", result, err)
	}
}
