// Package version holds the number that every program of this module prints.
package version

// Number is the product's semantic version, without a leading v. A release
// build may set it with -ldflags "-X mcpworks/internal/version.Number=1.2.3".
var Number = "0.1.0"
