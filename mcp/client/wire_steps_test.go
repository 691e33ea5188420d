package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"mcpworks/mcp"
	"mcpworks/mcp/client"
)

// step does one line of a conversation.
func (st *stage) step(verb, rest string) error {
	switch verb {
	case "C":
		return st.heard(rest)
	case "S":
		return st.say(rest)
	case "quiet":
		return st.quiet()
	case "closes":
		err := st.server.Close(st.Context())
		synctest.Wait()
		return err
	case "redials":
		st.redial()
	case "wait":
		d, err := time.ParseDuration(rest)
		time.Sleep(d)
		synctest.Wait()
		return err
	case "opens":
		return st.wantOpen(rest)
	case "returns", "fails":
		return st.wantOutcome(verb, rest)
	case "noted":
		return st.wantNote(rest)
	case "cancel":
		st.cancel()
	case "close":
		return st.session.Close(st.Context())
	case "over":
		<-st.session.Done()
		return match(fmt.Sprint(st.session.Err()), rest)
	case "unlisten":
		st.sub.Close()
	default:
		return st.start(verb, rest)
	}
	return nil
}

// heard compares the next thing the client says: with a whole message, or with
// its method.
func (st *stage) heard(want string) error {
	var frame []byte
	select {
	case frame = <-st.said:
	case <-time.After(time.Hour):
	}
	if frame == nil {
		return errors.New("the client says nothing")
	}
	var got struct {
		ID     json.RawMessage
		Method string
	}
	if err := json.Unmarshal(frame, &got); err != nil {
		return err
	}
	if got.ID != nil && got.Method != "" {
		st.lastID = got.ID
	}
	if !strings.HasPrefix(want, "{") {
		if got.Method != want {
			return fmt.Errorf("the client says %s", frame)
		}
		return nil
	}
	if diff := diffJSON([]byte(want), frame); diff != "" {
		return fmt.Errorf("the client says %s\n-want +got:\n%s", frame, diff)
	}
	return nil
}

// diffJSON compares two texts as values.
func diffJSON(want, got []byte) string {
	var a, b any
	if err := json.Unmarshal(want, &a); err != nil {
		return "the file: " + err.Error()
	}
	if err := json.Unmarshal(got, &b); err != nil {
		return err.Error()
	}
	return cmp.Diff(a, b)
}

// say sends what the server says: raw, or an answer to the last request.
func (st *stage) say(text string) error {
	for _, kind := range []string{"result", "error"} {
		if value, ok := strings.CutPrefix(text, kind+" "); ok {
			text = fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%q:%s}`, st.lastID, kind, value)
		}
	}
	err := st.server.Write(st.Context(), []byte(text))
	synctest.Wait()
	return err
}

func (st *stage) quiet() error {
	synctest.Wait()
	select {
	case frame, ok := <-st.said:
		if ok {
			return fmt.Errorf("the client says %s", frame)
		}
	default:
	}
	return nil
}

func (st *stage) wantOpen(version string) error {
	o := <-st.opened
	if o.err != nil {
		return o.err
	}
	st.session = o.session
	if got := o.session.Version(); got != version {
		return fmt.Errorf("speaks %s", got)
	}
	return nil
}

func (st *stage) wantOutcome(verb, want string) error {
	if st.session == nil {
		o := <-st.opened
		if verb == "returns" || o.err == nil {
			return fmt.Errorf("Connect returned %v", o.err)
		}
		st.opened <- o
		return match(o.err.Error(), want)
	}
	if len(st.results) == 0 {
		return errors.New("nothing was called")
	}
	o := <-st.results[0]
	st.results = st.results[1:]
	if verb == "fails" && o.err != nil {
		return match(o.err.Error(), want)
	}
	if verb == "returns" && o.err == nil {
		return match(o.text, want)
	}
	return fmt.Errorf("returned %s, %v", o.text, o.err)
}

func match(got, want string) error {
	if !strings.Contains(got, want) {
		return fmt.Errorf("got %s", got)
	}
	return nil
}

func (st *stage) wantNote(note string) error {
	synctest.Wait()
	events, _ := st.record.Events()
	for _, e := range events {
		if strings.Contains(e.Note, note) {
			return nil
		}
	}
	return errors.New("no such note")
}

// start begins a call, whose outcome a later step wants.
func (st *stage) start(verb, rest string) error {
	call := st.calls()[verb]
	if call == nil {
		return fmt.Errorf("unknown verb %s", verb)
	}
	ctx, cancel := context.WithCancel(st.Context())
	st.cancel = cancel
	result := make(chan outcome, 1)
	st.results = append(st.results, result)
	first, more, _ := strings.Cut(rest, " ")
	go func() {
		text, err := call(ctx, first, more)
		result <- outcome{text, err}
	}()
	synctest.Wait()
	return nil
}

func (st *stage) calls() map[string]func(ctx context.Context, first, rest string) (string, error) {
	s := st.session
	heard := &strings.Builder{}
	watched := s.With(client.CallOptions{Progress: func(p client.Progress) { fmt.Fprintf(heard, "%v/%v %s; ", p.Progress, p.Total, p.Message) }})
	tool := func(s *client.Session) func(context.Context, string, string) (string, error) {
		return func(ctx context.Context, name, arguments string) (string, error) {
			var args any
			if arguments != "" {
				args = json.RawMessage(arguments)
			}
			result, err := s.CallTool(ctx, name, args)
			if err != nil {
				return "", err
			}
			return heard.String() + string(result.Raw), nil
		}
	}
	return map[string]func(context.Context, string, string) (string, error){
		"call": func(ctx context.Context, method, params string) (string, error) {
			result, err := s.Call(ctx, method, json.RawMessage(params))
			return string(result), err
		},
		"notify": func(ctx context.Context, method, params string) (string, error) {
			return "", s.Notify(ctx, method, json.RawMessage(params))
		},
		"tool":    tool(s),
		"watched": tool(watched),
		"forced":  tool(s.With(client.CallOptions{Force: true, Meta: mcp.Meta{"example.com/x": json.RawMessage(`1`)}})),
		"tools": func(ctx context.Context, _, _ string) (string, error) {
			tools, err := s.AllTools(ctx)
			var names []string
			for _, tool := range tools {
				names = append(names, tool.Name)
			}
			return strings.Join(names, " "), err
		},
		"read": func(ctx context.Context, uri, _ string) (string, error) {
			result, err := s.ReadResource(ctx, uri)
			if err != nil {
				return "", err
			}
			return string(result.Raw), nil
		},
		"ping": func(ctx context.Context, _, _ string) (string, error) { return "", s.Ping(ctx) },
		"level": func(ctx context.Context, name, _ string) (string, error) {
			level, _ := mcp.ParseLevel(name)
			return "", s.SetLevel(ctx, level)
		},
		"discover": func(ctx context.Context, _, _ string) (string, error) {
			d, err := s.Discover(ctx)
			if err != nil {
				return "", err
			}
			return strings.Join(d.Versions, " "), nil
		},
		"listen": st.listen,
	}
}

func (st *stage) listen(ctx context.Context, uri, _ string) (string, error) {
	var told bytes.Buffer
	sub, err := st.session.Listen(ctx, client.Filter{Tools: true, URIs: strings.Fields(uri)}, func(n client.Notification) {
		fmt.Fprintln(&told, n.Method)
	})
	if err != nil {
		return "", err
	}
	st.sub = sub
	return fmt.Sprintf("%+v", sub.Granted()), nil
}

// transcript is what was said, for a failure.
func (st *stage) transcript() string {
	var text bytes.Buffer
	recorder := client.JSONLines(&text)
	events, _ := st.record.Events()
	for _, e := range events {
		recorder.Record(e)
	}
	return text.String()
}
