package queue

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// quietFor is how long the same complaint of River is not repeated. It looks at
// the queue several times in a second, and has the same to say each time.
const quietFor = time.Minute

// A quiet handler passes on what River says only if it is an error, in words of
// this program, and each thing once in a while.
type quiet struct {
	slog.Handler
	clock func() time.Time

	mu   *sync.Mutex
	told map[string]time.Time // when it was last said
}

func quietLogger(log *slog.Logger, clock func() time.Time) *slog.Logger {
	return slog.New(quiet{log.Handler(), clock, &sync.Mutex{}, map[string]time.Time{}})
}

func (q quiet) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelError && q.Handler.Enabled(ctx, level)
}

func (q quiet) Handle(ctx context.Context, r slog.Record) error {
	said := r.Message
	r.Attrs(func(a slog.Attr) bool {
		said += " " + a.Key + "=" + a.Value.String()
		return true
	})
	record, subject := slog.NewRecord(r.Time, r.Level, "the queue has a fault", r.PC), r.Message
	if lower := strings.ToLower(said); strings.Contains(lower, "disk is full") || strings.Contains(lower, "no space left") {
		record.Message = "the disk of the data directory is full"
		subject = record.Message
	} else {
		record.AddAttrs(slog.String("cause", said))
	}
	if !q.news(subject) {
		return nil
	}
	return q.Handler.Handle(ctx, record)
}

// news says whether nothing was said about a subject lately.
func (q quiet) news(subject string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := q.clock()
	if last, known := q.told[subject]; known && now.Sub(last) < quietFor {
		return false
	}
	q.told[subject] = now
	return true
}

func (q quiet) WithAttrs(attrs []slog.Attr) slog.Handler {
	q.Handler = q.Handler.WithAttrs(attrs)
	return q
}

func (q quiet) WithGroup(name string) slog.Handler {
	q.Handler = q.Handler.WithGroup(name)
	return q
}
