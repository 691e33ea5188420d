package crooked_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"testing"
	"time"

	"mcpworks/lint"
	"mcpworks/lint/linttest/crooked"
	"mcpworks/lint/probe"
	"mcpworks/lint/probe/wire"
	"mcpworks/lint/rules"
	"mcpworks/lint/step"
	"mcpworks/mcp"
	"mcpworks/mcp/client"
)

// ours is in the environment of all processes that this one starts.
var ours = fmt.Sprintf("%s_RUN=%d", crooked.Variable, os.Getpid())

// TestMain makes the test binary a crooked server when it is told to. Otherwise
// many tests run at once: they wait more than they work.
func TestMain(m *testing.M) {
	if name, ok := os.LookupEnv(crooked.Variable); ok {
		os.Exit(serve(name))
	}
	flag.Parse()
	if err := flag.Set("test.parallel", "24"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// serve is the server with a fault, as a process; it returns its status.
func serve(name string) int {
	if name == crooked.Child {
		time.Sleep(time.Minute) // select {} ends a program without cgo: it is a deadlock
	}
	fault, known := crooked.Find(name)
	if !known {
		fmt.Fprintln(os.Stderr, "there is no fault for", name)
		return 2
	}
	if err := fault.Serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// A visit is one run of the prober against a server.
type visit struct {
	fault   crooked.Fault
	on      lint.Transports
	level   lint.Level
	era     client.Era
	version string
	tools   []string // may be called whatever they say of themselves
}

// speaksModern says whether the modern era is part of the visit.
func (v visit) speaksModern() bool {
	return v.era != client.Legacy && v.on != lint.SSE && (v.version == "" || v.version == mcp.V20260728.Version)
}

// report probes the server and asks all rules. Rules that are off are asked only
// if the fault is theirs.
func (v visit) report(t *testing.T) *lint.Report {
	t.Helper()
	opts := probe.Options{Era: v.era, Version: v.version, Options: wire.Options{
		Level: v.level, Shown: "crooked", Tools: v.tools, Package: lint.Package{Name: "crooked", Version: crooked.Version},
		Client: client.Options{Timeouts: client.Timeouts{Open: 20 * time.Second, Request: 5 * time.Second}},
	}}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Second)
	defer cancel()
	record, err := probe.Run(ctx, v.target(t, &opts), opts)
	if gone := (*probe.Unreachable)(nil); err != nil && !(v.fault.Mute && errors.As(err, &gone)) {
		t.Fatalf("the server could not be probed: %v", err)
	}
	v.checkCalls(t, record)
	judge := func(r *lint.Record) *lint.Report {
		return lint.Run(r, rules.All(), lint.Options{Skip: func(rule *lint.Rule) string {
			if rule.Severity == lint.Off && rule.ID != v.fault.Rule {
				return "it is off"
			}
			return ""
		}})
	}
	report := judge(record)
	checkAgain(t, report, judge)
	return report
}

// checkCalls looks for calls that the level forbids (D2.63, D2.64): below call
// there are none, and then only of tools that say they only read.
func (v visit) checkCalls(t *testing.T, record *lint.Record) {
	t.Helper()
	offered := map[string]string{}
	for _, talk := range record.Talks {
		for _, item := range talk.Items(step.List, mcp.MethodListTools) {
			offered[item.Name] = string(lint.Member(item.Raw, "annotations", "readOnlyHint"))
		}
	}
	for _, talk := range record.Talks {
		for _, m := range talk.Messages() {
			name, _ := lint.Text(lint.Member(m.Params, "name"))
			readOnly, exists := offered[name]
			if m.FromServer || m.MethodName() != mcp.MethodCallTool || !exists {
				continue
			}
			if v.level < lint.Call || readOnly != "true" && !slices.Contains(v.tools, name) {
				t.Errorf("the tool %s was called: %s", name, m.Raw)
			}
		}
	}
}

// checkAgain wants the written record to give the same findings (D2.65).
func checkAgain(t *testing.T, report *lint.Report, judge func(*lint.Record) *lint.Report) {
	t.Helper()
	var text bytes.Buffer
	if err := report.Record.Write(&text); err != nil {
		t.Fatal(err)
	}
	record, err := lint.ReadRecord(&text)
	if err != nil {
		t.Fatal(err)
	}
	again := judge(record)
	same := func(a, b lint.Finding) bool {
		return a.RuleID == b.RuleID && a.Severity == b.Severity && a.Subject == b.Subject && a.Message == b.Message && a.Pointer == b.Pointer
	}
	if !slices.EqualFunc(report.Findings, again.Findings, same) {
		t.Errorf("the written record gives other findings: %d, and there were %d", len(again.Findings), len(report.Findings))
	}
}

// target starts the server, and says where it is.
func (v visit) target(t *testing.T, opts *probe.Options) client.Target {
	t.Helper()
	if v.on == lint.Stdio {
		return client.Command{Args: []string{os.Args[0]}, Env: []string{crooked.Variable + "=" + v.fault.Rule, ours}}
	}
	host := v.listen(t)
	path, scheme := crooked.StreamablePath, "http://"
	if v.on == lint.SSE {
		path, opts.Way = crooked.SSEPath, client.SSE
	}
	if v.fault.Token != "" {
		opts.Client.Header = http.Header{"Authorization": {"Bearer " + v.fault.Token}}
	}
	if v.fault.Remote {
		address := host
		transport := &http.Transport{
			TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
			DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
				return (&net.Dialer{}).DialContext(ctx, network, address)
			},
		}
		t.Cleanup(transport.CloseIdleConnections)
		opts.Client.HTTPClient, host = &http.Client{Transport: transport}, crooked.Remote
	}
	if v.fault.TLS {
		scheme = "https://"
	}
	return client.URL(scheme + host + path)
}

// listen starts the server over HTTP, and says where.
func (v visit) listen(t *testing.T) (host string) {
	t.Helper()
	web, err := v.fault.NewWeb()
	if err != nil {
		t.Fatal(err)
	}
	address := "127.0.0.1:0"
	if v.fault.Everywhere {
		address = "0.0.0.0:0"
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	server := &httptest.Server{Listener: v.fault.Listen(listener), Config: &http.Server{Handler: web}}
	if v.fault.TLS {
		server.StartTLS()
	} else {
		server.Start()
	}
	t.Cleanup(server.Close)
	t.Cleanup(web.Close)
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return net.JoinHostPort("127.0.0.1", port)
}

// noneLeft looks for processes of servers, by their environment.
func noneLeft(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Log("whether processes are left cannot be seen on this system")
		return
	}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		environ, err := os.ReadFile("/proc/" + entry.Name() + "/environ")
		if err == nil && bytes.Contains(environ, []byte(ours+"\x00")) {
			t.Errorf("process %s is left", entry.Name())
		}
	}
}
