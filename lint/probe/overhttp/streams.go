package overhttp

import (
	"context"
	"net/http"
	"time"

	"mcpworks/lint"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// streams has two open streams while requests are made, and resumes one.
func streams(ctx context.Context, s *wire.Server) {
	t := s.Open(ctx, wire.Opening{Phase: step.HTTPStreams, NoStream: true})
	defer t.Close()
	if t.Failed() {
		return
	}
	stopFirst, opened := listen(t, step.HTTPFirst)
	defer stopFirst()
	stopSecond := func() {}
	if opened {
		stopSecond, _ = listen(t, step.HTTPSecond)
	}
	defer stopSecond()
	beside(t, s.Legacy())
	if opened {
		t.Wait(moment)
	}
	stopSecond()
	stopFirst()
	if id := firstEventID(t.Snapshot()); id != "" {
		t.HTTP(step.HTTPResume, "", wire.Request{Method: http.MethodGet, Header: with("Last-Event-ID", id), Hold: moment, Limit: probeLimit})
	}
}

// listen opens a stream with GET, and says whether there is one.
func listen(t *wire.Talk, about string) (stop func(), opened bool) {
	t.Step(step.HTTPGet, about)
	_, stop = t.Background(wire.Request{Method: http.MethodGet, Hold: time.Hour, Limit: time.Hour})
	for until := time.Now().Add(2 * moment); time.Now().Before(until) && !t.Failed(); t.Wait(moment / 50) {
		x := t.Snapshot().Step(step.HTTPGet, about).Exchange()
		if x != nil && (x.Status != 0 || x.Err != "") {
			return stop, x.Status == http.StatusOK && x.Type() == "text/event-stream"
		}
	}
	return stop, false
}

// beside are requests while streams are open.
func beside(t *wire.Talk, main *lint.Talk) {
	if main.Declares("logging") {
		t.Ask(step.HTTPAsked, mcp.MethodSetLevel, mcp.MethodSetLevel, `{"level":"debug"}`)
	}
	t.Ask(step.HTTPAsked, mcp.MethodPing, mcp.MethodPing, "")
	for _, list := range [][2]string{{"tools", mcp.MethodListTools}, {"resources", mcp.MethodListResources}, {"prompts", mcp.MethodListPrompts}} {
		if main.Declares(list[0]) {
			t.Ask(step.HTTPAsked, list[1], list[1], "")
			return
		}
	}
}

// firstEventID is the id of the first event in the stream that answered a
// request.
func firstEventID(t *lint.Talk) string {
	for _, s := range t.StepsOf(step.HTTPAsked) {
		for _, x := range s.Exchanges() {
			if events := x.Events(); x.Type() == "text/event-stream" && len(events) > 0 && events[0].ID != "" {
				return events[0].ID
			}
		}
	}
	return ""
}
