package rawhttp

import (
	"fmt"

	"mcpworks/bench/internal/echo"
)

// OpenSession makes the handshake as far as the answer to initialize and
// returns the id of the session.
func (c *Conn) OpenSession(address string) (string, error) {
	r, err := c.Do([]byte(Request(address, echo.Initialize)))
	if err != nil {
		return "", err
	}
	if err := echo.CheckInitialize(r.Message); err != nil {
		return "", err
	}
	if r.Status != 200 || len(r.Session) == 0 {
		return "", fmt.Errorf("status %d to initialize, session %q", r.Status, r.Session)
	}
	return string(r.Session), nil
}

// InSession is the form of a call in a session.
func InSession(address, session string) echo.Form {
	return echo.Form{Frame: func(message string) string { return inSession(address, session, message) }}
}

func inSession(address, session, message string) string {
	return Request(address, message, Header{"Mcp-Protocol-Version", echo.Version}, Header{"Mcp-Session-Id", session})
}

// Initialized ends the handshake of a session.
func (c *Conn) Initialized(address, session string) error {
	r, err := c.Do([]byte(inSession(address, session, echo.Initialized)))
	if err == nil && r.Status != 202 {
		err = fmt.Errorf("status %d to a notification: %.200s", r.Status, r.Message)
	}
	return err
}
