package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// options is the command line.
type options struct {
	baseURL, token string
	help, version  bool
}

// parseOptions reads the command line strictly: every option at most once, as
// --name value or --name=value, and nothing else. Help and version win over
// whatever else is missing. Errors never repeat a value, which may be a token.
func parseOptions(args []string) (options, error) {
	var o options
	seen := map[string]bool{}
	for len(args) > 0 {
		name, value, inline := strings.Cut(args[0], "=")
		args = args[1:]
		var target *string
		switch name {
		case "--help", "-h":
			return options{help: true}, flagOnly(name, inline)
		case "--version", "-V":
			return options{version: true}, flagOnly(name, inline)
		case "--base-url":
			target = &o.baseURL
		case "--token":
			target = &o.token
		default:
			return o, unexpected(name)
		}
		if seen[name] {
			return o, fmt.Errorf("the option '%s' was given twice", name)
		}
		seen[name] = true
		if !inline {
			if len(args) == 0 || strings.HasPrefix(args[0], "-") {
				return o, fmt.Errorf("the option '%s' needs a value", name)
			}
			value, args = args[0], args[1:]
		}
		*target = value
	}
	if !seen["--base-url"] {
		return o, errors.New("the option '--base-url <URL>' is required")
	}
	return o, nil
}

var optionName = regexp.MustCompile(`^(-[a-zA-Z]|--[a-z-]{1,20})$`)

// unexpected names what was given only where it looks like an option: anything
// else may hold a value.
func unexpected(argument string) error {
	switch {
	case optionName.MatchString(argument):
		return fmt.Errorf("unexpected option '%s'", argument)
	case strings.HasPrefix(argument, "-"):
		return errors.New("unexpected option")
	}
	return errors.New("unexpected argument: only options are taken")
}

func flagOnly(name string, inline bool) error {
	if inline {
		return fmt.Errorf("the option '%s' takes no value", name)
	}
	return nil
}
