package crooked

import (
	"bytes"
	"context"
	"io"
	"mime"
	"net/http"
	"strings"

	"mcpworks/internal/httpguard"
	"mcpworks/mcp/transport/sse"
	"mcpworks/mcp/transport/streamable"
)

// The paths of the server, by transport.
const (
	StreamablePath = "/mcp"
	SSEPath        = "/sse"
)

// Remote is the name of a server that is not of this machine.
const Remote = "crooked.example"

// A Web is the server over HTTP. Close ends its sessions.
type Web struct {
	http.Handler
	Close func()
}

// NewWeb returns the server over HTTP, both transports.
func (f Fault) NewWeb() (*Web, error) {
	srv, err := f.server()
	if err != nil {
		return nil, err
	}
	endpoint, events := streamable.New(srv, streamable.Options{}), sse.New(srv, sse.Options{})
	mux := http.NewServeMux()
	mux.Handle(StreamablePath, endpoint)
	mux.Handle(SSEPath, events)
	handler, err := guarded(&bender{Fault: f, memory: newMemory(), next: mux})
	if err != nil {
		return nil, err
	}
	if f.Web != nil {
		handler = f.Web(handler)
	}
	return &Web{Handler: handler, Close: func() {
		srv.EndSubscriptions(context.Background())
		endpoint.Close()
		events.Close()
	}}, nil
}

// guarded puts the guards of a server on this machine before a handler.
func guarded(handler http.Handler) (http.Handler, error) {
	hosts := httpguard.Hosts{Names: []string{Remote}}
	host, err := httpguard.Host(httpguard.HostConfig{Hosts: hosts})
	if err != nil {
		return nil, err
	}
	origin, err := httpguard.Origin(httpguard.OriginConfig{Hosts: hosts})
	if err != nil {
		return nil, err
	}
	return host(origin(handler)), nil
}

// A bender changes messages in the bodies of requests and responses.
type bender struct {
	Fault
	memory *memory
	next   http.Handler
}

func (b *bender) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body []byte
	if r.Method == http.MethodPost {
		var err error
		if body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, 4<<20)); err != nil {
			http.Error(w, "the body could not be read", http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	chat := &Chat{Request: r, memory: b.memory}
	if b.Hear != nil && body != nil {
		if answers, swallowed := b.Hear(chat, body); swallowed {
			write(w, http.StatusOK, answers)
			return
		}
	}
	if b.Say == nil {
		b.next.ServeHTTP(w, r)
		return
	}
	out := &outgoing{ResponseWriter: w, say: func(message []byte) [][]byte { return b.Say(chat, Message{Raw: message, Asked: body}) }}
	b.next.ServeHTTP(out, r)
	out.finish()
}

// write sends messages as a response: one as JSON, several as a stream, none as
// nothing.
func write(w http.ResponseWriter, status int, messages [][]byte) {
	switch len(messages) {
	case 0:
		w.WriteHeader(http.StatusAccepted)
	case 1:
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write(messages[0])
	default:
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("X-Accel-Buffering", "no")
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(status)
		for _, message := range messages {
			_, _ = w.Write([]byte("data: " + string(message) + "\n\n"))
		}
	}
}

// outgoing bends a response: a JSON body when it is complete, a stream event by
// event.
type outgoing struct {
	http.ResponseWriter
	say    func([]byte) [][]byte
	status int
	body   []byte // that was not sent yet
}

func (o *outgoing) kind() string {
	kind, _, _ := mime.ParseMediaType(o.Header().Get("Content-Type"))
	return kind
}

func (o *outgoing) WriteHeader(status int) {
	if o.status = status; o.kind() != "application/json" {
		o.ResponseWriter.WriteHeader(status)
	}
}

func (o *outgoing) Write(p []byte) (int, error) {
	if o.status == 0 {
		o.WriteHeader(http.StatusOK)
	}
	switch o.kind() {
	case "application/json":
		o.body = append(o.body, p...)
		return len(p), nil
	case "text/event-stream":
		o.body = append(o.body, p...)
		return len(p), o.sendEvents()
	}
	return o.ResponseWriter.Write(p)
}

// FlushError implements what http.ResponseController looks for.
func (o *outgoing) FlushError() error {
	if o.kind() == "application/json" {
		return nil
	}
	return http.NewResponseController(o.ResponseWriter).Flush()
}

// Flush implements http.Flusher.
func (o *outgoing) Flush() { _ = o.FlushError() }

// Unwrap implements what http.ResponseController looks for.
func (o *outgoing) Unwrap() http.ResponseWriter { return o.ResponseWriter }

// sendEvents sends all events that are complete.
func (o *outgoing) sendEvents() error {
	for {
		event, rest, whole := bytes.Cut(o.body, []byte("\n\n"))
		if !whole {
			return nil
		}
		o.body = rest
		for _, text := range o.bendEvent(string(event)) {
			if _, err := io.WriteString(o.ResponseWriter, text+"\n\n"); err != nil {
				return err
			}
		}
	}
}

// bendEvent returns the events in place of one. What is no message stays.
func (o *outgoing) bendEvent(event string) []string {
	var head, data []string
	for line := range strings.SplitSeq(event, "\n") {
		if value, ok := strings.CutPrefix(line, "data:"); ok {
			data = append(data, strings.TrimPrefix(value, " "))
		} else {
			head = append(head, line)
		}
	}
	message := []byte(strings.Join(data, "\n"))
	if !isMessage(message) {
		return []string{event}
	}
	var events []string
	for _, said := range o.say(message) {
		events = append(events, strings.Join(append(head, "data: "+string(said)), "\n"))
		head = nil // an id is for one event
	}
	return events
}

// finish sends what was held back.
func (o *outgoing) finish() {
	if o.kind() != "application/json" || o.status == 0 {
		return
	}
	o.Header().Del("Content-Length")
	if said := o.say(o.body); len(said) > 0 {
		write(o.ResponseWriter, o.status, said)
		return
	}
	o.Header().Del("Content-Type")
	write(o.ResponseWriter, o.status, nil)
}
