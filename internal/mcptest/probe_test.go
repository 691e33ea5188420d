package mcptest

import (
	"bufio"
	"context"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestProbesParse(t *testing.T) {
	probes, err := Probes()
	if err != nil {
		t.Fatal(err)
	}
	if len(probes) < 70 {
		t.Errorf("%d probes, want 70 at least", len(probes))
	}
	statement := regexp.MustCompile(`^[A-Z]+-[0-9]+$`)
	for _, p := range probes {
		for _, id := range p.Cites {
			if !statement.MatchString(id) {
				t.Errorf("%s cites %q", p.Name, id)
			}
		}
	}
}

func TestProbeFormatErrors(t *testing.T) {
	for _, text := range []string{
		"> x",
		"probe a\nalive",
		"probe a\ncites STD-4\n> x",
		"probe a\ncites STD-4\n< code x noid\nalive",
		"probe a\ncites STD-4\n< result\nalive",
		"probe a\ncites STD-4\n| result id 1\nalive",
		"probe a\ncites STD-4\n< result id 1\n  result == 1\nalive",
		"probe a\ncites STD-4\njump\nalive",
		"probe a\ncites STD-4\n> {{repeat}}\nalive",
	} {
		if _, err := parseProbes("x.txt", text); err == nil {
			t.Errorf("accepted %q", text)
		}
	}
}

// scripted answers each line by the first rule whose key occurs in it, the
// fence by default. The answers "die" and "hang" are what they say.
func scripted(rules ...string) func(context.Context, io.Reader, io.Writer) error {
	return func(ctx context.Context, in io.Reader, out io.Writer) error {
		lines := bufio.NewScanner(in)
		for lines.Scan() {
			line := lines.Text()
			answer := ""
			if _, rest, ok := strings.Cut(line, `"id":"fence-`); ok {
				n, _, _ := strings.Cut(rest, `"`)
				answer = `{"jsonrpc":"2.0","id":"fence-` + n + `","result":{}}`
			}
			for i := 0; i < len(rules); i += 2 {
				if strings.Contains(line, rules[i]) {
					answer = rules[i+1]
					break
				}
			}
			switch answer {
			case "die":
				return nil
			case "hang":
				<-ctx.Done()
				return nil
			case "":
				continue
			}
			if _, err := io.WriteString(out, answer+"\n"); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestVerdicts(t *testing.T) {
	const (
		asks  = "session none\n> ask\n< code -32600 id 7\n  /error/message contains \"no\"\nalive"
		quiet = "session none\n> ask\nsilence\nalive"
		ends  = "session none\n> ask\nclose\n< result id 7\nexit 0"
		right = `{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"no"}}`
	)
	tests := []struct {
		name, probe, answer string
		want                Verdict
		lost                bool
	}{
		{"right", asks, right, Passed, false},
		{"in a batch", asks, "[" + right + "]", Passed, false},
		{"notification first", asks, `{"jsonrpc":"2.0","method":"notifications/message"}` + "\n" + right, Passed, false},
		{"wrong code", asks, strings.Replace(right, "32600", "32601", 1), Failed, false},
		{"wrong text", asks, strings.Replace(right, `"no"`, `"yes"`, 1), Failed, false},
		{"wrong id", asks, strings.Replace(right, "7", "8", 1), Failed, false},
		{"id as string", asks, strings.Replace(right, "7", `"7"`, 1), Failed, false},
		{"twice", asks, right + "\n" + right, Failed, false},
		{"noise", asks, "log: hello\n" + right, Failed, false},
		{"asks back", asks, `{"jsonrpc":"2.0","id":1,"method":"roots/list"}`, Failed, false},
		{"code zero", asks, strings.Replace(right, "-32600", "0", 1), Failed, false},
		{"no answer", asks, "", Lost, true},
		{"ends", asks, "die", Died, true},
		{"hangs", asks, "hang", Wedged, true},
		{"quiet", quiet, "", Passed, false},
		{"not quiet", quiet, right, Failed, false},
		{"quiet and gone", quiet, "die", Died, false},
		{"answers and ends", ends, `{"jsonrpc":"2.0","id":7,"result":{}}`, Passed, false},
		{"ends without answer", ends, "", Lost, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			probes, err := parseProbes("x.txt", "probe p\ncites STD-4\n"+tt.probe)
			if err != nil {
				t.Fatal(err)
			}
			got := probes[0].Run(t.Context(), Pipe(t, scripted("ask", tt.answer)), 300*time.Millisecond)
			if got.Verdict != tt.want || got.Lost != tt.lost {
				t.Errorf("verdict %s, lost %v (%s); want %s, %v", got.Verdict, got.Lost, got.Detail, tt.want, tt.lost)
			}
		})
	}
}
