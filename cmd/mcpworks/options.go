package main

import (
	"errors"
	"fmt"
	"strings"
)

// The verbs.
const (
	verbServe   = "serve"
	verbVersion = "version"
	verbHelp    = "help"
)

// options is the command line of serve.
type options struct {
	listen, dataDir, config string
}

// parseCommand reads the command line strictly: every option at most once, as
// --name value or --name=value, and nothing else. Help wins over whatever else
// is there.
func parseCommand(args []string) (verb string, o options, err error) {
	if len(args) == 0 {
		return "", o, errors.New("say what to do: serve, version or help")
	}
	verb, args = args[0], args[1:]
	switch verb {
	case verbServe:
	case verbHelp, "--help", "-h":
		return verbHelp, o, nil
	case verbVersion, "--version", "-V":
		verb = verbVersion
	default:
		return "", o, fmt.Errorf("there is no command %q: say serve, version or help", verb)
	}
	targets := map[string]*string{"--listen": &o.listen, "--data-dir": &o.dataDir, "--config": &o.config}
	seen := map[string]bool{}
	for len(args) > 0 {
		name, value, inline := strings.Cut(args[0], "=")
		args = args[1:]
		target := targets[name]
		switch {
		case name == "--help" || name == "-h":
			return verbHelp, o, nil
		case verb != verbServe || target == nil:
			return "", o, fmt.Errorf("%s takes no %q", verb, name)
		case seen[name]:
			return "", o, fmt.Errorf("the option %s was given twice", name)
		}
		seen[name] = true
		if !inline {
			if len(args) == 0 || strings.HasPrefix(args[0], "--") {
				return "", o, fmt.Errorf("the option %s needs a value", name)
			}
			value, args = args[0], args[1:]
		}
		if value == "" {
			return "", o, fmt.Errorf("the option %s needs a value", name)
		}
		*target = value
	}
	return verb, o, nil
}
