package client

import (
	"os"
	"runtime"
	"slices"
	"strings"
)

// inherited are the variables that every server gets: who and where the user
// is, and how to find programs. Nothing else passes unless it is named.
var inherited = map[string][]string{
	"windows": {
		"APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE",
		"PROGRAMDATA", "PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE",
	},
	"": {"HOME", "LANG", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "USER"},
}

// environ is the environment of a command, sorted by name.
func (c *Command) environ() []string {
	variables := map[string]string{}
	for _, variable := range os.Environ() {
		if name, value, ok := strings.Cut(variable, "="); ok && (c.InheritEnv || isInherited(name)) {
			variables[name] = value
		}
	}
	for _, variable := range c.Env {
		name, value, set := strings.Cut(variable, "=")
		if !set {
			value, set = os.LookupEnv(name)
		}
		if set {
			variables[name] = value
		}
	}
	all := make([]string, 0, len(variables))
	for name, value := range variables {
		all = append(all, name+"="+value)
	}
	slices.Sort(all)
	return all
}

func isInherited(name string) bool {
	if runtime.GOOS == "windows" {
		return slices.Contains(inherited["windows"], strings.ToUpper(name))
	}
	return slices.Contains(inherited[""], name) || strings.HasPrefix(name, "LC_")
}
