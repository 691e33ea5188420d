package commitsvc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"strings"
)

// prsEnding is the file of a site's pull requests, beside its repository (18.2).
const prsEnding = ".prs.ndjson"

// maxPRs bounds what is read of it.
const maxPRs = 256 << 20

// A PullRequest is one line of that file.
type PullRequest struct {
	Number    int    `json:"number"`
	Branch    string `json:"branch"`
	Base      string `json:"base"`
	Title     string `json:"title"`
	Body      string `json:"body"`
	State     string `json:"state"` // open
	Draft     bool   `json:"draft"`
	RunID     string `json:"run_id"`
	CreatedAt string `json:"created_at"`
}

// openPR answers an OpenPRRequest.
func (s *Server) openPR(ctx context.Context, header http.Header, body []byte, runID *string) (outcome, error) {
	var request OpenPRRequest
	if err := decode(body, &request); err != nil {
		return outcome{}, err
	}
	site, err := s.check(header, common{request.SchemaVersion, request.RunID, request.IdempotencyKey, request.RepoURL, request.BaseRef, request.BranchName})
	if err != nil {
		return outcome{}, err
	}
	*runID = request.RunID
	if strings.TrimSpace(request.Title) == "" {
		return outcome{}, refuse(InvalidRequest, "pr_title is empty")
	}
	if err := errors.Join(checkText("pr_title", request.Title, maxMessage), checkText("pr_body", request.Body, maxText)); err != nil {
		return outcome{}, err
	}
	hash, err := hashOf(request)
	if err != nil {
		return outcome{}, err
	}
	q := question{ForOpenPR, request.RepoURL, request.IdempotencyKey, hash, site}
	return s.once(ctx, q, func(ctx context.Context) (any, bool, error) {
		record, created, err := s.makePR(ctx, site, request)
		return OpenPRResponse{
			Version, request.RunID, request.IdempotencyKey, request.RepoURL, request.BaseRef, request.BranchName,
			s.prURL(site, record.Number), &record.Number,
		}, created, err
	})
}

func (s *Server) prURL(site Site, number int) string {
	if s.config.PRBase == "" {
		return fmt.Sprintf("urn:launcher:pr:%s:%d", site.Name, number)
	}
	return fmt.Sprintf("https://%s/pr/%d", strings.Trim(strings.TrimPrefix(s.config.PRBase, "https://"), "/"), number)
}

// makePR records a pull request, unless the run's branch has one. The site's
// lock is held.
func (s *Server) makePR(ctx context.Context, site Site, request OpenPRRequest) (PullRequest, bool, error) {
	repo, err := site.open(ctx, s.config.Git, "")
	if err != nil {
		return PullRequest{}, false, err
	}
	tip, there, err := repo.Resolve(ctx, "refs/heads/"+request.BranchName)
	if err != nil {
		return PullRequest{}, false, err
	}
	if !there {
		return PullRequest{}, false, refuse(InvalidRequest, "there is no such branch")
	}
	info, err := repo.Info(ctx, tip)
	if err != nil {
		return PullRequest{}, false, err
	}
	if !ofRun(info.Message, request.RunID) {
		return PullRequest{}, false, refuse(BranchExists, "the branch is not that of the run")
	}
	known, err := site.PullRequests()
	if err != nil {
		return PullRequest{}, false, err
	}
	next := 1
	for _, record := range known {
		if record.Branch == request.BranchName && record.State == "open" {
			return record, false, nil
		}
		next = max(next, record.Number+1)
	}
	record := PullRequest{
		Number: next, Branch: request.BranchName, Base: request.BaseRef, Title: request.Title, Body: request.Body,
		State: "open", Draft: request.Draft, RunID: request.RunID, CreatedAt: stamp(s.config.Now()),
	}
	return record, true, site.appendPR(record)
}

// PullRequests reads the pull requests of a site, oldest first. A last line
// without an end was never acknowledged and does not count.
func (s Site) PullRequests() ([]PullRequest, error) {
	text, err := s.readPRs()
	if err != nil {
		return nil, err
	}
	var list []PullRequest
	for line := range bytes.Lines(text) {
		var record PullRequest
		if err := json.Unmarshal(line, &record); err != nil {
			return nil, fmt.Errorf("read the pull requests: %w", err)
		}
		list = append(list, record)
	}
	return list, nil
}

// readPRs returns the whole lines of the file.
func (s Site) readPRs() ([]byte, error) {
	info, err := os.Stat(s.beside(prsEnding))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && info.Size() > maxPRs {
		err = errors.New("the file is too large")
	}
	if err != nil {
		return nil, fmt.Errorf("read the pull requests: %w", err)
	}
	text, err := os.ReadFile(s.beside(prsEnding))
	if err != nil {
		return nil, fmt.Errorf("read the pull requests: %w", err)
	}
	return text[:bytes.LastIndexByte(text, '\n')+1], nil
}

// appendPR adds a line and makes it last. What a killed process left of a line
// is written over.
func (s Site) appendPR(record PullRequest) error {
	whole, err := s.readPRs()
	if err != nil {
		return err
	}
	line, err := json.Marshal(record)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(s.beside(prsEnding), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("record the pull request: %w", err)
	}
	defer file.Close()
	err = file.Truncate(int64(len(whole)))
	if err == nil {
		_, err = file.WriteAt(append(line, '\n'), int64(len(whole)))
	}
	if err == nil {
		err = file.Sync()
	}
	if err != nil {
		return fmt.Errorf("record the pull request: %w", err)
	}
	return nil
}
