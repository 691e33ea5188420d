package main

import (
	"context"
	"fmt"
	"time"

	"mcpworks/internal/cmdline"
	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
)

const pingHelp = `Asks a server whether it is there, and says how long the answer took.

Usage: mcplint ping [OPTIONS] TARGET [ARGUMENTS]

Examples:
  mcplint ping https://example.com/mcp
  mcplint ping --timeout 2s --quiet ./server.py && echo alive

Starting the server and opening the session is not part of the time. Protocol 2026-07-28 has no ping; there it is
server/discover that is asked.
` + targetHelp

func pingVerb() verb {
	v := verb{Verb: cmdline.Verb{Name: "ping", Help: pingHelp, Target: true}}
	v.run = func(ctx context.Context, c *call) ([]byte, error) { return v.talkTo(ctx, c, ping) }
	return v
}

func ping(ctx context.Context, t *talk) ([]byte, error) {
	method, begin := mcp.MethodPing, time.Now()
	var err error
	if t.Revision().Modern {
		method = mcp.MethodDiscover
		_, err = t.Discover(ctx)
	} else {
		err = t.Ping(ctx)
	}
	took := time.Since(begin)
	if err != nil {
		return nil, err
	}
	if !t.json() {
		return fmt.Appendf(nil, "%s answered %s in %.1f ms\n", oneLine(t.serverName()), method, float64(took.Microseconds())/1000), nil
	}
	o := rawjson.Begin(nil)
	o.String("method", method)
	o.String("protocolVersion", t.Version())
	o.String("transport", t.transport())
	o.Float("ms", float64(took.Microseconds())/1000)
	return pretty(o.End()), nil
}
