//go:build unix

package main

import (
	"encoding/pem"
	"errors"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mcpworks/mcp/transport/streamable"
)

func TestCertificates(t *testing.T) {
	srv, err := newSample()
	if err != nil {
		t.Fatal(err)
	}
	endpoint := streamable.New(srv, streamable.Options{})
	web := httptest.NewUnstartedServer(endpoint)
	web.Config.ErrorLog = log.New(io.Discard, "", 0)
	web.StartTLS()
	defer web.Close()
	defer endpoint.Close()
	file := filepath.Join(t.TempDir(), "ca.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: web.Certificate().Raw})
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"ping", "--ca-file", file, web.URL}, {"ping", "--insecure", web.URL}} {
		cmd, stderr := command(t, args...)
		if err := cmd.Run(); err != nil {
			t.Errorf("%v: %v: %s", args, err, stderr)
		}
	}
	cmd, stderr := command(t, "ping", web.URL)
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != exitUnreachable {
		t.Errorf("ends with %v", err)
	}
	if got := stderr.String(); !strings.Contains(got, "is not trusted: its authority is unknown\nhint: --ca-file FILE") {
		t.Errorf("standard error is %q", got)
	}
}
