package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"mcpworks/internal/printable"
	"mcpworks/packs/launch"
)

// printArtifact prints a file of a run as it is, or lists the files.
func printArtifact(ctx context.Context, c *call) ([]byte, error) {
	return c.with(ctx, func(l *launch.Launcher) ([]byte, error) {
		answer, err := callTool(ctx, l, "get_run_status", map[string]any{"run_id": c.Operands[0]})
		if err != nil {
			return nil, err
		}
		if len(c.Operands) == 1 {
			return readable(filesList)(c, answer)
		}
		name, err := c.meant(answer)
		if err != nil {
			return nil, err
		}
		content, err := readWhole(ctx, l, c.Operands[0], name)
		if c.terminal { // what is in it comes from strangers
			content = []byte(printable.Block(string(content)))
		}
		return content, err
	})
}

// meant is the file that the second operand names, by its whole name or the end
// of it. One that the status does not list is left to the tool.
func (c *call) meant(answer json.RawMessage) (string, error) {
	var s status
	if err := json.Unmarshal(answer, &s); err != nil {
		return "", err
	}
	name := c.Operands[1]
	switch meant := named(s.Artifacts, name); len(meant) {
	case 0:
		return name, nil
	case 1:
		return meant[0], nil
	default:
		var short []string
		for _, one := range meant {
			short = append(short, shortNames(s.Artifacts)[one])
		}
		return "", &failure{
			exit: launch.ExitInvalid, err: fmt.Errorf("%s is the end of %d names", name, len(meant)),
			hint: "say which one is meant: " + strings.Join(short, ", "),
		}
	}
}

func readWhole(ctx context.Context, l *launch.Launcher, runID, name string) (content []byte, err error) {
	for at, complete := int64(0), false; !complete; {
		part, err := readPiece(ctx, l, runID, name, at)
		if err != nil {
			return nil, err
		}
		content = append(content, part.data...)
		at, complete = part.Offset+part.Length, part.Complete
	}
	return content, nil
}

// chunk is how much of a file one call brings.
const chunk = 4 << 20

// A piece is a part of a file.
type piece struct {
	Content, Encoding string
	Offset, Length    int64
	Complete          bool // it reaches the end
	data              []byte
}

// readPiece reads what a file has from an offset on, up to the size of a chunk.
func readPiece(ctx context.Context, l *launch.Launcher, runID, name string, offset int64) (p piece, err error) {
	answer, err := callTool(ctx, l, "get_artifact", map[string]any{"run_id": runID, "artifact_name": name, "offset": offset, "max_bytes": chunk})
	if err != nil {
		return p, err
	}
	if err := json.Unmarshal(answer, &p); err != nil {
		return p, err
	}
	if p.data = []byte(p.Content); p.Encoding == "base64" {
		p.data, err = base64.StdEncoding.DecodeString(p.Content)
	}
	return p, err
}
