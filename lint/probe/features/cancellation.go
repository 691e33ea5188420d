package features

import (
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// cancel cancels what does not run, and asks whether the server is still there.
func (p *script) cancel() {
	method := mcp.MethodPing
	if p.main.Modern {
		if p.s.Transport() != wire.Stdio {
			return
		}
		method = mcp.MethodDiscover
	}
	p.Step(step.Alive, "before cancellation")
	finished, frame := p.Request(method, "")
	p.Send(frame)
	p.Await(finished)
	p.Tell(step.CancelUnknown, "", mcp.NotifyCancelled, `{"requestId":987654321,"reason":"there is no such request"}`)
	p.Tell(step.CancelFinished, "", mcp.NotifyCancelled, `{"requestId":`+finished+`}`)
	p.Tell(step.CancelMalformed, "no id", mcp.NotifyCancelled, `{}`)
	p.Tell(step.CancelMalformed, "null id", mcp.NotifyCancelled, `{"requestId":null}`)
	p.Tell(step.CancelMalformed, "object id", mcp.NotifyCancelled, `{"requestId":{}}`)
	p.Alive()
}
