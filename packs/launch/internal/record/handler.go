package record

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"mcpworks/internal/bounded"
	"mcpworks/internal/rawjson"
	"mcpworks/internal/secret"
	"mcpworks/internal/version"
)

// DefaultAddress is where a telemetry service of its own listens (C-36).
const DefaultAddress = "localhost:8765"

const (
	maxBody  = 1 << 20
	maxBatch = 16 << 20
	// maxInBatch is how many records a batch may have, and a list.
	maxInBatch = 1000
)

// HandlerOptions say who may use the API.
type HandlerOptions struct {
	// Token is asked for, except by /health; zero means that nobody needs one.
	Token secret.String
	// Pending is how many records of a run wait for delivery; nil means none.
	Pending func(runID string) int
}

// A handler is the API of 12.2.
type handler struct {
	store   *Store
	options HandlerOptions
}

// Handler serves the store over HTTP.
func (s *Store) Handler(options HandlerOptions) http.Handler {
	h := &handler{s, options}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string]string{"status": "ok"})
	})
	for pattern, serve := range map[string]http.HandlerFunc{
		"POST /api/v1/runs":                             h.create,
		"PATCH /api/v1/runs/{event_id}":                 h.update,
		"GET /api/v1/runs":                              h.list,
		"GET /api/v1/runs/{run_id}":                     h.get,
		"GET /api/v1/runs/{run_id}/events":              h.events,
		"POST /api/v1/runs/{event_id}/associate-commit": h.associate,
		"POST /api/v1/runs/batch":                       h.batch,
		"GET /telemetry/{run_id}":                       h.telemetry,
		"GET /metrics":                                  h.metrics,
		"GET /api/v1/metadata":                          h.metadata,
	} {
		mux.HandleFunc(pattern, h.guarded(serve))
	}
	return mux
}

// guarded asks for the token.
func (h *handler) guarded(serve http.HandlerFunc) http.HandlerFunc {
	if h.options.Token.IsZero() {
		return serve
	}
	want := sha256.Sum256([]byte(h.options.Token.Reveal()))
	return func(w http.ResponseWriter, r *http.Request) {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		got := sha256.Sum256([]byte(token))
		if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			w.Header().Set("WWW-Authenticate", "Bearer")
			answer(w, http.StatusUnauthorized, map[string]string{"error": "a bearer token is needed"})
			return
		}
		serve(w, r)
	}
}

func answer(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		status, text = http.StatusInternalServerError, []byte(`{"error":"internal error"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // whoever has gone asks again
}

// refuse answers an error. What is not foreseen is not told.
func refuse(w http.ResponseWriter, err error) {
	status, text := http.StatusInternalServerError, "internal error"
	switch {
	case errors.Is(err, ErrNotFound):
		status, text = http.StatusNotFound, "not found"
	case errors.Is(err, ErrInvalid), errors.Is(err, ErrCursor):
		status, text = http.StatusUnprocessableEntity, err.Error()
	case errors.Is(err, errTooLong):
		status, text = http.StatusRequestEntityTooLarge, err.Error()
	case errors.Is(err, errNoJSON):
		status, text = http.StatusBadRequest, err.Error()
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		status, text = http.StatusServiceUnavailable, "try again"
	}
	answer(w, status, map[string]string{"error": text})
}

var (
	errTooLong = errors.New("the body is too long")
	errNoJSON  = errors.New("the body is not JSON")
)

// decode reads a body strictly.
func decode(r *http.Request, limit int64, value any) error {
	body, cut, err := bounded.Read(r.Body, limit)
	if cut {
		return errTooLong
	}
	if err != nil || rawjson.Check(body, rawjson.Limits{Depth: 32, Values: 1 << 18}) != nil {
		return errNoJSON
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(value); err != nil {
		return fmt.Errorf("%w: %v", ErrInvalid, err)
	}
	return nil
}

func (h *handler) create(w http.ResponseWriter, r *http.Request) {
	var given Record
	if err := decode(r, maxBody, &given); err != nil {
		refuse(w, err)
		return
	}
	kept, created, err := h.store.Create(r.Context(), given)
	switch {
	case err != nil:
		refuse(w, err)
	case created:
		answer(w, http.StatusCreated, kept)
	default:
		answer(w, http.StatusOK, kept)
	}
}

func (h *handler) update(w http.ResponseWriter, r *http.Request) {
	var given Update
	err := decode(r, maxBody, &given)
	var kept Record
	if err == nil {
		kept, err = h.store.Update(r.Context(), r.PathValue("event_id"), given)
	}
	if err != nil {
		refuse(w, err)
		return
	}
	answer(w, http.StatusOK, kept)
}

func (h *handler) associate(w http.ResponseWriter, r *http.Request) {
	var given Commit
	err := decode(r, maxBody, &given)
	var kept Record
	if err == nil {
		kept, err = h.store.Associate(r.Context(), r.PathValue("event_id"), given)
	}
	if err != nil {
		refuse(w, err)
		return
	}
	answer(w, http.StatusOK, kept)
}

// batch creates many records; those that are wrong do not keep the others out.
func (h *handler) batch(w http.ResponseWriter, r *http.Request) {
	var given []json.RawMessage
	if err := decode(r, maxBatch, &given); err != nil {
		refuse(w, err)
		return
	}
	if len(given) > maxInBatch {
		refuse(w, fmt.Errorf("%w: more than %d records", ErrInvalid, maxInBatch))
		return
	}
	counts := struct {
		Created  int      `json:"created"`
		Existing int      `json:"existing"`
		Failed   int      `json:"failed"`
		Errors   []string `json:"errors"`
	}{Errors: []string{}}
	for i, text := range given {
		var one Record
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		err := decoder.Decode(&one)
		if err != nil {
			err = fmt.Errorf("%w: %v", ErrInvalid, err)
		}
		created := false
		if err == nil {
			_, created, err = h.store.Create(r.Context(), one)
		}
		switch {
		case errors.Is(err, ErrInvalid):
			counts.Failed++
			counts.Errors = append(counts.Errors, fmt.Sprintf("record %d: %v", i, err))
		case err != nil:
			refuse(w, err)
			return
		case created:
			counts.Created++
		default:
			counts.Existing++
		}
	}
	answer(w, http.StatusOK, counts)
}

func (h *handler) list(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	limit, errLimit := number64(q.Get("limit"), 100, 1, maxInBatch)
	offset, errOffset := number64(q.Get("offset"), 0, 0, 1<<31)
	if err := errors.Join(errLimit, errOffset); err != nil {
		refuse(w, err)
		return
	}
	filter := Filter{Status: q.Get("status"), JobType: q.Get("job_type"), ParentRunID: q.Get("parent_run_id"), Product: q.Get("product")}
	list, total, err := h.store.List(r.Context(), filter, limit, offset)
	if err != nil {
		refuse(w, err)
		return
	}
	answer(w, http.StatusOK, map[string]any{"runs": list, "total": total, "limit": limit, "offset": offset})
}

// number64 reads a number of a query.
func number64(text string, fallback, least, most int) (int, error) {
	if text == "" {
		return fallback, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, fmt.Errorf("%w: a number from %d to %d is needed", ErrInvalid, least, most)
	}
	return n, nil
}

func (h *handler) get(w http.ResponseWriter, r *http.Request) {
	found, err := h.store.Get(r.Context(), r.PathValue("run_id"))
	if err != nil {
		refuse(w, err)
		return
	}
	answer(w, http.StatusOK, found)
}

func (h *handler) events(w http.ResponseWriter, r *http.Request) {
	runID := r.PathValue("run_id")
	if _, err := h.store.Get(r.Context(), runID); err != nil {
		refuse(w, err)
		return
	}
	lines := []json.RawMessage{}
	err := h.store.eachEvent(r.Context(), runID, func(e Event) bool {
		lines = append(lines, e.Line)
		return len(lines) < 100*maxInBatch
	})
	if err != nil {
		refuse(w, err)
		return
	}
	answer(w, http.StatusOK, map[string]any{"run_id": runID, "events": lines})
}

func (h *handler) telemetry(w http.ResponseWriter, r *http.Request) {
	q := Query{RunID: r.PathValue("run_id"), Include: r.URL.Query()["include"], Cursor: r.URL.Query().Get("cursor")}
	if q.Include == nil {
		q.Include = []string{IncludeSummary, IncludeRuns, IncludeEvents, IncludeToolCalls}
	}
	var err error
	if q.PageSize, err = number64(r.URL.Query().Get("page_size"), 100, 1, 500); err != nil {
		refuse(w, err)
		return
	}
	if h.options.Pending != nil {
		q.Pending = h.options.Pending(q.RunID)
	}
	found, err := h.store.Telemetry(r.Context(), q)
	switch {
	case errors.Is(err, ErrNotFound):
		answer(w, http.StatusNotFound, map[string]string{"error": "not found", "run_id": q.RunID})
	case err != nil:
		refuse(w, err)
	default:
		answer(w, http.StatusOK, found)
	}
}

func (h *handler) metadata(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]any{
		"name": "launcher telemetry", "version": version.Number, "statuses": statuses,
		"job_types": []string{CommitService, Gate, Launch, LLMCall, MCPToolCall, Node, Telemetry, Worker},
	})
}

// metrics counts the records, in the text format of Prometheus.
func (h *handler) metrics(w http.ResponseWriter, r *http.Request) {
	counts, err := h.store.counts(r.Context())
	if err != nil {
		refuse(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	fmt.Fprint(w, "# HELP launcher_telemetry_records Records that are kept.\n# TYPE launcher_telemetry_records gauge\n")
	for _, status := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(w, "launcher_telemetry_records{status=%q} %d\n", status, counts[status])
	}
}

// counts are the records by status.
func (s *Store) counts(ctx context.Context) (map[string]int, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT status, count(*) FROM records GROUP BY status")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	counts := map[string]int{}
	for rows.Next() {
		var status string
		var count int
		if err := rows.Scan(&status, &count); err != nil {
			return nil, err
		}
		counts[status] = count
	}
	return counts, rows.Err()
}
