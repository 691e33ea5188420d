package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"

	"mcpworks/internal/secret"
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
	opts.Secrets = c.secrets
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
	opts, err := v.clientOptions(&auto)
	c.secrets = auto.secrets
	return opts, err
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
	text, err := os.ReadFile(c.Value(optTargets))
	if err != nil {
		return nil, &failure{exit: exitUsage, err: fmt.Errorf("%s: %w", optTargets, err)}
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
	s := suspect{target: resolved}
	if err == nil && s.words != nil {
		s.name = one.shownCommand(words)
		s.pkg = npmPackageOf(s.words, c.Value(optCwd))
	}
	c.secrets = one.secrets
	return s, err
}

// shownCommand is a command line without its secrets, which are kept from being
// shown anywhere else: --api-key VALUE, --token=VALUE, NAME_TOKEN=VALUE, and
// what may be secret in an address.
func (c *call) shownCommand(words []string) string {
	shown := make([]string, len(words))
	hide := false // the word before says that this one is secret
	for i, word := range words {
		name, value, inline := strings.Cut(word, "=")
		address, err := url.Parse(word)
		switch {
		case i > 0 && hide && !strings.HasPrefix(word, "-"):
			c.keepSecret(word)
			shown[i] = secret.Redacted
		case err == nil && address.Host != "":
			password, _ := address.User.Password()
			c.keepSecret(password)
			for _, values := range address.Query() {
				for _, value := range values {
					c.keepSecret(value)
				}
			}
			shown[i] = quoted(bare(word))
		case i > 0 && inline && revealing.MatchString(name):
			c.keepSecret(value)
			shown[i] = name + "=" + secret.Redacted
		default:
			shown[i] = quoted(word)
		}
		hide = strings.HasPrefix(word, "-") && !inline && revealing.MatchString(name)
	}
	return strings.Join(shown, " ")
}

// quoted is a word as a shell would take it.
func quoted(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\n'\"\\$&;|<>()*?`#~") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
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
