package queue_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/queue"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/snapshot"
)

// many runs of three site profiles, eight at a time, fetch from three
// addresses: each address is fetched from once, whoever needs it, and no profile
// has more places than it may. When all are done no file is left open.
func TestRunsFetch(t *testing.T) {
	log, watched := watchedGit(t)
	git, err := gitrepo.New(t.Context(), gitrepo.Options{AllowLocal: true, Program: watched})
	if err != nil {
		t.Skip("git is needed: ", err)
	}
	folder := t.TempDir()
	var urls []string
	for i := range 3 {
		site := filepath.Join(folder, fmt.Sprint("product", i, ".git"))
		if _, err := git.Embedded(t.Context(), site); err != nil {
			t.Fatal(err)
		}
		urls = append(urls, "file://"+site)
	}
	const count = 24
	m := meter{together: make(chan struct{})}
	finished := make(chan string, count)
	store := openStore(t, folder, run.Options{})
	q := newQueue(t, store, func(ctx context.Context, held *run.Held) (bool, error) {
		profile := held.Snapshot().SiteProfile
		defer m.enter("profile "+profile, "all")()
		<-m.together // the first ones wait until they are several
		if _, err := gitrepo.NewCache(git, filepath.Join(folder, "cache")).Fetch(ctx, urls[int(profile[0]-'0')], "main"); err != nil {
			return false, err
		}
		again, err := advance(ctx, held)
		if err == nil && !again {
			finished <- held.ID()
		}
		return again, err
	}, queue.Options{Concurrency: 8, PerProfile: 3})
	before := openFiles(t)
	stop := work(t, q)
	for i := range count {
		create(t, store, q, fmt.Sprint(i%3), "")
	}
	for range count {
		<-finished
	}
	stop()
	if after := openFiles(t); after > before {
		t.Errorf("%d files are open, there were %d", after, before)
	}
	for key, highest := range m.highest {
		if limit := map[bool]int{true: 8, false: 3}[key == "all"]; highest > limit {
			t.Errorf("%s: %d at once, the limit is %d", key, highest, limit)
		}
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	for _, url := range urls {
		if got := strings.Count(string(text), "begin "+url+"\n"); got != 1 {
			t.Errorf("%d fetches of %s", got, filepath.Base(url))
		}
	}
}

// watchedGit is a git that writes down what it fetches.
func watchedGit(t *testing.T) (log, program string) {
	t.Helper()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is needed: ", err)
	}
	dir := t.TempDir()
	log, program = filepath.Join(dir, "log"), filepath.Join(dir, "git")
	script := "#!/bin/sh\nfor a; do [ \"$a\" = fetch ] && fetch=1; case $a in file://*) url=$a;; esac; done\n" +
		"[ \"$fetch\" ] && echo \"begin $url\" >>" + log + "\nexec " + real + " \"$@\"\n"
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return log, program
}

// openFiles counts the files below temporary folders that this process has open;
// 0 where that is not known. Databases may keep theirs.
func openFiles(t *testing.T) (count int) {
	t.Helper()
	links, _ := filepath.Glob("/proc/self/fd/*")
	for _, link := range links {
		if name, err := os.Readlink(link); err == nil && strings.HasPrefix(name, os.TempDir()) && !strings.Contains(name, "index.db") {
			count++
		}
	}
	return count
}

// 15.1, 15.2: a run goes on at once while no other waits, and makes room for one
// that does.
func TestGoesOnWhileNobodyWaits(t *testing.T) {
	store := openStore(t, t.TempDir(), run.Options{})
	finished, starts := make(chan string, 4), func(id string) (starts int) {
		if err := store.Events(id, func(e eventlog.Event) {
			if e.Type == snapshot.RunStarted {
				starts++
			}
		}); err != nil {
			t.Error(err)
		}
		return starts
	}
	begun, goOn := make(chan struct{}, 10), make(chan struct{})
	q := newQueue(t, store, func(ctx context.Context, held *run.Held) (bool, error) {
		begun <- struct{}{}
		<-goOn
		again, err := advance(ctx, held)
		if !again {
			finished <- held.ID()
		}
		return again, err
	}, queue.Options{Concurrency: 1})
	alone := create(t, store, q, "default", "")
	work(t, q)
	for range len(way) - 1 {
		<-begun
		goOn <- struct{}{}
	}
	if id := <-finished; id != alone || starts(id) != 1 {
		t.Errorf("%s began %d times", id, starts(id))
	}
	first := create(t, store, q, "default", "")
	<-begun
	second := create(t, store, q, "default", "")
	close(goOn)
	for range 2 {
		<-finished
	}
	if starts(first) < 2 || starts(second) == 0 {
		t.Errorf("the first began %d times, the second %d", starts(first), starts(second))
	}
}
