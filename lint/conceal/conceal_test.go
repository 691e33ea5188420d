package conceal_test

import (
	"net/http"
	"strings"
	"testing"

	"mcpworks/internal/secret"
	"mcpworks/lint/conceal"
	"mcpworks/mcp/client"
)

// hush is part of every secret below.
const hush = "s3cr3tHush"

// D2.34: words of a command line that are secret are shown as such, and known.
func TestWords(t *testing.T) {
	for words, want := range map[string]string{
		"npx|-y|some-server|a b":                               "npx -y some-server 'a b'",
		"server|--api-key|" + hush + "|--port|80":              "server --api-key [redacted] --port 80",
		"server|--token=" + hush:                               "server --token=[redacted]",
		"server|--github-pat|" + hush:                          "server --github-pat [redacted]",
		"server|--password|pw":                                 "server --password [redacted]",
		"env|API_KEY=" + hush + "|server":                      "env API_KEY=[redacted] server",
		"server|postgres://me:" + hush + "@host/db":            "server postgres://me:[redacted]@host/db",
		"server|--dsn=mysql://me:" + hush + "/x@host/db":       "server --dsn=mysql://me:[redacted]@host/db",
		"server|me:" + hush + "@tcp(host:3306)/db":             "server 'me:[redacted]@tcp(host:3306)/db'",
		"server|Server=h;User=u;Password=" + hush + ";X=1":     "server 'Server=h;User=u;Password=[redacted];X=1'",
		"server|--url|https://host/path?key=" + hush:           "server --url 'https://host/path?key=[redacted]'",
		"server|--header|Authorization: Bearer " + hush:        "server --header 'Authorization: Bearer [redacted]'",
		"server|--header=Authorization: Bearer " + hush:        "server '--header=Authorization: Bearer [redacted]'",
		"server|-H|X-Api-Key:" + hush:                          "server -H X-Api-Key:[redacted]",
		`server|{"apiKey":"` + hush + `","port":1}`:            `server '{"apiKey":"[redacted]","port":1}'`,
		"server|ghp_" + hush + "0123456789":                    "server [redacted]",
		"server|x=github_pat_" + hush + "_0123":                "server x=[redacted]",
		"server|sk-proj-" + hush + "-0123":                     "server [redacted]",
		"server|xoxb-12345-" + hush:                            "server [redacted]",
		"server|AKIAIOSFODNN7EXAMPLE":                          "server [redacted]",
		"server|eyJhbGciOiJIUzI1NiJ9.eyJzdWIi" + hush + ".abc": "server [redacted]",

		"server|--auth|--verbose":            "server --auth --verbose",
		"server|--no-auth|server.js":         "server --no-auth server.js",
		"server|--author|Somebody":           "server --author Somebody",
		"server|--key-file|/etc/server.pem":  "server --key-file /etc/server.pem",
		"server|--keyboard|german":           "server --keyboard german",
		"server|--max-tokens|4096000":        "server --max-tokens 4096000",
		"server|-p|8080":                     "server -p 8080",
		"server|http://host:8080/a@b":        "server http://host:8080/a@b",
		"server|sk-learn-helpers-and-more":   "server sk-learn-helpers-and-more",
		"server|@scope/name@1.2|C:/x/y":      "server @scope/name@1.2 C:/x/y",
		"python3|-c|print('hello', file=me)": `python3 -c 'print('\''hello'\'', file=me)'`,
	} {
		shown, secrets := conceal.Words(strings.Split(words, "|"))
		if got := conceal.Line(shown); got != want {
			t.Errorf("%q is shown as %q, want %q", words, got, want)
		}
		wantHushed(t, words, secrets)
		if hides := strings.Contains(want, secret.Redacted); !hides && len(secrets) > 0 {
			t.Errorf("%q has %d secrets", words, len(secrets))
		}
	}
}

// wantHushed wants a server that repeats its words not to give anything away.
func wantHushed(t *testing.T, words string, secrets []secret.String) {
	t.Helper()
	if said := secret.NewRedactor(secrets...).String("I got " + words); strings.Contains(said, hush) {
		t.Errorf("%q can be said: %q", words, said)
	}
}

func TestVariables(t *testing.T) {
	t.Setenv("GIVEN_TOKEN", hush)
	for variable, want := range map[string]string{
		"API_KEY=" + hush:                              hush,
		"GIVEN_TOKEN":                                  hush,
		"DB_URL=postgres://u:" + hush + "@h/db":        hush,
		"GREETING=ghp_" + hush:                         "ghp_" + hush,
		"AUTH=Bearer " + hush:                          hush,
		"PASSWORD=short":                               "",
		"PATH=/usr/bin:/bin":                           "",
		"GREETING=" + hush:                             "",
		"HEADERS={\"Authorization\":\"" + hush + "\"}": hush,
	} {
		found := map[string]bool{}
		for _, s := range conceal.Variables([]string{variable}) {
			found[s.Reveal()] = true
		}
		if want != "" && !found[want] || want == "" && len(found) > 0 {
			t.Errorf("%q has the secrets %v", variable, found)
		}
	}
}

// The userinfo of an address is also what HTTP makes of it.
func TestAddress(t *testing.T) {
	shown, secrets := conceal.Target(client.URL("https://usr:" + hush + "@example.com/mcp?api_key=" + hush + "Two#x"))
	if want := "https://[redacted]@example.com/mcp?[redacted]"; shown != want {
		t.Errorf("it is shown as %q, want %q", shown, want)
	}
	request, err := http.NewRequest(http.MethodGet, "https://example.com", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.SetBasicAuth("usr", hush)
	said := request.Header.Get("Authorization") + " " + hush + " " + hush + "Two"
	if got := secret.NewRedactor(secrets...).String(said); got != "Basic [redacted] [redacted] [redacted]" {
		t.Errorf("it can be said: %q", got)
	}
	if got := conceal.Bare("https://usr:" + hush + "@example.com/mcp?x=y"); got != "https://example.com/mcp" {
		t.Errorf("without secrets it is %q", got)
	}
}

func TestCommand(t *testing.T) {
	t.Setenv("SOME_SECRET", hush)
	command := client.Command{Args: []string{"server", "--token", "another" + hush}, InheritEnv: true}
	shown, secrets := conceal.Target(command)
	if shown != "server --token [redacted]" {
		t.Errorf("it is shown as %q", shown)
	}
	if got := secret.NewRedactor(secrets...).String(hush + " another" + hush); got != "[redacted] [redacted]" {
		t.Errorf("it can be said: %q", got)
	}
	header := conceal.Header(http.Header{"X-Any": {"Bearer " + hush}})
	if got := secret.NewRedactor(header...).String("I got " + hush); got != "I got [redacted]" {
		t.Errorf("it can be said: %q", got)
	}
}
