package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"mcpworks/packs/launch"
)

// addressOf is the address of a repository: as it was given, or that of a folder
// of this machine.
func addressOf(given string) (string, error) {
	if strings.Contains(given, "://") {
		return given, nil
	}
	info, err := os.Stat(given)
	if err != nil || !info.IsDir() {
		return "", &failure{
			exit: launch.ExitInvalid, err: fmt.Errorf("%s is neither a folder nor an address", given),
			hint: "an address begins with https://, as https://github.com/OWNER/NAME does",
		}
	}
	place, err := filepath.Abs(given)
	if err != nil {
		return "", err
	}
	place = filepath.ToSlash(place)
	return "file://" + strings.TrimSuffix(place, "/"), nil
}
