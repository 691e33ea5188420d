package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync"

	"mcpworks/internal/cmdline"
	"mcpworks/lint/conceal"
	"mcpworks/mcp/client"
)

// probeAll talks to every server that the command line names.
func (v verb) probeAll(ctx context.Context, c *call) ([]check, error) {
	opts, err := v.probeOptions(c)
	if err != nil {
		return nil, err
	}
	suspects, err := v.suspects(c)
	if err != nil {
		return nil, err
	}
	opts.Secrets = c.hidden.all()
	limit := c.Duration(optMaxTime, defaultMaxTime)
	ctx, cancel := context.WithTimeoutCause(ctx, limit, overtime{limit})
	defer cancel()
	checks := v.sideBySide(ctx, c, suspects, opts)
	if c.Has(optRecord) {
		err = keepRecord(c.Value(optRecord), checks[0].record)
	}
	return checks, err
}

// probeOptions are those of the client; both eras are what auto does anyway.
func (v verb) probeOptions(c *call) (client.Options, error) {
	if c.Value(optProtocol) != protocolBoth {
		return v.clientOptions(c)
	}
	auto := *c
	auto.Values = maps.Clone(c.Values)
	delete(auto.Values, optProtocol)
	return v.clientOptions(&auto)
}

const defaultJobs = 2

// sideBySide probes some servers at a time. The checks are in the order of the
// servers.
func (v verb) sideBySide(ctx context.Context, c *call, suspects []suspect, opts client.Options) []check {
	jobs := defaultJobs
	if c.Has(optJobs) {
		jobs, _ = strconv.Atoi(c.Value(optJobs)) // it was checked when it was read
	}
	checks, room := make([]check, len(suspects)), make(chan struct{}, jobs)
	progress := newProgress(c, len(suspects))
	var running sync.WaitGroup
	for i, s := range suspects {
		room <- struct{}{}
		running.Go(func() {
			defer func() { <-room }()
			checks[i] = v.probe(ctx, c, s, opts, progress.tell)
			progress.done(s.name)
		})
	}
	running.Wait()
	return checks
}

// suspects are the servers that are to be checked: the target, or those of a
// file.
func (v verb) suspects(c *call) ([]suspect, error) {
	if !c.Has(optTargets) {
		s, err := v.suspect(c, c.Target)
		return []suspect{s}, err
	}
	text, err := readFile(optTargets, c.Value(optTargets))
	if err != nil {
		return nil, err
	}
	if begin := bytes.TrimSpace(text); len(begin) > 0 && begin[0] == '{' {
		return nil, cmdline.Mistaken(
			fmt.Sprintf("%s is JSON, and %s wants a file with a command line or a URL on each line", c.Value(optTargets), optTargets),
			"the command of a server and its args, as a configuration has them, make one line: npx -y some-server")
	}
	var suspects []suspect
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		words, err := splitWords(line)
		if err == nil && len(words) == 0 {
			continue
		}
		var s suspect
		if err == nil {
			s, err = v.suspect(c, words)
		}
		if err != nil {
			return nil, &failure{exit: exitUsage, err: fmt.Errorf("line %d of %s: %w", number, c.Value(optTargets), err)}
		}
		suspects = append(suspects, s)
	}
	if len(suspects) == 0 {
		return nil, v.usage("%s names no target", c.Value(optTargets))
	}
	return suspects, nil
}

// suspect finds out what the words of a target mean, and how to show them.
func (v verb) suspect(c *call, words []string) (suspect, error) {
	one := *c
	one.Target = words
	resolved, err := v.resolve(&one)
	s := suspect{target: resolved, given: words}
	if err == nil && s.words != nil {
		shown, secrets := conceal.Words(words)
		s.name = conceal.Line(shown)
		c.hidden.add(secrets...)
		s.pkg = npmPackageOf(s.words, c.Value(optCwd))
	}
	return s, err
}

// splitWords splits a line into words as a shell does: blanks are between words,
// quotes keep them, a backslash takes the next character as it is, and a word
// that begins with # begins a comment. Nothing else has a meaning.
func splitWords(line string) (words []string, err error) {
	var word strings.Builder
	var quote rune // ' or " while it is open
	inWord, escaped := false, false
	for _, r := range line {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			inWord, escaped = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			inWord, quote = true, r
		case strings.ContainsRune(" \t\r\n", r):
			if inWord {
				words = append(words, word.String())
				word.Reset()
			}
			inWord = false
		case r == '#' && !inWord:
			return words, nil
		default:
			inWord = true
			word.WriteRune(r)
		}
	}
	switch {
	case quote != 0:
		return nil, fmt.Errorf("the quote %c is not closed", quote)
	case escaped:
		return nil, errors.New("nothing follows the last backslash")
	case inWord:
		words = append(words, word.String())
	}
	return words, nil
}
