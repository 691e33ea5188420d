package streamable

import "mcpworks/lint"

// replayFlaw says what is wrong with a stream that was resumed; empty if it has
// only what follows on the stream that it goes on with.
func replayFlaw(s *lint.Step, x *lint.Exchange, all []*stream) string {
	origin, earlier := originOf(s, x, all)
	for _, m := range s.Messages() {
		if m.HTTP == x && m.FromServer && m.Kind == lint.Response && m.Asked != nil && (origin == nil || m.Asked.HTTP != origin.x) {
			return "a resumed stream has the response of another stream"
		}
	}
	resumed, _ := parseEvents(x.Answer)
	for _, e := range resumed {
		if !e.hasID {
			continue
		}
		if earlier[e.id] {
			return "a resumed stream repeats events up to Last-Event-ID"
		}
		for _, other := range all {
			if other.talk() == s.Talk() && other.x != x && other != origin && !other.resumed() && other.has(e.id) {
				return "a resumed stream has events of another stream"
			}
		}
	}
	return ""
}

// originOf is the stream that a resumed one goes on with, and the ids of its
// events up to the one that was named.
func originOf(s *lint.Step, x *lint.Exchange, all []*stream) (origin *stream, earlier map[string]bool) {
	last := x.Header.Get("Last-Event-ID")
	for _, one := range all {
		if one.talk() != s.Talk() || one.resumed() || !one.has(last) {
			continue
		}
		earlier = map[string]bool{}
		for _, e := range one.events {
			if e.hasID {
				earlier[e.id] = true
			}
			if e.id == last {
				break
			}
		}
		return one, earlier
	}
	return nil, nil
}

// has says whether an event of the stream has an id.
func (s *stream) has(id string) bool {
	for _, e := range s.events {
		if e.hasID && e.id == id {
			return true
		}
	}
	return false
}
