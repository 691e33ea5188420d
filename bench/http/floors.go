package main

import "mcpworks/bench/internal/compare"

// floors are what the project promises about itself.
var floors = []compare.Floor{
	{Server: "gosdk", Cell: small, Figure: compare.CPU, Least: 8},
	{Server: "mcpgo", Cell: small, Figure: compare.CPU, Least: 2},
	{Server: "typescript", Cell: small, Figure: compare.CPU, Least: 20},
	{Server: "typescript", Cell: large, Figure: compare.Calls, Least: 2},
}

var (
	small = compare.Cell{Mode: stateless, InFlight: 16, TextSize: 5}
	large = compare.Cell{Mode: stateless, InFlight: 16, TextSize: 100 << 10}
)
