//go:build unix

package doctor_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"mcpworks/internal/secret"
	"mcpworks/lint/doctor"
	"mcpworks/mcp/client"

	"github.com/google/go-cmp/cmp"
)

// hostile is a diagnosis of a server that would like to own the terminal.
func hostile() *doctor.Diagnosis {
	const evil = "a\x1b[2Jb\x1b]0;owned\x07c\u202ed\r\n```e\u009bf\tg\u200b"
	return &doctor.Diagnosis{
		Target: evil, Server: evil, Era: "legacy", Version: evil,
		Steps: []doctor.Step{
			{Name: "command", State: doctor.OK, Required: true, Found: evil, Evidence: []string{evil}},
			{Name: "process", State: doctor.Failed, Required: true, Found: evil, Action: evil},
			{Name: "output", State: doctor.Warning, Found: evil, Action: "look"},
			{Name: "era", State: doctor.Skipped, Required: true, Found: "the step process failed"},
		},
		Cause: &doctor.Cause{ID: "no-answer", Sentence: evil, Action: evil},
	}
}

// B15: text, for people.
func TestText(t *testing.T) {
	const want = `abcd ` + "```" + `ef g

✓ command  abcd ` + "```" + `ef g
    | abcd ` + "```" + `ef g
✗ process  abcd ` + "```" + `ef g
! output   abcd ` + "```" + `ef g
    try: look
- era      skipped: the step process failed

cause: abcd ` + "```" + `ef g (no-answer)
what to do: abcd ` + "```" + `ef g

level passive, 0 messages sent
`
	if diff := cmp.Diff(want, hostile().Text()); diff != "" {
		t.Errorf("the text differs (-want +got):\n%s", diff)
	}
}

// D2 66: no format lets a server act on a terminal, or out of its block.
func TestReportsAreHarmless(t *testing.T) {
	d := hostile()
	for name, text := range map[string]string{"text": d.Text(), "markdown": d.Markdown(), "json": string(d.AppendJSON(nil, 4))} {
		for _, r := range text {
			if r != '\n' && !unicode.IsGraphic(r) {
				t.Errorf("%s holds %U", name, r)
			}
		}
	}
	lines := strings.Split(strings.TrimSpace(d.Markdown()), "\n")
	if last := lines[len(lines)-1]; last != "````" || strings.Count(d.Markdown(), "````") != 2 {
		t.Errorf("the block can be left:\n%s", d.Markdown())
	}
}

// B15: one JSON object, with what the text says.
func TestJSON(t *testing.T) {
	var got struct {
		SchemaVersion int
		Tool          struct{ Name, Version string }
		Level, Era    string
		OK            bool
		ExitCode      int
		Steps         []struct {
			Name, State, Found, Action string
			Required                   bool
			Evidence                   []string
		}
		Cause struct{ ID, Sentence, Action string }
	}
	if err := json.Unmarshal(hostile().AppendJSON(nil, 4), &got); err != nil {
		t.Fatal(err)
	}
	if got.SchemaVersion != 1 || got.Tool.Name != "mcplint" || got.Level != "passive" || got.Era != "legacy" || got.OK || got.ExitCode != 4 ||
		len(got.Steps) != 4 || got.Steps[1].State != "failed" || !got.Steps[1].Required || got.Cause.ID != "no-answer" {
		t.Errorf("the report is %+v", got)
	}
}

// D2 34: what was given by header, variable, argument or address stands in no
// report, even if the server repeats it.
func TestSecretsStayOut(t *testing.T) {
	const token = "hunter2-hunter2"
	shouts := client.Command{
		Args: []string{"sh", "-c", `echo "token is $MY_TOKEN, key is $2, url is $3"; echo "bad $MY_TOKEN and $2 and $3" >&2; exit 1`,
			"sh", "--api-key", token + "-two", "https://user:" + token + "-three@host.invalid/x?key=" + token + "-four"},
		Env: []string{"MY_TOKEN=" + token},
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusTeapot)
		_, _ = io.WriteString(w, strings.Repeat("x", 190)+r.Header.Get("X-Own")+" and "+r.URL.Query().Get("key"))
	}))
	defer web.Close()
	repeats := patient("repeats") // where the text is cut
	repeats.Env = append(repeats.Env, "MY_TOKEN="+token)
	for name, d := range map[string]*doctor.Diagnosis{
		"command": examine(t, shouts, doctor.Options{}),
		"repeats": examine(t, repeats, doctor.Options{}),
		"address": examine(t, client.URL(web.URL+"/?key="+token), doctor.Options{Client: client.Options{Header: http.Header{"X-Own": {token}}}}),
		"options": examine(t, patient("wants a variable"), doctor.Options{Client: client.Options{Secrets: []secret.String{secret.New("PATIENT_API_KEY")}}}),
	} {
		if !d.Failed() {
			t.Errorf("%s: it works:\n%s", name, d.Text())
		}
		for format, text := range map[string]string{"text": d.Text(), "markdown": d.Markdown(), "json": string(d.AppendJSON(nil, 4))} {
			if strings.Contains(text, "hunter") || name == "options" && strings.Contains(text, "PATIENT_API_KEY") {
				t.Errorf("%s as %s holds a secret:\n%s", name, format, text)
			}
			if !strings.Contains(text, secret.Redacted) {
				t.Errorf("%s as %s does not say that something is left out:\n%s", name, format, text)
			}
		}
	}
}

// The guide lists the causes that there are, in their words.
func TestGuideListsAllCauses(t *testing.T) {
	guide, err := os.ReadFile("../../docs/doctor.md")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, c := range doctor.Causes() {
		want = append(want, "| `"+c.ID+"` | "+c.Sentence+" | "+c.Action+" |")
	}
	for line := range strings.Lines(string(guide)) {
		if strings.HasPrefix(line, "| `") && strings.Count(line, "|") == 4 {
			got = append(got, strings.TrimSuffix(line, "\n"))
		}
	}
	if !slices.Equal(want, got) {
		t.Errorf("docs/doctor.md differs (-code +guide):\n%s", cmp.Diff(want, got))
	}
}
