package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"mcpworks/internal/metrics"
	"mcpworks/internal/secret"
	"mcpworks/mcp/server"
	"mcpworks/packs/contextengine"
	contextsample "mcpworks/packs/contextengine/sample"
	"mcpworks/packs/judge"
	"mcpworks/packs/judge/sample"
	"mcpworks/packs/plantuml"
)

// A pack is one server of the house, and how to build it.
type pack struct {
	name, title, about string
	build              func(context.Context, config, *slog.Logger) (built, error)
}

// packs are what mcpworks serves, in this order: the first to have a tool's
// name is the one that REST calls.
var packs = []pack{
	{"judge", "Online judge", "Programming problems of LeetCode, Codeforces, AtCoder, Luogu and SPOJ, as Markdown.", buildJudge},
	{"context", "Context engine", "Selects the documents of a cache that answer a question, within a budget of tokens.", buildContext},
	{"plantuml", "PlantUML encoder", "Turns PlantUML text into the address of its picture.", buildPlantUML},
	{"launch", "FOSS launcher", "Turns a repository into pages of a site, every claim with its evidence, and a pull request.", buildLaunch},
}

// A built pack is ready to be served.
type built struct {
	server *server.Server
	// note is what a newcomer should know, and remark the same in a few words;
	// empty if there is nothing.
	note, remark string
	// command is the program that serves the same over standard input and
	// output, as an example; empty if there is none.
	command []string
	// handlers are for tools with a REST contract of their own.
	handlers map[string]http.Handler
	// attached says that a call ends with its HTTP request, in all revisions.
	attached bool
	// maxMessage is the longest message in bytes, and sessionCalls how many requests
	// of one session run at once; 0 means what the transports have.
	maxMessage   int64
	sessionCalls int
	// numbers are what the pack counts itself; nil if it does not.
	numbers *metrics.Registry
	// drain stops what goes on without a request, when serving shall end; nil
	// if nothing does.
	drain func()
	// close ends what the pack holds; nil if it holds nothing.
	close func()
}

const sampleRemark = "built-in sample"

// buildJudge asks the configured backend or, without one, the sample of
// invented problems.
func buildJudge(ctx context.Context, cfg config, log *slog.Logger) (built, error) {
	config := judge.Config{BaseURL: cfg.judgeURL, Token: cfg.judgeToken, Log: log}
	b := built{command: []string{"oj-mcp-rs", "--base-url", "http://127.0.0.1:7856"}} // oj-sample-backend's
	if cfg.judgeURL == "" {
		config.BaseURL, config.Transport = "http://sample.invalid", inProcess{sample.Handler(sample.Options{})}
		config.Token = secret.New(rand.Text()) // the sample takes any; without one there is no status
		b.remark = sampleRemark
		b.note = "Answers come from the built-in sample: a handful of invented problems. Set judge.base_url to ask a real backend."
		log.Warn("no backend is configured: the judge answers from its built-in sample of invented problems")
	}
	var err error
	if b.server, err = judge.New(config); err != nil {
		return built{}, &configError{err}
	}
	return b, nil
}

// buildContext serves the caches below the configured root or, without one, a
// cache of the invented product's documentation, which lasts as long as the
// process.
func buildContext(ctx context.Context, cfg config, log *slog.Logger) (built, error) {
	b := built{command: []string{"context", "serve", "--cache-root", "caches"}}
	root, remove := cfg.contextRoot, func() {}
	if root == "" {
		sample, err := writeSampleCache(ctx, cfg.dataDir)
		if err != nil { // no reason for the other packs not to be served
			log.Warn("there is no sample of the context engine", "error", err)
			sample = filepath.Join(os.DevNull, "caches")
		}
		root, remove = sample, func() { _ = os.RemoveAll(sample) }
		b.remark = sampleRemark
		b.note = "Answers come from the built-in cache \"sample\": the documentation of a product that does not exist. Set context.cache_root to serve your own caches."
		log.Warn("no cache root is configured: the context engine serves its built-in sample")
	}
	engine, err := contextengine.New(contextengine.Config{Root: root, Log: log})
	if err != nil {
		remove()
		return built{}, &configError{err}
	}
	b.close = func() {
		engine.Close()
		remove()
	}
	if b.server, err = engine.Server(); err != nil {
		b.close()
	}
	return b, err
}

// writeSampleCache builds the cache "sample" below a new directory, in dir or
// where temporary files are.
func writeSampleCache(ctx context.Context, dir string) (root string, err error) {
	if root, err = os.MkdirTemp(dir, "mcpworks-context-"); err != nil {
		return "", fmt.Errorf("make room for the sample cache: %w", err)
	}
	sources := filepath.Join(root, ".sources")
	if err = contextsample.Write(sources); err == nil {
		_, err = contextengine.Build(ctx, contextengine.BuildOptions{
			Sources: sources, Cache: filepath.Join(root, "sample"), CreatedAt: time.Unix(0, 0).UTC(),
		})
	}
	if err == nil {
		err = os.RemoveAll(sources)
	}
	if err != nil {
		_ = os.RemoveAll(root)
		return "", fmt.Errorf("build the sample cache: %w", err)
	}
	return root, nil
}

func buildPlantUML(_ context.Context, _ config, log *slog.Logger) (built, error) {
	config := plantuml.Config{Log: log}
	srv, err := plantuml.New(config)
	return built{server: srv, handlers: map[string]http.Handler{"encodePlantUML": plantuml.Handler(config)}}, err
}
