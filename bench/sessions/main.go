// Command sessions opens many legacy sessions on our server and reports how much
// its memory grows:
//
//	go run ./bench/sessions [flags]
//
// Of each session only the handshake is made; then it stays open and idle. At
// the end a call in the first and in the last one shows that they are alive.
// Exit code: 0 when all went well, 1 when the promise of -check was not kept, 2
// when nothing could be measured.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"mcpworks/bench/internal/compare"
	"mcpworks/bench/internal/echo"
	"mcpworks/bench/internal/peers"
	"mcpworks/bench/internal/procfs"
	"mcpworks/bench/internal/rawhttp"
)

// maxGrowth is the promise kept with -check, for the 10,000 sessions that a
// server takes by default.
const maxGrowth = 100e6 // bytes

// patience is how long a server may take for everything.
const patience = 2 * time.Minute

func main() {
	count := flag.Int("sessions", 10_000, "sessions to open")
	servers := flag.String("peers", compare.Ours, "comma-separated `names` of the servers to measure")
	check := flag.Bool("check", false, fmt.Sprintf("fail when the memory of %s grows by more than %.0f MB", compare.Ours, maxGrowth/1e6))
	flag.Parse()
	kept, err := measureAll(context.Background(), strings.Split(*servers, ","), *count)
	if err != nil {
		fmt.Fprintln(os.Stderr, "sessions:", err)
		os.Exit(2)
	}
	if *check && !kept {
		os.Exit(1)
	}
}

func measureAll(ctx context.Context, servers []string, count int) (kept bool, err error) {
	root, err := peers.Root(ctx)
	if err != nil {
		return false, err
	}
	dir, err := os.MkdirTemp("", "bench-sessions-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	kept = true
	for _, server := range servers {
		command, err := peers.Prepare(ctx, root, dir, server)
		if errors.Is(err, peers.ErrUnavailable) {
			fmt.Printf("skipped: %s: %v\n", server, err)
			continue
		}
		if err != nil {
			return false, err
		}
		g, err := measure(command, count)
		if err != nil {
			return false, fmt.Errorf("%s: %w", server, err)
		}
		fmt.Printf("%-12s %d sessions: %.1f MB more in %.1f s, %.1f KB each; %.1f MB before, %.1f MB at the peak\n",
			server, count, float64(g.bytes())/1e6, g.took.Seconds(), float64(g.bytes())/1e3/float64(count), float64(g.before)/1e6, float64(g.peak)/1e6)
		if server == compare.Ours && g.bytes() > maxGrowth {
			fmt.Printf("failed: want %.0f MB more at the most\n", maxGrowth/1e6)
			kept = false
		}
	}
	return kept, nil
}

// growth is the resident memory of a server over the opening of sessions.
type growth struct {
	before, after, peak int64
	took                time.Duration
}

func (g growth) bytes() int64 { return g.after - g.before }

func measure(command []string, count int) (g growth, err error) {
	l, err := peers.Listen(command)
	if err != nil {
		return g, err
	}
	defer l.Stop()
	c, err := rawhttp.Dial(l.Address, time.Now().Add(patience))
	if err != nil {
		return g, err
	}
	defer c.Close()
	g.before, _ = procfs.Memory(l.PID())
	start := time.Now()
	ids := make([]string, count)
	for i := range ids {
		if ids[i], err = c.OpenSession(l.Address); err != nil {
			return g, fmt.Errorf("session %d: %w", i+1, err)
		}
	}
	g.took = time.Since(start)
	g.after, g.peak = procfs.Memory(l.PID())
	for _, i := range []int{0, count - 1} {
		if err := call(c, l.Address, ids[i], i); err != nil {
			return g, fmt.Errorf("call in session %d: %w", i+1, err)
		}
	}
	return g, nil
}

// call makes one call in a session.
func call(c *rawhttp.Conn, address, session string, number int) error {
	if err := c.Initialized(address, session); err != nil {
		return err
	}
	request, _ := echo.NewRequests(rawhttp.InSession(address, session), 1, echo.MinText, number, 1).One()
	r, err := c.Do(request)
	if err != nil {
		return err
	}
	_, err = echo.NewAnswers(echo.MinText).Number(r.Message)
	return err
}
