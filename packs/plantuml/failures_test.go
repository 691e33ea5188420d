package plantuml_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"mcpworks/mcp/server"
	"mcpworks/packs/plantuml"

	"pgregory.net/rapid"
)

// fragile is an encoder that breaks on some texts.
func fragile(text string) string {
	switch {
	case strings.Contains(text, "panic"):
		panic(fmt.Errorf("cannot encode %s", text))
	case strings.Contains(text, "index"):
		return text[len(text)+len(text):]
	}
	return plantuml.Encode(text)
}

func TestInvariant26PanicInTheEncoder(t *testing.T) {
	log := &logBuffer{}
	handler, _ := plantuml.WithEncoder(plantuml.Config{Log: timeless(log)}, fragile)
	s := listen(t, log, handler)
	for _, cause := range []string{"panic", "index"} {
		for _, target := range []string{toolPath, "/mcp/v1/encode-plantuml"} {
			log.Reset()
			r := s.play(t, &conversation{method: "POST", target: target, body: codeBody(cause + " secret-7")})
			checkReply(t, r)
			if r.status != http.StatusInternalServerError || !strings.Contains(r.body, `"code":"INTERNAL_ERROR"`) {
				t.Errorf("%s: %d %s", target, r.status, r.body)
			}
			wantLines(t, log, 1, "secret-7")
			if line := log.String(); !strings.Contains(line, "level=ERROR") || !strings.Contains(line, "stack=") || !strings.Contains(line, "fragile") {
				t.Errorf("the log tells too little: %s", line)
			}
			if r := s.post(t, codeBody("A")); !strings.Contains(r.body, `"encoded":"SmG0"`) {
				t.Errorf("the next call: %s", r.body)
			}
		}
	}
}

func TestInvariant26PanicInTheMCPTool(t *testing.T) {
	log := &logBuffer{}
	_, tools := plantuml.WithEncoder(plantuml.Config{Log: timeless(log)}, fragile)
	call := func(text string) string {
		result, err := tools[0].Handler(context.Background(), &server.ToolCall{Arguments: map[string]any{"plantumlCode": text}})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%s %v", result.Structured, result.IsError)
	}
	if got := call("panic secret-7"); got != `{"status":"error","code":"INTERNAL_ERROR","message":"Internal server error"} true` {
		t.Errorf("result is %s", got)
	}
	wantLines(t, log, 1, "secret-7")
	if got := call("A"); !strings.HasSuffix(got, " false") {
		t.Errorf("the next result is %s", got)
	}
}

// wantLines wants so many lines in the log and a text in none of them.
func wantLines(t failer, log *logBuffer, lines int, hidden string) {
	t.Helper()
	text := log.String()
	if got := strings.Count(text, "\n"); got != lines {
		t.Fatalf("%d lines in the log, want %d: %s", got, lines, text)
	}
	if strings.Contains(text, hidden) {
		t.Fatalf("the log holds the diagram: %s", text)
	}
}

// The text of a diagram is in no line; discoveries and failures have one each,
// successes none.
func TestInvariant28LogLines(t *testing.T) {
	log := &logBuffer{}
	handler, _ := plantuml.WithEncoder(plantuml.Config{Log: timeless(log)}, fragile)
	d := direct{handler}
	const mark = "Secret7Diagram"
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{"", "panic ", "index ", strings.Repeat("A", plantuml.MaxText)}).Draw(t, "prefix") +
			mark + rapid.StringMatching(`[ -~]{0,20}`).Draw(t, "rest")
		body := codeBody(text)
		body = rapid.SampledFrom([]string{
			body, body + "x", body[:len(body)-1], text, "[" + body + "]", body + "\xff",
			strings.Replace(body, mark, mark+`\ud800`, 1), strings.Replace(body, "plantumlCode", "code", 1),
			"", strings.Repeat(body, 1+plantuml.MaxBody/len(body)),
		}).Draw(t, "body")
		c := &conversation{
			method: rapid.SampledFrom([]string{"GET", "POST", "OPTIONS"}).Draw(t, "method"),
			target: rapid.SampledFrom([]string{"/api/tools", toolPath, "/api/tools/" + mark, "/mcp/v1/encode-plantuml", "/" + mark}).Draw(t, "target"),
			body:   body,
		}
		log.Reset()
		r := d.play(c)
		want := 1
		if r.status == http.StatusOK && c.method != "GET" {
			want = 0
		}
		wantLines(t, log, want, mark)
	})
}

func TestInvariant28WhatALineSays(t *testing.T) {
	s := newService(t)
	s.play(t, &conversation{method: "GET", target: "/api/tools", header: http.Header{"User-Agent": {strings.Repeat("u", 300)}}})
	want := `level=INFO msg="Tool discovery called" timestamp=2026-03-05T20:30:00Z userAgent=` + strings.Repeat("u", 200) + "\n"
	if got := s.log.String(); got != want {
		t.Errorf("line is %s", got)
	}
}

// endless counts what was taken from it.
type endless struct{ taken int }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	e.taken += len(p)
	return len(p), nil
}

func TestInvariant20EndlessBody(t *testing.T) {
	body := &endless{}
	w := httptest.NewRecorder()
	plantuml.Handler(plantuml.Config{}).ServeHTTP(w, httptest.NewRequest("POST", toolPath, body))
	if w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d", w.Code)
	}
	if body.taken > plantuml.MaxBody+1 {
		t.Errorf("%d bytes were read", body.taken)
	}
}

// A declared length that is too much is refused before anything is read.
func TestInvariant20DeclaredBody(t *testing.T) {
	body := &endless{}
	req := httptest.NewRequest("POST", toolPath, body)
	req.ContentLength = plantuml.MaxBody + 1
	w := httptest.NewRecorder()
	plantuml.Handler(plantuml.Config{}).ServeHTTP(w, req)
	if w.Code != http.StatusRequestEntityTooLarge || body.taken > 0 {
		t.Errorf("status %d after %d bytes", w.Code, body.taken)
	}
}

// A client that stops in the middle of its body gets an answer, if it is still
// there to read it.
func TestBrokenBody(t *testing.T) {
	log := &logBuffer{}
	body := io.MultiReader(strings.NewReader(`{"plantumlCode":"se`), iotest.ErrReader(errors.New("connection reset")))
	w := httptest.NewRecorder()
	plantuml.Handler(plantuml.Config{Log: timeless(log)}).ServeHTTP(w, httptest.NewRequest("POST", toolPath, body))
	var answer document
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || answer.Error == nil || answer.Error.Code != "INTERNAL_ERROR" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	wantLines(t, log, 1, "plantumlCode")
}
