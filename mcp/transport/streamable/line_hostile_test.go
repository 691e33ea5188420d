package streamable_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
	"mcpworks/mcp/transport/streamable"
)

const (
	jsonType  = "application/json"
	eventType = "text/event-stream"
)

// answer is a handler with one answer; $id stands for the id of the request.
func answer(status int, contentType, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body := strings.ReplaceAll(body, "$id", idOf(r))
		if contentType != "" {
			w.Header().Set("Content-Type", contentType)
		} else {
			w.Header()["Content-Type"] = nil // net/http guesses otherwise
		}
		for i := 0; i < len(headers); i += 2 {
			w.Header().Add(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// cutOff writes half a response of a known length.
func cutOff(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		_, _ = fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: 10000\r\n\r\n%s", contentType, body)
		_ = conn.Close()
	}
}

const good = `{"jsonrpc":"2.0","id":$id,"result":{}}`

// What becomes of one request, by what the server makes of it, in the era in
// which nothing is tried again.
func TestLineAnswers(t *testing.T) {
	status := func(status int, body string, more ...func(*transport.StatusError)) error {
		e := &transport.StatusError{Status: status, Body: []byte(body)}
		for _, set := range more {
			set(e)
		}
		return e
	}
	isJSON := func(e *transport.StatusError) { e.JSON = true }
	content := func(kind, body string) error {
		return &transport.ContentError{Type: kind, Body: []byte(body)}
	}
	lost := errors.New("any")
	tooLong := &transport.FrameError{Limit: 10_000}
	for name, test := range map[string]struct {
		handler http.HandlerFunc
		want    error    // nil for an answer
		lost    bool     // the error is ErrLost, besides
		frames  []string // that are received
	}{
		"JSON":                {handler: answer(200, jsonType, good), frames: []string{good}},
		"JSON with charset":   {handler: answer(200, "Application/JSON; charset=utf-8", good), frames: []string{good}},
		"created":             {handler: answer(201, jsonType, good), frames: []string{good}},
		"a batch":             {handler: answer(200, jsonType, `[{"jsonrpc":"2.0","method":"n"},`+good+`]`), frames: []string{`[{"jsonrpc":"2.0","method":"n"},` + good + `]`}},
		"without a version":   {handler: answer(200, jsonType, `{"id":$id,"result":1}`), frames: []string{`{"id":$id,"result":1}`}},
		"an error":            {handler: answer(200, jsonType, `{"jsonrpc":"2.0","id":$id,"error":{"code":1,"message":""}}`), frames: []string{`{"jsonrpc":"2.0","id":$id,"error":{"code":1,"message":""}}`}},
		"an error to no id":   {handler: answer(200, jsonType, `{"id":null,"error":{}}`), want: status(200, `{"id":null,"error":{}}`, isJSON)},
		"an error without id": {handler: answer(200, jsonType, `{"error":{}}`), want: status(200, `{"error":{}}`, isJSON)},
		"another id":          {handler: answer(200, jsonType, `{"jsonrpc":"2.0","id":77,"result":{}}`), want: content(jsonType, `{"jsonrpc":"2.0","id":77,"result":{}}`)},
		"the id as a string":  {handler: answer(200, jsonType, `{"jsonrpc":"2.0","id":"$id","result":{}}`), want: content(jsonType, `{"jsonrpc":"2.0","id":"1","result":{}}`)},
		"a request":           {handler: answer(200, jsonType, `{"jsonrpc":"2.0","id":$id,"method":"m"}`), want: content(jsonType, `{"jsonrpc":"2.0","id":1,"method":"m"}`)},
		"not JSON":            {handler: answer(200, jsonType, `{"jsonrpc`), want: content(jsonType, `{"jsonrpc`)},
		"nothing":             {handler: answer(200, jsonType, ""), want: lost, lost: true},
		"accepted":            {handler: answer(202, "", ""), want: lost, lost: true},
		"no content":          {handler: answer(204, "", ""), want: lost, lost: true},
		"a page":              {handler: answer(200, "text/html", "<html>"+strings.Repeat("x", 10_000)), want: content("text/html", ("<html>" + strings.Repeat("x", 10_000))[:4096])},
		"no type":             {handler: answer(200, "", good), want: content("", `{"jsonrpc":"2.0","id":1,"result":{}}`)},
		"a bad type":          {handler: answer(200, ";;;", good), want: content(";;;", `{"jsonrpc":"2.0","id":1,"result":{}}`)},
		"JSON too long":       {handler: answer(200, jsonType, strings.Repeat(" ", 10_000)+good), want: tooLong, lost: true},
		"half of JSON":        {handler: cutOff(jsonType, `{"jsonrpc":"2.0","id":1,`), want: lost, lost: true},

		"events":                {handler: answer(200, eventType, "data: "+good+"\n\n"), frames: []string{good}},
		"events before":         {handler: answer(200, eventType+"; charset=utf-8", ": hi\n\nevent: message\ndata: {\"method\":\ndata: \"n\"}\n\ndata: "+good+"\n\n"), frames: []string{"{\"method\":\n\"n\"}", good}},
		"events behind":         {handler: answer(200, eventType, "data: "+good+"\n\ndata: {}\n\n"), frames: []string{good, "{}"}},
		"an answer twice":       {handler: answer(200, eventType, "data: "+good+"\n\ndata: "+good+"\n\n"), frames: []string{good, good}},
		"other answers":         {handler: answer(200, eventType, `data: {"id":"$id","result":{}}`+"\n\ndata: "+good+"\n\n"), frames: []string{`{"id":"$id","result":{}}`, good}},
		"a batch as event":      {handler: answer(200, eventType, "data: ["+good+"]\n\n"), frames: []string{"[" + good + "]"}},
		"other events":          {handler: answer(200, eventType, "event: ping\ndata: "+good+"\n\nevent: message\ndata\n\ndata: "+good+"\n\n"), frames: []string{good}},
		"noise before":          {handler: answer(200, eventType, "data: hello\n\ndata: "+good+"\n\n"), frames: []string{"hello", good}},
		"only noise":            {handler: answer(200, eventType, "data: hello\n\n"), want: content(eventType, "hello"), lost: true, frames: []string{"hello"}},
		"no events":             {handler: answer(200, eventType, ""), want: lost, lost: true},
		"no answer":             {handler: answer(200, eventType, "data: {}\n\n"), want: lost, lost: true, frames: []string{"{}"}},
		"half an event":         {handler: answer(200, eventType, "data: {}\n\ndata: "+good+"\n"), want: lost, lost: true, frames: []string{"{}"}},
		"events break off":      {handler: cutOff(eventType, "data: {}\n\n"), want: lost, lost: true, frames: []string{"{}"}},
		"an event too long":     {handler: answer(200, eventType, "data: "+strings.Repeat(" ", 20_000)+good+"\n\n"), want: tooLong, lost: true},
		"too long before":       {handler: answer(200, eventType, "data: "+strings.Repeat("x", 20_000)+"\n\ndata: "+good+"\n\n"), frames: []string{good}},
		"an event with no name": {handler: answer(200, eventType, `data: {"jsonrpc":"2.0","id":null,"error":{}}`+"\n\n"), want: status(200, `{"jsonrpc":"2.0","id":null,"error":{}}`, isJSON)},

		"ERA-12 bad request": {handler: answer(400, jsonType, `{"jsonrpc":"2.0","id":$id,"error":{"code":-32022}}`), want: status(400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32022}}`, isJSON)},
		"long JSON":          {handler: answer(400, jsonType, `["`+strings.Repeat("x", 9000)+`"]`), want: status(400, `["`+strings.Repeat("x", 9000)+`"]`, isJSON)},
		"JSON without type":  {handler: answer(404, "text/plain", `{}`), want: status(404, `{}`, isJSON)},
		"too long JSON":      {handler: answer(400, jsonType, `["`+strings.Repeat("x", 20_000)+`"]`), want: status(400, `["`+strings.Repeat("x", 4094))},
		"long text":          {handler: answer(500, "text/plain", strings.Repeat("x", 9000)), want: status(500, strings.Repeat("x", 4096))},
		"unauthorized": {
			handler: answer(401, "text/plain", "no", "WWW-Authenticate", `Bearer realm="a"`, "WWW-Authenticate", "Basic"),
			want:    status(401, "no", func(e *transport.StatusError) { e.Challenge = `Bearer realm="a", Basic` }),
		},
		"forbidden":     {handler: answer(403, "", "", "WWW-Authenticate", "Bearer"), want: status(403, "", func(e *transport.StatusError) { e.Challenge = "Bearer" })},
		"busy":          {handler: answer(429, "", "", "Retry-After", "7"), want: status(429, "", func(e *transport.StatusError) { e.RetryAfter = "7" })},
		"not modified":  {handler: answer(304, "", ""), want: status(304, "")},
		"gone for good": {handler: answer(410, "", ""), want: status(410, "")},
		"to a GET":      {handler: answer(303, "", "", "Location", "/other"), want: status(303, "", func(e *transport.StatusError) { e.Location = "/other" })},
		"in circles":    {handler: answer(307, "", "", "Location", "/"), want: status(307, "", func(e *transport.StatusError) { e.Location = "/" })},
		"hung up": {handler: func(w http.ResponseWriter, _ *http.Request) {
			conn, _, _ := http.NewResponseController(w).Hijack()
			_ = conn.Close()
		}, want: lost, lost: true},
		"not HTTP": {handler: func(w http.ResponseWriter, _ *http.Request) {
			conn, _, _ := http.NewResponseController(w).Hijack()
			_, _ = io.WriteString(conn, "SSH-2.0-server\r\n")
			_ = conn.Close()
		}, want: lost, lost: true},
		"endless header": {handler: func(w http.ResponseWriter, _ *http.Request) {
			conn, _, _ := http.NewResponseController(w).Hijack()
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: "+strings.Repeat("x", 1<<20))
			_ = conn.Close()
		}, want: lost, lost: true},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			k := newTalk(t, on(t, test.handler), mcp.V20260728, streamable.LineOptions{MaxMessage: 10_000})
			err := k.Send(t.Context(), k.request(mcp.MethodListTools, ""))
			if errors.Is(err, transport.ErrLost) != test.lost {
				t.Errorf("ErrLost: %v", err)
			}
			switch want := test.want.(type) {
			case *transport.StatusError:
				wantError(t, err, want)
			case *transport.ContentError:
				wantError(t, err, want)
			case *transport.FrameError:
				wantError(t, err, want)
			default:
				if (err == nil) != (want == nil) {
					t.Errorf("error %v", err)
				}
			}
			for _, want := range test.frames {
				if got, want := k.next(), strings.ReplaceAll(want, "$id", "1"); got != want {
					t.Errorf("received %s\nwant %s", got, want)
				}
			}
			k.hangUp()
			if len(k.in) > 0 {
				t.Errorf("received %s", <-k.in)
			}
		})
	}
}

func wantError[E interface {
	error
	comparable
}](t *testing.T, err error, want E) {
	t.Helper()
	var got E
	if !errors.As(err, &got) {
		t.Errorf("error %v, want %v", err, want)
	} else if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if err != nil && strings.Contains(err.Error(), "127.0.0.1") && !strings.Contains(err.Error(), "dial") {
		t.Errorf("the error shows the address: %v", err)
	}
}

func TestBEAR6CredentialsStayWithTheirOrigin(t *testing.T) {
	var others []string
	other := on(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { others = append(others, r.Method) }))
	var seen []string
	mux := http.NewServeMux()
	mux.HandleFunc("/a/", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/b", http.StatusTemporaryRedirect)
	})
	mux.HandleFunc("/b", func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Method, r.Header.Get("Authorization"), r.Header.Get("Mcp-Method"))
		answer(200, jsonType, good)(w, r)
	})
	mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other+"/", http.StatusPermanentRedirect)
	})
	url := on(t, mux)
	plain := &http.Client{}
	for _, client := range []*http.Client{nil, plain} {
		opts := streamable.LineOptions{Client: client, Header: http.Header{"Authorization": {"Bearer x"}}}
		k := newTalk(t, url+"/a/#fragment", mcp.V20260728, opts)
		k.ask(k.request(mcp.MethodListTools, ""))
		if diff := cmp.Diff([]string{"POST", "Bearer x", "tools/list"}, seen); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		seen = nil
		k = newTalk(t, url+"/away", mcp.V20260728, opts)
		err := k.Send(t.Context(), k.request(mcp.MethodListTools, ""))
		refusal := (*transport.StatusError)(nil)
		if !errors.As(err, &refusal) || refusal.Status != http.StatusPermanentRedirect || refusal.Location != other+"/" {
			t.Errorf("a redirect to another origin: %v", err)
		}
	}
	plain.CloseIdleConnections()
	if len(others) > 0 {
		t.Errorf("the other origin was asked: %s", others)
	}
}

func TestLineAddresses(t *testing.T) {
	for _, address := range []string{"", "example.com/mcp", "ftp://example.com", "http://", "file:///x", "http://[::1", "http://%zz", "unix:/x", "//example.com"} {
		if _, err := streamable.Dial(address, streamable.LineOptions{}); err == nil {
			t.Errorf("%q was accepted", address)
		}
	}
	if _, err := streamable.Dial("ssh://me:secret@example.com", streamable.LineOptions{}); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
}

func TestAnUnreachableServerHasSeenNothing(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = listener.Close()
	k := newTalk(t, "http://"+listener.Addr().String(), mcp.V20260728, streamable.LineOptions{})
	err = k.Send(t.Context(), k.request(mcp.MethodListTools, ""))
	if err == nil || errors.Is(err, transport.ErrLost) || !strings.Contains(err.Error(), "cannot be reached") {
		t.Errorf("%v", err)
	}
	k = newTalk(t, "http://"+listener.Addr().String(), mcp.V20260728, streamable.LineOptions{
		Authorize: func(*http.Request) error { return errors.New("no token") },
	})
	if err := k.Send(t.Context(), k.request(mcp.MethodListTools, "")); err == nil || errors.Is(err, transport.ErrLost) {
		t.Errorf("without a token: %v", err)
	}
	call := k.tool("x", "{}")
	call.Params = []transport.MirroredParam{{Name: "a b", Value: ""}}
	if err := k.Send(t.Context(), call); err == nil || errors.Is(err, transport.ErrLost) {
		t.Errorf("MH-7: a parameter that cannot be a header: %v", err)
	}
}

func TestHTTP10AForgottenSessionEndsTheLine(t *testing.T) {
	f, web := loopback(t, options(t, streamable.Options{}))
	k := newTalk(t, web.URL, mcp.V20251125, streamable.LineOptions{})
	k.open()
	held := make(chan error, 1)
	call := k.tool("hold", "{}")
	go func() { held <- k.Send(context.Background(), call) }()
	k.await("progress")
	f.handler.Close() // forgets all sessions, like a restart
	err := k.Send(t.Context(), k.tool("echo", "{}"))
	for name, err := range map[string]error{"next": err, "in flight": <-held, "later": k.Send(t.Context(), k.tool("echo", "{}"))} {
		refusal := (*transport.StatusError)(nil)
		if !errors.Is(err, transport.ErrSessionGone) || !errors.As(err, &refusal) || refusal.Status != http.StatusNotFound || !refusal.JSON {
			if name != "in flight" || !errors.Is(err, transport.ErrLost) { // it may have noticed first
				t.Errorf("the %s request: %v", name, err)
			}
		}
	}
	select {
	case err := <-k.over:
		t.Errorf("the reading ended: %v", err)
	default:
	}
	k.hangUp()
	again := newTalk(t, web.URL, mcp.V20251125, streamable.LineOptions{})
	again.open()
}

func TestA404WithoutSessionIsAStatus(t *testing.T) {
	k := newTalk(t, on(t, answer(404, "", "")), mcp.V20250618, streamable.LineOptions{})
	err := k.Send(t.Context(), k.initialize())
	if refusal := (*transport.StatusError)(nil); !errors.As(err, &refusal) || errors.Is(err, transport.ErrSessionGone) {
		t.Errorf("%v", err)
	}
}

func TestDeliveryOfMessagesWithoutAnswer(t *testing.T) {
	for name, test := range map[string]struct {
		handler http.HandlerFunc
		status  int // of the error; 0 for none
	}{
		"accepted":      {answer(202, "", ""), 0},
		"no content":    {answer(204, "", ""), 0},
		"with a body":   {answer(200, jsonType, `{"jsonrpc":"2.0","id":1,"result":{}}`), 0},
		"with a page":   {answer(200, "text/html", strings.Repeat("x", 100_000)), 0},
		"with events":   {answer(200, eventType, "data: {}\n\n"), 0},
		"refused":       {answer(400, jsonType, `{}`), 400},
		"not found":     {answer(404, "", ""), 404},
		"server's flaw": {answer(500, "", ""), 500},
		"never ending": {func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusAccepted)
			flush(w)
			<-r.Context().Done()
		}, 0},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			k := newTalk(t, on(t, test.handler), mcp.V20260728, streamable.LineOptions{})
			k.Assume(k.rev)
			err := k.Send(t.Context(), k.notification("notifications/x"))
			if refusal := (*transport.StatusError)(nil); test.status == 0 && err != nil || test.status != 0 && (!errors.As(err, &refusal) || refusal.Status != test.status) {
				t.Errorf("%v", err)
			}
			if len(k.in) > 0 {
				t.Errorf("received %s", <-k.in)
			}
		})
	}
}

// carrier answers requests without a network.
type carrier func(*http.Request) (*http.Response, error)

func (c carrier) RoundTrip(r *http.Request) (*http.Response, error) { return c(r) }

func TestMH7HeadersDecodeToTheirValues(t *testing.T) {
	var got http.Header
	client := &http.Client{Transport: carrier(func(r *http.Request) (*http.Response, error) {
		got = r.Header
		w := httptest.NewRecorder()
		w.WriteHeader(http.StatusAccepted)
		return w.Result(), nil
	})}
	k := newTalk(t, "http://example.com/", mcp.V20260728, streamable.LineOptions{Client: client})
	k.Assume(k.rev)
	value := rapid.OneOf(rapid.String(), rapid.StringMatching(`[ -~\t]{0,10}`), rapid.StringMatching(`(=\?base64\?)?[a-zA-Z0-9+/=]{0,8}(\?=)?`))
	rapid.Check(t, func(t *rapid.T) {
		name, param := value.Filter(func(s string) bool { return s != "" }).Draw(t, "name"), value.Draw(t, "param")
		out := k.notification("notifications/x")
		out.Name, out.Params = name, []transport.MirroredParam{{Name: "P", Value: param}}
		if err := k.Send(context.Background(), out); err != nil {
			t.Fatal(err)
		}
		for header, want := range map[string]string{"Mcp-Name": name, "Mcp-Param-P": param} {
			text := got.Get(header)
			if strings.Trim(text, "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" || strings.TrimSpace(text) != text {
				t.Fatalf("%q is not plain", text)
			}
			if decoded := decode(t, text); decoded != want {
				t.Fatalf("%q decodes to %q, want %q", text, decoded, want)
			}
		}
	})
}

// FuzzAnswer has a server answer anything at all: either the sender is told, or
// the answer is received.
func FuzzAnswer(f *testing.F) {
	f.Add(200, jsonType, good, true)
	f.Add(200, eventType, "id: 1\nretry: 5\ndata: {}\n\ndata: "+good+"\n\n", false)
	f.Add(404, "text/html", "<p>", true)
	f.Add(200, jsonType, "["+good+"]", false)
	f.Fuzz(func(t *testing.T, status int, contentType, body string, breaks bool) {
		if status < 200 || status > 599 || strings.ContainsFunc(contentType, func(c rune) bool { return c < ' ' || c > '~' }) {
			t.Skip()
		}
		body = strings.ReplaceAll(body, "$id", "1")
		client := &http.Client{Transport: carrier(func(r *http.Request) (*http.Response, error) {
			var in io.Reader = strings.NewReader(body)
			if breaks {
				in = io.MultiReader(in, brokenReader{})
			}
			return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {contentType}}, Body: io.NopCloser(in), Request: r}, nil
		})}
		line, err := streamable.Dial("http://example.com/", streamable.LineOptions{Client: client, MaxMessage: 1000, MaxUnread: 1 << 30})
		if err != nil {
			t.Fatal(err)
		}
		id := jsonrpc.IntID(1)
		frame := `{"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`
		err = line.Send(t.Context(), transport.Outgoing{Frame: []byte(frame), ID: id, Method: "m"})
		answered := false
		for err == nil && !answered {
			got, receiving := line.Receive()
			if receiving != nil {
				t.Fatal(receiving)
			}
			answered = strings.Contains(string(got), "1")
		}
		if err := line.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := line.Receive(); !errors.Is(err, transport.ErrClosed) {
			t.Fatal(err)
		}
	})
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// Many requests at once, some given up, on one line that is closed in between.
func TestLineUnderLoad(t *testing.T) {
	f, web := loopback(t, options(t, streamable.Options{SessionCalls: 1000}))
	for _, rev := range []*mcp.Revision{mcp.V20260728, mcp.V20251125} {
		k := newTalk(t, web.URL, rev, streamable.LineOptions{MaxStreams: 8, MaxUnread: 4000})
		k.open()
		var senders sync.WaitGroup
		for i := range 100 {
			call := k.tool([]string{"echo", "report", "hold"}[i%3], "{}")
			senders.Go(func() {
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				if call.Name == "hold" {
					f.hold <- struct{}{}
				}
				if i%10 == 0 {
					cancel()
				}
				if err := k.Send(ctx, call); err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, transport.ErrClosed) {
					t.Errorf("%s: %v", call.Name, err)
				}
			})
		}
		if rev.Modern {
			senders.Wait()
		}
		k.hangUp()
		senders.Wait()
	}
}
