// Command load puts the same load on our server and on its peers and reports
// ratios:
//
//	go run ./bench/load [flags]
//
// Every server runs the same echo tool over stdio as a child process. Each
// cell (calls in flight, size of the argument) is measured on all peers in
// turn, several rounds long, and the median is reported. Exit code: 0 when all
// went well, 1 when a server answered wrongly or a floor of -check was missed,
// 2 when nothing could be measured.
package main

import (
	"mcpworks/bench/internal/compare"
	"mcpworks/bench/internal/peers"
)

func main() {
	bench := compare.Bench{
		Name:     "load",
		Title:    "echo over stdio",
		Servers:  peers.Names,
		InFlight: "inflight",
		Floors:   floors,
		Measure:  measure,
	}
	bench.Main()
}
