package stdio

import (
	"time"

	"mcpworks/lint"
)

var startupTime = lint.Rule{
	ID: "STD-008", Slug: "startup-time",
	Title:    "the first answer comes within 10 s after the start",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.All, Transports: lint.Stdio, Level: lint.Passive,
	What: "Measures the time from the start of the process to its first answer in every talk. The quickest counts, so that a download before the first start, or several starts at once, do no harm.",
	Why:  "Many clients give a server 10 to 30 s and start it anew for every session. Most servers need less than 2 s.",
	Bad:  `start  … 14 s …  ← {"id":1,"result":{…}}`,
	Good: `start  … 0.4 s …  ← {"id":1,"result":{…}}`,
	Fix:  "Answer the handshake first and do slow work later, when a tool needs it: load models and indexes, open connections, look for updates.",
	Check: func(v *lint.View) {
		var quickest *lint.Message
		for _, t := range v.Talks() {
			if first := firstAnswer(t); first != nil && (quickest == nil || first.At < quickest.At) {
				quickest = first
			}
		}
		if quickest == nil {
			v.NotVerified("there was no answer")
			return
		}
		v.Saw()
		if quickest.At > startupLimit {
			v.Failf(quickest, lint.Subject{}, "the first answer takes more than 10 s")
		}
	},
}

const startupLimit = 10 * time.Second

func firstAnswer(t *lint.Talk) *lint.Message {
	for _, m := range t.Messages() {
		if m.FromServer && m.Asked != nil {
			return m
		}
	}
	return nil
}
