package main

import (
	"context"
	"encoding/base64"
	"encoding/json"

	"mcpworks/internal/printable"
	"mcpworks/packs/launch"
)

// chunk is how much of a file one call brings.
const chunk = 4 << 20

// printArtifact prints a file of a run as it is, piece by piece.
func printArtifact(ctx context.Context, c *call) ([]byte, error) {
	return c.with(ctx, func(l *launch.Launcher) (content []byte, err error) {
		for offset, complete := int64(0), false; !complete; {
			answer, err := callTool(ctx, l, "get_artifact", map[string]any{
				"run_id": c.Operands[0], "artifact_name": c.Operands[1], "offset": offset, "max_bytes": chunk,
			})
			if err != nil {
				return nil, err
			}
			var piece struct {
				Content, Encoding string
				Length            int64
				Complete          bool
			}
			if err := json.Unmarshal(answer, &piece); err != nil {
				return nil, err
			}
			decoded := []byte(piece.Content)
			if piece.Encoding == "base64" {
				if decoded, err = base64.StdEncoding.DecodeString(piece.Content); err != nil {
					return nil, err
				}
			}
			content = append(content, decoded...)
			offset, complete = offset+piece.Length, piece.Complete
		}
		if c.terminal { // what is in it comes from strangers
			content = []byte(printable.Block(string(content)))
		}
		return content, nil
	})
}
