package main

import (
	"regexp"
	"strings"

	"mcpworks/internal/cmdline"
	"mcpworks/packs/launch"
)

// again is a command line that does something in the same place: with the
// options of every verb that this one was given.
func (c *call) again(words ...string) string {
	return joined(c.everywhere(append([]string{launch.Name}, words...)))
}

// nextPage is this command line, with a cursor.
func (c *call) nextPage(cursor string) string {
	line := append([]string{launch.Name, c.verb.Name}, c.Operands...)
	for _, o := range c.verb.Options {
		if o.Name != optCursor {
			line = c.repeated(line, o.Name)
		}
	}
	return joined(c.everywhere(append(line, optCursor, cursor)))
}

// everywhere adds the options of every verb as they were given.
func (c *call) everywhere(line []string) []string {
	for _, o := range grammar.Everywhere {
		if o.Name != optVerbose {
			line = c.repeated(line, o.Name)
		}
	}
	return line
}

// repeated adds an option as it was given.
func (c *call) repeated(line []string, name string) []string {
	option, _ := grammar.Option(c.verb.Verb, name)
	for _, value := range c.Values[name] {
		line = append(line, name)
		if option.Kind != cmdline.Toggle {
			line = append(line, value)
		}
	}
	return line
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:@%+=,-]+$`)

// joined writes words as a shell reads them.
func joined(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		if quoted[i] = word; !plainWord.MatchString(word) {
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}
