package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

const completionsHelp = `Prints a script that lets a shell complete the command lines of mcplint.

Usage: mcplint completions bash|zsh|fish

Examples:
  source <(mcplint completions bash)
  mcplint completions zsh > "${fpath[1]}/_mcplint"
  mcplint completions fish > ~/.config/fish/completions/mcplint.fish

Exit codes:
  0  The script is on standard output
  2  Bad command line, or it could not be written
`

func completionsVerb() verb {
	return verb{name: "completions", help: completionsHelp, operands: []string{"SHELL"}, run: printCompletions}
}

func printCompletions(_ context.Context, c *call) ([]byte, error) {
	write, ok := map[string]func() string{"bash": bashScript, "zsh": zshScript, "fish": fishScript}[c.operands[0]]
	if !ok {
		return nil, completionsVerb().usage("there is no script for %q: the shells are bash, zsh and fish", c.operands[0])
	}
	return []byte(write()), nil
}

// spelled are all ways to write the options of a verb, in order.
func (v verb) spelled() (all []string) {
	for _, o := range v.all() {
		for _, short := range slices.Sorted(maps.Keys(shorthands)) {
			if shorthands[short] == o.name {
				all = append(all, short)
			}
		}
		all = append(all, o.name)
	}
	return all
}

// choices are the options that take one of a few values.
func choices() (all []option) {
	known := map[string]bool{}
	for _, v := range verbs() {
		for _, o := range v.all() {
			if o.choices != nil && !known[o.name] {
				known[o.name] = true
				all = append(all, o)
			}
		}
	}
	return append(all, option{name: optProtocol, choices: []string{"auto", "legacy", "modern"}})
}

func verbNames() (names []string) {
	for _, v := range verbs() {
		names = append(names, v.name)
	}
	return names
}

func alternatives(o option) string {
	names := []string{o.name}
	for _, short := range slices.Sorted(maps.Keys(shorthands)) {
		if shorthands[short] == o.name {
			names = append(names, short)
		}
	}
	return strings.Join(names, "|")
}

func bashScript() string {
	var b strings.Builder
	b.WriteString("# bash completion for mcplint\n_mcplint() {\n  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} options= words= target=\n")
	fmt.Fprintf(&b, "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    COMPREPLY=($(compgen -W '%s' -- \"$cur\"))\n    return\n  fi\n", strings.Join(verbNames(), " "))
	b.WriteString("  case $prev in\n")
	for _, o := range choices() {
		fmt.Fprintf(&b, "    %s) COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n", alternatives(o), strings.Join(o.choices, " "))
	}
	b.WriteString("  esac\n  case ${COMP_WORDS[1]} in\n")
	for _, v := range verbs() {
		fmt.Fprintf(&b, "    %s) options='%s'", v.name, strings.Join(v.spelled(), " "))
		if words := v.words(); words != nil {
			fmt.Fprintf(&b, " words='%s'", strings.Join(words, " "))
		}
		if v.target {
			b.WriteString(" target=1")
		}
		b.WriteString(" ;;\n")
	}
	b.WriteString("  esac\n  case $cur in\n    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$cur\")); return ;;\n  esac\n")
	b.WriteString("  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n")
	b.WriteString("  [ -z \"$target\" ] || COMPREPLY+=($(compgen -c -- \"$cur\") $(compgen -f -- \"$cur\"))\n}\n")
	b.WriteString("complete -F _mcplint mcplint\n")
	return b.String()
}

// words are those that can follow a verb, besides options and targets.
func (v verb) words() []string {
	switch v.name {
	case "completions":
		return []string{"bash", "zsh", "fish"}
	case "help":
		return verbNames()
	}
	return nil
}

func zshScript() string {
	var b strings.Builder
	b.WriteString("#compdef mcplint\n# zsh completion for mcplint\n_mcplint() {\n  local -a options others\n  local target=\n")
	fmt.Fprintf(&b, "  if (( CURRENT == 2 )); then\n    compadd -- %s\n    return\n  fi\n", strings.Join(verbNames(), " "))
	b.WriteString("  case ${words[CURRENT-1]} in\n")
	for _, o := range choices() {
		fmt.Fprintf(&b, "    %s) compadd -- %s; return ;;\n", alternatives(o), strings.Join(o.choices, " "))
	}
	b.WriteString("  esac\n  case ${words[2]} in\n")
	for _, v := range verbs() {
		fmt.Fprintf(&b, "    %s) options=(%s) others=(%s)", v.name, strings.Join(v.spelled(), " "), strings.Join(v.words(), " "))
		if v.target {
			b.WriteString(" target=1")
		}
		b.WriteString(" ;;\n")
	}
	b.WriteString("  esac\n  if [[ ${words[CURRENT]} == -* ]]; then\n    compadd -- $options\n    return\n  fi\n")
	b.WriteString("  compadd -- $others\n  if [[ -n $target ]]; then\n    _files\n    _command_names -e\n  fi\n}\n")
	b.WriteString("if [ \"$funcstack[1]\" = \"_mcplint\" ]; then\n  _mcplint \"$@\"\nelse\n  compdef _mcplint mcplint\nfi\n")
	return b.String()
}

func fishScript() string {
	var b strings.Builder
	b.WriteString("# fish completion for mcplint\n")
	fmt.Fprintf(&b, "complete -c mcplint -n __fish_use_subcommand -f -a '%s'\n", strings.Join(verbNames(), " "))
	for _, v := range verbs() {
		seen := "'__fish_seen_subcommand_from " + v.name + "'"
		for _, word := range v.words() {
			fmt.Fprintf(&b, "complete -c mcplint -n %s -f -a %s\n", seen, word)
		}
		for _, o := range v.all() {
			fmt.Fprintf(&b, "complete -c mcplint -n %s%s\n", seen, fishOption(o))
		}
	}
	return b.String()
}

func fishOption(o option) string {
	text := " -l " + strings.TrimPrefix(o.name, "--")
	for _, short := range slices.Sorted(maps.Keys(shorthands)) {
		if shorthands[short] == o.name && len(short) == 2 {
			text += " -s " + short[1:]
		}
	}
	switch {
	case o.choices != nil:
		text += " -x -a '" + strings.Join(o.choices, " ") + "'"
	case o.kind != toggle:
		text += " -r"
	}
	return text
}
