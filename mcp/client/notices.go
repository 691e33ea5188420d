package client

import (
	"encoding/json"
	"fmt"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
)

// Notifications are told what a server says unasked: one at a time, in the
// order in which it came, by a goroutine of the session. They may make calls.
type Notifications struct {
	ToolsChanged     func()
	PromptsChanged   func()
	ResourcesChanged func()
	ResourceUpdated  func(uri string)
	Log              func(LogMessage)
	// Any is told every notification, before the others.
	Any func(Notification)
}

// A Notification is one as it came.
type Notification struct {
	Method string
	Params json.RawMessage // nil if there are none
	// Subscription is the id of the request that asked for it, in the modern
	// era.
	Subscription jsonrpc.ID
}

// A LogMessage is what a server logs for its client.
type LogMessage struct {
	Level  mcp.Level
	Logger string
	Data   json.RawMessage
}

// notice takes a notification of the server.
func (c *core) notice(l *link, m jsonrpc.Message) (odd string, act func()) {
	n := Notification{Method: m.Method, Params: rawMessage(m.Params)}
	n.Subscription, _ = jsonrpc.ParseID(rawjson.Member(rawjson.Member(m.Params, "_meta"), mcp.MetaSubscriptionID))
	then := func() {}
	switch m.Method {
	case mcp.NotifyProgress:
		odd, then = c.progressed(l, m.Params)
	case mcp.NotifyCancelled:
		if id, ok := jsonrpc.ParseID(rawjson.Member(m.Params, "requestId")); ok {
			then = func() { c.withdrawn(l, id); c.ceased(l, id) }
		}
	case mcp.NotifyAcknowledged:
		odd, then = c.acknowledged(l, n)
	case mcp.NotifyToolsChanged:
		then = c.forgetMirrors
	}
	sub, wrong := c.subscription(l, n)
	if wrong != "" {
		odd = wrong
	}
	return odd, func() {
		then()
		c.tell(n, sub)
	}
}

// tell queues a notification for those who want to know.
func (c *core) tell(n Notification, sub *Subscription) {
	dropped := c.told.put(func() {
		if sub != nil && sub.handler != nil && n.Method != mcp.NotifyAcknowledged {
			sub.handler(n)
		}
		c.opts.On.tell(n)
	}, len(n.Method)+len(n.Params))
	if dropped {
		c.rec.note("a notification was dropped: those who are told are too slow")
	}
}

func (on *Notifications) tell(n Notification) {
	if on.Any != nil {
		on.Any(n)
	}
	changed := map[string]func(){
		mcp.NotifyToolsChanged:     on.ToolsChanged,
		mcp.NotifyPromptsChanged:   on.PromptsChanged,
		mcp.NotifyResourcesChanged: on.ResourcesChanged,
	}[n.Method]
	switch {
	case changed != nil:
		changed()
	case n.Method == mcp.NotifyResourceUpdated && on.ResourceUpdated != nil:
		on.ResourceUpdated(text(rawjson.Member(n.Params, "uri")))
	case n.Method == mcp.NotifyMessage && on.Log != nil:
		level, _ := mcp.ParseLevel(text(rawjson.Member(n.Params, "level")))
		on.Log(LogMessage{
			Level:  max(level, mcp.LevelDebug),
			Logger: text(rawjson.Member(n.Params, "logger")),
			Data:   rawMessage(rawjson.Member(n.Params, "data")),
		})
	}
}

// progressed finds the request that a progress is about.
func (c *core) progressed(l *link, params []byte) (odd string, act func()) {
	nothing := func() {}
	token, ok := jsonrpc.ParseID(rawjson.Member(params, "progressToken"))
	value, isNumber := number(rawjson.Member(params, "progress"))
	if !ok || !isNumber {
		return "progress without a token or a number", nothing
	}
	var p *pending
	c.update(func(st *state) {
		if p = st.pending[token]; p == nil || p.link != l || p.progress == nil {
			p = nil
			return
		}
		if p.told && value <= p.last {
			odd = fmt.Sprintf("progress %v after %v", value, p.last)
		}
		p.last, p.told = value, true
	})
	if p == nil {
		return "progress of no request that asked for it", nothing
	}
	total, _ := number(rawjson.Member(params, "total"))
	message := text(rawjson.Member(params, "message"))
	return odd, func() {
		p.extend()
		p.progress.put(Progress{Progress: value, Total: total, Message: message}, len(message))
	}
}
