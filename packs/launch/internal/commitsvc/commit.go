package commitsvc

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"mcpworks/packs/launch/internal/fence"
	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/patch"
)

// runTrailer begins the last line of every commit message. By it the service
// knows its own commits again.
const runTrailer = "Launch-Run: "

// commit answers a CommitRequest.
func (s *Server) commit(ctx context.Context, header http.Header, body []byte, runID *string) (outcome, error) {
	var request CommitRequest
	if err := decode(body, &request); err != nil {
		return outcome{}, err
	}
	site, err := s.check(header, common{request.SchemaVersion, request.RunID, request.IdempotencyKey, request.RepoURL, request.BaseRef, request.BranchName})
	if err != nil {
		return outcome{}, err
	}
	*runID = request.RunID
	allowed, err := s.checkCommit(request, body)
	if err != nil {
		return outcome{}, err
	}
	hash, err := hashOf(request)
	if err != nil {
		return outcome{}, err
	}
	q := question{ForCommit, request.RepoURL, request.IdempotencyKey, hash, site}
	return s.once(ctx, q, func(ctx context.Context) (any, bool, error) {
		sha, created, err := s.makeCommit(ctx, site, request, allowed)
		return CommitResponse{
			Version, request.RunID, request.IdempotencyKey, request.RepoURL, request.BaseRef, request.BranchName, sha, stamp(s.config.Now()),
		}, created, err
	})
}

// makeCommit makes the commit and its branch. The site's lock is held.
//
//  1. The patches are applied to the base in memory, behind the fence.
//  2. The commit is stored. Nobody sees it yet, and to store it again is to
//     store the same.
//  3. A branch that is there already and has this tree, from this run, is what
//     an earlier request has made.
//  4. The base has to be where it was when the run began.
//  5. The branch is made. If another one made it meanwhile, git says so.
func (s *Server) makeCommit(ctx context.Context, site Site, request CommitRequest, allowed *fence.Fence) (sha string, created bool, err error) {
	base := request.PatchBundle.BaseSHA
	repo, err := site.open(ctx, s.config.Git, base)
	if err != nil {
		return "", false, err
	}
	planned, err := plan(ctx, repo, request, allowed)
	if err != nil {
		return "", false, err
	}
	wanted := s.newCommit(ctx, request, base, planned.Changes)
	sha, tree, err := repo.Commit(ctx, wanted)
	if err != nil {
		return "", false, err
	}
	s.reached("commit stored")
	branched := func() (string, bool, error) { return s.branch(ctx, site, repo, request, planned, wanted, sha, tree) }
	done, created, err := branched()
	if errors.Is(err, errTaken) { // perhaps by a git that a killed process has left: look again
		done, created, err = branched()
	}
	return done, created, err
}

// branch puts the commit on its branch: steps 3 to 5 of makeCommit.
func (s *Server) branch(
	ctx context.Context, site Site, repo *gitrepo.Repo, request CommitRequest, planned *patch.Result, wanted gitrepo.NewCommit, sha, tree string,
) (done string, created bool, err error) {
	ref := "refs/heads/" + request.BranchName
	tip, there, err := repo.Resolve(ctx, ref)
	if err != nil {
		return "", false, err
	}
	if there {
		own, same, err := compare(ctx, repo, tip, tree, request.RunID)
		switch {
		case err != nil:
			return "", false, err
		case own && same:
			return tip, false, nil
		case !own || !request.AllowExistingBranch:
			return "", false, refuse(BranchExists, "the branch exists and holds something else")
		}
		if wanted.Changes, err = onTop(ctx, repo, wanted.Base, tip, planned); err != nil {
			return "", false, err
		}
		wanted.Base = tip
		if sha, _, err = repo.Commit(ctx, wanted); err != nil {
			return "", false, err
		}
	}
	if err := s.checkBase(ctx, site, repo, request); err != nil {
		return "", false, err
	}
	if err := moveBranch(ctx, repo, ref, sha, tip); err != nil {
		return "", false, err
	}
	return sha, true, nil
}

// plan applies the patches to the base.
func plan(ctx context.Context, repo *gitrepo.Repo, request CommitRequest, allowed *fence.Fence) (*patch.Result, error) {
	bundle := request.PatchBundle
	tree, err := readBase(ctx, repo, bundle.BaseSHA, allowed, bundle.Patches)
	if err != nil {
		return nil, err
	}
	planned, err := patch.Plan(tree, bundle, patch.Rules{AllowDelete: true})
	switch {
	case err != nil:
		return nil, err
	case planned.TreeHash != bundle.TreeHashAfter:
		return nil, refuse(PatchConflict, "the patches do not lead to the tree that the bundle names")
	case len(planned.Changes) == 0:
		return nil, refuse(InvalidRequest, "the patch bundle changes nothing")
	}
	return planned, nil
}

func (s *Server) newCommit(ctx context.Context, request CommitRequest, base string, changes []patch.Change) gitrepo.NewCommit {
	author := s.authorOf(ctx, request.RunID)
	paragraphs := []string{strings.TrimSpace(request.CommitMessage)}
	if text := strings.TrimSpace(request.CommitBody); text != "" {
		paragraphs = append(paragraphs, text)
	}
	paragraphs = append(paragraphs, runTrailer+request.RunID)
	commit := gitrepo.NewCommit{
		Base: base, Message: strings.Join(paragraphs, "\n\n") + "\n", Author: author.Name, Email: author.Email, When: author.When,
	}
	for _, c := range changes {
		commit.Changes = append(commit.Changes, gitrepo.Change{Path: c.Path, Content: c.After, Delete: c.After == nil})
	}
	return commit
}

// ofRun says whether a commit message is that of a run's commit.
func ofRun(message, runID string) bool {
	lines := strings.Split(strings.TrimRight(message, "\n"), "\n")
	return lines[len(lines)-1] == runTrailer+runID
}

// compare says whether a commit is the run's own, and has the tree.
func compare(ctx context.Context, repo *gitrepo.Repo, sha, tree, runID string) (own, same bool, err error) {
	info, err := repo.Info(ctx, sha)
	return ofRun(info.Message, runID), info.Tree == tree, err
}

// onTop are the changes that turn the tip of the run's branch into what the
// patches make of the base: what the tip has changed is taken back first.
func onTop(ctx context.Context, repo *gitrepo.Repo, base, tip string, planned *patch.Result) ([]gitrepo.Change, error) {
	before, err := repo.Changed(ctx, base, tip)
	if err != nil {
		return nil, err
	}
	old, err := repo.ReadFiles(ctx, base, before)
	if err != nil {
		return nil, err
	}
	wanted := map[string][]byte{}
	for _, change := range planned.Changes {
		wanted[change.Path] = change.After
	}
	var changes []gitrepo.Change
	for _, path := range before {
		if _, again := wanted[path]; again {
			continue
		}
		text, existed := old[path]
		changes = append(changes, gitrepo.Change{Path: path, Content: []byte(text), Delete: !existed})
	}
	for _, change := range planned.Changes {
		changes = append(changes, gitrepo.Change{Path: change.Path, Content: change.After, Delete: change.After == nil})
	}
	return changes, nil
}

// checkBase refuses to commit to a site that has moved on.
func (s *Server) checkBase(ctx context.Context, site Site, repo *gitrepo.Repo, request CommitRequest) error {
	if !request.cleanBase() {
		return nil
	}
	tip, err := site.tip(ctx, s.config.Git, repo, request.BaseRef)
	if err != nil {
		return err
	}
	if tip != request.PatchBundle.BaseSHA {
		return &fault{code: BaseMoved, message: "the site has changed since the run began", details: map[string]any{"base_sha": request.PatchBundle.BaseSHA, "now": tip}}
	}
	return nil
}
