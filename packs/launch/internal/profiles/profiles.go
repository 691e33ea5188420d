// Package profiles holds the site profiles that come with the program.
package profiles

import "embed"

// Files has a file <name>.yaml for each profile.
//
//go:embed *.yaml
var Files embed.FS
