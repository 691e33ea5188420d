//go:build unix

package client_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/client"
	"mcpworks/mcp/transport"
)

// wantGone wants a process not to run any more.
func wantGone(t testing.TB, pid int) {
	t.Helper()
	for range 200 {
		if !runs(pid) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d is still there", pid)
}

// runs says whether a process is there and more than a zombie.
func runs(pid int) bool {
	if runtime.GOOS == "linux" {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil {
			return false
		}
		after := stat[bytes.LastIndexByte(stat, ')')+1:]
		return !bytes.HasPrefix(after, []byte(" Z"))
	}
	return syscall.Kill(pid, 0) == nil
}

func TestProcessSpeaksEveryRevision(t *testing.T) {
	for _, rev := range mcp.Revisions() {
		s := connect(t, command("good"), client.Options{Revision: rev})
		pid := s.Process().Pid()
		if got := say(within(t, patient), s, "echo", "hello"); got != "hello" || s.Revision() != rev {
			t.Errorf("%s: %q", rev.Version, got)
		}
		if err := s.Close(context.Background()); err != nil {
			t.Errorf("Close: %v", err)
		}
		exit, ended := s.Process().Exit()
		if !ended || exit.Code != 0 || exit.After != client.EndOfInput || exit.Leftovers {
			t.Errorf("STD-6: exit %+v", exit)
		}
		wantGone(t, pid)
	}
}

func TestProcessThatDiesBeforeItSpeaks(t *testing.T) {
	for _, era := range []client.Era{client.Auto, client.Legacy, client.Modern} {
		_, err := client.Connect(within(t, patient), command("dies first"), client.Options{Era: era})
		var dead *client.ProcessError
		if !errors.As(err, &dead) || dead.ExitCode != 3 || dead.Signal != "" {
			t.Fatalf("era %d: %v", era, err)
		}
		if !strings.Contains(dead.Stderr, "starting\nAPI_KEY environment") || !strings.Contains(err.Error(), "exit status 3): API_KEY environment variable is required") {
			t.Errorf("%v\n%s", err, dead.Stderr)
		}
		var failed *client.ConnectError
		starts := 0
		if errors.As(err, &failed) {
			for _, try := range failed.Attempts {
				if try.Way == "stdio" && try.Method == "" {
					starts++
				}
			}
		}
		if want := map[client.Era]int{client.Auto: 2, client.Legacy: 1, client.Modern: 1}[era]; starts != want {
			t.Errorf("era %d: started %d times: %+v", era, starts, failed.Attempts)
		}
	}
}

func TestProcessEndedByASignal(t *testing.T) {
	_, err := client.Connect(within(t, patient), command("killed first"), client.Options{Era: client.Legacy})
	var dead *client.ProcessError
	if !errors.As(err, &dead) || dead.ExitCode != -1 || dead.Signal != "killed" {
		t.Errorf("%v", err)
	}
}

func TestProcessThatIsNotThere(t *testing.T) {
	for _, args := range [][]string{{"no-such-program-anywhere"}, {"/no/such/file"}, {""}, nil} {
		if _, err := client.Connect(within(t, patient), client.Command{Args: args}, client.Options{}); err == nil {
			t.Errorf("%q was started", args)
		}
	}
	_, err := client.Connect(within(t, patient), client.Command{Args: []string{"no-such-program-anywhere"}}, client.Options{})
	if !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("%v", err)
	}
}

func TestERA11ServerThatDiesOfTheProbeIsStartedAgain(t *testing.T) {
	s := connect(t, command("dies on discover"), client.Options{})
	if s.Revision() != mcp.V20251125 {
		t.Errorf("speaks %s", s.Revision().Version)
	}
	if got := say(within(t, patient), s, "echo", "hello"); got != "hello" {
		t.Errorf("%q", got)
	}
	if tries := s.Attempts(); len(tries) != 4 || tries[1].Err == nil || tries[3].Err != nil {
		t.Errorf("attempts %+v", tries)
	}
	for _, opts := range []client.Options{{Era: client.Modern}, {Revision: mcp.V20260728}} {
		if _, err := client.Connect(within(t, patient), command("dies on discover"), opts); !errors.As(err, new(*client.ProcessError)) {
			t.Errorf("ERA-15: %v", err)
		}
	}
}

func TestProcessThatDiesInTheMiddle(t *testing.T) {
	s := connect(t, command("good"), client.Options{})
	ctx := within(t, patient)
	_, err := s.CallTool(ctx, "die", nil)
	var dead *client.ProcessError
	if !errors.As(err, &dead) || dead.ExitCode != 7 || !strings.HasSuffix(dead.Stderr, "dying\n") {
		t.Fatalf("%v", err)
	}
	<-s.Done()
	if !errors.As(s.Err(), &dead) {
		t.Errorf("the session is over because of %v", s.Err())
	}
	if _, err := s.CallTool(ctx, "echo", nil); !errors.As(err, &dead) {
		t.Errorf("after that: %v", err)
	}
}

func TestSTD7ServerIsStartedAgain(t *testing.T) {
	for _, rev := range []*mcp.Revision{mcp.V20250618, mcp.V20260728} {
		s := connect(t, command("good"), client.Options{Restarts: 2, Revision: rev})
		ctx := within(t, patient)
		for range 2 {
			if _, err := s.CallTool(ctx, "die", nil); !errors.As(err, new(*client.ProcessError)) {
				t.Fatalf("%v", err)
			}
			if got := say(ctx, s, "echo", "again"); got != "again" {
				t.Errorf("%q", got)
			}
		}
		if _, err := s.CallTool(ctx, "die", nil); !errors.As(err, new(*client.ProcessError)) {
			t.Fatalf("%v", err)
		}
		<-s.Done()
	}
}

func TestSTD3NoiseIsSkippedAndRecorded(t *testing.T) {
	record := &client.Transcript{}
	s := connect(t, command("talks"), client.Options{Recorder: record})
	if got := say(within(t, patient), s, "echo", "hello"); got != "hello" {
		t.Errorf("%q", got)
	}
	events, _ := record.Events()
	for _, line := range []string{"Listening on stdio", "[INFO] {ready", "debug: about to write"} {
		if !slices.ContainsFunc(events, func(e client.Event) bool {
			return e.Kind == client.Received && string(e.Message) == line && e.Note != ""
		}) {
			t.Errorf("%q is not recorded as noise", line)
		}
	}
}

func TestMessageOverSeveralLines(t *testing.T) {
	for _, rev := range mcp.Revisions() {
		record := &client.Transcript{}
		s := connect(t, command("pretty"), client.Options{Recorder: record, Revision: rev})
		if got := say(within(t, patient), s, "echo", "{\n}\"["); got != "{\n}\"[" {
			t.Errorf("%q", got)
		}
		events, _ := record.Events()
		if !slices.ContainsFunc(events, func(e client.Event) bool { return e.Note == "a message over several lines" }) {
			t.Error("it is not recorded")
		}
	}
}

func TestServerThatNeverAnswers(t *testing.T) {
	for _, mode := range []string{"silent", "deaf"} {
		opts := client.Options{Timeouts: client.Timeouts{Probe: 50 * time.Millisecond, Open: 200 * time.Millisecond}}
		_, err := client.Connect(within(t, patient), command(mode), opts)
		var late *client.TimeoutError
		if !errors.As(err, &late) || !strings.Contains(err.Error(), "initialize") {
			t.Errorf("%s: %v", mode, err)
		}
	}
}

func TestSTD6Shutdown(t *testing.T) {
	for mode, want := range map[string]client.Exit{
		"good":            {Code: 0, After: client.EndOfInput},
		"slow to end":     {Code: -1, Signal: "terminated", After: client.Terminate},
		"stubborn":        {Code: -1, Signal: "killed", After: client.Kill},
		"family":          {Code: 0, After: client.EndOfInput, Leftovers: true},
		"stubborn family": {Code: -1, Signal: "killed", After: client.Kill},
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			c := command(mode)
			if want.After > client.EndOfInput {
				c.Grace = 300 * time.Millisecond
			}
			s := connect(t, c, client.Options{})
			p := s.Process()
			begin := time.Now()
			if err := s.Close(context.Background()); err != nil {
				t.Error(err)
			}
			if took := time.Since(begin); took > 5*time.Second {
				t.Errorf("it took %v", took)
			}
			got, ended := p.Exit()
			if got.Took = 0; !ended || got != want {
				t.Errorf("exit %+v, want %+v", got, want)
			}
			wantGone(t, p.Pid())
			if _, child, ok := strings.Cut(p.Stderr(), "child "); ok {
				pid, _ := strconv.Atoi(strings.TrimSpace(child))
				wantGone(t, pid)
			} else if strings.Contains(mode, "family") {
				t.Error("there was no child")
			}
		})
	}
}

func TestEndOfContextKillsAtOnce(t *testing.T) {
	for _, mode := range []string{"stubborn", "stubborn family"} {
		c := command(mode)
		c.Grace = time.Hour
		s := connect(t, c, client.Options{})
		begin := time.Now()
		_ = s.Close(within(t, 50*time.Millisecond))
		if took := time.Since(begin); took > 2*time.Second {
			t.Errorf("it took %v", took)
		}
		wantGone(t, s.Process().Pid())
	}
}

func TestEndOfContextWhileConnectingLeavesNothing(t *testing.T) {
	c := command("stubborn family")
	c.Env[0] = serverMode + "=deaf"
	record := &client.Transcript{}
	ctx := within(t, 100*time.Millisecond)
	if _, err := client.Connect(ctx, c, client.Options{Recorder: record}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	events, _ := record.Events()
	if !slices.ContainsFunc(events, func(e client.Event) bool { return e.Kind == client.Exited && e.Exit.After == client.Kill }) {
		t.Errorf("no exit is recorded: %+v", events)
	}
}

// The death of the server is noticed although its child holds the pipes.
func TestDeathIsNoticedInSpiteOfChildren(t *testing.T) {
	s := connect(t, command("family"), client.Options{})
	if _, err := s.CallTool(within(t, patient), "die", nil); !errors.As(err, new(*client.ProcessError)) {
		t.Errorf("%v", err)
	}
	<-s.Done()
	_, child, _ := strings.Cut(s.Process().Stderr(), "child ")
	child, _, _ = strings.Cut(child, "\n")
	pid, _ := strconv.Atoi(child)
	wantGone(t, pid)
}

func TestSTD3StandardErrorIsBounded(t *testing.T) {
	var copied bytes.Buffer
	c := command("floods")
	c.Stderr, c.StderrBytes = &copied, 1000
	s := connect(t, c, client.Options{})
	if got := say(within(t, patient), s, "echo", "hello"); got != "hello" {
		t.Errorf("%q", got)
	}
	_ = s.Close(context.Background())
	if text := s.Process().Stderr(); len(text) != 1000 || !strings.HasSuffix(text, "x\nthe last line") {
		t.Errorf("kept %d bytes: %q", len(text), text)
	}
	if copied.Len() != 200_000*100+len("the last line") {
		t.Errorf("copied %d bytes", copied.Len())
	}
}

func TestServerThatOnlyClosesItsOutput(t *testing.T) {
	_, err := client.Connect(within(t, patient), command("closes its output"), client.Options{Era: client.Legacy})
	if err == nil || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

func TestBASE12MessageThatIsTooLong(t *testing.T) {
	s := connect(t, command("good"), client.Options{Limits: client.Limits{Message: 1 << 20}})
	ctx := within(t, patient)
	_, err := s.CallTool(ctx, "long", map[string]any{"size": 2 << 20})
	var tooLong *transport.FrameError
	if !errors.As(err, &tooLong) || tooLong.Limit != 1<<20 {
		t.Errorf("%v", err)
	}
	if got := say(ctx, s, "echo", "alive"); got != "alive" {
		t.Errorf("%q", got)
	}
}

func TestSTD10Environment(t *testing.T) {
	t.Setenv("MCPWORKS_TEST_PASSED", "passed on")
	t.Setenv("MCPWORKS_TEST_KEPT", "kept back")
	t.Setenv("LC_TEST", "inherited")
	c := command("good")
	c.Env = append(c.Env, "MCPWORKS_TEST_PASSED", "MCPWORKS_TEST_SET=a=b", "MCPWORKS_TEST_UNSET")
	environment := func() []string {
		s := connect(t, c, client.Options{})
		return strings.Split(say(within(t, patient), s, "environment", ""), "\n")
	}
	got := environment()
	for _, variable := range got {
		name, _, _ := strings.Cut(variable, "=")
		known := []string{"HOME", "LANG", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "USER", serverMode, "GORACE", "GOCOVERDIR"}
		if !slices.Contains(known, name) && !strings.HasPrefix(name, "LC_") && !strings.HasPrefix(name, "MCPWORKS_TEST_") {
			t.Errorf("%s was passed on", name)
		}
	}
	for _, want := range []string{"MCPWORKS_TEST_PASSED=passed on", "MCPWORKS_TEST_SET=a=b", "LC_TEST=inherited"} {
		if !slices.Contains(got, want) {
			t.Errorf("no %s", want)
		}
	}
	if slices.Contains(got, "MCPWORKS_TEST_KEPT=kept back") {
		t.Error("a variable was passed on that nobody named")
	}
	if c.InheritEnv = true; !slices.Contains(environment(), "MCPWORKS_TEST_KEPT=kept back") {
		t.Error("InheritEnv passes not everything")
	}
}

func TestRawBytes(t *testing.T) {
	record := &client.Transcript{}
	s := connect(t, command("good"), client.Options{Recorder: record})
	ctx := within(t, patient)
	for _, bytes := range []string{"rubbish\n", "{\"jsonrpc\":\"2.0\",", "\"id\":77,\"method\":\"no/such\"}\n"} {
		if err := s.SendRaw(ctx, []byte(bytes)); err != nil {
			t.Error(err)
		}
	}
	if got := say(ctx, s, "echo", "alive"); got != "alive" {
		t.Errorf("%q", got)
	}
	events, _ := record.Events()
	if !slices.ContainsFunc(events, func(e client.Event) bool {
		return e.Kind == client.Received && strings.Contains(string(e.Message), `"id":77`) && e.Note == "a response to no request that waits"
	}) {
		t.Error("the answer to the rude request is not recorded")
	}
}

// A line can be spoken to without a session.
func TestDialledProcess(t *testing.T) {
	ctx := within(t, patient)
	line, err := client.Dial(ctx, command("good"), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := line.(*client.Process)
	if err := p.SendRaw(ctx, []byte("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n")); err != nil {
		t.Fatal(err)
	}
	if frame, err := p.Receive(); err != nil || string(frame) != `{"jsonrpc":"2.0","id":1,"result":{}}` {
		t.Errorf("%s, %v", frame, err)
	}
	if _, ended := p.Exit(); ended {
		t.Error("it has ended")
	}
	if err := p.Close(ctx); err != nil {
		t.Error(err)
	}
	<-p.Exited()
	if _, err := p.Receive(); !errors.Is(err, transport.ErrClosed) {
		t.Errorf("Receive after Close: %v", err)
	}
	if err := p.Send(ctx, transport.Outgoing{Frame: []byte("{}")}); err == nil {
		t.Error("Send after Close succeeds")
	}
	if err := p.Close(ctx); err != nil {
		t.Errorf("a second Close: %v", err)
	}
	if _, err := client.Dial(ctx, command("good"), client.Options{Limits: client.Limits{Depth: -1}}); err == nil {
		t.Error("a negative limit is accepted")
	}
}

// Nobody waits for ever for a server that does not read.
func TestServerThatDoesNotRead(t *testing.T) {
	line, err := client.Dial(within(t, patient), command("deaf"), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer line.Close(within(t, 0))
	begin := time.Now()
	long := bytes.Repeat([]byte("x"), 16<<20)
	if err := line.(*client.Process).SendRaw(within(t, 50*time.Millisecond), long); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("SendRaw: %v", err)
	}
	for range 3 { // the first ones are only queued
		err = line.Send(within(t, 50*time.Millisecond), transport.Outgoing{Frame: long})
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Send: %v", err)
	}
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestSTD7GivesUp(t *testing.T) {
	marker := filepath.Join(t.TempDir(), "started")
	c := command("starts once")
	c.Env = append(c.Env, "MCPWORKS_TEST_MARKER="+marker)
	s := connect(t, c, client.Options{Restarts: 2, Era: client.Legacy})
	if _, err := s.CallTool(within(t, patient), "die", nil); !errors.As(err, new(*client.ProcessError)) {
		t.Fatal(err)
	}
	<-s.Done()
	if err := s.Err(); !strings.Contains(err.Error(), "opening the session again") || !errors.As(err, new(*client.ProcessError)) {
		t.Errorf("over because of %v", err)
	}
}
