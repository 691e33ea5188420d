package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"mcpworks/internal/cmdline"
	"mcpworks/lint/conceal"
	"mcpworks/mcp"
	"mcpworks/mcp/client"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

// diagnose makes a failure of an error of the client: what is the true cause,
// what does the server say about it, and what can be tried.
func (t *talk) diagnose(ctx context.Context, err error) error {
	var known *failure
	var late overtime
	switch {
	case err == nil, errors.As(err, &known), errors.As(err, new(*cmdline.Mistake)):
		return err
	case errors.As(context.Cause(ctx), &late):
		return t.unreachable(fmt.Sprintf("the command was not done within %v", late.limit), optMaxTime+" DUR gives it more time")
	}
	for _, explain := range []func(error) *failure{
		t.explainStart, t.explainEnd, t.explainAnswer, t.explainTimeout, t.explainRefusal, t.explainStatus, t.explainNetwork,
	} {
		if f := explain(err); f != nil {
			return f
		}
	}
	f := t.unreachable(strings.TrimPrefix(err.Error(), "connecting: "), "")
	if t.Session != nil && !errors.Is(err, transport.ErrLost) {
		f.exit = exitNo // it was reached, and what it said cannot be used
	}
	return f
}

func (t *talk) unreachable(message, hint string) *failure {
	return &failure{exit: exitUnreachable, err: errors.New(message), hint: hint}
}

// explainStart is for commands that could not be started.
func (t *talk) explainStart(err error) *failure {
	if t.target.words == nil || t.Session != nil {
		return nil
	}
	word := t.target.words[0]
	if whole, err := filepath.Abs(t.Target[0]); err == nil && whole == word {
		word = t.Target[0] // as it was written
	}
	var refused *exec.Error
	switch dir := t.Value(optCwd); {
	case dir != "" && !isDir(dir):
		return t.unreachable(fmt.Sprintf("the directory %s does not exist", dir), "")
	case errors.Is(err, exec.ErrNotFound), errors.As(err, &refused) && errors.Is(err, fs.ErrNotExist):
		return t.unreachable("command not found: "+word, t.missingHint(word))
	case errors.Is(err, exec.ErrDot):
		return t.unreachable("command not found: "+word, "a program of this directory is written ./"+word)
	case errors.Is(err, fs.ErrPermission):
		return t.unreachable(word+" may not be executed", "chmod +x "+word+", or name the program that runs it: sh "+word)
	case errors.Is(err, syscall.ENOEXEC):
		return t.unreachable(word+" is no program", "a script begins with a line like #!/bin/sh; or name the program that runs it")
	case errors.Is(err, fs.ErrNotExist) && !errors.As(err, new(*client.ProcessError)):
		if _, stat := os.Stat(word); stat == nil {
			return t.unreachable(word+" names an interpreter that does not exist", "its first line says which")
		}
		return t.unreachable("there is no file "+word, "")
	}
	return nil
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

func (t *talk) missingHint(word string) string {
	switch {
	case strings.ContainsAny(word, " \t"):
		return "the command and its arguments are words of their own: write them without quotes around all of it"
	case programs[word] != "":
		return "it comes with " + programs[word] + "; is that installed, and in PATH?"
	case isPackageName(word):
		return "is it installed? A package of npm is run with npx -y " + word + ", one of Python with uvx " + word
	}
	return ""
}

// explainEnd is for servers whose process has ended, or ended its output.
func (t *talk) explainEnd(err error) *failure {
	var ended *client.ProcessError
	if !errors.As(err, &ended) {
		return nil
	}
	message := endOf(ended.ExitCode, ended.Signal)
	if t.Session == nil {
		message += " before it answered"
	}
	f := t.unreachable(message, "")
	t.quote(f)
	last := lastOf(ended.Stderr) // of this process; it may be the second
	if f.lines = last; t.Has(optServerLogs) {
		f.lines = nil
	}
	switch {
	case f.hint != "":
	case len(last) == 0 && t.Session == nil:
		f.hint = "it wrote nothing to standard error; does it need arguments, or variables of the environment (--env NAME, --inherit-env)?"
	default:
		f.hint = t.variableHint(last)
	}
	return f
}

// endOf is how a process has ended.
func endOf(code int, signal string) string {
	if signal != "" {
		return "the server's process was ended by a signal: " + signal
	}
	return fmt.Sprintf("the server's process ended with exit status %d", code)
}

// variableHint is for servers whose last words are about their environment.
func (c *call) variableHint(last []string) string {
	if !wantsVariable.MatchString(strings.Join(last, "\n")) || c.Has(optInherit) {
		return ""
	}
	return "a server gets few variables of the environment: --env NAME passes one on, --inherit-env all"
}

// wantsVariable matches complaints about an environment that lacks something.
var wantsVariable = regexp.MustCompile(`(?i)\benv|variable|api.?key|token|credential|not set`)

// lastOf returns the last lines of a text.
func lastOf(text string) (lines []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" {
			lines = append(lines, line[:min(len(line), longLine)])
		}
	}
	return lines[max(0, len(lines)-lastLines):]
}

// quote adds what the server wrote on its own.
func (t *talk) quote(f *failure) {
	last, noise := t.watch.said()
	if !t.Has(optServerLogs) { // they were shown then
		f.lines = last
	}
	if noise != "" {
		f.hint = fmt.Sprintf("standard output is for messages alone, and the server wrote there: %.80q", noise)
	}
}

// explainAnswer is for errors that the server has answered with.
func (t *talk) explainAnswer(err error) *failure {
	var wire *jsonrpc.Error
	var missing *client.NotOfferedError
	var asks *client.InputRequiredError
	switch {
	case errors.Is(err, client.ErrUnauthorized):
		return nil
	case errors.Is(err, client.ErrNotModern):
		return t.unreachable(strings.TrimPrefix(err.Error(), "connecting: "), optProtocol+" auto finds out what it speaks")
	case errors.As(err, &wire):
		f := &failure{exit: exitNo, err: fmt.Errorf("the server answered with error %d: %s", wire.Code, wire.Message)}
		if data, ok := wire.Data.(json.RawMessage); ok {
			f.lines = []string{string(data)}
		}
		if t.Session == nil {
			f.exit = exitUnreachable
			f.err = fmt.Errorf("the server cannot be spoken with: it answered with error %d: %s", wire.Code, wire.Message)
		}
		return f
	case errors.As(err, &missing):
		f := &failure{exit: exitNo, err: fmt.Errorf("the server does not offer %s", missing.Missing)}
		if strings.HasPrefix(missing.Missing, "it in revision") {
			f.err = fmt.Errorf("%s does not exist in %s", missing.Method, strings.TrimPrefix(missing.Missing, "it in "))
		}
		f.hint = "mcplint discover shows what it offers"
		return f
	case errors.As(err, &asks):
		return &failure{exit: exitNo, err: errors.New(asks.Error()), hint: "mcplint answers no questions of servers: there is neither a person nor a model behind it"}
	}
	return nil
}

func (t *talk) explainTimeout(err error) *failure {
	var late *client.TimeoutError
	if !errors.As(err, &late) {
		return nil
	}
	var f *failure
	if t.Session == nil {
		f = t.unreachable(
			fmt.Sprintf("the server answered neither %s nor %s within %v", mcp.MethodDiscover, mcp.MethodInitialize, t.Duration(optStartup, defaultStartup)),
			optStartup+" DUR waits longer")
		switch t.opts.Era {
		case client.Legacy:
			f.err = fmt.Errorf("the server did not answer %s within %v", mcp.MethodInitialize, t.Duration(optStartup, defaultStartup))
		case client.Modern:
			f.err = fmt.Errorf("the server did not answer %s within %v", mcp.MethodDiscover, t.Duration(optStartup, defaultStartup))
		}
	} else {
		f = t.unreachable(fmt.Sprintf("the server did not answer %s within %v", late.Method, t.waited(late)), optTimeout+" DUR waits longer")
	}
	t.quote(f)
	return f
}

// waited is how long a request was given, which progress can have made longer.
func (t *talk) waited(late *client.TimeoutError) time.Duration {
	if limit := t.Duration(optTimeout, defaultTimeout); late.After < 2*limit {
		return limit
	}
	return late.After.Round(time.Second)
}

// explainRefusal is for servers that want credentials, and others that do not
// fit.
func (t *talk) explainRefusal(err error) *failure {
	var status *transport.StatusError
	if !errors.Is(err, client.ErrUnauthorized) || !errors.As(err, &status) {
		return nil
	}
	f := &failure{exit: exitLocked, err: fmt.Errorf("%s answered with %s", t.target.name, statusText(status.Status))}
	switch {
	case status.Status == http.StatusForbidden:
		f.hint = "the credentials are not enough, or the server does not let anybody in from here"
	case len(t.opts.Header) == 0:
		f.hint = optBearerEnv + " VAR sends the token that the variable VAR holds; " + optHeader + " 'Name: value' sends anything else"
	default:
		f.hint = "the server does not accept the credentials that were sent"
	}
	if status.Challenge != "" {
		f.lines = []string{"WWW-Authenticate: " + status.Challenge}
	}
	return f
}

func statusText(status int) string {
	return strings.TrimSpace(fmt.Sprintf("HTTP status %d %s", status, http.StatusText(status)))
}

func (t *talk) explainStatus(err error) *failure {
	var status *transport.StatusError
	var content *transport.ContentError
	switch {
	case errors.As(err, &status):
		f := t.unreachable(fmt.Sprintf("%s answered with %s", t.target.name, statusText(status.Status)), "")
		switch {
		case status.Location != "":
			f.hint = "it leads to another server; if that is the right one, use its address: " + conceal.Bare(status.Location)
		case status.Status == http.StatusNotFound, status.Status == http.StatusMethodNotAllowed:
			f.hint = "is the path right? Many servers have their endpoint at /mcp, older ones at /sse"
		case status.Status == http.StatusProxyAuthRequired:
			f.exit = exitLocked
		}
		return f
	case errors.As(err, &content):
		f := t.unreachable(fmt.Sprintf("%s does not speak MCP: %v", t.target.name, content), "is the path right? Many servers have their endpoint at /mcp, older ones at /sse")
		return f
	}
	return nil
}

// explainNetwork is for servers that cannot be reached.
func (t *talk) explainNetwork(err error) *failure {
	var (
		name      *net.DNSError
		untrusted *tls.CertificateVerificationError
		plain     tls.RecordHeaderError
		broken    *url.Error
		stuck     net.Error
	)
	switch {
	case t.target.words != nil:
		return nil
	case errors.As(err, &name):
		return t.unreachable("there is no host "+name.Name, "")
	case errors.Is(err, syscall.ECONNREFUSED):
		return t.unreachable("connection refused: nobody listens at "+t.target.name, "is the server running, and is the port right?")
	case errors.As(err, &untrusted):
		return t.unreachable("the certificate of "+t.target.name+" is not trusted: "+certificate(untrusted), optCAFile+" FILE trusts its authority, "+optInsecure+" accepts any certificate")
	case errors.As(err, &plain), errors.Is(err, http.ErrSchemeMismatch):
		return t.unreachable(t.target.name+" does not speak TLS", "does it want http:// in place of https://?")
	case errors.As(err, &stuck) && stuck.Timeout():
		return t.unreachable(t.target.name+" did not answer in time", "")
	case errors.As(err, &broken):
		return t.unreachable(fmt.Sprintf("%s cannot be reached: %v", t.target.name, broken.Err), "")
	}
	return nil
}

func certificate(err *tls.CertificateVerificationError) string {
	var (
		authority x509.UnknownAuthorityError
		host      x509.HostnameError
		invalid   x509.CertificateInvalidError
	)
	switch {
	case errors.As(err, &authority):
		return "its authority is unknown"
	case errors.As(err, &host):
		return "it is for another name"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "it has expired, or is not valid yet"
	}
	return err.Err.Error()
}
