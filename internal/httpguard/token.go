package httpguard

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"mcpworks/internal/secret"
)

// Token is one configured bearer token. Several may belong to one principal, so
// that tokens can be changed without a pause.
type Token struct {
	// Principal names who holds the token.
	Principal string
	// Scopes are what the holder may do; what they mean is the program's.
	Scopes []string
	// Secret is the token itself. Either it or SHA256 is given.
	Secret secret.String
	// SHA256 is the token's hash in hexadecimal, for configurations that hold
	// no secrets. How strong the token is cannot be checked then.
	SHA256 string
}

// Tokens are the tokens that a server accepts. Only their hashes are kept. A
// Tokens does not change and may be used by many goroutines.
type Tokens struct {
	hashes     [][sha256.Size]byte
	principals []Principal
}

const (
	minTokenBits     = 128 // BEAR-4
	minTokenDistinct = 8
	maxToken         = 4096
)

// NewTokens checks and hashes tokens. It is an error when there are none, when
// one has no principal, cannot be sent in a header, is given twice or is
// weaker than 128 bits (BEAR-4). Errors do not repeat any token.
//
// How much entropy a token has can only be estimated from its looks. The
// estimate takes it for random and multiplies its length by the bits that a
// character of its alphabet is worth: 3.3 for digits, 4 for hexadecimal, 5.2 for
// letters of one case and digits, 6 for letters of both cases. So 32
// hexadecimal or 22 base64 characters pass. Punctuation counts only next to
// letters of both cases, a UUID for the 122 bits it has, and a repeated text
// once. A token of fewer than 8 distinct characters never passes. What looks
// random but is not, passes.
func NewTokens(tokens ...Token) (*Tokens, error) {
	if len(tokens) == 0 {
		return nil, errors.New("no token is configured")
	}
	t := &Tokens{}
	for i, token := range tokens {
		hash, err := token.hash()
		if err == nil && slices.Contains(t.hashes, hash) {
			err = errors.New("the same token is given twice")
		}
		if err != nil {
			return nil, fmt.Errorf("token %d (principal %q): %w", i+1, token.Principal, err)
		}
		t.hashes = append(t.hashes, hash)
		t.principals = append(t.principals, Principal{token.Principal, slices.Clone(token.Scopes)})
	}
	return t, nil
}

func (t Token) hash() (hash [sha256.Size]byte, err error) {
	for _, scope := range t.Scopes {
		if !isScope(scope) {
			return hash, fmt.Errorf("scope %q must be visible ASCII without quotes and backslashes", scope)
		}
	}
	switch {
	case t.Principal == "":
		return hash, errors.New("the principal has no name")
	case t.Secret.IsZero() == (t.SHA256 == ""):
		return hash, errors.New("either the token or its SHA-256 must be given")
	case t.SHA256 != "":
		decoded, err := hex.DecodeString(t.SHA256)
		if err != nil || len(decoded) != len(hash) {
			return hash, fmt.Errorf("the SHA-256 must have %d hexadecimal digits", hex.EncodedLen(len(hash)))
		}
		return [sha256.Size]byte(decoded), nil
	case !isBearerToken(t.Secret.Reveal()):
		return hash, fmt.Errorf("the token must have at most %d characters, only letters, digits, and -._~+/ with = at the end", maxToken)
	case tokenBits(t.Secret.Reveal()) < minTokenBits:
		return hash, fmt.Errorf("the token is weaker than %d bits: use at least 32 random hexadecimal or 22 random base64 characters", minTokenBits)
	}
	return sha256.Sum256([]byte(t.Secret.Reveal())), nil
}

// lookup returns the principal of a token. It compares hashes, in constant
// time, and always all of them: how long it takes tells nothing about any.
func (t *Tokens) lookup(token string) (Principal, bool) {
	hash := sha256.Sum256([]byte(token))
	found := -1
	for i := range t.hashes {
		found = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(hash[:], t.hashes[i][:]), i, found)
	}
	if found < 0 {
		return Principal{}, false
	}
	return t.principals[found], true
}

// isBearerToken accepts a b64token of RFC 6750, 2.1, of bounded length.
func isBearerToken(s string) bool {
	body := strings.TrimRight(s, "=")
	for _, c := range []byte(body) {
		if !(isDigit(c) || isLower(c) || isUpper(c) || strings.IndexByte("-._~+/", c) >= 0) {
			return false
		}
	}
	return body != "" && len(s) <= maxToken
}

// isScope accepts a scope-token of RFC 6749, 3.3.
func isScope(s string) bool {
	for _, c := range []byte(s) {
		if c <= ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return s != ""
}

var uuid = regexp.MustCompile(`^(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

const uuidBits = 122

// tokenBits estimates a token's entropy as NewTokens says.
func tokenBits(token string) float64 {
	token = strings.TrimRight(token, "=")
	if uuid.MatchString(token) {
		return uuidBits
	}
	token = token[:period(token)]
	distinct := map[byte]bool{}
	var upper, lower, pastF bool
	alphanumeric := 0
	for _, c := range []byte(token) {
		distinct[c] = true
		upper, lower = upper || isUpper(c), lower || isLower(c)
		pastF = pastF || c|0x20 > 'f' && (isUpper(c) || isLower(c))
		if isDigit(c) || isUpper(c) || isLower(c) {
			alphanumeric++
		}
	}
	switch {
	case len(distinct) < minTokenDistinct:
		return 0
	case upper && lower:
		return 6 * float64(len(token))
	case pastF:
		return math.Log2(36) * float64(alphanumeric)
	case upper || lower:
		return 4 * float64(alphanumeric)
	default:
		return math.Log2(10) * float64(alphanumeric)
	}
}

// period returns the length of the shortest text that s repeats without rest.
func period(s string) int {
	if s == "" {
		return 0
	}
	return strings.Index((s + s)[1:], s) + 1
}
