package ojapi

import (
	"errors"
	"strings"

	"mcpworks/internal/secret"
)

// ParseToken checks the value of --token (2.2): visible ASCII with inner
// spaces. An empty or blank value is no token. The error never holds the value.
func ParseToken(s string) (secret.String, error) {
	trimmed := strings.TrimSpace(s)
	if trimmed == "" {
		return secret.String{}, nil
	}
	if trimmed != s {
		return secret.String{}, errors.New("token must not begin or end with white space")
	}
	for _, c := range []byte(s) {
		if c < ' ' || c > '~' {
			return secret.String{}, errors.New("token must hold visible ASCII characters only")
		}
	}
	return secret.New(s), nil
}
