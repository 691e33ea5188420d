package features

import (
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// setLevels sets every level, one that does not exist, and in the end one that
// should leave the talk quiet.
func (p *script) setLevels() {
	for level := mcp.LevelDebug; level <= mcp.LevelEmergency; level++ {
		p.Ask(step.SetLevel, level.String(), mcp.MethodSetLevel, object("level", level.String()))
	}
	p.Ask(step.SetBadLevel, "", mcp.MethodSetLevel, object("level", "loud"))
	p.Ask(step.SetQuiet, "", mcp.MethodSetLevel, object("level", mcp.LevelEmergency.String()))
	provoking := mcp.MethodPing
	for _, method := range lists {
		if p.main.Step(step.List, method) != nil {
			provoking = method
			break
		}
	}
	p.Ask(step.Provoke, provoking, provoking, "")
}
