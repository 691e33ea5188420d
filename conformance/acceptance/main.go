// Command acceptance checks mcplint against published servers: each of them is
// known to have certain faults and not to have others. servers.json says which.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

//go:embed servers.json
var table []byte

// A server is one row of the table.
type server struct {
	Name      string
	Package   string   // name@version
	Also      []string // further packages
	Bin       string
	Args      []string // {port} and {dir} are filled in
	Level     string
	CallTools []string

	// Path makes it a server over HTTP at a port that the arguments or a
	// variable name.
	Path         string
	PortVariable string
	Host         string

	// What mcplint has to say: rules that find something, with a severity after
	// an equals sign where it matters, and patterns of rules that must not.
	Expect, Silent []string
	SDK            bool // the findings of its SDK as well
	Tools          int
	Revision       string
	Transport      string
	Era            string
}

// report is what is read of mcplint's.
type report struct {
	Failure         string
	Transport       string
	Eras, Revisions []string
	Server          struct{ Tools int }
	DurationMS      int
	Findings        []struct {
		RuleID, Severity, Message string
		Subject                   struct{ Kind, Name string }
	}
	Rules []struct{ ID, Status, Reason string }
}

func main() {
	mcplint := flag.String("mcplint", "", "the program to check")
	packages := flag.String("packages", "", "the folder that has a folder for each package")
	list := flag.Bool("list", false, "print the packages and do nothing else")
	only := flag.String("only", "", "check only servers whose name contains this")
	flag.Parse()
	var servers []server
	if err := json.Unmarshal(table, &servers); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(2)
	}
	if *list {
		for _, name := range packagesOf(servers) {
			fmt.Println(name)
		}
		return
	}
	failed := 0
	for _, s := range servers {
		if !strings.Contains(s.Name, *only) {
			continue
		}
		begin := time.Now()
		problems, err := s.check(*mcplint, *packages)
		switch {
		case errors.Is(err, os.ErrNotExist):
			fmt.Printf("skip  %s: %s is not installed\n", s.Name, s.Package)
			continue
		case err != nil:
			problems = append(problems, err.Error())
		}
		if len(problems) == 0 {
			fmt.Printf("ok    %s (%v)\n", s.Name, time.Since(begin).Round(100*time.Millisecond))
			continue
		}
		failed++
		fmt.Printf("FAIL  %s (%v)\n", s.Name, time.Since(begin).Round(100*time.Millisecond))
		for _, problem := range problems {
			fmt.Printf("      %s\n", problem)
		}
	}
	if failed > 0 {
		os.Exit(1)
	}
}

// packagesOf are all packages that are needed, each once.
func packagesOf(servers []server) (names []string) {
	for _, s := range servers {
		for _, name := range append([]string{s.Package}, s.Also...) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// folder is where a package is installed.
func folder(packages, name string) string {
	return filepath.Join(packages, strings.NewReplacer("@", "_", "/", "_").Replace(name))
}

// check runs mcplint on a server and returns what is wrong with what it says.
func (s *server) check(mcplint, packages string) ([]string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	bins := filepath.Join(folder(packages, s.Package), "node_modules", ".bin")
	program := filepath.Join(bins, s.Bin)
	if _, err := os.Stat(program); err != nil {
		return nil, err
	}
	search := []string{bins}
	for _, also := range s.Also {
		search = append(search, filepath.Join(folder(packages, also), "node_modules", ".bin"))
	}
	os.Setenv("PATH", strings.Join(append(search, os.Getenv("PATH")), string(filepath.ListSeparator)))
	dir, err := os.MkdirTemp("", "mcplint-acceptance-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	command := append([]string{program}, s.Args...)
	port := 0
	if s.Path != "" {
		if port, err = freePort(); err != nil {
			return nil, err
		}
	}
	for i, word := range command {
		command[i] = strings.NewReplacer("{port}", strconv.Itoa(port), "{dir}", dir).Replace(word)
	}
	args := []string{"validate", "--format", "json", "--fail-on", "never", "--level", s.Level}
	for _, tool := range s.CallTools {
		args = append(args, "--tool", tool)
	}
	if s.Path == "" {
		return s.judge(ctx, mcplint, append(args, command...))
	}
	stop, err := s.start(ctx, command, port, dir)
	if err != nil {
		return nil, err
	}
	defer stop()
	host := s.Host
	if host == "" {
		host = "127.0.0.1"
	}
	return s.judge(ctx, mcplint, append(args, fmt.Sprintf("http://%s:%d%s", host, port, s.Path)))
}

func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// start runs a server that listens, and waits until it does.
func (s *server) start(ctx context.Context, command []string, port int, dir string) (stop func(), err error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = dir
	if s.PortVariable != "" {
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", s.PortVariable, port))
	}
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	stop = func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	}
	for range 300 {
		conn, err := net.Dial("tcp", net.JoinHostPort("localhost", strconv.Itoa(port)))
		if err == nil {
			conn.Close()
			return stop, nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	stop()
	return nil, fmt.Errorf("it does not listen: %.300q", output.String())
}

func (s *server) judge(ctx context.Context, mcplint string, args []string) ([]string, error) {
	cmd := exec.CommandContext(ctx, mcplint, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("mcplint: %v: %.500s", err, stderr.String())
	}
	var r report
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("the report: %w", err)
	}
	return s.compare(&r), nil
}

// compare says what is missing and what must not be there.
func (s *server) compare(r *report) (problems []string) {
	wrong := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	if r.Failure != "" {
		wrong("it could not be checked: %s", r.Failure)
	}
	if s.Tools != 0 && r.Server.Tools != s.Tools {
		wrong("%d tools, want %d", r.Server.Tools, s.Tools)
	}
	if s.Revision != "" && !slices.Contains(r.Revisions, s.Revision) {
		wrong("revisions %v, want %s", r.Revisions, s.Revision)
	}
	if s.Transport != "" && r.Transport != s.Transport {
		wrong("transport %s, want %s", r.Transport, s.Transport)
	}
	if s.Era != "" && !slices.Contains(r.Eras, s.Era) {
		wrong("eras %v, want %s", r.Eras, s.Era)
	}
	expected := s.Expect
	if s.SDK {
		expected = append(slices.Clone(expected), "RPC-013", "RPC-014", "PAGE-003", "TOOL-006=info")
	}
	for _, want := range expected {
		id, severity, _ := strings.Cut(want, "=")
		if !slices.ContainsFunc(r.Findings, func(f struct {
			RuleID, Severity, Message string
			Subject                   struct{ Kind, Name string }
		}) bool {
			return f.RuleID == id && (severity == "" || f.Severity == severity)
		}) {
			wrong("%s is missing: %s", want, r.status(id))
		}
	}
	for _, pattern := range s.Silent {
		id, severity, _ := strings.Cut(pattern, "=")
		for _, f := range r.Findings {
			if matched, _ := path.Match(id, f.RuleID); matched && (severity == "" || f.Severity == severity) {
				wrong("%s must be silent: %s %s %s: %s", pattern, f.Severity, f.RuleID, f.Subject.Name, f.Message)
			}
		}
	}
	return problems
}

// status says how a rule ended.
func (r *report) status(id string) string {
	for _, f := range r.Findings {
		if f.RuleID == id {
			return f.Severity + ": " + f.Message
		}
	}
	for _, rule := range r.Rules {
		if rule.ID == id {
			return strings.TrimSpace(rule.Status + " " + rule.Reason)
		}
	}
	return "there is no such rule"
}
