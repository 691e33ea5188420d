package launch

import (
	"context"
	_ "embed"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"mcpworks/internal/metrics"
	"mcpworks/mcp"
	"mcpworks/mcp/server"
	"mcpworks/packs/launch/internal/operate"
)

const (
	// runsListed is how many runs, the newest, have their resources listed.
	runsListed = 50
	// pageOfResources is how many of them are on a page.
	pageOfResources = 50
)

// listedNames are the artifacts that are listed where they exist (3.7).
var listedNames = []string{"page_plan.json", "validation_report.json", "snapshot.json"}

func (f *face) templates() []server.ResourceTemplate {
	return []server.ResourceTemplate{{
		ResourceTemplate: mcp.ResourceTemplate{
			URITemplate: "resource://run/{run_id}/{+artifact_name}", Name: "artifact", Title: "Artifact of a run",
			Description: "A file of a launch run, by the names of get_artifact. One above 1 MiB is read in pieces, with ?offset=0&max_bytes=1048576 at the end.",
		},
		Read: f.readResource,
	}}
}

// resources are those about the server itself.
func (f *face) resources() []server.Resource {
	return []server.Resource{
		{
			Resource: mcp.Resource{URI: "resource://server/metrics", Name: "metrics", Title: "Metrics", MIMEType: metrics.MIMEType,
				Description: "How often tools were called, how long that took, and which errors there were, in the text format of Prometheus."},
			Read: func(context.Context, *server.ReadCall) (*mcp.ReadResourceResult, error) {
				return textResource(metrics.MIMEType, string(f.numbers.AppendText(nil))), nil
			},
		},
		{
			Resource: mcp.Resource{URI: "resource://server/release-notes", Name: "release-notes", Title: "Release notes", MIMEType: "text/markdown",
				Description: "What has changed from version to version, above all what clients have to know."},
			Read: func(context.Context, *server.ReadCall) (*mcp.ReadResourceResult, error) {
				return textResource("text/markdown", releaseNotes), nil
			},
		},
	}
}

//go:embed RELEASE_NOTES.md
var releaseNotes string

func textResource(mimeType, text string) *mcp.ReadResourceResult {
	return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{MIMEType: mimeType, Text: text}}}
}

// listRuns lists what the newest runs have made.
func (f *face) listRuns(ctx context.Context, _ *server.Request) (list []mcp.Resource, err error) {
	runs, err := f.engine.Recent(ctx, runsListed)
	if err != nil {
		return nil, err
	}
	for _, run := range runs {
		for _, name := range listedNames {
			exists := name == "snapshot.json" || slices.ContainsFunc(run.Artifacts, func(a operate.ArtifactRef) bool { return a.Name == name })
			if exists {
				list = append(list, mcp.Resource{URI: "resource://run/" + run.RunID + "/" + name, Name: run.RunID + "/" + name, MIMEType: "application/json"})
			}
		}
	}
	return list, nil
}

func (f *face) readResource(ctx context.Context, asked *server.ReadCall) (*mcp.ReadResourceResult, error) {
	name, query, _ := strings.Cut(asked.Variables["artifact_name"], "?")
	return f.readPiece(ctx, asked.Variables["run_id"], name, query)
}

// readPiece reads a file, or the piece that the query asks for.
func (f *face) readPiece(ctx context.Context, runID, name, query string) (*mcp.ReadResourceResult, error) {
	c := &call{}
	if !runIDForm.MatchString(runID) {
		return nil, server.ErrNotFound
	}
	if err := c.checkName("/uri", name); err != nil {
		return nil, err
	}
	offset, size, err := parsePiece(query)
	if err != nil {
		return nil, err
	}
	chunk, err := f.engine.Chunk(ctx, runID, name, offset, size)
	if err != nil {
		return nil, err
	}
	if query == "" && !chunk.Complete {
		return nil, &Error{Code: InvalidInput, Message: "the file is too large to be read at once: add ?offset=0&max_bytes=1048576 to its uri",
			Details: map[string]any{"size_bytes": chunk.Size}}
	}
	contents := mcp.ResourceContents{MIMEType: chunk.ContentType, Text: string(chunk.Data)}
	if !chunk.Text {
		contents.Text, contents.Blob = "", chunk.Data
	}
	return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{contents}}, nil
}

// parsePiece reads offset and max_bytes, with the bounds of get_artifact.
func parsePiece(query string) (offset int64, size int, err error) {
	bad := &Error{Code: InvalidInput, Message: "a uri can end in ?offset=&max_bytes= with whole numbers, max_bytes from 1024 to 4194304"}
	size = operate.DefaultChunk
	values, err := url.ParseQuery(query)
	if err != nil {
		return 0, 0, bad
	}
	for name := range values {
		switch value := values.Get(name); name {
		case "offset":
			offset, err = strconv.ParseInt(value, 10, 64)
		case "max_bytes":
			size, err = strconv.Atoi(value)
		default:
			return 0, 0, bad
		}
		if err != nil {
			return 0, 0, bad
		}
	}
	if offset < 0 || size < 1024 || size > 4<<20 {
		return 0, 0, bad
	}
	return offset, size, nil
}
