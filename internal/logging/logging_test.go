package logging_test

import (
	"bytes"
	"context"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"mcpworks/internal/logging"
)

func TestParseFilter(t *testing.T) {
	for filter, want := range map[string]logging.Level{
		"":                             slog.LevelInfo,
		"off":                          logging.LevelOff,
		"OFF":                          logging.LevelOff,
		"error":                        slog.LevelError,
		"Warn":                         slog.LevelWarn,
		"info":                         slog.LevelInfo,
		"DEBUG":                        slog.LevelDebug,
		" trace ":                      logging.LevelTrace,
		"bogus":                        slog.LevelInfo,
		"5":                            slog.LevelInfo,
		",,":                           slog.LevelInfo,
		"=":                            slog.LevelInfo,
		"debug,":                       slog.LevelDebug,
		"hyper=debug":                  slog.LevelInfo,
		"hyper=off,warn":               slog.LevelWarn,
		"warn,hyper=trace":             slog.LevelWarn,
		"oj_mcp_rs=debug":              slog.LevelDebug,
		"oj_mcp_rs=debug,off":          slog.LevelDebug,
		"off,oj_mcp_rs=debug":          slog.LevelDebug,
		"oj-mcp-rs = TRACE":            logging.LevelTrace,
		"oj_mcp_rs=loud":               slog.LevelInfo,
		"oj_mcp_rs=loud,error":         slog.LevelError,
		"oj_mcp_rs=":                   slog.LevelInfo,
		"OJ_MCP_RS=off":                slog.LevelInfo,
		"error,debug":                  slog.LevelDebug,
		"oj_mcp_rs=off,oj_mcp_rs=warn": slog.LevelWarn,
		"bogus,off":                    logging.LevelOff,
		"a=b=c,debug":                  slog.LevelDebug,
	} {
		if got := logging.ParseFilter(filter, "oj_mcp_rs", "oj-mcp-rs"); got != want {
			t.Errorf("ParseFilter(%q) = %v, want %v", filter, got, want)
		}
	}
}

func TestParseFilterWithoutTargets(t *testing.T) {
	if got := logging.ParseFilter("x=off"); got != slog.LevelInfo {
		t.Errorf("level is %v, want info", got)
	}
}

// levels are all that a program logs at, lowest first.
var levels = []logging.Level{logging.LevelTrace, slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError}

func TestLoggerKeepsToItsLevel(t *testing.T) {
	line := regexp.MustCompile(`^time=\d{4}-\d{2}-\d{2}T\S+ level=(TRACE|DEBUG|INFO|WARN|ERROR) msg=hello n=1$`)
	for i, level := range append(levels, logging.LevelOff) {
		var out bytes.Buffer
		log := logging.New(&out, level)
		for _, l := range levels {
			log.Log(context.Background(), l, "hello", "n", 1)
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if out.Len() == 0 {
			lines = nil
		}
		if len(lines) != len(levels)-i {
			t.Errorf("at %v %d lines are written, want %d:\n%s", level, len(lines), len(levels)-i, out.String())
		}
		for _, got := range lines {
			if !line.MatchString(got) {
				t.Errorf("line is %q", got)
			}
		}
	}
}

func TestOffSilencesEveryLevel(t *testing.T) {
	var out bytes.Buffer
	logging.New(&out, logging.LevelOff).Log(context.Background(), 1<<20, "loud")
	if out.Len() > 0 {
		t.Errorf("off wrote %s", out.String())
	}
}

func TestOnlyTheLevelIsRenamed(t *testing.T) {
	var out bytes.Buffer
	log := logging.New(&out, logging.LevelTrace)
	log.WithGroup("g").Info("m", "level", logging.LevelTrace)
	if got := out.String(); !strings.Contains(got, "level=INFO") || !strings.Contains(got, "g.level=DEBUG-4") {
		t.Errorf("line is %s", got)
	}
}
