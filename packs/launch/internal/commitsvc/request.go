package commitsvc

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"regexp"
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/fence"
	"mcpworks/packs/launch/internal/gitrepo"
)

// Limits of texts in requests, in bytes.
const (
	maxMessage = 1 << 10
	maxText    = 256 << 10
	maxName    = 255
	maxURL     = 2 << 10
)

// BranchPrefix begins the names of all branches that the service makes.
const BranchPrefix = "launch/"

var runShape = regexp.MustCompile(`^[a-zA-Z0-9_-]{8,64}$`)

// decode reads a request strictly.
func decode(body []byte, request any) error {
	if err := rawjson.Check(body, rawjson.Limits{Depth: 32, Values: 1 << 20}); err != nil {
		return refuse(InvalidRequest, "%v", err)
	}
	if _, err := rawjson.Decode(body); err != nil {
		return refuse(InvalidRequest, "%v", err)
	}
	if err := artifact.Decode(body, request); err != nil {
		return refuse(InvalidRequest, "the body is not what is expected: %v", err)
	}
	return nil
}

// A common is what requests of both kinds have.
type common struct{ version, runID, key, repoURL, baseRef, branch string }

// check refuses malformed requests, and finds the site.
func (s *Server) check(header http.Header, c common) (Site, error) {
	switch {
	case !keyShape.MatchString(c.key):
		return Site{}, refuse(KeyInvalid, "the idempotency key is not a UUID of version 4")
	case header.Get(KeyHeader) != c.key:
		return Site{}, refuse(KeyInvalid, "the header %s and the body have different keys", KeyHeader)
	case c.version != Version:
		return Site{}, refuse(InvalidRequest, "schema_version must be %s", Version)
	case !runShape.MatchString(c.runID):
		return Site{}, refuse(InvalidRequest, "run_id is malformed")
	case c.repoURL == "" || len(c.repoURL) > maxURL:
		return Site{}, refuse(InvalidRequest, "repo_url is malformed")
	case !isBranch(c.baseRef) && !gitrepo.IsSHA(c.baseRef):
		return Site{}, refuse(InvalidRequest, "base_ref is neither a branch nor a commit id")
	case !isBranch(c.branch) || !strings.HasPrefix(c.branch, BranchPrefix):
		return Site{}, refuse(InvalidRequest, "branch_name must begin with %s and have nothing but letters, digits, and ._- in each part", BranchPrefix)
	}
	site, ok := s.config.Sites(c.repoURL)
	if !ok {
		return Site{}, refuse(InvalidRequest, "repo_url is not a site of this service")
	}
	return site, nil
}

var branchShape = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*$`)

func isBranch(name string) bool {
	if len(name) > maxName || !branchShape.MatchString(name) || strings.Contains(name, "..") {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasSuffix(part, ".") || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return true
}

// checkText refuses texts that are too long, or that git would cut.
func checkText(name, text string, limit int) error {
	if len(text) > limit || strings.ContainsRune(text, 0) {
		return refuse(InvalidRequest, "%s is longer than %d bytes or has a NUL", name, limit)
	}
	return nil
}

// checkCommit looks at what only commits have.
func (s *Server) checkCommit(request CommitRequest, body []byte) (*fence.Fence, error) {
	if strings.TrimSpace(request.CommitMessage) == "" {
		return nil, refuse(InvalidRequest, "commit_message is empty")
	}
	if err := checkText("commit_message", request.CommitMessage, maxMessage); err != nil {
		return nil, err
	}
	if err := checkText("commit_body", request.CommitBody, maxText); err != nil {
		return nil, err
	}
	violations, err := artifact.Validate(artifact.PatchBundleName, rawjson.Member(body, "patch_bundle"))
	if err != nil {
		return nil, refuse(InvalidRequest, "patch_bundle: %v", err)
	}
	if len(violations) > 0 {
		return nil, refuse(InvalidRequest, "patch_bundle%s %s", violations[0].Path, violations[0].Message)
	}
	if gitrepo.IsSHA(request.BaseRef) && request.BaseRef != request.PatchBundle.BaseSHA {
		return nil, refuse(InvalidRequest, "base_ref is not the base of the patch bundle")
	}
	allowed, err := fence.New(request.AllowedPaths)
	if err != nil {
		return nil, refuse(InvalidRequest, "%v", err)
	}
	return allowed, s.checkApproval(request.Governance)
}

func (s *Server) checkApproval(governance *Governance) error {
	switch {
	case governance == nil && s.config.RequireApproval:
		return refuse(ApprovalRequired, "a person has to agree to this commit")
	case governance != nil && !governance.Approval.Approved:
		return refuse(ApprovalDenied, "a person has not agreed to this commit")
	}
	return nil
}

// hashOf tells requests apart. Who agreed, and when, makes no other request.
func hashOf(request any) (string, error) {
	if commit, ok := request.(CommitRequest); ok {
		clean := commit.cleanBase()
		commit.Governance, commit.RequireCleanBase = nil, &clean
		request = commit
	}
	text, err := artifact.Canonical(request)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}

func (r CommitRequest) cleanBase() bool { return r.RequireCleanBase == nil || *r.RequireCleanBase }
