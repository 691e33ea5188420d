package streamable

import (
	"strings"

	"mcpworks/lint"
)

var streamHeaders = lint.Rule{
	ID: "HTTP-036", Slug: "stream-headers",
	Title:    "event streams are neither buffered nor cached",
	Severity: lint.Info, Strength: lint.Should,
	Revisions: anyRevision, Transports: lint.Streamable, Level: lint.Passive,
	Rests: []lint.Clause{
		modern("receiving-messages", "An event stream has the header X-Accel-Buffering: no, so that proxies pass events on at once."),
		other("RFC 9111 5.2.2", "Cache-Control with no-store or no-cache keeps caches from answering with an old response."),
	},
	What: "Looks at the headers of every event stream: Cache-Control has to contain no-cache or no-store, and in the modern era X-Accel-Buffering has to be no.",
	Why:  "A proxy that buffers holds events back until there are many of them: progress arrives all at once, and long calls seem to hang.",
	Bad:  "Content-Type: text/event-stream",
	Good: `Content-Type: text/event-stream
Cache-Control: no-store
X-Accel-Buffering: no`,
	Fix: "Set Cache-Control: no-store and X-Accel-Buffering: no on every event stream.",
	Check: func(v *lint.View) {
		for _, s := range streams(v) {
			v.Saw()
			control := strings.ToLower(s.x.Response.Get("Cache-Control"))
			if !strings.Contains(control, "no-store") && !strings.Contains(control, "no-cache") {
				v.Failf(s.step, lint.Subject{}, "event streams have no Cache-Control that forbids to store them")
			}
			if s.talk().Modern && !strings.EqualFold(s.x.Response.Get("X-Accel-Buffering"), "no") {
				v.Failf(s.step, lint.Subject{}, "event streams lack X-Accel-Buffering: no")
			}
		}
	},
}
