package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"mcpworks/packs/launch"
)

// launchInFlight is how many calls a session of the launcher has at once (14.2).
const launchInFlight = 64

// buildLaunch serves the runs of the configured data directory, or of the folder
// launch in that of all packs, and executes them. Without either, runs last as
// long as the process.
func buildLaunch(ctx context.Context, cfg config, log *slog.Logger) (built, error) {
	b := built{
		command: []string{launch.Name, "--data-dir", "launch"}, attached: true, maxMessage: launch.MaxMessage,
		sessionCalls: 2 * launchInFlight, // the pack itself refuses those above the limit, in its own words
	}
	dir, remove := cfg.launchDir, func() {}
	if dir == "" && cfg.dataDir != "" {
		dir = filepath.Join(cfg.dataDir, "launch")
	}
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "mcpworks-launch-"); err != nil {
			return built{}, &configError{fmt.Errorf("make room for runs, which --data-dir would have: %w", err)}
		}
		remove = func() {
			if err := launch.Remove(dir); err != nil {
				log.Warn("runs are left behind", "error", err)
			}
		}
		b.remark = "runs end with the process"
		b.note = "Runs are kept only until this process ends. Start it with --data-dir, or set launch.data_dir, to keep them."
	}
	l, err := launch.New(ctx, launch.Config{
		DataDir: dir, ProfilesDir: cfg.launchProfiles, AllowLocalRepos: cfg.launchLocal, NetworkAllowlist: cfg.launchHosts, Requeue: true,
		HTTP: true, InFlight: launchInFlight, Environ: os.Environ(), Log: log,
	})
	if err != nil {
		remove()
		return built{}, &configError{err}
	}
	b.numbers = l.Metrics()
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := l.Work(working); err != nil {
			log.Error("runs are not executed any more", "error", l.Redact(err.Error()))
		}
	}()
	b.drain = stop
	b.close = func() {
		stop()
		<-ended
		if err := l.Close(); err != nil {
			log.Warn("closing the data directory", "error", l.Redact(err.Error()))
		}
		remove()
	}
	if b.server, err = l.Server(); err != nil {
		b.close()
	}
	return b, err
}
