package commitsvc

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"
	"unicode/utf8"

	"mcpworks/internal/bounded"
	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/redact"
	"mcpworks/packs/launch/internal/run/flock"
)

const (
	maxBody        = 16 << 20
	defaultPerHour = 100
)

// Config is what a service needs to know.
type Config struct {
	// Dir is the folder of the service's own files: its answers and its audit
	// log. Several processes may share it.
	Dir string
	// Git works on the repositories.
	Git *gitrepo.Git
	// Sites finds the site of a repo_url; ok is false for one that the service
	// does not serve.
	Sites func(repoURL string) (site Site, ok bool)
	// Verify checks tokens.
	Verify Verifier
	// PerHour is how many requests a token has in an hour; 0 means 100, and less
	// that they are not counted: for a service that only its own process can ask.
	PerHour int
	// RequireApproval refuses commits that no person has agreed to.
	RequireApproval bool
	// Author makes the commits of requests that come without one; see WithAuthor.
	Author Author
	// PRBase is the host, with or without a path, that addresses of pull
	// requests begin with. Empty makes URNs of them.
	PRBase string
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Log gets what went wrong inside; nil means nowhere.
	Log *slog.Logger
}

// A Server is the commit service on bare repositories (11.4).
type Server struct {
	config   Config
	root     *os.Root
	verdicts *verdicts
	window   *window
	replies  *replies
	audit    *audit
	mux      *http.ServeMux
	closing  sync.Once
	// reached is told, in tests, which step is done.
	reached func(step string)
}

// New opens the service's folder. Close closes it.
func New(config Config) (*Server, error) {
	if config.Git == nil || config.Sites == nil || config.Verify == nil {
		return nil, errors.New("commit service: git, sites and a verifier are needed")
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	config.Author = config.Author.orDefault()
	if err := os.MkdirAll(config.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("open the commit service: %w", err)
	}
	root, err := os.OpenRoot(config.Dir)
	if err != nil {
		return nil, fmt.Errorf("open the commit service: %w", err)
	}
	log, err := openAudit(root)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the commit service: %w", err), root.Close())
	}
	s := &Server{
		config: config, root: root, audit: log, reached: func(string) {},
		verdicts: &verdicts{verify: config.Verify, now: config.Now, known: map[[32]byte]verdict{}},
		window:   &window{limit: cmp.Or(config.PerHour, defaultPerHour), now: config.Now, seen: map[[32]byte][]time.Time{}},
		replies:  &replies{root: root, now: config.Now, swept: map[string]time.Time{}},
		mux:      http.NewServeMux(),
	}
	s.mux.HandleFunc("GET "+HealthPath, func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]string{"schema_version": Version, "status": "ok"})
	})
	s.mux.HandleFunc("POST "+CommitPath, s.handle(ForCommit, ScopeCommit, s.commit))
	s.mux.HandleFunc("POST "+OpenPRPath, s.handle(ForOpenPR, ScopeOpenPR, s.openPR))
	return s, nil
}

// Close closes the service's files. No request may be running.
func (s *Server) Close() (err error) {
	s.closing.Do(func() { err = errors.Join(s.audit.file.Close(), s.root.Close()) })
	return err
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// An outcome is a request that was granted.
type outcome struct {
	body    json.RawMessage
	created bool // now, and not by an earlier request
}

// An operation answers the body of a request. RunID is set as soon as it is
// known, for the audit log.
type operation func(ctx context.Context, header http.Header, body []byte, runID *string) (outcome, error)

// handle does what all requests have in common: who asks, how often, how much;
// and it writes down how it ended.
func (s *Server) handle(action, scope string, do operation) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		token, runID := bearer(r), ""
		done, err := s.admitted(w, r, token, scope, do, &runID)
		line := auditLine{Time: stamp(s.config.Now()), TokenID: redact.Tail(token), Action: action, Result: "replayed", RunID: runID}
		if done.created {
			line.Result = "created"
		}
		var no *fault
		if err != nil {
			no = faultOf(err)
			line.Result = no.code
		}
		if err := s.audit.write(line); err != nil {
			s.config.Log.Error("audit log of the commit service", "error", err)
		}
		switch {
		case no != nil:
			if no.cause != nil {
				s.config.Log.Error("commit service", "action", action, "run_id", runID, "code", no.code, "error", no.cause)
			}
			no.write(w)
		case done.created:
			writeJSON(w, http.StatusCreated, done.body)
		default:
			writeJSON(w, http.StatusOK, done.body)
		}
	}
}

func (s *Server) admitted(w http.ResponseWriter, r *http.Request, token, scope string, do operation, runID *string) (outcome, error) {
	if token == "" {
		return outcome{}, refuse(InvalidToken, "a bearer token is needed")
	}
	grant, err := s.verdicts.of(r.Context(), token)
	if err != nil {
		return outcome{}, err
	}
	if ok, wait := s.window.admit(token); !ok {
		return outcome{}, &fault{code: RateLimited, message: "too many requests within an hour", retry: wait}
	}
	if !grant.has(scope) {
		return outcome{}, refuse(InsufficientScope, "the token is not for this")
	}
	body, cut, err := bounded.Read(http.MaxBytesReader(w, r.Body, maxBody+1), maxBody)
	switch {
	case cut:
		return outcome{}, refuse(TooLarge, "the body has more than %d bytes", maxBody)
	case err != nil:
		return outcome{}, refuse(InvalidRequest, "the body could not be read")
	case !utf8.Valid(body):
		return outcome{}, refuse(BinaryNotAllowed, "the body is not UTF-8")
	}
	return do(r.Context(), r.Header, body, runID)
}

// A question is what requests of both kinds have.
type question struct {
	endpoint, repoURL, key, hash string
	site                         Site
}

// once answers a question as it was answered before, or does what it asks for
// while nobody else works on the site. Between the deed and the note about it
// this process may be killed: do has to recognise its own work.
func (s *Server) once(ctx context.Context, q question, do func(context.Context) (answer any, created bool, err error)) (outcome, error) {
	unlock, err := q.site.lock(ctx)
	if err != nil {
		return outcome{}, err
	}
	defer unlock()
	name := replyName(q.site.Name, q.endpoint, q.repoURL, q.key)
	if known, err := s.replies.find(name, q.hash); known != nil || err != nil {
		return outcome{body: known}, err
	}
	answer, created, err := do(ctx)
	if err != nil {
		return outcome{}, err
	}
	body, err := json.Marshal(answer)
	if err != nil {
		return outcome{}, err
	}
	s.reached(q.endpoint + " done")
	if err := s.replies.keep(name, q.hash, body); err != nil {
		return outcome{}, err
	}
	s.reached(q.endpoint + " noted")
	return outcome{body, created}, nil
}

// lock keeps everybody else, in this process and in others, from changing the
// site.
func (s Site) lock(ctx context.Context) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(s.Dir), 0o700); err != nil {
		return nil, fmt.Errorf("lock the site: %w", err)
	}
	file, err := os.OpenFile(s.beside(".commit.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the site: %w", err)
	}
	if err := flock.Lock(ctx, file); err != nil {
		return nil, errors.Join(&fault{code: Unavailable, message: "the site is busy", cause: err}, file.Close())
	}
	return func() { file.Close() }, nil // and with it goes the lock
}
