package streamable

import "sync"

// places are a bounded number of something, of which each principal may have
// some. Where all callers are the same, the principal is empty and has them all.
type places struct {
	most, each int

	mu    sync.Mutex
	total int
	taken map[string]int
}

func newPlaces(most, each int) *places {
	return &places{most: most, each: each, taken: map[string]int{}}
}

// enter takes a place, if there is one.
func (p *places) enter(principal string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.total >= p.most || principal != "" && p.taken[principal] >= p.each {
		return false
	}
	p.total++
	p.taken[principal]++
	return true
}

// leave gives a place back.
func (p *places) leave(principal string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total--
	if p.taken[principal]--; p.taken[principal] == 0 {
		delete(p.taken, principal)
	}
}
