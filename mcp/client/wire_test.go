package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"mcpworks/mcp"
	"mcpworks/mcp/client"
	"mcpworks/mcp/transport"
)

// TestWire plays the conversations of testdata/wire, each with a server that
// says what the file says. README.md there describes the format.
func TestWire(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "wire", "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no conversations: %v", err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range txtar.Parse(data).Files {
			name := strings.TrimSuffix(filepath.Base(path), ".txtar") + "/" + file.Name
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { play(t, string(file.Data)) })
			})
		}
	}
}

// A stage is one conversation while it is played.
type stage struct {
	*testing.T
	record  *client.Transcript
	opts    client.Options
	dialled chan transport.Conn // server ends that the client opened
	server  transport.Conn      // the current one
	said    chan []byte         // by the client, on the current one
	lastID  json.RawMessage     // of the client's last request
	session *client.Session
	opened  chan opened
	results []chan outcome // of calls, oldest first
	cancel  context.CancelFunc
	sub     *client.Subscription
}

type opened struct {
	session *client.Session
	err     error
}

type outcome struct {
	text string
	err  error
}

func play(t *testing.T, script string) {
	st := &stage{T: t, record: &client.Transcript{}, dialled: make(chan transport.Conn, 10), opened: make(chan opened, 1), cancel: func() {}}
	lines := strings.Split(script, "\n")
	if options, ok := strings.CutPrefix(lines[0], "options "); ok {
		lines[0] = ""
		st.opts = st.parseOptions(options)
	}
	st.opts.Recorder = st.record
	if st.opts.Info.Name == "" {
		st.opts.Info = mcp.Implementation{Name: "wire", Version: "1"}
	}
	go func() {
		s, err := client.Connect(t.Context(), client.DialFunc(st.dial), st.opts)
		st.opened <- opened{s, err}
	}()
	st.redial()
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		verb, rest, _ := strings.Cut(line, " ")
		if err := st.step(verb, strings.TrimSpace(rest)); err != nil {
			t.Errorf("line %d: %s\n%v\n%s", i+1, line, err, st.transcript())
			break
		}
	}
	st.end()
}

// end closes what is open and wants no goroutine to be left, as the bubble
// checks.
func (st *stage) end() {
	if st.session == nil {
		select {
		case o := <-st.opened:
			st.session = o.session
		case <-time.After(time.Hour):
			st.Error("Connect does not return")
		}
	}
	st.cancel()
	if st.session != nil {
		if err := st.session.Close(context.Background()); err != nil {
			st.Errorf("Close: %v", err)
		}
	}
	_ = st.server.Close(context.Background())
	for range st.said { // the rest
	}
}

// dial is how the client gets a new line.
func (st *stage) dial(context.Context) (transport.Line, error) {
	ours, theirs := transport.Pair()
	st.dialled <- theirs
	return client.LineOf(ours), nil
}

// redial waits for the client to open a line.
func (st *stage) redial() {
	st.server = <-st.dialled
	said := make(chan []byte, 1000)
	st.said = said
	server := st.server
	go func() {
		defer close(said)
		for {
			frame, err := server.Read()
			if err != nil {
				return
			}
			said <- frame
		}
	}()
}

func (st *stage) parseOptions(text string) (o client.Options) {
	for word := range strings.FieldsSeq(text) {
		name, value, _ := strings.Cut(word, "=")
		duration, _ := time.ParseDuration(value)
		number, _ := strconv.Atoi(value)
		switch name {
		case "legacy":
			o.Era = client.Legacy
		case "modern":
			o.Era = client.Modern
		case "revision":
			o.Revision = mcp.RevisionOf(value)
		case "acceptunknown":
			o.AcceptUnknown = true
		case "probe":
			o.Timeouts.Probe = duration
		case "open":
			o.Timeouts.Open = duration
		case "request":
			o.Timeouts.Request = duration
		case "most":
			o.Timeouts.Most = duration
		case "pages":
			o.Limits.Pages = number
		case "items":
			o.Limits.Items = number
		case "listbytes":
			o.Limits.ListBytes = number
		case "rounds":
			o.Limits.Rounds = number
		case "questions":
			o.Limits.Questions = number
		case "restarts":
			o.Restarts = number
		case "sampling":
			o.Sampling = sampling
		case "samplingtools":
			o.SamplingTools = true
		case "forms":
			o.ElicitForm = fillIn
		case "urls":
			o.ElicitURL = func(_ context.Context, v client.Visit) (mcp.ElicitResult, error) {
				return mcp.ElicitResult{Action: "accept"}, nil
			}
		case "roots":
			o.Roots = func(context.Context) ([]client.Root, error) { return []client.Root{{URI: "file:///r", Name: "r"}}, nil }
		default:
			st.Fatalf("unknown option %s", word)
		}
	}
	return o
}

// sampling answers with the system prompt, refuses when that is "no", and waits
// for the end of its context when it is "wait".
func sampling(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
	var p struct{ SystemPrompt string }
	_ = json.Unmarshal(params, &p)
	switch p.SystemPrompt {
	case "no":
		return nil, fmt.Errorf("asked: %w", client.ErrRejected)
	case "wait":
		<-ctx.Done()
		return nil, ctx.Err()
	case "fail":
		return nil, errors.New("open /usr/lib/secret: permission denied")
	case "bad":
		return json.RawMessage(`{"role":"assistant"}`), nil
	}
	return json.RawMessage(`{"model":"m", "role":"assistant", "content":{"type":"text","text":` + strconv.Quote(p.SystemPrompt) + `}}`), nil
}

// fillIn does with a form what its message says.
func fillIn(_ context.Context, form client.Form) (mcp.ElicitResult, error) {
	switch form.Message {
	case "decline", "cancel", "dance":
		return mcp.ElicitResult{Action: form.Message, Content: map[string]any{"name": "never sent"}}, nil
	case "wrong":
		return mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": 7}}, nil
	}
	return mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ann"}}, nil
}
