package client

import (
	"errors"
	"fmt"

	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

// A phase is where a session is in its life.
type phase int

const (
	opening  phase = iota // finding out what to speak, on one line after another
	ready                 // calls can be made
	renewing              // the conversation goes on with a new line, soon
	over
)

// next says which phases may follow each other.
var next = map[phase][]phase{
	opening:  {ready, over},
	ready:    {renewing, over},
	renewing: {ready, over},
	over:     {},
}

// state is all of a session that changes. Nothing is sent and nobody is called
// while it is being changed.
type state struct {
	phase   phase
	link    *link // the current one; nil before there is one
	server  peer
	lastID  int64
	pending map[jsonrpc.ID]*pending
	asked   map[jsonrpc.ID]*question
	ceased  map[jsonrpc.ID]bool                // subscriptions the server took back
	mirrors map[string][]transport.HeaderParam // of tools, as last listed
	level   *mcp.Level                         // of logs in modern requests
	renewal *renewal                           // in the phase of that name
	renewed int                                // restarts so far
	err     error                              // why it is over
}

// A peer is what a server said about itself.
type peer struct {
	rev          *mcp.Revision // nil before it is known
	version      string        // as the server names it
	info         mcp.Implementation
	known        bool // it has told its capabilities
	capabilities Capabilities
	instructions string
	opening      []byte // the result that says all this
}

func (st *state) init() {
	st.pending = map[jsonrpc.ID]*pending{}
	st.asked = map[jsonrpc.ID]*question{}
	st.ceased = map[jsonrpc.ID]bool{}
	st.mirrors = map[string][]transport.HeaderParam{}
}

// update is the one way to look at the state and to change it.
func (c *core) update(change func(*state)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.state)
}

// enter changes the phase; it reports whether that was possible.
func (st *state) enter(to phase) bool {
	for _, allowed := range next[st.phase] {
		if allowed == to {
			st.phase = to
			return true
		}
	}
	return false
}

// book gives a request its id and makes it known to the reader of its link. The
// request is counted among the session's calls then.
func (c *core) book(p *pending) (err error) {
	c.update(func(st *state) {
		switch {
		case st.phase == over:
			err = st.err
		case p.link.err != nil:
			err = p.link.err
		default:
			st.lastID++
			p.id = jsonrpc.IntID(st.lastID)
			st.pending[p.id] = p
			c.calls.Add(1)
			if p.stream != nil {
				p.stream.isAcked = false
			}
		}
	})
	return err
}

// forget ends the waiting for an answer, after book.
func (c *core) forget(p *pending) {
	c.update(func(st *state) { delete(st.pending, p.id) })
	c.calls.Done()
}

// waiting finds the request on a link that has the id. While opening, an answer
// without an id can only be to the one request there is.
func (st *state) waiting(l *link, id jsonrpc.ID) *pending {
	if !id.IsZero() {
		if p := st.pending[id]; p != nil && p.link == l {
			return p
		}
		return nil
	}
	if st.phase != opening || len(st.pending) != 1 {
		return nil
	}
	for _, p := range st.pending {
		if p.link == l {
			return p
		}
	}
	return nil
}

// failAll ends what happens on a link, or with nil on any, and returns how to
// tell those who wait.
func (st *state) failAll(l *link, err error) (tell []func()) {
	for id, p := range st.pending {
		if l == nil || p.link == l {
			delete(st.pending, id)
			tell = append(tell, func() { p.fail(err) })
		}
	}
	for id, q := range st.asked {
		if l == nil || q.link == l {
			delete(st.asked, id)
			tell = append(tell, q.cancel)
		}
	}
	return tell
}

// finish ends the session, once. It returns the link there was.
func (c *core) finish(err error) (l *link) {
	var tell []func()
	c.update(func(st *state) {
		l = st.link
		if !st.enter(over) {
			return
		}
		st.err = err
		tell = st.failAll(nil, err)
		close(c.done)
	})
	c.told.close(false)
	for _, t := range tell {
		t()
	}
	return l
}

// reason is why the session is over, nil while it is not.
func (c *core) reason() (err error) {
	c.update(func(st *state) { err = st.err })
	return err
}

// current returns the link to use, waiting for one that is being made.
func (c *core) current(wait func(*renewal) error) (l *link, rev *mcp.Revision, err error) {
	for {
		var r *renewal
		c.update(func(st *state) {
			switch st.phase {
			case ready:
				l, rev = st.link, st.server.rev
			case renewing:
				r = st.renewal
			case opening:
				err = errors.New("the session is not open yet")
			default:
				err = st.err
			}
		})
		if r == nil {
			return l, rev, err
		}
		if err := wait(r); err != nil {
			return nil, nil, err
		}
	}
}

// settle makes a link the one that calls are made on.
func (c *core) settle(l *link, server peer) (err error) {
	c.update(func(st *state) {
		switch {
		case l.err != nil:
			err = l.err
		case !st.enter(ready):
			err = fmt.Errorf("opening the session: %w", st.err)
		default:
			l.rev = server.rev
			st.link, st.server, st.renewal = l, server, nil
		}
	})
	return err
}
