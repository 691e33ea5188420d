// Command rest measures the REST face of plantuml-mcp beside the same service
// made of Express and the npm package plantuml-encoder, in one run.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"mcpworks/bench/internal/gauge"
	"mcpworks/bench/internal/peers"
	"mcpworks/bench/internal/rawhttp"
)

// leastRatio is the promise: our calls per second over the peer's.
const leastRatio = 3

// connections are used at once.
const connections = 16

func main() {
	duration := flag.Duration("duration", time.Second, "measured time per server and round")
	rounds := flag.Int("rounds", 3, "rounds; the median is reported")
	check := flag.Bool("check", false, "fail when the promise is not kept")
	flag.Parse()
	kept, err := compare(context.Background(), *duration, *rounds)
	if err != nil {
		fmt.Fprintln(os.Stderr, "rest:", err)
		os.Exit(2)
	}
	if *check && !kept {
		os.Exit(1)
	}
}

func compare(ctx context.Context, duration time.Duration, rounds int) (kept bool, err error) {
	root, err := peers.Root(ctx)
	if err != nil {
		return false, err
	}
	dir, err := os.MkdirTemp("", "bench-rest")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	ours := filepath.Join(dir, "plantuml-mcp")
	build := exec.CommandContext(ctx, "go", "build", "-o", ours, "./cmd/plantuml-mcp")
	build.Dir, build.Stderr = root, os.Stderr
	if err := build.Run(); err != nil {
		return false, err
	}
	theirs, err := peers.Prepare(ctx, root, dir, "plantuml-express")
	if errors.Is(err, peers.ErrUnavailable) {
		fmt.Println("skipped:", err)
		return true, nil
	}
	if err != nil {
		return false, err
	}
	var us, them []gauge.Sample
	for range rounds {
		for _, server := range []struct {
			command []string
			samples *[]gauge.Sample
		}{{[]string{ours}, &us}, {theirs, &them}} {
			sample, err := measure(server.command, duration)
			if err != nil {
				return false, fmt.Errorf("%s: %w", filepath.Base(server.command[0]), err)
			}
			*server.samples = append(*server.samples, sample)
		}
	}
	a, b := gauge.Median(us), gauge.Median(them)
	ratio := a.CallsPerSecond / b.CallsPerSecond
	fmt.Printf("1 KB diagram, %d connections, median of %d rounds of %v\n", connections, rounds, duration)
	fmt.Printf("%-32s %8.0f calls/s\n%-32s %8.0f calls/s\n", "plantuml-mcp", a.CallsPerSecond, "plantuml-encoder with Express", b.CallsPerSecond)
	fmt.Printf("ratio %.2f, at least %d\n", ratio, leastRatio)
	return ratio >= leastRatio, nil
}

// measure drives one server with all connections.
func measure(command []string, duration time.Duration) (gauge.Sample, error) {
	const warmup = time.Second
	l, err := peers.Listen(command)
	if err != nil {
		return gauge.Sample{}, err
	}
	defer l.Stop()
	request := []byte(render(l.Address))
	g := gauge.Start(l.PID(), warmup, duration)
	failed := make(chan error, connections)
	var all sync.WaitGroup
	for range connections {
		all.Go(func() { failed <- drive(l.Address, request, g, time.Now().Add(warmup+duration+10*time.Second)) })
	}
	all.Wait()
	for range connections {
		if err := <-failed; err != nil {
			return gauge.Sample{}, err
		}
	}
	return g.Sample(), nil
}

func drive(address string, request []byte, g *gauge.Gauge, deadline time.Time) error {
	c, err := rawhttp.Dial(address, deadline)
	if err != nil {
		return err
	}
	defer c.Close()
	for more := true; more; more = g.Answered(1) {
		answer, err := c.Do(request)
		if err != nil {
			return err
		}
		if answer.Status != 200 || !strings.Contains(string(answer.Message), `"success":true`) {
			return fmt.Errorf("status %d: %.200s", answer.Status, answer.Message)
		}
	}
	return nil
}

// render makes the request for a diagram of about 1 KB.
func render(address string) string {
	var code strings.Builder
	code.WriteString("@startuml\n")
	for i := 0; code.Len() < 1000; i++ {
		fmt.Fprintf(&code, "Node%d --> Node%d : step %d\n", i, i*7%13, i)
	}
	code.WriteString("@enduml\n")
	body, err := json.Marshal(map[string]string{"plantumlCode": code.String()})
	if err != nil {
		panic(err) // a string can always be written
	}
	return strings.Replace(rawhttp.Request(address, string(body)), "POST /mcp ", "POST /api/tools/encodePlantUML ", 1)
}
