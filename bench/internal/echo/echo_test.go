package echo

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestRequestsCarryIDAndStamp(t *testing.T) {
	for _, size := range []int{5, 1 << 10, 100 << 10} {
		r := NewRequests(Line, 16, size, 0, 1)
		made := 0
		for made < 40 {
			b, n := r.Batch(40 - made)
			lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
			if len(lines) != n {
				t.Fatalf("%d lines in a batch of %d", len(lines), n)
			}
			for _, line := range lines {
				checkRequest(t, line, made, size)
				made++
			}
		}
	}
}

func TestRequestsStepInTheirForm(t *testing.T) {
	form := Form{Params: `"_meta":{},`, Frame: func(message string) string { return "1000000000 " + message }}
	r := NewRequests(form, 1, 5, 3, 16)
	for i := range 3 {
		b, n := r.One()
		if n != 3+16*i {
			t.Fatalf("call %d has number %d", i, n)
		}
		message, framed := strings.CutPrefix(string(b), "1000000000 ")
		if !framed || !strings.Contains(message, `"_meta":{}`) {
			t.Fatalf("call in another form: %s", b)
		}
		checkRequest(t, message, n, 5)
	}
}

func checkRequest(t *testing.T, message string, number, size int) {
	t.Helper()
	var m struct {
		ID     int
		Params struct{ Arguments struct{ Text string } }
	}
	if err := json.Unmarshal([]byte(message), &m); err != nil {
		t.Fatal(err)
	}
	text := m.Params.Arguments.Text
	if m.ID != firstID+number || len(text) != size || text[:MinText] != fmt.Sprintf("%05d", number) {
		t.Fatalf("call %d: id %d, text %.10q of %d bytes", number, m.ID, text, len(text))
	}
}

func TestAnswersAreChecked(t *testing.T) {
	good := func(n int) string {
		return fmt.Sprintf(`{"result":{"content":[{"type":"text","text":"%05d%s"}]},"id":%d}`, n, filler(3), firstID+n)
	}
	a := NewAnswers(MinText + 3)
	for _, n := range []int{2, 0, 1, 70} {
		if err := a.Check([]byte(good(n)), 100); err != nil {
			t.Errorf("call %d: %v", n, err)
		}
	}
	bad := map[string]string{
		"second answer":  good(0),
		"never made":     good(100),
		"other text":     strings.Replace(good(5), "00005", "00006", 1),
		"other filler":   strings.Replace(good(5), filler(3), "xyz", 1),
		"tool error":     strings.Replace(good(5), `]}`, `],"isError":true}`, 1),
		"protocol error": fmt.Sprintf(`{"id":%d,"error":{"code":-32603,"message":"no"}}`, firstID+5),
		"no JSON":        "hello",
		"nothing":        "",
	}
	for name, message := range bad {
		if err := a.Check([]byte(message), 100); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	// Another order of members is as good.
	if err := a.Check([]byte(fmt.Sprintf(`{"id":%d,"result":{"content":[{"text":"00006%s","type":"text"}]}}`, firstID+6, filler(3))), 100); err != nil {
		t.Error(err)
	}
}

func TestHandshakeIsChecked(t *testing.T) {
	if err := CheckInitialize([]byte(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}`)); err != nil {
		t.Error(err)
	}
	for _, message := range []string{``, `{"id":1,"error":{}}`, `{"id":2,"result":{"protocolVersion":"2025-06-18"}}`} {
		if CheckInitialize([]byte(message)) == nil {
			t.Errorf("%q was accepted", message)
		}
	}
}
