package snapshot_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/snapshot"
	"mcpworks/packs/launch/internal/run/state"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// script turns drafts into events with plain ids.
func script(t fataler, drafts ...eventlog.Draft) (events []eventlog.Event) {
	for i, draft := range drafts {
		payload, err := json.Marshal(draft.Payload)
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, eventlog.Event{
			ID: fmt.Sprintf("evt_%d", i+1), Seq: int64(i + 1), RunID: "r_20260101T000000Z_acme_0123abcd", Type: draft.Type,
			Payload: payload, Time: fmt.Sprintf("2026-01-01T00:00:%02d.000Z", i%60), Hash: fmt.Sprintf("%064d", i+1),
		})
	}
	return events
}

type fataler interface{ Fatal(...any) }

func encode(t fataler, s *snapshot.Snapshot) string {
	text, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func draftGenerator() *rapid.Generator[eventlog.Draft] {
	name := rapid.SampledFrom([]string{"page_plan.json", "reports/a.md", "drafts/docs/b.md"})
	return rapid.Custom(func(t *rapid.T) eventlog.Draft {
		n := rapid.IntRange(1, 3).Draw(t, "n")
		item := snapshot.WorkItem{ID: fmt.Sprintf("w%d", n), Worker: "W2", Attempt: n, Inputs: map[string]string{"a": "1"}, Outputs: map[string]string{"b": "2"}}
		section := rapid.SampledFrom([]string{"docs", "kb"}).Draw(t, "section")
		return rapid.SampledFrom([]eventlog.Draft{
			{Type: snapshot.RunQueued, Payload: snapshot.Order{StopAt: "READY_FOR_PR", Until: "DONE", Rewind: n == 1}},
			{Type: snapshot.RunStarted, Payload: struct{}{}},
			{Type: snapshot.RunPaused, Payload: snapshot.Pause{Reason: snapshot.FixManual}},
			{Type: snapshot.RunInterrupted, Payload: snapshot.Resuming{}},
			{Type: snapshot.RunResumed, Payload: snapshot.Resuming{}},
			{Type: snapshot.RunCancelRequested, Payload: snapshot.Resuming{}},
			{Type: snapshot.RunStateChanged, Payload: snapshot.Change{New: rapid.SampledFrom(state.All).Draw(t, "state"), InputsHash: "ab"}},
			{Type: snapshot.RunFailed, Payload: snapshot.Failure{Class: "FAILED", Resumable: n == 1}},
			{Type: snapshot.SectionChanged, Payload: snapshot.SectionChange{Section: section, Old: state.Drafted, New: state.Blocked}},
			{Type: snapshot.SectionChanged, Payload: snapshot.SectionChange{Section: section, Old: state.Blocked, New: state.Drafted}},
			{Type: snapshot.InputsCloned, Payload: map[string]any{"repo": map[string]any{"sha": "abc"}}},
			{Type: snapshot.ArtifactWritten, Payload: snapshot.Writing{Name: name.Draw(t, "name"), Path: "p", SHA256: "s", Size: int64(n), Writer: "W1"}},
			{Type: snapshot.ArtifactStale, Payload: snapshot.Staleness{Name: name.Draw(t, "stale"), Reason: "r"}},
			{Type: snapshot.WorkItemQueued, Payload: item},
			{Type: snapshot.WorkItemStarted, Payload: item},
			{Type: snapshot.WorkItemFinished, Payload: item},
			{Type: snapshot.WorkItemFailed, Payload: item},
			{Type: snapshot.WorkItemSkipped, Payload: item},
			{Type: snapshot.IssueOpened, Payload: snapshot.Finding{Issue: issue.New("links", issue.Error, "LINK_BROKEN", "a.md", fmt.Sprint(n), "broken")}},
			{Type: snapshot.IssueResolved, Payload: snapshot.Finding{ID: issue.ID("links", "LINK_BROKEN", "a.md", fmt.Sprint(n))}},
			{Type: snapshot.FixAttempted, Payload: struct{}{}},
			{Type: snapshot.LLMCallStarted, Payload: struct{}{}},
			{Type: snapshot.LLMCallFinished, Payload: map[string]any{"token_usage": map[string]any{"total_tokens": 7}}},
			{Type: snapshot.CommitIntent, Payload: snapshot.PullRequest{IdempotencyKey: "k", Branch: "b"}},
			{Type: snapshot.PROpened, Payload: snapshot.PullRequest{URL: "u", Number: 3}},
			{Type: "GATE_RUN_STARTED", Payload: map[string]any{"gate": "links"}},
		}).Draw(t, "draft")
	})
}

// reading the snapshot back after any event and going on gives the same
// bytes as replaying the whole log, and audit events leave no trace.
func TestReplayGivesTheSameBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drafts := append([]eventlog.Draft{{Type: snapshot.RunCreated, Payload: snapshot.Created{Operation: "start", ProductSlug: "acme"}}},
			rapid.SliceOfN(draftGenerator(), 0, 40).Draw(t, "drafts")...)
		kept := &snapshot.Snapshot{}
		replayed := &snapshot.Snapshot{}
		for _, event := range script(t, drafts...) {
			before := ""
			if kept.RunID != "" {
				before = encode(t, kept)
			}
			changed := kept.Reduce(event)
			replayed.Reduce(event)
			text := encode(t, kept)
			if !changed && text != before {
				t.Fatalf("%s changed the snapshot and did not say so", event.Type)
			}
			if changed != snapshot.Reduces(event.Type) {
				t.Fatalf("%s: changed is %v", event.Type, changed)
			}
			var err error
			if kept, err = snapshot.Decode([]byte(text)); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(encode(t, replayed), encode(t, kept)); diff != "" {
				t.Fatalf("after %s (-replayed +kept):\n%s", event.Type, diff)
			}
		}
	})
}

func TestActivityFollowsTheEvents(t *testing.T) {
	created := eventlog.Draft{Type: snapshot.RunCreated, Payload: snapshot.Created{}}
	to := func(s state.State) eventlog.Draft {
		return eventlog.Draft{Type: snapshot.RunStateChanged, Payload: snapshot.Change{New: s}}
	}
	failed := func(resumable bool) eventlog.Draft {
		return eventlog.Draft{Type: snapshot.RunFailed, Payload: snapshot.Failure{Resumable: resumable}}
	}
	for name, c := range map[string]struct {
		drafts   []eventlog.Draft
		activity snapshot.Activity
		reason   string
		stable   state.State
	}{
		"created":        {nil, snapshot.Queued, "", state.Created},
		"started":        {[]eventlog.Draft{{Type: snapshot.RunStarted}}, snapshot.Running, "", state.Created},
		"interrupted":    {[]eventlog.Draft{{Type: snapshot.RunStarted}, {Type: snapshot.RunInterrupted}}, snapshot.Paused, snapshot.Interrupted, state.Created},
		"failed":         {[]eventlog.Draft{to(state.Ingested), failed(true), to(state.Failed)}, snapshot.Paused, snapshot.FailedPause, state.Ingested},
		"failed for all": {[]eventlog.Draft{to(state.Ingested), failed(false), to(state.Failed)}, snapshot.Finished, "", state.Ingested},
		"revalidated":    {[]eventlog.Draft{to(state.ReadyForPR), to(state.Validating), failed(true), to(state.Failed)}, snapshot.Paused, snapshot.FailedPause, state.DraftReady},
		"done":           {[]eventlog.Draft{to(state.ReadyForPR), to(state.Done)}, snapshot.Finished, "", state.ReadyForPR},
		"cancelled":      {[]eventlog.Draft{{Type: snapshot.RunCancelRequested}, to(state.Cancelled)}, snapshot.Finished, "", state.Created},
	} {
		s := &snapshot.Snapshot{}
		for _, event := range script(t, append([]eventlog.Draft{created}, c.drafts...)...) {
			s.Reduce(event)
		}
		if s.Activity != c.activity || s.PauseReason != c.reason || s.StableState != c.stable {
			t.Errorf("%s: %s (%s), stable %s", name, s.Activity, s.PauseReason, s.StableState)
		}
	}
}
