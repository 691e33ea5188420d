package httpguard

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"mcpworks/internal/secret"

	"pgregory.net/rapid"
)

func TestBEAR4WeakTokensAreRefusedAtStart(t *testing.T) {
	for _, row := range rows(t, "tokens.txt", 2) {
		token := unquoteAll(t, row[0])[0]
		_, err := NewTokens(Token{Principal: "ci", Secret: secret.New(token)})
		got := "strong"
		switch {
		case err == nil:
		case strings.Contains(err.Error(), "weaker than 128 bits"):
			got = "weak"
		case strings.Contains(err.Error(), "only letters"):
			got = "unsendable"
		}
		if got != row[1] {
			t.Errorf("token %q: %s (%v, %.1f bits), want %s", token, got, err, tokenBits(token), row[1])
		}
		if err != nil && strings.Contains(err.Error(), token) {
			t.Errorf("error repeats the token: %v", err)
		}
	}
}

// Tokens that are really random pass, in the encodings people use.
func TestBEAR4RandomTokensAreAccepted(t *testing.T) {
	random := rand.NewChaCha8([32]byte{}) // the same every time: one in 50,000 looks weak
	for range 2000 {
		raw := make([]byte, 16)
		random.Read(raw)
		for _, token := range []string{hex.EncodeToString(raw), base64.RawURLEncoding.EncodeToString(raw), base64.StdEncoding.EncodeToString(raw)} {
			if _, err := NewTokens(Token{Principal: "p", Secret: secret.New(token)}); err != nil {
				t.Fatalf("token %q: %v", token, err)
			}
		}
	}
}

func TestBEAR4TokensAreCheckedAtStart(t *testing.T) {
	good, hash := secret.New(goodToken), sha256.Sum256([]byte(goodToken))
	asHex := hex.EncodeToString(hash[:])
	for name, tokens := range map[string][]Token{
		"none":                   {},
		"no principal":           {{Secret: good}},
		"no token":               {{Principal: "p"}},
		"token and hash":         {{Principal: "p", Secret: good, SHA256: asHex}},
		"short hash":             {{Principal: "p", SHA256: asHex[:62]}},
		"no hex":                 {{Principal: "p", SHA256: "x" + asHex[1:]}},
		"twice":                  {{Principal: "p", Secret: good}, {Principal: "q", Secret: good}},
		"twice, once hashed":     {{Principal: "p", Secret: good}, {Principal: "q", SHA256: strings.ToUpper(asHex)}},
		"scope with space":       {{Principal: "p", Secret: good, Scopes: []string{"a b"}}},
		"scope with quote":       {{Principal: "p", Secret: good, Scopes: []string{`a"b`}}},
		"empty scope":            {{Principal: "p", Secret: good, Scopes: []string{""}}},
		"longer than acceptable": {{Principal: "p", Secret: secret.New(strings.Repeat(goodToken, 200) + "x")}},
	} {
		if _, err := NewTokens(tokens...); err == nil {
			t.Errorf("%s: accepted", name)
		} else if strings.Contains(err.Error(), goodToken) || strings.Contains(err.Error(), asHex) {
			t.Errorf("%s: error repeats a secret: %v", name, err)
		}
	}
}

func TestBEAR4TokensDoNotPrint(t *testing.T) {
	token := Token{Principal: "p", Secret: secret.New(goodToken)}
	tokens := must(NewTokens(token))(t)
	for _, v := range []any{token, &token, tokens, *tokens} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			if got := fmt.Sprintf(verb, v); strings.Contains(got, goodToken) {
				t.Errorf("%s of %T leaks: %s", verb, v, got)
			}
		}
	}
}

// Every configured token finds its own principal, and nothing else finds any.
func TestBEAR4LookupFindsExactlyTheConfigured(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfNDistinct(rapid.StringMatching(`[A-Za-z0-9_-]{40,60}`), 1, 6, rapid.ID[string]).
			Filter(func(list []string) bool {
				for _, token := range list {
					if tokenBits(token) < minTokenBits {
						return false
					}
				}
				return true
			}).Draw(t, "tokens")
		var config []Token
		for i, token := range list {
			config = append(config, Token{Principal: fmt.Sprint("p", i), Secret: secret.New(token)})
		}
		tokens, err := NewTokens(config...)
		if err != nil {
			t.Fatal(err)
		}
		for i, token := range list {
			if p, ok := tokens.lookup(token); !ok || p.Name != fmt.Sprint("p", i) {
				t.Fatalf("token %d finds %+v, %v", i, p, ok)
			}
			for _, other := range []string{"", token[1:], token + "x", strings.ToUpper(token) + "x"} {
				if p, ok := tokens.lookup(other); ok {
					t.Fatalf("%q finds %+v", other, p)
				}
			}
		}
	})
}
