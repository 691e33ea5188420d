package doctor

import (
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"

	"mcpworks/internal/secret"
	"mcpworks/mcp/client"
)

// shortestSecret is in bytes. What is shorter guards nothing, and would be found
// everywhere.
const shortestSecret = 6

// revealing matches names of options and parameters that hold credentials.
var revealing = regexp.MustCompile(`(?i)auth|cookie|token|secret|passw|credential|key`)

func concealed(values ...string) (all []secret.String) {
	for _, value := range values {
		if len(value) >= shortestSecret {
			all = append(all, secret.New(value))
		}
	}
	return all
}

// concealTarget returns a target as it can be shown, and what is secret in it.
func concealTarget(target client.Target) (shown string, secrets []secret.String) {
	switch target := target.(type) {
	case client.Command:
		args, secrets := conceal(target.Args)
		return commandLine(args), append(secrets, variableSecrets(target)...)
	case client.URL:
		return bareAddress(string(target)), addressSecrets(string(target))
	}
	return "", nil
}

// variableSecrets are the values of variables that a server gets, if their names
// say so.
func variableSecrets(c client.Command) (all []secret.String) {
	variables := c.Env
	if c.InheritEnv {
		variables = append(os.Environ(), variables...)
	}
	for _, variable := range variables {
		name, value, set := strings.Cut(variable, "=")
		if !set {
			value = os.Getenv(name)
		}
		if revealing.MatchString(name) {
			all = append(all, concealed(value)...)
		}
	}
	return all
}

// headerSecrets are the values of headers that the caller added.
func headerSecrets(header http.Header) (all []secret.String) {
	for _, values := range header {
		for _, value := range values {
			_, credentials, _ := strings.Cut(value, " ") // Bearer and the like
			all = append(all, concealed(value, credentials)...)
		}
	}
	return all
}

// conceal splits arguments into those that can be shown and the values of those
// whose names say that they are secret: --api-key VALUE, --token=VALUE,
// -e NAME_TOKEN=VALUE. A password in an address is one, too.
func conceal(args []string) (shown []string, secrets []secret.String) {
	shown = append(shown, args...)
	for i, arg := range args {
		name, value, inline := strings.Cut(arg, "=")
		switch {
		case strings.Contains(arg, "://"):
			if u, err := url.Parse(arg); err == nil && (u.User != nil || u.RawQuery != "") {
				secrets = append(secrets, addressSecrets(arg)...)
				shown[i] = bareAddress(arg)
			}
		case !revealing.MatchString(name):
		case inline:
			secrets = append(secrets, concealed(value)...)
			shown[i] = name + "=" + secret.Redacted
		case strings.HasPrefix(arg, "-") && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-"):
			secrets = append(secrets, concealed(args[i+1])...)
			shown[i+1] = secret.Redacted
		}
	}
	return shown, secrets
}

// addressSecrets are a password and the values of parameters.
func addressSecrets(address string) (all []secret.String) {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	password, _ := u.User.Password()
	all = concealed(password)
	for _, values := range u.Query() {
		all = append(all, concealed(values...)...)
	}
	return all
}

// bareAddress is an address without what may be secret in it.
func bareAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "an address that is no URL"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// commandLine is a command as it could be typed.
func commandLine(args []string) string {
	words := make([]string, len(args))
	for i, arg := range args {
		if words[i] = arg; arg == "" || strings.ContainsAny(arg, " \t\n'\"\\$`&|;<>()*?#~") && arg != secret.Redacted {
			words[i] = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}
