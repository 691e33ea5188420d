package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"mcpworks/bench/internal/compare"
	"mcpworks/bench/internal/stats"
)

// profile asks a Go server for a profile of the measured time, if there is a
// folder for it, and sends how that went.
func profile(ctx context.Context, r compare.Run, address, folder string, result chan<- error) {
	if folder == "" || parseTarget(r.Server).program == "typescript" {
		result <- nil
		return
	}
	seconds := max(1, int(r.Duration.Seconds()))
	url := fmt.Sprintf("http://%s%s?seconds=%d", address, stats.ProfilePath, seconds)
	file := filepath.Join(folder, fmt.Sprintf("%s-%s-%d-%d.pprof", r.Server, r.Mode, r.InFlight, r.TextSize))
	go func() {
		time.Sleep(r.Warmup)
		result <- fetch(ctx, url, file)
	}()
}

func fetch(ctx context.Context, url, file string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("no profile: %s (is %s set?)", response.Status, stats.Variable)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o666)
}
