package client_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"mcpworks/mcp/client"
	"mcpworks/mcp/transport"
)

// FuzzFrames has a server say anything at all: the session must live on.
func FuzzFrames(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `[]`, `[[]]`, `{}`, `{"jsonrpc":"2.0"}`, "{\n\"jsonrpc\":\"2.0\"\n}", `{"jsonrpc":"2.0","id":2,"result":{}}`,
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, `{"id":1,"error":7}`, `{"a":"\ud800"}`,
		`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"loud"}}`, "[{\"a\":\n[1,2]}\n]", `{"jsonrpc":"2.0","id":1,"method":"roots/list"}`,
		`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}`,
	} {
		f.Add(seed, false)
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, text string, modern bool) {
		synctest.Test(t, func(t *testing.T) {
			ours, theirs := transport.Pair()
			opts := client.Options{Era: client.Legacy, Recorder: &client.Transcript{}, Roots: func(context.Context) ([]client.Root, error) { return nil, nil }}
			answer := `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}`
			if modern {
				opts.Era = client.Modern
				answer = `{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"]}}`
			}
			go func() { // whatever the client says
				for {
					if _, err := theirs.Read(); err != nil {
						_ = theirs.Close(context.Background())
						return
					}
				}
			}()
			say := func(line string) {
				if err := theirs.Write(t.Context(), []byte(line)); err != nil {
					t.Fatal(err)
				}
			}
			opened := make(chan *client.Session, 1)
			go func() {
				s, err := client.Connect(t.Context(), client.Over(client.LineOf(ours)), opts)
				if err != nil {
					t.Error(err)
				}
				opened <- s
			}()
			synctest.Wait()
			say(answer)
			s := <-opened
			for line := range strings.SplitSeq(text, "\n") {
				say(line)
			}
			synctest.Wait()
			done := make(chan error, 1)
			go func() {
				_, err := s.Call(t.Context(), "x/alive", nil)
				done <- err
			}()
			synctest.Wait()
			say(`{"jsonrpc":"2.0","id":2,"result":{}}`)
			if err := <-done; err != nil && !strings.Contains(text, `"id"`) {
				t.Errorf("%q: %v", text, err)
			}
			if err := s.Close(context.Background()); err != nil {
				t.Error(err)
			}
		})
	})
}
