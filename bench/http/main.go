// Command http puts the same load on our server and on its peers over
// Streamable HTTP and reports ratios:
//
//	go run ./bench/http [flags]
//
// It is bench/load with connections instead of pipes: each is kept alive and
// has one call in flight. In the mode stateless a call is a request by itself;
// in the mode session each connection has a session of its own. Exit code: 0
// when all went well, 1 when a server answered wrongly or a floor of -check was
// missed, 2 when nothing could be measured.
package main

import (
	"context"
	"flag"

	"mcpworks/bench/internal/compare"
	"mcpworks/bench/internal/gauge"
)

// The modes.
const (
	stateless = "stateless"
	session   = "session"
)

func main() {
	var profiles string
	bench := compare.Bench{
		Name:     "http",
		Title:    "echo over HTTP",
		Servers:  []string{"mcpworks", "mcpworks-legacy", "gosdk", "mcpgo", "typescript", "floor"},
		Modes:    []string{stateless, session},
		InFlight: "connections",
		Floors:   floors,
		Program:  func(name string) string { return parseTarget(name).program },
		Flags: func(f *flag.FlagSet) {
			f.StringVar(&profiles, "profile", "", "write CPU profiles of the Go servers into this `folder`")
		},
		Measure: func(ctx context.Context, r compare.Run) (gauge.Sample, error) { return measure(ctx, r, profiles) },
	}
	bench.Main()
}
