package eventlog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"mcpworks/packs/launch/internal/run/durable"
)

// Recovered is the type of the event that tells of a repair.
const Recovered = "EVENT_LOG_RECOVERED"

// repair cuts off the torn end, keeps it in logs/events.torn.<n>, and says so in
// the log. The append lock is held. A crash on the way leaves a log that is
// repaired again.
func (l *Log) repair(torn int64) error {
	name, err := l.freeName()
	if err != nil {
		return err
	}
	tail := io.NewSectionReader(l.file, l.end, torn)
	if _, err := durable.WriteFrom(l.root, name, tail); err != nil {
		return fmt.Errorf("keep the torn end of the event log: %w", err)
	}
	if err := l.file.Truncate(l.end); err != nil {
		return fmt.Errorf("cut the event log: %w", err)
	}
	if err := l.syncNow(); err != nil {
		return err
	}
	if l.head.Seq == 0 {
		return ErrEmpty // a run begins with its creation, not with a repair
	}
	payload := map[string]any{"bytes": torn, "saved_as": name}
	return l.write(l.head.Fence, []Draft{{Type: Recovered, Payload: payload}})
}

func (l *Log) freeName() (string, error) {
	for n := 1; ; n++ {
		name := fmt.Sprintf("logs/events.torn.%d", n)
		switch _, err := l.root.Lstat(name); {
		case errors.Is(err, fs.ErrNotExist):
			return name, nil
		case err != nil:
			return "", fmt.Errorf("keep the torn end of the event log: %w", err)
		}
	}
}
