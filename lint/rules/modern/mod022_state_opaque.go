package modern

import (
	"encoding/base64"
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var stateOpaque = lint.Rule{
	ID: "MOD-022", Slug: "state-opaque",
	Title:    "requestState is not plain JSON",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.E, Level: lint.Call,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "basic/patterns/mrtr#inputrequiredresult", Demand: "requestState means something to the server only."}},
	What:  "Tries to read every requestState as a JSON object or array, directly and after decoding base64. One with a member like signature, mac or hmac passes, and so does a signed token of several parts.",
	Why:   "State that can be read can be written. Together with a missing check (MOD-021) it invites changes, and it shows what the server knows to everyone between it and the user.",
	Bad:   `"requestState":"eyJzdGVwIjoyLCJ1c2VyIjoiYWRtaW4ifQ=="`,
	Good:  `"requestState":"k1.q83vASNFZ4k.9hJ3…"`,
	Fix:   "Sign or encrypt the state.",
	Check: func(v *lint.View) {
		states := 0
		for _, m := range inputRequired(v) {
			state, ok := lint.Text(lint.Member(m.Result, "requestState"))
			if !ok {
				continue
			}
			v.Saw()
			states++
			if readable(state) {
				v.Failf(m, wanter(m), "requestState is JSON that anyone can read and write")
			}
		}
		if states == 0 {
			wantsNothing(v)
		}
	},
}

// readable says whether a state is JSON, or becomes JSON by decoding it, and has
// no signature in it.
func readable(state string) bool {
	texts := [][]byte{[]byte(state)}
	plain := strings.TrimRight(state, "=")
	for _, coding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		if text, err := coding.DecodeString(plain); err == nil {
			texts = append(texts, text)
		}
	}
	for _, text := range texts {
		kind := rawjson.KindOf(text)
		if (kind == rawjson.Object || kind == rawjson.Array) && rawjson.Check(text, rawjson.Limits{Depth: 64}) == nil {
			return !signed(text)
		}
	}
	return false
}

func signed(object []byte) bool {
	for name := range rawjson.Members(object) {
		switch strings.ToLower(string(name)) {
		case "signature", "sig", "mac", "hmac", "tag", "authtag", "ciphertext", "protected":
			return true
		}
	}
	return false
}
