package pipeline

import (
	"context"
	"errors"
	"os"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/run/snapshot"
)

// view is what gates see. The caller closes it.
func (j *job) view(ctx context.Context, folder string) (*gate.View, func(), error) {
	s := j.held.Snapshot()
	in := gate.Input{
		Config: j.config, Profile: j.profile, Rules: j.rules, Templates: j.templates, AllowedHosts: j.options.AllowedHosts, Taskcard: j.card,
		InputsHash: s.InputsHash, Documents: map[string][]byte{}, Logs: map[string][]byte{},
	}
	var err error
	if in.Base, err = j.files(ctx, baseFolder); err != nil {
		return nil, nil, err
	}
	if in.Links, err = j.links(ctx); err != nil {
		return nil, nil, err
	}
	if in.Repo, err = j.files(ctx, repoFolder); err != nil {
		return nil, nil, err
	}
	for _, name := range append(j.documentNames(s), diffReportName) {
		text, err := j.read(name)
		if err != nil {
			return nil, nil, err
		}
		if strings.HasPrefix(name, "reports/") {
			in.Logs[name] = text
		} else {
			in.Documents[name] = text
		}
	}
	root, err := os.OpenRoot(j.place("work", folder))
	if err != nil {
		return nil, nil, &Fault{Code: "ORCHESTRATOR_ILLEGAL_STATE", Message: "the run has no worktree", Resumable: true, Err: err}
	}
	in.Site = root.FS()
	if in.Changed, err = changed(ctx, in.Base, in.Site); err != nil {
		return nil, nil, errors.Join(err, root.Close())
	}
	v := gate.NewView(in)
	v.TreeHash = v.Bundle.TreeHashAfter
	v.Usage = j.usage(s, v.Bundle)
	if v.Product, err = j.product(v.Inventory.RepoProfile.PlatformFamily); err != nil {
		return nil, nil, errors.Join(err, root.Close())
	}
	return v, func() { root.Close() }, nil
}

// usage is what the run has cost so far.
func (j *job) usage(s *snapshot.Snapshot, bundle artifact.PatchBundle) gate.Usage {
	files := map[string]bool{}
	fixes := 0
	for _, p := range bundle.Patches {
		files[p.Path] = true
		if p.Origin == "fix" || p.Origin == "manual" {
			fixes++
		}
	}
	return gate.Usage{
		RuntimeS: int(runtime(s, "").Seconds()), LLMCalls: int(s.Budgets.LLMCalls), LLMTokens: int(s.Budgets.LLMTokens),
		FileWrites: len(files) + fixes, PatchAttempts: 1 + s.FixAttempts,
	}
}

// documentNames are the documents that gates look at.
func (j *job) documentNames(s *snapshot.Snapshot) []string {
	var names []string
	for _, name := range artifact.Names() {
		if _, written := s.Artifacts[name]; written && name != artifact.ValidationReportName && name != artifact.PullRequestName {
			names = append(names, name)
		}
	}
	return names
}
