//go:build unix

package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"mcpworks/internal/secret"
	"mcpworks/mcp"
	"mcpworks/mcp/client"
	"mcpworks/mcp/transport"
)

// lockedBuffer is a writer that can be read while it is written to.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// recorded is an event as a line has it.
type recorded struct {
	Ms      float64
	Kind    string
	Message string
	Base64  string
	Note    string
	HTTP    *struct {
		Method, URL       string
		Status            int
		Request, Response map[string]string
	}
	Exit *struct {
		Code  int
		After string
	}
}

func lines(t testing.TB, text string) (all []recorded) {
	t.Helper()
	for line := range strings.Lines(text) {
		var r recorded
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		all = append(all, r)
	}
	return all
}

func TestEverythingIsRecorded(t *testing.T) {
	var out lockedBuffer
	s := connect(t, serve(t, echoServer(t, nil), transport.Pair), client.Options{Recorder: client.JSONLines(&out), Era: client.Legacy})
	if got := say(within(t, patient), s, "echo", "é"); got != "é" {
		t.Error(got)
	}
	_ = s.Close(context.Background())
	var story []string
	last := 0.0
	for _, e := range lines(t, out.String()) {
		var m struct{ Method string }
		_ = json.Unmarshal([]byte(e.Message), &m)
		story = append(story, strings.TrimSpace(e.Kind+" "+m.Method))
		if e.Ms < last {
			t.Errorf("time goes back from %v to %v", last, e.Ms)
		}
		last = e.Ms
	}
	want := "sent initialize, received, sent notifications/initialized, sent tools/call, received"
	if got := strings.Join(story, ", "); got != want {
		t.Errorf("recorded %s\nwant     %s", got, want)
	}
}

func TestBytesThatAreNoTextAreRecorded(t *testing.T) {
	var out bytes.Buffer
	client.JSONLines(&out).Record(client.Event{Kind: client.Received, Message: []byte("\xff\n")})
	if e := lines(t, out.String())[0]; e.Base64 != "/wo=" || e.Message != "" {
		t.Errorf("%+v", e)
	}
}

func TestTranscriptIsBounded(t *testing.T) {
	transcript := &client.Transcript{MaxBytes: 10_000}
	for range 100 {
		transcript.Record(client.Event{Kind: client.Received, Message: make([]byte, 1000)})
	}
	if events, dropped := transcript.Events(); len(events) != 8 || dropped != 92 {
		t.Errorf("%d kept, %d dropped", len(events), dropped)
	}
}

// D2.34: a secret occurs in no record and in no error.
func TestNoSecretIsRecorded(t *testing.T) {
	const token, other, variable = "hunter2-hunter2", "0123456789abcdef", "swordfish-swordfish"
	var out lockedBuffer
	record := &client.Transcript{}
	both := recorders{client.JSONLines(&out), record}

	url := serveHTTP(t, echoServer(t, nil)) + "/mcp"
	s := connect(t, client.URL(url+"?key="+other), client.Options{
		Header:   http.Header{"Authorization": {"Bearer " + token}, "X-Api-Key": {token}, "Accept-Language": {"en"}},
		Recorder: both, Secrets: []secret.String{secret.New(other)},
	})
	ctx := within(t, patient)
	for _, text := range []string{token, "say " + token + "!", other, "Bearer " + token} {
		if got := say(ctx, s, "echo", text); got != text { // the caller gets it
			t.Errorf("%q", got)
		}
	}
	_ = s.Close(context.Background())

	c := command("good")
	c.Env = append(c.Env, "MY_API_TOKEN="+variable)
	p := connect(t, c, client.Options{Recorder: both, Revision: mcp.V20250618})
	if got := say(ctx, p, "environment", ""); !strings.Contains(got, variable) {
		t.Error("the variable was not passed on")
	}
	_ = p.Close(context.Background())

	text := out.String()
	events, _ := record.Events()
	for _, e := range events {
		text += fmt.Sprintf("%s %s %+v", e.Message, e.Note, e.HTTP)
	}
	for _, hidden := range []string{token, other, variable} {
		if strings.Contains(text, hidden) {
			t.Errorf("%s is recorded", hidden)
		}
	}
	var exchanges int
	for _, e := range lines(t, out.String()) {
		if e.HTTP != nil && e.HTTP.Method == "POST" {
			exchanges++
			if e.HTTP.Status == 0 || e.HTTP.Request["Authorization"] != secret.Redacted || e.HTTP.Request["Accept-Language"] != "en" || e.HTTP.Response["Content-Type"] == "" {
				t.Errorf("exchange %+v", e.HTTP)
			}
		}
	}
	if exchanges != 5 {
		t.Errorf("%d exchanges", exchanges)
	}
}

type recorders []client.Recorder

func (all recorders) Record(e client.Event) {
	for _, r := range all {
		r.Record(e)
	}
}

func TestRefusalsAreRecorded(t *testing.T) {
	record := &client.Transcript{}
	_, err := client.Connect(within(t, patient), client.URL(serveHTTP(t, echoServer(t, nil))+"/nowhere"), client.Options{Recorder: record})
	if err == nil {
		t.Fatal("connected")
	}
	events, _ := record.Events()
	var statuses []int
	bodies := 0
	for _, e := range events {
		if e.HTTP != nil {
			statuses = append(statuses, e.HTTP.Status)
		}
		if e.Kind == client.Received && strings.Contains(string(e.Message), "page not found") && e.Note == "the body of HTTP status 404" {
			bodies++
		}
	}
	if fmt.Sprint(statuses) != "[404 404 404]" || bodies != 3 {
		t.Errorf("statuses %v, %d bodies", statuses, bodies)
	}
}
