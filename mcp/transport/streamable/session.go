package streamable

import (
	"container/list"
	"crypto/rand"
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
	own     []*stream // of what no request asked for; the first is the one told

	// Guarded by the table of sessions.
	users int           // HTTP requests at work in it
	idle  *list.Element // among the idle ones; nil while in use
	used  time.Time     // when it became idle
}

// keptStreams is how many streams of answers a session keeps for clients that
// come back.
const keptStreams = 8

func newSession(service transport.Service, principal string) *session {
	s := &session{id: rand.Text(), principal: principal, closed: make(chan struct{})}
	s.Session = service.Open(s.tell)
	return s
}

// tell keeps a message for the first of the GET streams, or for one to come.
func (s *session) tell(msg []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.own) == 0 {
		s.own = append(s.own, s.nextStream())
	}
	s.own[0].add(msg)
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
	if s.answers = append(s.answers, made); len(s.answers) > keptStreams {
		s.answers = s.answers[1:]
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
// that after lastEvent, or else the session's own news. It is nil when there
// are too many readers.
func (s *session) read(lastEvent string, most int) (*stream, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id, number, ok := parseEventID(lastEvent); ok {
		for _, kept := range append(s.answers[:len(s.answers):len(s.answers)], s.own...) {
			if kept.id == id {
				kept.readers++
				return kept, number + 1
			}
		}
	}
	readers := 0
	for _, open := range s.own {
		readers += open.readers
	}
	if readers >= most {
		return nil, 0
	}
	if len(s.own) == 0 || s.own[0].readers > 0 {
		s.own = append(s.own, s.nextStream())
	}
	news := s.own[len(s.own)-1]
	if s.own[0].readers == 0 {
		news = s.own[0]
	}
	news.readers++
	return news, news.unread()
}

// leave ends a reading. The first stream of news stays for the next reader.
func (s *session) leave(read *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	read.readers--
	if len(s.own) > 1 && read.readers == 0 {
		for i, open := range s.own {
			if open == read {
				s.own = append(s.own[:i:i], s.own[i+1:]...)
				break
			}
		}
	}
}

func (s *session) close() {
	close(s.closed)
	s.Session.Close()
}

// sessions is the table of the open sessions. Those in use stay; the idle ones
// stand in a list, longest first, and go when their time is over.
type sessions struct {
	most    int
	timeout time.Duration

	mu    sync.Mutex
	byID  map[string]*session
	idle  list.List
	sweep *time.Timer // runs when the first of the idle is due
}

func newSessions(most int, timeout time.Duration) *sessions {
	return &sessions{most: most, timeout: timeout, byID: map[string]*session{}}
}

// add takes in a session, in use by its maker, unless there are too many.
func (t *sessions) add(s *session) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.byID) >= t.most {
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
	delete(t.byID, s.id)
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
	all := t.byID
	t.byID = map[string]*session{}
	t.idle.Init()
	t.mu.Unlock()
	for _, s := range all {
		s.close()
	}
}
