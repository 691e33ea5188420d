package run

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"mcpworks/packs/launch/internal/run/eventlog"
	"mcpworks/packs/launch/internal/run/flock"
	"mcpworks/packs/launch/internal/run/index"
)

// lockName is the file of a run that a holder has locked.
const lockName = ".lock"

// A Held run can be changed by its holder, and by nobody else. Three things have
// to be got for it, always in this order: the lock in this process, the lock on
// the file .lock between the processes of a host, and the lease between hosts.
// The lease's fence goes into every event, so that a holder that stood still
// for too long cannot write when it wakes up.
type Held struct {
	*Run
	by    Holder
	file  *os.File
	lease index.Lease
	once  sync.Once
}

// A LockedError says that somebody else is changing the run.
type LockedError struct {
	Operation string // what he is doing
	// Dead: his process is gone, but his lease lasts until Until.
	Dead  bool
	Until time.Time
}

func (e *LockedError) Error() string { return fmt.Sprintf("the run is locked by %s", e.Operation) }

// Place is a place among the executors of a site profile.
type Place struct {
	Profile string
	Limit   int // 0: none is taken
}

// Hold gets a run for a change, and waits LockWait for it. The caller releases
// it. It is a LockedError if somebody has it, index.ErrProfileFull if the place
// is not free.
func (s *Store) Hold(ctx context.Context, runID string, by Holder, place Place) (*Held, error) {
	return s.hold(ctx, runID, by, place, s.options.LockWait)
}

// TryHold is Hold without the wait.
func (s *Store) TryHold(ctx context.Context, runID string, by Holder, place Place) (*Held, error) {
	return s.hold(ctx, runID, by, place, 0)
}

func (s *Store) hold(ctx context.Context, runID string, by Holder, place Place, wait time.Duration) (*Held, error) {
	if !idPattern.MatchString(runID) {
		return nil, ErrID
	}
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	other, err := s.locks.take(waiting, runID, by)
	if err != nil {
		return nil, lockedUnless(ctx, err, &LockedError{Operation: other.Operation})
	}
	h := &Held{by: by}
	err = h.acquire(ctx, waiting, s, runID, place)
	if err != nil {
		err = errors.Join(err, h.giveBack(ctx), h.letGo())
		s.locks.release(runID)
		return nil, err
	}
	return h, nil
}

// lockedUnless is the locked error, unless the call itself has ended.
func lockedUnless(ctx context.Context, err error, locked *LockedError) error {
	if ctx.Err() != nil {
		return err
	}
	return locked
}

// acquire gets the file lock and the lease, and opens the run.
func (h *Held) acquire(ctx, waiting context.Context, s *Store, runID string, place Place) (err error) {
	if h.Run, err = s.Open(runID); err != nil {
		return err
	}
	if err := h.Broken(); err != nil {
		return err
	}
	if h.file, err = h.root.OpenFile(lockName, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return fmt.Errorf("open the lock of a run: %w", err)
	}
	if held, err := flock.Try(h.file); err != nil {
		return err
	} else if !held {
		if err := flock.Lock(waiting, h.file); err != nil {
			return lockedUnless(ctx, err, &LockedError{Operation: holderIn(h.file)})
		}
	}
	want := index.Lease{RunID: runID, Owner: s.instance + "/" + h.by.Connection + "/" + h.by.Request, Operation: h.by.Operation}
	if place.Limit > 0 {
		want.Profile = place.Profile
	}
	lease, err := s.lease(ctx, waiting, h, want, place.Limit)
	if err != nil {
		return err
	}
	h.lease, h.fence = lease, lease.Fence
	if h.lease.TakenOver { // from one who could not clear up
		if err := errors.Join(h.removeTemporary(ctx), h.removeUnfinishedWork()); err != nil {
			return err
		}
	}
	if h.indexed, _, err = s.index.Get(ctx, runID); err != nil {
		return err
	}
	h.writeRow(ctx) // a crash may have come between the log and the row
	return h.sign()
}

// lease takes the lease as soon as it is free.
func (s *Store) lease(ctx, waiting context.Context, h *Held, want index.Lease, limit int) (index.Lease, error) {
	for {
		if err := h.Refresh(); err != nil {
			return want, err
		}
		now := s.options.Clock()
		want.Expires = now.Add(s.options.LeaseTTL)
		lease, err := s.index.Acquire(ctx, want, h.log.Head().Fence+1, limit, now)
		leased := (*index.LeasedError)(nil)
		if !errors.As(err, &leased) {
			return lease, err
		}
		select {
		case <-waiting.Done():
			// The file lock is ours, so no process of this host holds the lease.
			locked := &LockedError{Operation: leased.Operation, Dead: true, Until: leased.Expires}
			return lease, lockedUnless(ctx, context.Cause(waiting), locked)
		case <-time.After(25 * time.Millisecond):
		}
	}
}

// signature is the content of the lock file.
type signature struct {
	Instance  string `json:"instance_id"`
	Since     string `json:"since"`
	Operation string `json:"operation"`
}

func (h *Held) sign() error {
	text, err := json.Marshal(signature{h.store.instance, eventlog.Time(h.store.options.Clock()), h.by.Operation})
	if err == nil {
		err = h.file.Truncate(0)
	}
	if err == nil {
		_, err = h.file.WriteAt(text, 0)
	}
	if err != nil {
		return fmt.Errorf("sign the lock of a run: %w", err)
	}
	return nil
}

func holderIn(file *os.File) string {
	text := make([]byte, 1024)
	n, _ := file.ReadAt(text, 0)
	var who signature
	if json.Unmarshal(text[:n], &who) != nil || who.Operation == "" {
		return "another process"
	}
	return who.Operation
}

// Release lets go of the run. Further calls do nothing.
func (h *Held) Release(ctx context.Context) error { return h.ReleaseWith(ctx, nil) }

// ReleaseWith lets go of the run, and does something else to the index in the
// same transaction: enqueue the next job.
func (h *Held) ReleaseWith(ctx context.Context, also func(context.Context, *sql.Tx) error) (err error) {
	h.once.Do(func() {
		s := h.store
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		release := func(tx *sql.Tx) error { return index.Release(ctx, tx, h.lease) }
		if also != nil {
			err = s.withReserve(func() error {
				return s.index.Update(ctx, func(tx *sql.Tx) error { return errors.Join(also(ctx, tx), release(tx)) })
			})
		}
		if also == nil || err != nil { // the lease goes in any case
			err = errors.Join(err, s.withReserve(func() error { return s.index.Update(ctx, release) }))
		}
		err = errors.Join(err, h.letGo())
		s.locks.release(h.id)
	})
	return err
}

// giveBack ends a lease that was taken in vain.
func (h *Held) giveBack(ctx context.Context) error {
	if h.lease.Fence == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	return h.store.index.Update(ctx, func(tx *sql.Tx) error { return index.Release(ctx, tx, h.lease) })
}

// letGo closes the files, and with them the file lock.
func (h *Held) letGo() error {
	var errs []error
	if h.Run != nil {
		errs = append(errs, h.Run.Close())
	}
	if h.file != nil {
		errs = append(errs, h.file.Close())
	}
	return errors.Join(errs...)
}

// Guard renews the lease for as long as the work takes. The context it returns
// ends with ErrCancelled when the run is cancelled, by whatever process, and
// with ErrLeaseLost when others may have taken over. Stop has to be called.
func (h *Held) Guard(ctx context.Context) (guarded context.Context, stop func()) {
	guarded, cancel := context.WithCancelCause(ctx)
	var watching sync.WaitGroup
	watching.Go(func() {
		watch, renew := time.NewTicker(h.store.options.WatchEvery), time.NewTicker(h.store.options.RenewEvery)
		defer watch.Stop()
		defer renew.Stop()
		for guarded.Err() == nil {
			select {
			case <-guarded.Done():
			case <-watch.C:
				h.watch(cancel)
			case <-renew.C:
				h.renew(guarded, cancel)
			}
		}
	})
	return guarded, func() {
		cancel(context.Canceled)
		watching.Wait()
	}
}

func (h *Held) watch(cancel context.CancelCauseFunc) {
	if err := h.Refresh(); err != nil {
		h.store.options.Logger.Warn("the log of a run could not be read", "run_id", h.id, "error", err)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.snapshot.CancelRequested:
		cancel(ErrCancelled)
	case h.log.Head().Fence > h.fence:
		cancel(ErrLeaseLost)
	}
}

func (h *Held) renew(ctx context.Context, cancel context.CancelCauseFunc) {
	now := h.store.options.Clock()
	renewed, err := h.store.index.Renew(ctx, h.lease, now.Add(h.store.options.LeaseTTL))
	if err != nil && ctx.Err() == nil {
		h.store.options.Logger.Warn("a lease could not be renewed", "run_id", h.id, "error", err)
		return // the fence guards the log if this goes on
	}
	if err == nil && !renewed {
		cancel(ErrLeaseLost)
	}
}
