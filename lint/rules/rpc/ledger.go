package rpc

import "mcpworks/lint"

// A ledger has what the client asked in a talk, and what answered it.
type ledger struct {
	asked    map[string]int // requests of the client, by idKey
	answered map[string][]*lint.Message
	open     []*lint.Message        // well-formed requests without an answer
	mistaken map[*lint.Message]bool // those of them with an answer under another id
}

func newLedger(t *lint.Talk) *ledger {
	l := &ledger{asked: map[string]int{}, answered: map[string][]*lint.Message{}, mistaken: map[*lint.Message]bool{}}
	for _, m := range t.Messages() {
		switch {
		case m.FromServer && m.Kind == lint.Response && claimed(m) && !unnamed(m.ID) && !replayed(m):
			l.answered[idKey(m.ID)] = append(l.answered[idKey(m.ID)], m)
		case !m.FromServer && m.Kind == lint.Request:
			l.asked[idKey(m.ID)]++
		}
	}
	for _, m := range t.Messages() {
		if !m.FromServer && wellFormed(m) && l.answered[idKey(m.ID)] == nil {
			l.open = append(l.open, m)
		}
	}
	for _, m := range t.Messages() {
		if m.FromServer && m.Kind == lint.Response && m.Asked == nil && claimed(m) {
			l.mistaken[l.meant(m)] = true
		}
	}
	return l
}

// meant returns the request that a response was meant for although it does not
// have its id; nil if there is none that it can be.
func (l *ledger) meant(response *lint.Message) *lint.Message {
	if unnamed(response.ID) && refused(response) || !unnamed(response.ID) && l.asked[idKey(response.ID)] > 0 {
		return nil
	}
	for _, request := range l.open {
		together := request.Step == response.Step && request.HTTP == response.HTTP
		if together && (request.HTTP != nil || unnamed(response.ID)) || alike(request.ID, response.ID) {
			return request
		}
	}
	return nil
}

// replayed says whether a message came on a stream that the client took up
// again: such a stream repeats what was sent before.
func replayed(m *lint.Message) bool { return m.HTTP != nil && m.HTTP.Header.Get("Last-Event-ID") != "" }
