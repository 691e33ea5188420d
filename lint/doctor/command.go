package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/client"
	"mcpworks/mcp/transport"
)

// grace is how long a server may take to end after the end of its input, and
// again after it was told to (A6.9).
const grace = 5 * time.Second

// command examines a server that is started.
func (x *examination) command(ctx context.Context, c client.Command) {
	x.plan(required("command", "process"), optional("environment", "output"), required("era", "handshake"),
		optional("capabilities"), required("lists", "ping"), optional("shutdown"))
	if !x.findCommand(ctx, c) {
		return
	}
	if c.Grace == 0 {
		c.Grace = grace
	}
	begin := time.Now()
	session, err := client.Connect(ctx, c, x.opts.Client)
	if err != nil {
		x.notConnected(ctx, c, err)
		return
	}
	x.started(session)
	x.session(ctx, session, time.Since(begin), func(err error) *symptoms { return x.symptoms(c, err, true) })
	x.environment(c)
	x.output()
}

func (x *examination) findCommand(ctx context.Context, c client.Command) bool {
	if len(c.Args) == 0 || c.Args[0] == "" {
		x.fail("command", "there is none", because(notFound, `""`))
		return false
	}
	if info, err := os.Stat(c.Dir); c.Dir != "" && (err != nil || !info.IsDir()) {
		x.fail("command", "the directory to start it in does not exist", because(noDirectory, c.Dir))
		return false
	}
	path, err := lookPath(c)
	if err != nil {
		x.fail("command", shortError(err), startCause(c.Args[0], err))
		return false
	}
	found := path
	name, runner := program(path), ""
	switch {
	case name == "npx" || name == "npm":
		runner = "node"
	case !isRuntime(name):
		runner = interpreter(path)
	}
	if isRuntime(name) {
		if version, err := versionOf(ctx, path); err == nil {
			found += ", version " + version
		}
	}
	if whole, err := exec.LookPath(runner); err == nil && isRuntime(program(runner)) {
		if version, err := versionOf(ctx, whole); err == nil {
			found += "; " + program(runner) + " " + version
		}
	}
	x.ok("command", found)
	return true
}

// lookPath finds the program that would be started. A path is one from the
// directory that the server is started in.
func lookPath(c client.Command) (string, error) {
	name := c.Args[0]
	if filepath.Base(name) == name {
		return exec.LookPath(name)
	}
	whole := name
	if !filepath.IsAbs(name) {
		whole = filepath.Join(c.Dir, name)
	}
	info, err := os.Stat(whole)
	switch {
	case err != nil:
		return "", err
	case info.IsDir():
		return "", &fs.PathError{Op: "exec", Path: name, Err: fs.ErrPermission}
	}
	return name, nil
}

// startCause is why a program cannot be started.
func startCause(name string, err error) *Cause {
	switch {
	case errors.Is(err, exec.ErrDot):
		cause := because(notFound, name)
		cause.Action = "a program of this directory is written ./" + name
		return cause
	case errors.Is(err, exec.ErrNotFound):
		return because(notFound, name)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOEXEC):
		return because(notExecutable, name)
	case errors.Is(err, fs.ErrNotExist):
		cause := because(notFound, name)
		if _, stat := os.Stat(name); stat == nil {
			cause.Sentence = "the interpreter that the first line of " + name + " names was not found"
			cause.Action = "install it, or name another program that runs the file before it"
		}
		return cause
	}
	return nil
}

// notConnected judges a server with which no session could be opened.
func (x *examination) notConnected(ctx context.Context, c client.Command, err error) {
	tried := attempts(err)
	s := x.symptoms(c, err, false)
	var ended *client.ProcessError
	switch {
	case len(tried) > 0 && tried[0].Method == "" && tried[0].Err != nil:
		x.fail("process", "it could not be started: "+shortError(tried[0].Err), startCause(c.Args[0], tried[0].Err))
		return
	case errors.As(err, &ended):
		how := exitText(ended)
		cause := recognise(s)
		if cause == nil {
			cause = because(endedEarly, how)
		}
		x.fail("process", "it ended before it answered: "+how, cause, lastWords(plainText(ended.Stderr), s.stdout)...)
	default:
		x.ok("process", "it was started, and runs")
		x.unanswered(ctx, s, tried, err)
	}
	x.environment(c)
	x.output()
}

// unanswered judges a process that runs and does not get through the handshake.
func (x *examination) unanswered(ctx context.Context, s *symptoms, tried []client.Attempt, err error) {
	step, evidence := "era", x.triedLines(tried)
	var late *client.TimeoutError
	switch {
	case x.stopped(ctx, step):
		return
	case ctx.Err() != nil:
		x.fail(step, context.Cause(ctx).Error(), recognise(s), evidence...)
		return
	case x.heard.echoed():
		x.fail(step, "the answers are the requests themselves", because(echoesInput, ""), evidence...)
		return
	case errors.As(err, &late):
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, transport.ErrLost):
		x.fail(step, "it closed its standard output", because(closedOutput, ""), evidence...)
		return
	default:
		x.ok(step, "the server answers", evidence...)
		x.fail("handshake", shortError(err), x.complaintCause(s, err))
		return
	}
	cause := recognise(s)
	if cause == nil {
		cause = because(noAnswer, fmt.Sprintf("the handshake took longer than %v", late.After))
	}
	x.fail(step, fmt.Sprintf("no answer within %v", late.After), cause, append(evidence, lastLines(s.stderr)...)...)
}

// started says how the process that has a session was started.
func (x *examination) started(session *client.Session) {
	starts := 0
	for _, attempt := range session.Attempts() {
		if attempt.Method == "" {
			starts++
		}
	}
	if starts > 1 {
		x.warn("process", "it ended when it was asked "+mcp.MethodDiscover+", and was started again",
			"a server answers a request that it does not know with an error; newer clients ask this first")
		return
	}
	x.ok("process", "it was started, and runs")
}

// environment tells of variables that the server names and did not get.
func (x *examination) environment(c client.Command) {
	names := missing(c, wanted(x.heard.complaints()))
	if names == nil {
		x.ok("environment", "standard error names no variable that is missing")
		return
	}
	var lines []string
	for _, name := range names {
		state := "not set here"
		if isSet(name) {
			state = "set here, and not passed on"
		}
		if name != unnamedVariable {
			lines = append(lines, name+": "+state)
		}
	}
	cause := lackOf(c, names)
	x.warn("environment", cause.Sentence, cause.Action, lines...)
}

// output tells of text among the messages.
func (x *examination) output() {
	noise := x.heard.noise()
	if len(noise) == 0 {
		x.ok("output", "nothing but messages is on standard output")
		return
	}
	cause := because("stdout-text", fmt.Sprintf("%q", noise[0]))
	x.warn("output", fmt.Sprintf("%s of text on standard output, where only messages belong", several(len(noise), "line")), cause.Action, noise...)
}

// symptoms are all that is known when err ends the conversation.
func (x *examination) symptoms(c client.Command, err error, opened bool) *symptoms {
	s := &symptoms{command: c, opened: opened, stdout: x.heard.noise(), stderr: x.heard.complaints()}
	for i, line := range s.stdout {
		s.stdout[i] = plainLine(line)
	}
	s.ended = errors.As(err, new(*client.ProcessError))
	return s
}

// lastWords are the end of standard error, or else what was on standard output.
func lastWords(stderr string, stdout []string) []string {
	if lines := lastLines(stderr); lines != nil {
		return lines
	}
	return stdout
}

func exitText(ended *client.ProcessError) string {
	if ended.Signal != "" {
		return "a signal ended it: " + ended.Signal
	}
	return fmt.Sprintf("exit status %d", ended.ExitCode)
}

func several(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
