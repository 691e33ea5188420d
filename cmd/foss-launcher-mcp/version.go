package main

import (
	"context"

	"mcpworks/internal/cmdline"
	"mcpworks/internal/version"
	"mcpworks/packs/launch"
)

func versionVerb() verb {
	return verb{Verb: cmdline.Verb{Name: "version", Help: versionHelp}, run: func(context.Context, *call) ([]byte, error) {
		return []byte(launch.Name + " " + version.Number + "\n"), nil
	}}
}
