package client

import "sync"

// queueBytes is the most that the items of a queue keep in memory. One item
// alone may be larger.
const queueBytes = 16 << 20

// A queue hands items from those who must not wait to the one who may. When it
// is full the oldest items are dropped.
type queue[T any] struct {
	max  int
	more chan struct{} // capacity 1

	mu     sync.Mutex
	items  []weighed[T]
	size   int // of all items
	closed bool
}

type weighed[T any] struct {
	item T
	size int // in bytes
}

func newQueue[T any](max int) *queue[T] {
	return &queue[T]{max: max, more: make(chan struct{}, 1)}
}

// put adds an item of some bytes and reports whether others had to go.
func (q *queue[T]) put(item T, size int) (dropped bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	for len(q.items) > 0 && (len(q.items) >= q.max || q.size+size > queueBytes) {
		q.take()
		dropped = true
	}
	q.items = append(q.items, weighed[T]{item, size})
	q.size += size
	q.wake()
	return dropped
}

// take removes the oldest item; the caller holds mu, and there is one.
func (q *queue[T]) take() T {
	oldest := q.items[0]
	q.items[0] = weighed[T]{} // frees what it points to
	q.items = q.items[1:]
	q.size -= oldest.size
	return oldest.item
}

func (q *queue[T]) wake() {
	select {
	case q.more <- struct{}{}:
	default:
	}
}

// run takes items until the queue is closed and empty.
func (q *queue[T]) run(take func(T)) {
	for {
		q.mu.Lock()
		if len(q.items) == 0 {
			closed := q.closed
			q.mu.Unlock()
			if closed {
				return
			}
			<-q.more
			continue
		}
		item := q.take()
		q.mu.Unlock()
		take(item)
	}
}

// close ends run after what is queued, or without it.
func (q *queue[T]) close(drop bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	if drop {
		q.items, q.size = nil, 0
	}
	q.wake()
}
