package main

import "mcpworks/bench/internal/compare"

// floors are what the project promises about itself.
var floors = []compare.Floor{
	{Server: "gosdk", Cell: small, Figure: compare.Calls, Least: 10},
	{Server: "mcpgo", Cell: small, Figure: compare.Calls, Least: 3},
	{Server: "typescript", Cell: small, Figure: compare.Calls, Least: 2},
	{Server: "typescript", Cell: large, Figure: compare.Calls, Least: 1},
}

var (
	small = compare.Cell{InFlight: 16, TextSize: 5}
	large = compare.Cell{InFlight: 16, TextSize: 100 << 10}
)
