package plantuml_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"mcpworks/packs/plantuml"
)

// FuzzReadCode holds the decoder to encoding/json, where that is right.
func FuzzReadCode(f *testing.F) {
	for _, body := range []string{
		``, ` `, `{}`, `null`, `[]`, `{"plantumlCode":"A"}`, `{"plantumlCode":"\ud83c\udf0d"}`, `{"plantumlCode":"\ud800"}`,
		`{"a":"\udc00","plantumlCode":"A"}`, `{"plantumlCode":"A","plantumlCode":"\\ud800"}`, `{"plantumlCode":"\ufeff "}`,
		`{"\ud800\ud800plantumlCode":"B","plantuml\u0043ode":"A"}`, "{\"plantumlCode\":\"\xff\"}", `{"plantumlCode":"A"}x`, `\ud800`,
		`{"plantumlCode":["\ud800"]}`, `{"plantumlCode":"\ud800\u0041"}`, `{"plantumlCode":"\`, `{"plantumlCode":"\u`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		before := bytes.Clone(body)
		text, code := plantuml.ReadCode(body)
		if !bytes.Equal(body, before) {
			t.Fatal("the body was changed")
		}
		want, isString := lastCode(body)
		switch {
		case !utf8.Valid(body):
			wantCode(t, code, "ENCODING_FAILED")
		case len(body) == 0:
			wantCode(t, code, "EMPTY_CODE")
		case !json.Valid(body):
			if bytes.Count(body, []byte("["))+bytes.Count(body, []byte("{")) < 10_000 { // its own limit
				wantCode(t, code, "INTERNAL_ERROR")
			}
		case !isString:
			wantCode(t, code, "EMPTY_CODE")
		case code == "ENCODING_FAILED":
			if !strings.Contains(want, "\uFFFD") {
				t.Errorf("%q has no lone surrogate", body)
			}
		case code == "EMPTY_CODE":
			if strings.TrimSpace(strings.ReplaceAll(want, "\uFEFF", "")) != "" {
				t.Errorf("%q is not blank", body)
			}
		case code == "CODE_TOO_LARGE":
			if len(want) <= plantuml.MaxText {
				t.Errorf("%d bytes are not too large", len(want))
			}
		case code != "" || text != want:
			t.Errorf("%q gives %q %s, want %q", body, text, code, want)
		case strings.Count(text, "\uFFFD") > strings.Count(strings.ToLower(string(body)), `\ufffd`)+strings.Count(string(body), "\uFFFD"):
			t.Errorf("%q was accepted with a lone surrogate", body)
		}
		if code == "" {
			if again, code := plantuml.ReadCode([]byte(codeBody(text))); again != text || code != "" {
				t.Errorf("%q came back as %q %s", text, again, code)
			}
		}
	})
}

// lastCode reads a body as encoding/json does.
func lastCode(body []byte) (text string, isString bool) {
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil {
		return "", false
	}
	var value any
	if json.Unmarshal(members["plantumlCode"], &value) != nil {
		return "", false
	}
	text, isString = value.(string)
	return text, isString
}

func wantCode(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("code is %q, want %q", got, want)
	}
}
