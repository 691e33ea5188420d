package record

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"mcpworks/packs/launch/internal/redact"
	"mcpworks/packs/launch/internal/run/flock"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// storeName is the file of the records in the store's folder.
const storeName = "records.db"

//go:embed schema.sql
var schema string

// Errors that callers act on.
var (
	// ErrNotFound: there is no such record.
	ErrNotFound = errors.New("there is no such record")
	// ErrInvalid: the record, the change or the question is malformed.
	ErrInvalid = errors.New("invalid")
)

// StoreOptions are what a store needs to know; zero values have defaults.
type StoreOptions struct {
	Now    func() time.Time // nil means time.Now
	Redact *redact.Redactor // nil means that shapes and names of secrets are looked for
	// Events goes through the events of a run, in order, until each returns
	// false; nil means that there are none. A run that it does not know has
	// none.
	Events func(ctx context.Context, runID string, each func(Event) bool) error
}

// An Event is one line of a run's log.
type Event struct {
	Seq  int64
	Type string
	Time string
	Line json.RawMessage
}

// A Store keeps records in a folder. Several processes may share it.
type Store struct {
	db      *sql.DB
	options StoreOptions
}

// OpenStore opens or makes a store.
func OpenStore(ctx context.Context, folder string, options StoreOptions) (*Store, error) {
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.Redact == nil {
		options.Redact = redact.New(redact.Rules{})
	}
	absolute, err := filepath.Abs(folder)
	if err == nil {
		err = os.MkdirAll(absolute, 0o700)
	}
	if err != nil {
		return nil, fmt.Errorf("open the telemetry store: %w", err)
	}
	name := url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(absolute, storeName))}
	db, err := sql.Open("sqlite", name.String()+"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_txlock=immediate")
	if err != nil {
		return nil, fmt.Errorf("open the telemetry store: %w", err)
	}
	db.SetMaxOpenConns(1) // one writer at a time; what is read is small
	if err := prepare(ctx, db, absolute); err != nil {
		return nil, errors.Join(fmt.Errorf("open the telemetry store: %w", err), db.Close())
	}
	return &Store{db, options}, nil
}

// prepare makes the tables while no other process does.
func prepare(ctx context.Context, db *sql.DB, folder string) error {
	guard, err := os.OpenFile(filepath.Join(folder, storeName+".lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer guard.Close() // and with it goes the lock
	if err := flock.Lock(ctx, guard); err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, schema); err != nil {
		return err
	}
	return os.Chmod(filepath.Join(folder, storeName), 0o600)
}

// Close closes the store.
func (s *Store) Close() error { return s.db.Close() }

// Create adds a record. One with the same event_id is returned as it is, and
// created is false.
func (s *Store) Create(ctx context.Context, r Record) (kept Record, created bool, err error) {
	if err := r.complete(); err != nil {
		return Record{}, false, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	r.CreatedAt = Time(s.options.Now())
	r.UpdatedAt = r.CreatedAt
	err = s.change(ctx, func(tx *sql.Tx) error {
		kept, err = read(ctx, tx, r.EventID)
		if !errors.Is(err, ErrNotFound) {
			return err
		}
		created = true
		kept, err = s.write(ctx, tx, r)
		return err
	})
	return kept, created, err
}

// Update changes a record.
func (s *Store) Update(ctx context.Context, eventID string, u Update) (Record, error) {
	if err := u.check(); err != nil {
		return Record{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return s.edit(ctx, eventID, u.apply)
}

// Associate says which commit came of the work of a record.
func (s *Store) Associate(ctx context.Context, eventID string, c Commit) (Record, error) {
	if err := c.check(); err != nil {
		return Record{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return s.edit(ctx, eventID, func(r *Record) {
		r.CommitHash, r.CommitSource, r.CommitAuthor, r.CommitTimestamp = c.Hash, c.Source, c.Author, c.Timestamp
	})
}

func (s *Store) edit(ctx context.Context, eventID string, change func(*Record)) (r Record, err error) {
	err = s.change(ctx, func(tx *sql.Tx) error {
		if r, err = read(ctx, tx, eventID); err != nil {
			return err
		}
		change(&r)
		r.UpdatedAt = Time(s.options.Now())
		r, err = s.write(ctx, tx, r)
		return err
	})
	return r, err
}

func (s *Store) change(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("change the telemetry store: %w", err)
	}
	defer tx.Rollback()
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func read(ctx context.Context, tx *sql.Tx, eventID string) (r Record, err error) {
	var body string
	err = tx.QueryRowContext(ctx, "SELECT body FROM records WHERE event_id = ?", eventID).Scan(&body)
	if errors.Is(err, sql.ErrNoRows) {
		return r, ErrNotFound
	}
	if err == nil {
		err = json.Unmarshal([]byte(body), &r)
	}
	return r, err
}

// write puts a record, without secrets, into its row.
func (s *Store) write(ctx context.Context, tx *sql.Tx, r Record) (Record, error) {
	text, err := json.Marshal(s.options.Redact.Value(r))
	if err != nil {
		return r, err
	}
	var clean Record
	if err := json.Unmarshal(text, &clean); err != nil {
		return r, err
	}
	_, err = tx.ExecContext(ctx, `INSERT OR REPLACE INTO records (event_id, run_id, parent_run_id, job_type, status, product, start_time, end_time, body)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		clean.EventID, clean.RunID, clean.ParentRunID, clean.JobType, clean.Status, clean.Product, clean.StartTime, clean.EndTime, string(text))
	return clean, err
}

// A Filter picks records; empty fields pick all.
type Filter struct{ Status, JobType, ParentRunID, Product string }

func (f Filter) where() (clause string, args []any) {
	parts := []string{"1 = 1"}
	for _, part := range []struct{ column, value string }{
		{"status", f.Status}, {"job_type", f.JobType}, {"parent_run_id", f.ParentRunID}, {"product", f.Product},
	} {
		if part.value != "" {
			parts, args = append(parts, part.column+" = ?"), append(args, part.value)
		}
	}
	return strings.Join(parts, " AND "), args
}

// List returns records, the latest first, and how many there are in all.
func (s *Store) List(ctx context.Context, f Filter, limit, offset int) (list []Record, total int, err error) {
	where, args := f.where()
	if err := s.db.QueryRowContext(ctx, "SELECT count(*) FROM records WHERE "+where, args...).Scan(&total); err != nil {
		return nil, 0, err
	}
	list, err = s.query(ctx, "SELECT body FROM records WHERE "+where+" ORDER BY start_time DESC, event_id LIMIT ? OFFSET ?", append(args, limit, offset)...)
	return list, total, err
}

// Get returns the first record of a run_id.
func (s *Store) Get(ctx context.Context, runID string) (Record, error) {
	list, err := s.query(ctx, "SELECT body FROM records WHERE run_id = ? ORDER BY start_time, event_id LIMIT 1", runID)
	if err == nil && len(list) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return Record{}, err
	}
	return list[0], nil
}

// Family lists the event_ids of a run and its children, in the order in which
// they began.
func (s *Store) Family(ctx context.Context, runID string) ([]string, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT event_id FROM records WHERE "+family+" ORDER BY start_time, event_id", runID, runID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// family picks a run and its children; it takes the run_id twice.
const family = "(run_id = ? OR parent_run_id = ?)"

func (s *Store) query(ctx context.Context, text string, args ...any) ([]Record, error) {
	rows, err := s.db.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, fmt.Errorf("read the telemetry store: %w", err)
	}
	defer rows.Close()
	list := []Record{}
	for rows.Next() {
		var body string
		var r Record
		if err := rows.Scan(&body); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(body), &r); err != nil {
			return nil, fmt.Errorf("read the telemetry store: %w", err)
		}
		list = append(list, r)
	}
	return list, rows.Err()
}
