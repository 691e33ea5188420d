// Package index finds runs without opening them: one SQLite file with a row for
// each run, the idempotency keys, and the leases (5.5, 5.6). The queue keeps its
// jobs in the same file, so that a run and its first job come to be together.
//
// Everything in it but the leases and the jobs can be made again from the logs.
package index

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"mcpworks/packs/launch/internal/run/flock"

	"modernc.org/sqlite" // and the driver "sqlite"
)

// FileName is the name of the index in the data directory.
const FileName = "index.db"

//go:embed schema.sql
var schema string

// A DB is the open index. Writes go one at a time, here through one connection
// and between processes through SQLite's lock; reads go beside them.
type DB struct {
	write *sql.DB
	read  *sql.DB
}

// Open opens or makes the index of a data directory. Migrate is called while no
// other process can open it; it may be nil.
func Open(ctx context.Context, folder string, migrate func(context.Context, *sql.DB) error) (*DB, error) {
	guard, err := os.OpenFile(filepath.Join(folder, FileName+".lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the index: %w", err)
	}
	defer guard.Close() // and with it goes the lock
	if err := flock.Lock(ctx, guard); err != nil {
		return nil, fmt.Errorf("open the index: %w", err)
	}
	file := filepath.Join(folder, FileName)
	made, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o600) // SQLite gives its other files the same mode
	if err != nil {
		return nil, fmt.Errorf("open the index: %w", err)
	}
	if err := made.Close(); err != nil {
		return nil, fmt.Errorf("open the index: %w", err)
	}
	db := &DB{}
	if db.write, err = connect(file, 1, "_txlock=immediate"); err != nil {
		return nil, err
	}
	if db.read, err = connect(file, 4, "_pragma=query_only(1)"); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if err := db.prepare(ctx, migrate); err != nil {
		return nil, errors.Join(fmt.Errorf("open the index: %w", err), db.Close())
	}
	return db, nil
}

func (db *DB) prepare(ctx context.Context, migrate func(context.Context, *sql.DB) error) error {
	if _, err := db.write.ExecContext(ctx, schema); err != nil {
		return err
	}
	if migrate == nil {
		return nil
	}
	return migrate(ctx, db.write)
}

func connect(file string, connections int, more string) (*sql.DB, error) {
	const always = "?_pragma=busy_timeout(20000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&"
	absolute, err := filepath.Abs(file)
	if err != nil {
		return nil, fmt.Errorf("open the index: %w", err)
	}
	address := url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(absolute), "/")}
	pool, err := sql.Open("sqlite", address.String()+always+more)
	if err != nil {
		return nil, fmt.Errorf("open the index: %w", err)
	}
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	return pool, nil
}

// Writer is the connection that writes, for the queue.
func (db *DB) Writer() *sql.DB { return db.write }

// Reader is for what only reads.
func (db *DB) Reader() *sql.DB { return db.read }

// Update runs change in a transaction that no other writer can come between.
// Change must use nothing but the transaction.
func (db *DB) Update(ctx context.Context, change func(*sql.Tx) error) error {
	tx, err := db.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin a transaction: %w", err)
	}
	defer tx.Rollback() // does nothing after a commit
	if err := change(tx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit a transaction: %w", err)
	}
	return nil
}

// Full says whether an error means that there is no room for the index to grow.
func Full(err error) bool {
	const full = 13 // SQLITE_FULL
	failed, ok := errors.AsType[*sqlite.Error](err)
	return ok && failed.Code()&0xff == full
}

// Broken says whether an error means that the file is no index any more.
func Broken(err error) bool {
	const corrupt, notDB = 11, 26 // SQLITE_CORRUPT, SQLITE_NOTADB
	failed, ok := errors.AsType[*sqlite.Error](err)
	return ok && (failed.Code()&0xff == corrupt || failed.Code()&0xff == notDB)
}

// Close lets go of the file.
func (db *DB) Close() error {
	var errs []error
	for _, pool := range []*sql.DB{db.read, db.write} {
		if pool != nil {
			errs = append(errs, pool.Close())
		}
	}
	return errors.Join(errs...)
}
