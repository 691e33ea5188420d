// Command floor is the least that answers the benchmark: one loop over the
// lines, encoding/json, no checks, no concurrency; or with --listen a handler of
// net/http that does the same, without sessions. No real server can be expected
// to be much cheaper with that decoder.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"log"
	"net/http"
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

func serveHTTP(w http.ResponseWriter, r *http.Request) {
	var req request
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(response{JSONRPC: "2.0", ID: req.ID, Result: answer(req)}) // the client is gone
}

func main() {
	stats.Report()
	listen := flag.String("listen", "", "`host:port` to serve HTTP on; without it, standard input and output")
	flag.Bool("stateless", true, "as the other peers; it has no sessions anyway")
	flag.Parse()
	if *listen != "" {
		log.Fatal(stats.ListenAndServe(*listen, http.HandlerFunc(serveHTTP)))
	}
	if err := serve(os.Stdin, os.Stdout); !errors.Is(err, io.EOF) {
		log.Fatal(err)
	}
}
