// Package conceal finds what is secret about a server that is to be talked to:
// in its command line, its variables, its address and its headers. Everything
// that shows a target, or repeats what a server says, asks here.
//
// What a name tells (--token, DB_PASSWORD, Authorization) is in names.go, what a
// value tells by itself (ghp_…, postgres://user:password@…) in text.go.
package conceal

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"os"
	"strings"

	"mcpworks/internal/secret"
	"mcpworks/mcp/client"
)

// shortest is in bytes. What is shorter guards nothing, and would be found
// everywhere.
const shortest = 6

func keep(values ...string) (kept []secret.String) {
	for _, value := range values {
		if len(value) >= shortest && value != secret.Redacted {
			kept = append(kept, secret.New(value))
		}
	}
	return kept
}

// Target returns a target as it can be shown, and what is secret in it.
func Target(target client.Target) (shown string, secrets []secret.String) {
	switch target := target.(type) {
	case client.Command:
		words, secrets := Words(target.Args)
		variables := target.Env
		if target.InheritEnv {
			variables = append(os.Environ(), variables...)
		}
		return Line(words), append(secrets, Variables(variables)...)
	case client.URL:
		return Address(string(target))
	}
	return "", nil
}

// Words returns the words of a command line as they can be shown, and what is
// secret in them. The first one is the program.
func Words(words []string) (shown []string, secrets []secret.String) {
	hide := false // the word before says that this one is secret
	for i, word := range words {
		if i > 0 && hide && !strings.HasPrefix(word, "-") {
			shown, secrets, hide = append(shown, secret.Redacted), append(secrets, valueSecrets(word)...), false
			continue
		}
		plain, found := text(word)
		shown, secrets = append(shown, plain), append(secrets, found...)
		hide = strings.HasPrefix(word, "-") && !strings.ContainsAny(word, "= ") && takesSecret(word)
	}
	return shown, secrets
}

// Variables are the secrets among variables, NAME=VALUE or the NAME of one that
// is passed on.
func Variables(variables []string) (secrets []secret.String) {
	for _, variable := range variables {
		name, value, set := strings.Cut(variable, "=")
		if !set {
			value = os.Getenv(name)
		}
		if isSecretName(name) {
			secrets = append(secrets, valueSecrets(value)...)
		}
		_, found := text(value)
		secrets = append(secrets, found...)
	}
	return secrets
}

// Header are the values of headers that a user has given, all of them.
func Header(header http.Header) (secrets []secret.String) {
	for _, values := range header {
		for _, value := range values {
			secrets = append(secrets, valueSecrets(value)...)
		}
	}
	return secrets
}

// valueSecrets are a value as a whole, and without the scheme before it: Bearer
// and the like.
func valueSecrets(value string) []secret.String {
	_, credentials, _ := strings.Cut(value, " ")
	return keep(value, credentials)
}

// Address returns the URL of a server as it can be shown, and what is secret in
// it: who asks, also in the form in which HTTP sends that, and the values of all
// parameters.
func Address(address string) (shown string, secrets []secret.String) {
	u, err := url.Parse(address)
	if err != nil {
		return "an address that is no URL", nil
	}
	bare := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	shown = bare.String()
	if u.User != nil {
		shown = strings.Replace(shown, "://", "://"+secret.Redacted+"@", 1)
		secrets = userSecrets(u.User)
	}
	if u.RawQuery != "" {
		shown += "?" + secret.Redacted
	}
	for _, values := range u.Query() {
		secrets = append(secrets, keep(values...)...)
	}
	return shown, secrets
}

func userSecrets(user *url.Userinfo) []secret.String {
	password, set := user.Password()
	coded := base64.StdEncoding.EncodeToString([]byte(user.Username() + ":" + password))
	if !set {
		password = user.Username() // which is then all there is
	}
	return keep(password, coded)
}

// Bare is an address without all that may be secret in it.
func Bare(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "an address that is no URL"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// Line is a command as it could be typed.
func Line(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		if quoted[i] = word; word == "" || strings.ContainsAny(word, " \t\n'\"\\$`&|;<>()*?#~") {
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}
