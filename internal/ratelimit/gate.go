package ratelimit

import (
	"cmp"
	"fmt"
	"sync"
)

// The defaults of GateConfig.
const (
	DefaultTotal  = 1024
	DefaultPerKey = 64
)

// GateConfig configures a Gate.
type GateConfig struct {
	// Total is how many may be inside at once. Zero means DefaultTotal.
	Total int
	// PerKey is how many of one key may be inside at once. Zero means
	// DefaultPerKey, or Total where that is less.
	PerKey int
}

// Gate limits how many are inside at once, in total and per key. It remembers
// only the keys that are inside. It may be used by many goroutines.
type Gate struct {
	total, perKey int

	mu     sync.Mutex
	inside int
	keys   map[string]int
}

// NewGate makes a gate.
func NewGate(config GateConfig) (*Gate, error) {
	total := cmp.Or(config.Total, DefaultTotal)
	perKey := cmp.Or(config.PerKey, min(DefaultPerKey, total))
	if total < 1 || perKey < 1 {
		return nil, fmt.Errorf("concurrency limit: total %d and per key %d must not be negative", config.Total, config.PerKey)
	}
	return &Gate{total: total, perKey: perKey, keys: map[string]int{}}, nil
}

// Enter lets key in if there is room; it never waits. Whoever was let in calls
// leave once; calling it again does nothing.
func (g *Gate) Enter(key string) (leave func(), ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.inside >= g.total || g.keys[key] >= g.perKey {
		return nil, false
	}
	g.inside++
	g.keys[key]++
	return sync.OnceFunc(func() { g.leave(key) }), true
}

func (g *Gate) leave(key string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inside--
	if g.keys[key]--; g.keys[key] == 0 {
		delete(g.keys, key)
	}
}
