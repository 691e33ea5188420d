package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// ErrKeyConflict: the idempotency key belongs to another request.
var ErrKeyConflict = errors.New("the idempotency key was used for another request")

// Claim looks for the run that a key stands for. An empty id means that there is
// none; then Bind gives the key its run in the same transaction.
func Claim(ctx context.Context, tx *sql.Tx, keyHash, requestHash string) (runID string, err error) {
	var request string
	err = tx.QueryRowContext(ctx, "SELECT request_hash, run_id FROM idempotency_keys WHERE key_hash = ?", keyHash).Scan(&request, &runID)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return "", nil
	case err != nil:
		return "", fmt.Errorf("look up an idempotency key: %w", err)
	case request != requestHash:
		return "", ErrKeyConflict
	}
	return runID, nil
}

// Bind makes a key stand for a run. A key that has one keeps it.
func Bind(ctx context.Context, tx *sql.Tx, keyHash, requestHash, runID string) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO idempotency_keys (key_hash, request_hash, run_id) VALUES (?,?,?) ON CONFLICT DO NOTHING",
		keyHash, requestHash, runID)
	if err != nil {
		return fmt.Errorf("keep an idempotency key: %w", err)
	}
	return nil
}
