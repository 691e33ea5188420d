package contextengine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcpworks/internal/jsonschema"
	"mcpworks/internal/rawjson"
	"mcpworks/packs/contextengine"
)

// errorTable is that of ERR-1, as the contract prints it.
var errorTable = []struct {
	code    contextengine.Code
	message string
	exit    int
	jsonrpc int
}{
	{contextengine.CacheMissing, "Cache does not exist", 4, -32602},
	{contextengine.CacheInvalid, "Cache exists but is invalid", 5, -32602},
	{contextengine.InvalidQuery, "Query is invalid", 2, -32602},
	{contextengine.InvalidBudget, "Budget is invalid", 3, -32602},
	{contextengine.IOError, "I/O error occurred", 6, -32603},
	{contextengine.InternalError, "Internal error", 7, -32603},
}

func TestERR1TheSixCodes(t *testing.T) {
	for _, row := range errorTable {
		if row.code.Message() != row.message || row.code.ExitCode() != row.exit || row.code.JSONRPC() != row.jsonrpc {
			t.Errorf("%s: %q, exit %d, JSON-RPC %d", row.code, row.code.Message(), row.code.ExitCode(), row.code.JSONRPC())
		}
		if got := contextengine.CodeOf(fmt.Errorf("doing something: %w", row.code)); got != row.code {
			t.Errorf("the code of a wrapped %s is %s", row.code, got)
		}
	}
	for _, other := range []error{errors.New("any"), context.DeadlineExceeded, context.Canceled, os.ErrPermission} {
		if got := contextengine.CodeOf(other); got != contextengine.InternalError {
			t.Errorf("the code of %v is %s", other, got)
		}
	}
	if got := contextengine.CodeOf(nil); got != "" {
		t.Errorf("the code of nil is %s", got)
	}
}

func TestERR4ProtocolLayerForm(t *testing.T) {
	for _, row := range errorTable {
		want := fmt.Sprintf(`{"code":%d,"message":%q,"data":{"error":{"code":%q,"message":%[2]q}}}`, row.jsonrpc, row.message, string(row.code))
		if got := string(row.code.ProtocolError().AppendJSON(nil)); got != want {
			t.Errorf("%s is %s, want %s", row.code, got, want)
		}
	}
}

// errorSchema is the frozen form of an error object.
const errorSchema = `{"type":"object","required":["error"],"additionalProperties":false,"properties":{"error":{` +
	`"type":"object","required":["code","message"],"additionalProperties":false,"properties":{` +
	`"code":{"enum":["cache_missing","cache_invalid","invalid_query","invalid_budget","io_error","internal_error"]},` +
	`"message":{"type":"string","minLength":1}}}}}`

func TestERR2ObjectFitsItsSchema(t *testing.T) {
	schema, err := jsonschema.Compile([]byte(errorSchema))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range errorTable {
		object, err := rawjson.Decode(row.code.ProtocolError().Data.(json.RawMessage))
		if err != nil {
			t.Fatal(err)
		}
		if violations := schema.Validate(object); len(violations) > 0 {
			t.Errorf("%s: %v", row.code, violations)
		}
	}
}

// What went wrong inside is in the log, with its path; the client gets one of
// six sentences.
func TestERR5CausesAreForTheLog(t *testing.T) {
	root := newRoot(t)
	write(t, filepath.Join(root, "broken", "manifest.json"), "not json")
	build(t, filepath.Join(root, "altered"), handbook)
	files, _ := filepath.Glob(filepath.Join(root, "altered", "documents", "*"))
	for _, file := range files {
		write(t, file, "{}")
	}
	for cache, code := range map[string]string{
		"broken": "cache_invalid", "altered": "cache_invalid", "nowhere": "cache_missing", "../up": "cache_missing",
	} {
		var log bytes.Buffer
		cfg := contextengine.Config{Root: root, Log: slog.New(slog.NewTextHandler(&log, nil))}
		text, failed := frozen(t, cfg, "context.resolve", fmt.Sprintf(`{"cache":%q,"query":"x","budget":9}`, cache))
		if !failed || !strings.Contains(text, `"`+code+`"`) || strings.Count(text, `"`) != 10 {
			t.Errorf("%s: the client gets %s", cache, text)
		}
		for _, secret := range []string{root, "manifest", "json:", "sha256", ".go:", "goroutine", "no such file"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s: the client gets to know %q: %s", cache, secret, text)
			}
		}
		if got := log.String(); !strings.Contains(got, "code="+code) || !strings.Contains(got, "cause=") || !strings.Contains(got, "tool=context.resolve") {
			t.Errorf("%s: the log is %s", cache, got)
		}
	}
}

// Structural faults cannot be helped by asking again.
func TestERR6StructuralFaultsAreInvalid(t *testing.T) {
	faults := map[string]func(cache string) error{
		"document removed": func(cache string) error {
			return os.RemoveAll(filepath.Join(cache, "documents", "19835fc46fd4.json"))
		},
		"documents removed":  func(cache string) error { return os.RemoveAll(filepath.Join(cache, "documents")) },
		"manifest removed":   func(cache string) error { return os.Remove(filepath.Join(cache, "manifest.json")) },
		"manifest cut short": func(cache string) error { return os.Truncate(filepath.Join(cache, "manifest.json"), 100) },
		"document is a directory": func(cache string) error {
			path := filepath.Join(cache, "documents", "19835fc46fd4.json")
			return errors.Join(os.Remove(path), os.Mkdir(path, 0o755))
		},
		"content changed": func(cache string) error {
			path := filepath.Join(cache, "documents", "19835fc46fd4.json")
			text, err := os.ReadFile(path)
			return errors.Join(err, os.WriteFile(path, bytes.Replace(text, []byte("guide"), []byte("guile"), 1), 0o644))
		},
	}
	for name, spoil := range faults {
		t.Run(name, func(t *testing.T) {
			root := newRoot(t)
			cfg := contextengine.Config{Root: root}
			if err := spoil(filepath.Join(root, "handbook")); err != nil {
				t.Fatal(err)
			}
			text, _ := frozen(t, cfg, "context.resolve", `{"cache":"handbook","query":"x","budget":9}`)
			if want := `{"error":{"code":"cache_invalid","message":"Cache exists but is invalid"}}` + "\n"; text != want {
				t.Errorf("the answer is %s", text)
			}
		})
	}
}

// A result and an error exclude each other, on both layers.
func TestERR10ResultOrError(t *testing.T) {
	root := newRoot(t)
	input := strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"context.resolve","arguments":{"cache":"handbook","query":"x","budget":9}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"context.resolve","arguments":{"cache":"none","query":"x","budget":9}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"none"}}`,
		`{"jsonrpc":"2.0","id":4,"method":"none"}`, `none`, `[]`,
	}, "\n")
	for line := range strings.Lines(converse(t, newV0(t, contextengine.Config{Root: root}), input, true)) {
		var answer map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &answer); err != nil || len(answer) != 3 || (answer["result"] == nil) == (answer["error"] == nil) {
			t.Errorf("answered %s", line)
		}
		var inner map[string]json.RawMessage
		var result reply
		if json.Unmarshal([]byte(line), &result) == nil && len(result.Result.Content) == 1 {
			if err := json.Unmarshal([]byte(result.text()), &inner); err != nil || (inner["error"] != nil) != result.Result.IsError || inner["error"] != nil && len(inner) != 1 {
				t.Errorf("the text of %s", line)
			}
		}
	}
}
