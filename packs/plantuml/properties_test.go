package plantuml_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"mcpworks/internal/rawjson"
	"mcpworks/packs/plantuml"

	"pgregory.net/rapid"
)

// texts draws what the service encodes: any Unicode, from one byte to the most.
func texts() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		piece := rapid.OneOf(
			rapid.StringMatching(`[A-Za-z0-9 :>\n@-]{1,40}`),
			rapid.StringOfN(rapid.Rune(), 1, 60, -1),
		).Draw(t, "piece")
		piece = strings.ToValidUTF8(piece, "?")
		times := rapid.OneOf(rapid.Just(1), rapid.IntRange(1, plantuml.MaxText)).Draw(t, "times")
		text := strings.Repeat(piece, min(times, max(1, plantuml.MaxText/len(piece))))
		return "A" + text[:min(len(text), lastRune(text, plantuml.MaxText-1))]
	})
}

// lastRune returns the largest boundary between characters up to most.
func lastRune(text string, most int) int {
	most = min(most, len(text))
	for most > 0 && most < len(text) && !utf8.RuneStart(text[most]) {
		most--
	}
	return most
}

func codeBody(text string) string {
	o := rawjson.Begin(nil)
	o.String("plantumlCode", text)
	return string(o.End())
}

// direct answers without a network, for tests of many calls.
type direct struct{ handler http.Handler }

func (d direct) play(c *conversation) reply {
	req := httptest.NewRequest(c.method, "http://service"+c.target, strings.NewReader(c.body))
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, req)
	body := w.Body.String()
	if c.method == http.MethodHead {
		body = "" // which a real server drops
	}
	return reply{c, w.Code, w.Header(), body}
}

func (d direct) encoded(t failer, text string) string {
	t.Helper()
	r := d.play(&conversation{method: "POST", target: toolPath, body: codeBody(text)})
	checkReply(t, r)
	var answer document
	if err := json.Unmarshal([]byte(r.body), &answer); err != nil || answer.Result == nil {
		t.Fatalf("%d %s", r.status, r.body)
	}
	return answer.Result.Encoded
}

// Whatever is asked, however odd, the reply keeps its form.
func TestInvariants6To9EveryReply(t *testing.T) {
	d := direct{plantuml.Handler(plantuml.Config{})}
	methods := rapid.SampledFrom([]string{"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "PROPFIND"})
	targets := rapid.OneOf(
		rapid.SampledFrom([]string{"/api/tools", "/api/tools/", toolPath, toolPath + "/", "/api", "/mcp/v1/encode-plantuml"}),
		rapid.StringMatching(`/api/tools/([a-z/.~]|%[0-7][0-9A-F]|%C3%A9|%FF){0,120}`),
		rapid.StringMatching(`/api/([a-z/]|%2F){0,20}(\?[a-z=&]{0,5})?`),
	)
	bodies := rapid.OneOf(
		rapid.Map(rapid.String(), codeBody),
		rapid.StringMatching(`\{"plantumlCode":(null|1|true|\[\]|"(\\u[dD][89abcdABCD]00|\\\\|x| ){0,5}")[ ,}x]{0,3}`),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
	)
	rapid.Check(t, func(t *rapid.T) {
		checkReply(t, d.play(&conversation{
			method: methods.Draw(t, "method"), target: targets.Draw(t, "target"), body: bodies.Draw(t, "body"),
		}))
	})
}

func TestInvariants11To13TextComesBack(t *testing.T) {
	d := direct{plantuml.Handler(plantuml.Config{})}
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		if got, err := plantuml.Decode(d.encoded(t, text)); got != text || err != nil {
			t.Fatalf("%d bytes came back as %d, %v", len(text), len(got), err)
		}
	})
}

func TestInvariant15SameTextSameURLByHTTP(t *testing.T) {
	const text = "@startuml\nA -> B\n@enduml"
	const want = "SoWkIImgAStDuN9KqBLJSE9oICrB0N81" // also that of every other process
	d := direct{plantuml.Handler(plantuml.Config{})}
	for range 1000 {
		if got := d.encoded(t, text); got != want {
			t.Fatalf("encoded as %s", got)
		}
	}
	s := newService(t)
	var calls sync.WaitGroup
	for range 100 {
		calls.Go(func() {
			r, err := s.ask(&conversation{method: "POST", target: toolPath, body: codeBody(text)})
			if err != nil || !strings.Contains(r.body, `"encoded":"`+want+`"`) {
				t.Errorf("%v %s", err, r.body)
			}
		})
	}
	calls.Wait()
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		again := direct{plantuml.Handler(plantuml.Config{})}
		if d.encoded(t, text) != again.encoded(t, text) {
			t.Fatalf("two services differ")
		}
	})
}

func TestInvariant16DifferentTextsDifferentURLsByHTTP(t *testing.T) {
	d := direct{plantuml.Handler(plantuml.Config{})}
	rapid.Check(t, func(t *rapid.T) {
		a := texts().Draw(t, "a")
		b := rapid.OneOf(
			texts(),
			rapid.SampledFrom([]string{a + "\n", a + " ", "\n" + a, strings.ToLower(a), a + "\x00", a[:lastRune(a, len(a)-1)]}),
		).Draw(t, "b")
		if a == b || strings.TrimSpace(b) == "" || len(b) > plantuml.MaxText {
			return
		}
		if d.encoded(t, a) == d.encoded(t, b) {
			t.Fatalf("%q and %q have one URL", a, b)
		}
	})
}

// Over real HTTP, one after the other, as the contract words it.
func TestInvariant27Latency(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	var text strings.Builder
	for i := 0; text.Len() < 10_000; i++ {
		fmt.Fprintf(&text, "Node%d --> Node%d : step %d\n", i, (7*i+3)%997, i)
	}
	s, body := newService(t), codeBody(text.String())
	s.post(t, body) // warm
	var took []time.Duration
	for range 1000 {
		start := time.Now()
		if r := s.post(t, body); r.status != http.StatusOK {
			t.Fatal(r.body)
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	median, p99 := took[500], took[990]
	t.Logf("median %v, 99th percentile %v", median, p99)
	if median > 100*time.Millisecond || p99 > 200*time.Millisecond {
		t.Errorf("median %v, 99th percentile %v", median, p99)
	}
}
