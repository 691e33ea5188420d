package streamable

import (
	"container/list"
	"crypto/rand"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"mcpworks/mcp/transport"
)

// A session is a legacy conversation over many HTTP requests.
type session struct {
	transport.Session
	id        string // 130 random bits
	principal string
	closed    chan struct{}

	mu      sync.Mutex
	calls   int       // requests being answered
	made    int       // streams so far
	answers []*stream // of requests, in flight or lately answered
	own     []*stream // of what no request asked for

	// Guarded by the table of sessions.
	users int           // HTTP requests at work in it
	idle  *list.Element // among the idle ones; nil while in use
	used  time.Time     // when it became idle
}

// keptStreams is how many streams of answers a session keeps for clients that
// come back, besides those that are not finished.
const keptStreams = 8

func newSession(service transport.Service, principal string) *session {
	s := &session{id: rand.Text(), principal: principal, closed: make(chan struct{})}
	s.Session = service.Open(s.tell)
	return s
}

// tell keeps a message for the GET stream that was opened last, since an older
// one may have broken unnoticed, or for one to come.
func (s *session) tell(msg []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, open := range slices.Backward(s.own) {
		if open.reader != nil {
			open.add(msg)
			return nil
		}
	}
	s.news().add(msg)
	return nil
}

// nextStream makes a stream; the caller holds mu.
func (s *session) nextStream() *stream {
	s.made++
	return newStream(strconv.Itoa(s.made))
}

// answerStream makes the stream of an answer.
func (s *session) answerStream() *stream {
	s.mu.Lock()
	defer s.mu.Unlock()
	made := s.nextStream()
	s.answers = append(s.answers, made)
	if i := slices.IndexFunc(s.answers, (*stream).isFinished); len(s.answers) > keptStreams && i >= 0 {
		s.answers = slices.Delete(s.answers, i, i+1)
	}
	return made
}

// begin books a request unless too many are being answered.
func (s *session) begin(most int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls >= most {
		return false
	}
	s.calls++
	return true
}

func (s *session) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls--
}

// read finds the stream for a GET and the number of the event to begin with:
// that after lastEvent, or else the session's own news. A reader that comes back
// takes the place of the one before, whose channel is closed. The stream is nil
// when there are too many readers.
func (s *session) read(lastEvent string, most int) (stream *stream, number int, replaced chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := slices.Concat(s.answers, s.own)
	readers := 0
	for _, open := range all {
		if open.reader != nil {
			readers++
		}
	}
	id, last, resumes := parseEventID(lastEvent)
	for _, kept := range all {
		if resumes && kept.id == id {
			stream, number = kept, last+1
		}
	}
	if stream != nil && stream.reader != nil {
		close(stream.reader)
		readers--
	}
	if readers >= most {
		return nil, 0, nil
	}
	if stream == nil {
		stream = s.news()
		number = stream.unread()
	}
	stream.reader = make(chan struct{})
	return stream, number, stream.reader
}

// news returns a stream of news without a reader; the caller holds mu.
func (s *session) news() *stream {
	for _, open := range s.own {
		if open.reader == nil {
			return open
		}
	}
	made := s.nextStream()
	made.news = true
	s.own = append(s.own, made)
	return made
}

// leave ends a reading, unless another reader has taken its place. The stream
// stays for whoever comes back, or next.
func (s *session) leave(read *stream, replaced chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if read.reader == replaced {
		read.reader = nil
	}
}

func (s *session) close() {
	close(s.closed)
	s.Session.Close()
}

// sessions is the table of the open sessions. Those in use stay; the idle ones
// stand in a list, longest first, and go when their time is over.
type sessions struct {
	places  *places
	timeout time.Duration

	mu    sync.Mutex
	byID  map[string]*session
	idle  list.List
	sweep *time.Timer // runs when the first of the idle is due
}

func newSessions(places *places, timeout time.Duration) *sessions {
	return &sessions{places: places, timeout: timeout, byID: map[string]*session{}}
}

// add takes in a session, in use by its maker, unless there are too many.
func (t *sessions) add(s *session) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.places.enter(s.principal) {
		return false
	}
	s.users = 1
	t.byID[s.id] = s
	return true
}

// use finds a session of a principal and keeps it from becoming idle.
func (t *sessions) use(id, principal string) *session {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.byID[id]
	if s == nil || s.principal != principal {
		return nil
	}
	if s.users++; s.idle != nil {
		t.idle.Remove(s.idle)
		s.idle = nil
	}
	return s
}

// release undoes add or use.
func (t *sessions) release(s *session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s.users--; s.users > 0 || t.byID[s.id] != s {
		return
	}
	s.used = time.Now()
	s.idle = t.idle.PushBack(s)
	if t.sweep == nil {
		t.sweep = time.AfterFunc(t.timeout, t.expire)
	}
}

// expire closes the sessions whose time is over and sets the clock for the
// next.
func (t *sessions) expire() {
	t.mu.Lock()
	var due []*session
	for t.idle.Len() > 0 {
		first := t.idle.Front().Value.(*session)
		if wait := time.Until(first.used.Add(t.timeout)); wait > 0 {
			t.sweep.Reset(wait)
			break
		}
		t.forget(first)
		due = append(due, first)
	}
	if t.idle.Len() == 0 {
		t.sweep = nil
	}
	t.mu.Unlock()
	for _, s := range due {
		s.close()
	}
}

// remove closes a session, wherever it is being used.
func (t *sessions) remove(s *session) {
	t.mu.Lock()
	known := t.byID[s.id] == s
	t.forget(s)
	t.mu.Unlock()
	if known {
		s.close()
	}
}

// forget takes a session out of the table; the caller holds mu.
func (t *sessions) forget(s *session) {
	if t.byID[s.id] != s {
		return
	}
	delete(t.byID, s.id)
	t.places.leave(s.principal)
	if s.idle != nil {
		t.idle.Remove(s.idle)
		s.idle = nil
	}
}

// closeAll ends everything.
func (t *sessions) closeAll() {
	t.mu.Lock()
	if t.sweep != nil {
		t.sweep.Stop()
		t.sweep = nil
	}
	all := slices.Collect(maps.Values(t.byID))
	for _, s := range all {
		t.forget(s)
	}
	t.mu.Unlock()
	for _, s := range all {
		s.close()
	}
}
