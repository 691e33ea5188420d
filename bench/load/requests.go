package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Ids are numbers of ten digits, firstID for the first call, so that a request
// is made by writing digits into a rendered one. The last five of them also
// begin the text, so that no two calls in flight carry the same.
const (
	firstID  = 1_000_000_000
	idDigits = 10
	stamp    = 5
)

// requests renders batches of echo calls.
type requests struct {
	buf       []byte // copies of one request
	size      int    // of one
	id, text  int    // offsets inside one
	batchSize int
	next      int // number of the next call
}

// batchBytes is how much is written at once, as a client does that collects
// what is ready: about what a pipe takes.
const batchBytes = 64 << 10

func newRequests(inFlight, textSize int) *requests {
	text := strings.Repeat("0", stamp) + filler(textSize-stamp)
	one := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo","arguments":{"text":"%s"}}}`+"\n",
		firstID, text)
	r := &requests{
		size: len(one),
		id:   strings.Index(one, strconv.Itoa(firstID)),
		text: strings.Index(one, `"`+text+`"`) + 1,
	}
	r.batchSize = max(1, min(inFlight, batchBytes/r.size))
	r.buf = bytes.Repeat([]byte(one), r.batchSize)
	return r
}

// filler is prose without anything that JSON escapes.
func filler(n int) string {
	const prose = "A tool takes a text and returns it as it came, be it five letters or a hundred thousand of them. "
	return strings.Repeat(prose, n/len(prose)+1)[:n]
}

// batch returns up to n requests to write, and how many. The bytes are valid
// until it is called again.
func (r *requests) batch(n int) ([]byte, int) {
	n = min(n, r.batchSize)
	for i := range n {
		one := r.buf[i*r.size : (i+1)*r.size]
		id := one[r.id : r.id+idDigits]
		for d, v := idDigits-1, firstID+r.next; d >= 0; d-- {
			id[d] = byte('0' + v%10)
			v /= 10
		}
		copy(one[r.text:], id[idDigits-stamp:])
		r.next++
	}
	return r.buf[:n*r.size], n
}

// answers checks responses. The first one is decoded; later ones have to
// equal it but for the id and the stamp, which costs one comparison of bytes.
// One that does not is decoded too: a server may vary what it writes.
type answers struct {
	textSize int
	shape    []byte // nil before the first
	id, text int    // offsets inside shape
	seen     []uint64
}

// check returns an error unless line answers a call that was sent, rightly and
// for the first time. sent is the number of calls so far.
func (a *answers) check(line []byte, sent int) error {
	n, ok := a.likeShape(line)
	if !ok {
		var err error
		if n, err = a.decode(line); err != nil {
			return err
		}
	}
	if n < 0 || n >= sent {
		return fmt.Errorf("answer to a call that was never made: %.200s", line)
	}
	for n/64 >= len(a.seen) {
		a.seen = append(a.seen, make([]uint64, 1024)...)
	}
	if a.seen[n/64]&(1<<(n%64)) != 0 {
		return fmt.Errorf("second answer to the same call: %.200s", line)
	}
	a.seen[n/64] |= 1 << (n % 64)
	return nil
}

func (a *answers) likeShape(line []byte) (int, bool) {
	if len(line) != len(a.shape) {
		return 0, false
	}
	id := line[a.id : a.id+idDigits]
	n := 0
	for _, c := range id {
		n = n*10 + int(c-'0')
	}
	// The shape is given the digits of this line and has to equal it then.
	copy(a.shape[a.id:], id)
	copy(a.shape[a.text:], id[idDigits-stamp:])
	return n - firstID, bytes.Equal(line, a.shape)
}

func (a *answers) decode(line []byte) (int, error) {
	var m struct {
		ID     int
		Result struct {
			IsError bool
			Content []struct{ Type, Text string }
		}
	}
	if err := json.Unmarshal(line, &m); err != nil {
		return 0, fmt.Errorf("answer %.200s: %w", line, err)
	}
	c := m.Result.Content
	want := fmt.Sprintf("%05d", m.ID%100_000) + filler(a.textSize-stamp)
	if m.Result.IsError || len(c) != 1 || c[0].Type != "text" || c[0].Text != want {
		return 0, fmt.Errorf("not the text that was sent: %.200s", line)
	}
	if a.shape == nil {
		a.learn(line, strconv.Itoa(m.ID), want)
	}
	return m.ID - firstID, nil
}

// learn keeps line as the shape if id and text stand in it as they are.
func (a *answers) learn(line []byte, id, text string) {
	a.text = bytes.Index(line, []byte(`"`+text+`"`)) + 1
	a.id = bytes.Index(line, []byte(":"+id)) + 1
	if a.text > 0 && a.id > 0 {
		a.shape = bytes.Clone(line)
	}
}
