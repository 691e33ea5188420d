package server

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
)

// coalesce is how long a change waits for others before it is announced.
const coalesce = 20 * time.Millisecond

// maxURI is the longest URI that can be watched, in bytes.
const maxURI = 8192

// A change is a set of lists that changed.
type change int

const (
	changedTools change = 1 << iota
	changedPrompts
	changedResources
)

var changeNotices = []struct {
	what   change
	notify string
	filter string // the member of a modern subscription
}{
	{changedTools, mcp.NotifyToolsChanged, "toolsListChanged"},
	{changedPrompts, mcp.NotifyPromptsChanged, "promptsListChanged"},
	{changedResources, mcp.NotifyResourcesChanged, "resourcesListChanged"},
}

// watching is the part of a session that tells its client of changes.
type watching struct {
	uris    map[string]bool // of resources/subscribe
	listens []*Request      // open subscriptions/listen requests

	lists   change          // changed and not yet announced
	updated map[string]bool // likewise
	timer   *time.Timer     // announces them; nil when nothing is to be told
	pending sync.WaitGroup  // a started timer
	stopped bool

	// telling is held while announcements are sent, so that each stream gets
	// them in order. It is taken before the session's mu.
	telling sync.Mutex
}

// A listen is what one subscriptions/listen request was granted.
type listen struct {
	lists        change
	uris         []string
	acknowledged bool
	ended        chan struct{} // closed when nothing more will be told
}

// listenTo opens a subscription. The request is answered when it ends.
func (srv *Server) listenTo(ctx context.Context, r *Request) (mcp.Result, error) {
	if rawjson.KindOf(r.params.notifications) != rawjson.Object {
		return nil, invalidParams("notifications must be an object")
	}
	l := &listen{ended: make(chan struct{})}
	for name, value := range rawjson.Members(r.params.notifications) {
		if string(name) == "resourceSubscriptions" {
			if err := srv.grantURIs(l, value); err != nil {
				return nil, err
			}
		}
		for _, notice := range changeNotices {
			if notice.filter == string(name) && string(value) == "true" && srv.announces(notice.what) {
				l.lists |= notice.what
			}
		}
	}
	s := r.session
	if !s.hearChanges() {
		return nil, ErrClosing
	}
	s.mu.Lock()
	full := len(s.watching.listens) >= srv.opts.Limits.Subscriptions
	if !full {
		r.listen = l
		s.watching.listens = append(s.watching.listens, r)
	}
	s.mu.Unlock()
	if full {
		return nil, &jsonrpc.Error{Code: jsonrpc.InternalError, Message: "too many subscriptions on this connection"}
	}
	s.announce()
	if s.holds {
		select {
		case <-l.ended:
		case <-ctx.Done():
			s.cancelRequest(r.id)
		}
	}
	return nil, nil
}

// grantURIs grants what can be read here; the rest is left out.
func (srv *Server) grantURIs(l *listen, list []byte) error {
	if rawjson.KindOf(list) != rawjson.Array {
		return invalidParams("resourceSubscriptions must be an array")
	}
	seen := map[string]bool{}
	for element := range rawjson.Elements(list) {
		uri, ok := rawjson.String(element)
		if !ok || len(uri) > maxURI {
			return invalidParams("resourceSubscriptions must hold strings of at most 8192 bytes")
		}
		if seen[uri] {
			continue
		}
		if seen[uri] = true; len(seen) > srv.opts.Limits.URIs {
			return invalidParams("too many resourceSubscriptions")
		}
		if read, _ := srv.findResource(uri); read != nil && srv.hasSubscribe() {
			l.uris = append(l.uris, uri)
		}
	}
	return nil
}

// announces says whether changes of a list are ever told.
func (srv *Server) announces(what change) bool {
	have := map[change]bool{
		changedTools: srv.hasTools(), changedPrompts: srv.hasPrompts(), changedResources: srv.hasResources(),
	}
	return srv.opts.ListChanged && have[what]
}

func (l *listen) appendGranted(dst []byte) []byte {
	o := rawjson.Begin(dst)
	for _, notice := range changeNotices {
		if l.lists&notice.what != 0 {
			o.Bool(notice.filter, true)
		}
	}
	if len(l.uris) > 0 {
		o.Strings("resourceSubscriptions", l.uris)
	}
	return o.End()
}

// listenMessage makes a notification of the stream of a subscription.
func (r *Request) listenMessage(method string, members func(*rawjson.ObjectWriter)) []byte {
	o := rawjson.Begin(nil)
	if members != nil {
		members(&o)
	}
	o.Set(r.subscriptionMeta().AppendJSON(o.Name("_meta")))
	return jsonrpc.AppendCall(nil, jsonrpc.ID{}, method, o.End())
}

func (r *Request) subscriptionMeta() mcp.Meta {
	return mcp.Meta{mcp.MetaSubscriptionID: r.id.AppendJSON(nil)}
}

// forgetListen drops the subscription of a request, if it is one; the caller
// holds mu.
func (s *session) forgetListen(r *Request) {
	s.watching.listens = slices.DeleteFunc(s.watching.listens, func(open *Request) bool { return open == r })
}

// endListens tells the client of each open subscription that it is over, and
// answers its request.
func (s *session) endListens(ctx context.Context) {
	s.watching.telling.Lock()
	defer s.watching.telling.Unlock()
	s.mu.Lock()
	open := s.watching.listens
	s.watching.listens = nil
	s.mu.Unlock()
	for _, r := range open {
		_ = r.out.Notify(ctx, r.listenMessage(mcp.NotifyCancelled, func(o *rawjson.ObjectWriter) {
			o.Set(r.id.AppendJSON(o.Name("requestId")))
			o.String("reason", "the server is shutting down")
		}))
		r.respond(ctx, ended{r}, nil)
		close(r.listen.ended)
	}
}

// ended is the final result of a subscription.
type ended struct{ r *Request }

func (ended) AppendMembers(dst []byte, _ *mcp.Revision) ([]byte, error) { return dst, nil }

func (e ended) ResultMeta() mcp.Meta { return e.r.subscriptionMeta() }

// subscribe and unsubscribe are how legacy clients watch resources.
func (srv *Server) subscribe(_ context.Context, r *Request) (mcp.Result, error) {
	uri, ok := rawjson.String(r.params.uri)
	if !ok || len(uri) > maxURI {
		return nil, invalidParams("uri must be a string of at most 8192 bytes")
	}
	if read, _ := srv.findResource(uri); read == nil {
		return nil, ErrNotFound
	}
	s := r.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watching.uris == nil {
		s.watching.uris = map[string]bool{}
	}
	if len(s.watching.uris) >= srv.opts.Limits.URIs && !s.watching.uris[uri] {
		return nil, &jsonrpc.Error{Code: jsonrpc.InternalError, Message: "too many subscriptions on this connection"}
	}
	s.watching.uris[uri] = true
	return mcp.Members(nil), nil
}

func (srv *Server) unsubscribe(_ context.Context, r *Request) (mcp.Result, error) {
	uri, ok := rawjson.String(r.params.uri)
	if !ok {
		return nil, invalidParams("uri must be a string")
	}
	r.session.mu.Lock()
	defer r.session.mu.Unlock()
	delete(r.session.watching.uris, uri)
	return mcp.Members(nil), nil
}

func (s *session) listChanged(what change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watching.lists |= what
	s.announceSoon()
}

func (s *session) resourceUpdated(uri string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	watched := s.watching.uris[uri]
	for _, r := range s.watching.listens {
		watched = watched || slices.Contains(r.listen.uris, uri)
	}
	if !watched {
		return
	}
	if s.watching.updated == nil {
		s.watching.updated = map[string]bool{}
	}
	s.watching.updated[uri] = true
	s.announceSoon()
}

// announceSoon starts the timer unless it runs; the caller holds mu.
func (s *session) announceSoon() {
	if s.watching.timer != nil || s.watching.stopped {
		return
	}
	s.watching.pending.Add(1)
	s.watching.timer = time.AfterFunc(coalesce, func() {
		defer s.watching.pending.Done()
		s.announce()
	})
}

// announce tells everyone what is new to them.
func (s *session) announce() {
	s.watching.telling.Lock()
	defer s.watching.telling.Unlock()
	for _, msg := range s.announcements() {
		if s.tell(msg) != nil {
			return
		}
	}
}

// announcements takes what is to be told and writes it down for each. The
// first message of a subscription is its acknowledgement.
func (s *session) announcements() (all [][]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := &s.watching
	for _, r := range w.listens {
		if !r.listen.acknowledged {
			r.listen.acknowledged = true
			all = append(all, r.listenMessage(mcp.NotifyAcknowledged, func(o *rawjson.ObjectWriter) {
				o.Set(r.listen.appendGranted(o.Name("notifications")))
			}))
		}
	}
	for _, notice := range changeNotices {
		if w.lists&notice.what == 0 {
			continue
		}
		if s.initialized {
			all = append(all, jsonrpc.AppendCall(nil, jsonrpc.ID{}, notice.notify, nil))
		}
		for _, r := range w.listens {
			if r.listen.lists&notice.what != 0 {
				all = append(all, r.listenMessage(notice.notify, nil))
			}
		}
	}
	for _, uri := range slices.Sorted(maps.Keys(w.updated)) {
		member := func(o *rawjson.ObjectWriter) { o.String("uri", uri) }
		if s.initialized && w.uris[uri] {
			o := rawjson.Begin(nil)
			member(&o)
			all = append(all, jsonrpc.AppendCall(nil, jsonrpc.ID{}, mcp.NotifyResourceUpdated, o.End()))
		}
		for _, r := range w.listens {
			if slices.Contains(r.listen.uris, uri) {
				all = append(all, r.listenMessage(mcp.NotifyResourceUpdated, member))
			}
		}
	}
	w.lists, w.updated, w.timer = 0, nil, nil
	return all
}

// stopWatching ends the announcements and waits for the last one.
func (s *session) stopWatching() {
	s.mu.Lock()
	s.watching.stopped = true
	if s.watching.timer != nil && s.watching.timer.Stop() {
		s.watching.pending.Done()
	}
	s.mu.Unlock()
	s.watching.pending.Wait()
}
