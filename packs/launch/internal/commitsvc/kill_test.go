package commitsvc_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"mcpworks/internal/secret"
	"mcpworks/packs/launch/internal/commitsvc"
	"mcpworks/packs/launch/internal/commitsvc/inprocess"
)

// A process that is there to be killed gets these in its environment.
const (
	victimFolder = "COMMITSVC_TEST_VICTIM"
	victimBase   = "COMMITSVC_TEST_BASE"
	victimStep   = "COMMITSVC_TEST_STEP"
)

func TestMain(m *testing.M) {
	if folder := os.Getenv(victimFolder); folder != "" {
		if err := victim(folder, os.Getenv(victimBase), os.Getenv(victimStep)); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// victim commits and opens a pull request with a service of its own. When it
// reaches the step it kills itself as the system would: nothing is put in order.
func victim(folder, base, step string) error {
	server, _, err := openServer(folder, time.Now, nil)
	if err != nil {
		return err
	}
	server.OnStep(func(reached string) {
		if reached == step {
			self, err := os.FindProcess(os.Getpid())
			if err == nil {
				err = self.Kill()
			}
			fmt.Println("still alive:", err)
			select {}
		}
	})
	client, err := commitsvc.NewClient(commitsvc.ClientConfig{
		URL: "https://commit.invalid", Token: secret.New(token), Transport: inprocess.Transport(server),
	})
	if err != nil {
		return err
	}
	asked, err := request(base)
	if err != nil {
		return err
	}
	made, err := client.Commit(context.Background(), asked)
	if err != nil {
		return err
	}
	opened, err := client.OpenPR(context.Background(), prRequest(asked))
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode([]any{made.CommitSHA, *opened.Number})
}

// C-29, R-3, R-14: a process is killed after each step, and another one does the
// same again: there is one branch, one commit and one pull request.
func TestKilled(t *testing.T) {
	for _, step := range []string{"commit stored", "commit done", "commit noted", "open_pr done", "open_pr noted", "none"} {
		t.Run(step, func(t *testing.T) {
			s := serve(t, nil)
			run := func(step string) ([]byte, error) {
				command := exec.CommandContext(t.Context(), os.Args[0])
				command.Env = append(os.Environ(), victimFolder+"="+s.dir, victimBase+"="+s.base, victimStep+"="+step, "TMPDIR="+t.TempDir())
				return command.Output()
			}
			if out, err := run(step); (err == nil) != (step == "none") || err != nil && len(out) > 0 {
				t.Fatalf("the victim says %s, %v", out, err)
			}
			var first string
			for range 2 {
				out, err := run("none")
				if err != nil {
					t.Fatalf("%s, %v", out, err)
				}
				if first == "" {
					first = string(out)
				}
				if string(out) != first {
					t.Errorf("answers differ: %s and %s", first, out)
				}
			}
			var said []any
			if err := json.Unmarshal([]byte(first), &said); err != nil {
				t.Fatal(err)
			}
			s.once(t, said[0].(string))
			records, err := s.site.PullRequests()
			if err != nil || len(records) != 1 || records[0].Number != 1 {
				t.Errorf("%+v, %v", records, err)
			}
		})
	}
}

// processes are killed at any time, also while git works for them, and the
// next one takes over at once.
func TestKilledAtAnyTime(t *testing.T) {
	s := serve(t, nil)
	run := func() *exec.Cmd {
		command := exec.Command(os.Args[0])
		command.Env = append(os.Environ(), victimFolder+"="+s.dir, victimBase+"="+s.base, victimStep+"=none", "TMPDIR="+t.TempDir())
		return command
	}
	for range 12 {
		command := run()
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(rand.N(150*time.Millisecond), func() { _ = command.Process.Kill() })
		_ = command.Wait() // it was killed, or was faster
		timer.Stop()
	}
	out, err := run().Output()
	if err != nil {
		t.Fatalf("%s, %v", out, err)
	}
	var said []any
	if err := json.Unmarshal(out, &said); err != nil {
		t.Fatal(err)
	}
	s.once(t, said[0].(string))
	if records, err := s.site.PullRequests(); err != nil || len(records) != 1 {
		t.Errorf("%+v, %v", records, err)
	}
}

// What is left of a line that was being written is neither a pull request nor in
// the way of the next one.
func TestTornRecord(t *testing.T) {
	s := serve(t, nil)
	client, asked := s.client(t, nil), s.request(t)
	if _, err := client.Commit(t.Context(), asked); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(s.dir, "remotes", "default.prs.ndjson")
	whole := `{"number":4,"branch":"launch/other","state":"open"}` + "\n"
	if err := os.WriteFile(file, []byte(whole+`{"number":5,"branch":"`+branch), 0o600); err != nil {
		t.Fatal(err)
	}
	opened, err := client.OpenPR(t.Context(), prRequest(asked))
	if err != nil || *opened.Number != 5 {
		t.Fatalf("%+v, %v", opened, err)
	}
	if records, err := s.site.PullRequests(); err != nil || len(records) != 2 {
		t.Errorf("%+v, %v", records, err)
	}
}

// a git that was killed leaves a lock, which keeps nobody from the branch.
func TestLeftLock(t *testing.T) {
	s := serve(t, nil)
	lock := filepath.Join(s.site.Dir, "refs", "heads", filepath.FromSlash(branch)+".lock")
	if err := os.MkdirAll(filepath.Dir(lock), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(lock, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	made, err := s.client(t, nil).Commit(t.Context(), s.request(t))
	if err != nil {
		t.Fatal(err)
	}
	s.once(t, made.CommitSHA)
}

// what a process that was killed left of an answer goes with the next one.
func TestLeftAnswer(t *testing.T) {
	s := serve(t, nil)
	left := filepath.Join(s.dir, "commits", "idempotency", s.site.Name, ".tmp-left")
	if err := os.MkdirAll(filepath.Dir(left), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(left, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.client(t, nil).Commit(t.Context(), s.request(t)); err != nil {
		t.Fatal(err)
	}
	answers, err := os.ReadDir(filepath.Dir(left))
	if err != nil || len(answers) != 1 || answers[0].Name() == filepath.Base(left) {
		t.Errorf("the answers are %v, %v", answers, err)
	}
}

// A branch can be in the way of another one by its name.
func TestBranchInTheWay(t *testing.T) {
	s := serve(t, nil)
	s.git(t, "update-ref", "refs/heads/launch/acme", s.base)
	_, err := s.client(t, nil).Commit(t.Context(), s.request(t))
	if failed := failure(t, err); failed.Code != commitsvc.BranchExists {
		t.Errorf("%v", failed)
	}
}
