package eventlog

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
)

// maxLine bounds a line, so that a damaged file cannot fill the memory.
const maxLine = 16 << 20

var errLongLine = fmt.Errorf("a line is longer than %d bytes", maxLine)

// Refresh reads what other processes have appended. It takes no lock and
// repairs nothing: a last line that is not whole is not there yet.
func (l *Log) Refresh() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.readOn()
	return err
}

// catchUp is Refresh for a writer, who holds the append lock: whatever is left
// over at the end was torn by a crash, and goes.
func (l *Log) catchUp() error {
	if l.broken != nil {
		return l.broken
	}
	torn, err := l.readOn()
	if err == nil && l.broken != nil {
		err = l.broken
	}
	if err != nil || torn == 0 {
		return err
	}
	return l.repair(torn)
}

// readOn verifies and accepts the events behind the last one known. It returns
// how many bytes at the end are no event: a line without its end, or a last
// line that is no JSON.
func (l *Log) readOn() (torn int64, err error) {
	if l.broken != nil {
		return 0, nil
	}
	info, err := l.file.Stat()
	if err != nil {
		return 0, fmt.Errorf("read the event log: %w", err)
	}
	if info.Size() < l.end {
		l.broken = fmt.Errorf("%w: it ends before event %d", ErrChainBroken, l.head.Seq)
		return 0, nil
	}
	for line, err := range lines(io.NewSectionReader(l.file, l.end, info.Size()-l.end)) {
		if errors.Is(err, errLongLine) {
			l.broken = fmt.Errorf("%w: %w", ErrChainBroken, err)
			return 0, nil
		}
		if err != nil {
			return 0, fmt.Errorf("read the event log: %w", err)
		}
		if line == nil {
			break // not whole
		}
		next := l.end + int64(len(line)) + 1
		event, err := l.verify(line)
		if err != nil && next == info.Size() && !json.Valid(line) {
			break
		}
		if err != nil {
			l.broken = fmt.Errorf("%w: event %d: %w", ErrChainBroken, l.head.Seq+1, err)
			return 0, nil
		}
		l.end = next
		l.accept(event)
	}
	return info.Size() - l.end, nil
}

// verify reads the line that has to come next.
func (l *Log) verify(line []byte) (Event, error) {
	event, err := parse(line)
	switch {
	case err != nil:
		return event, err
	case event.Seq != l.head.Seq+1:
		return event, fmt.Errorf("its number is %d", event.Seq)
	case event.Prev != l.head.Hash:
		return event, errors.New("it does not follow the event before it")
	case event.RunID != l.options.RunID:
		return event, errors.New("it is of another run")
	case event.Fence < l.head.Fence:
		return event, errors.New("its fence is older than that of the event before it")
	}
	return event, nil
}

func (e *Event) head() Head { return Head{e.Seq, e.Hash, e.Fence, e.Trace} }

func (l *Log) accept(event Event) {
	l.head = event.head()
	if l.options.Each != nil {
		l.options.Each(event)
	}
}

// lines gives the lines without their ends. The last one is nil if its end is
// missing.
func lines(reader io.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		scanner := bufio.NewReaderSize(reader, 64<<10)
		for {
			line, err := boundedLine(scanner)
			if err == io.EOF {
				if len(line) > 0 {
					yield(nil, nil)
				}
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(line[:len(line)-1], nil) {
				return
			}
		}
	}
}

func boundedLine(reader *bufio.Reader) (line []byte, err error) {
	for {
		part, err := reader.ReadSlice('\n')
		line = append(line, part...)
		if err != bufio.ErrBufferFull {
			return line, err
		}
		if len(line) > maxLine {
			return line, errLongLine
		}
	}
}

// Tail returns the events after the one with the given number and hash, if that
// event is within the last bytes of the log; ok is false when it is not. It is
// the cheap way to see whether a snapshot is up to date.
func Tail(file io.ReaderAt, size int64, seq int64, hash string) (events []Event, ok bool) {
	const window = 64 << 10
	from := max(0, size-window)
	found := false
	prev := hash
	for line, err := range lines(io.NewSectionReader(file, from, size-from)) {
		if err != nil || line == nil {
			break
		}
		event, err := parse(line)
		if !found {
			found = err == nil && event.Seq == seq && event.Hash == hash
			continue
		}
		if err != nil || event.Prev != prev || event.Seq != seq+int64(len(events))+1 {
			return nil, false
		}
		events = append(events, event)
		prev = event.Hash
	}
	return events, found
}
