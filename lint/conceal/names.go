package conceal

import (
	"regexp"
	"strings"
)

var (
	// secretNames match options, variables, headers and parameters that hold
	// credentials. Words that merely contain them are none: author, keyboard.
	secretNames = regexp.MustCompile(`(?i)auth(?:$|[^o]|ori[sz])|cookie|token|secret|passw|passphrase|pwd|credential|keys?(?:$|[^a-z])` +
		`|(?:^|[-_])(?:pat|pass)(?:$|[-_])`)
	// harmless match those of them that only say where, how or how much.
	harmless = regexp.MustCompile(`(?i)(?:file|path|dir|sock|mode|type|method|name)$|^www-authenticate$` +
		`|(?:max|min|num|limit|budget|input|output)[-_]?tokens?$|token[-_]?(?:limit|budget|count|iz)`)
	// switches match options that take no value.
	switches = regexp.MustCompile(`^--?(?:no|disable|skip|without|allow|require)-`)
)

func isSecretName(name string) bool {
	return secretNames.MatchString(name) && !harmless.MatchString(name)
}

// takesSecret says whether the word behind an option is secret.
func takesSecret(option string) bool {
	return isSecretName(strings.TrimLeft(option, "-")) && !switches.MatchString(option)
}
