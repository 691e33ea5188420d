// Command floor is the least that answers the benchmark: one loop over the
// lines, encoding/json, no checks, no concurrency. No real server can be
// expected to be much cheaper with that decoder.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"log"
	"os"

	"mcpworks/bench/internal/stats"
)

type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		ProtocolVersion string `json:"protocolVersion"`
		Arguments       struct {
			Text string `json:"text"`
		} `json:"arguments"`
	} `json:"params"`
}

type response struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result"`
}

type content struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type callResult struct {
	Content []content `json:"content"`
}

var echoTool = json.RawMessage(`{"tools":[{"name":"echo","description":"returns its text","inputSchema":` +
	`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}]}`)

func answer(r request) any {
	switch r.Method {
	case "initialize":
		return map[string]any{
			"protocolVersion": r.Params.ProtocolVersion,
			"capabilities":    map[string]any{"tools": struct{}{}},
			"serverInfo":      map[string]string{"name": "floor", "version": "1"},
		}
	case "tools/list":
		return echoTool
	case "tools/call":
		return callResult{Content: []content{{Type: "text", Text: r.Params.Arguments.Text}}}
	}
	return struct{}{}
}

func serve(in io.Reader, out io.Writer) error {
	r := bufio.NewReaderSize(in, 64<<10)
	w := bufio.NewWriterSize(out, 64<<10)
	encoder := json.NewEncoder(w)
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return err
		}
		var req request
		if err := json.Unmarshal(line, &req); err != nil {
			return err
		}
		if req.ID != nil {
			if err := encoder.Encode(response{JSONRPC: "2.0", ID: req.ID, Result: answer(req)}); err != nil {
				return err
			}
		}
		if r.Buffered() == 0 {
			if err := w.Flush(); err != nil {
				return err
			}
		}
	}
}

func main() {
	stats.Report()
	if err := serve(os.Stdin, os.Stdout); !errors.Is(err, io.EOF) {
		log.Fatal(err)
	}
}
