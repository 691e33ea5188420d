// Package echo makes the calls of the echo tool that the benchmarks send, and
// checks their answers. Both cost the sender next to nothing, because it shares
// the machine with the server that is measured.
package echo

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// Ids are numbers of ten digits, firstID for call 0, so that a request is made
// by writing digits into a rendered one. The last five of them also begin the
// text, so that no two calls in flight carry the same.
const (
	firstID  = 1_000_000_000
	idDigits = 10
)

// MinText is the size of the smallest text, which is all stamp.
const MinText = 5

// A Form says how a call is dressed.
type Form struct {
	Params string // further members of params, with a comma at the end
	// Frame puts the message into what is sent, in which it must stand as it
	// is. Its size never changes.
	Frame func(message string) string
}

// Line is the form of a call over stdio.
var Line = Form{Frame: func(message string) string { return message + "\n" }}

// Requests renders batches of calls.
type Requests struct {
	buf      []byte // copies of one request
	size     int    // of one
	id, text int    // offsets inside one
	most     int    // in a batch
	next     int    // number of the next call
	step     int    // from one call to the next
}

// NewRequests returns what renders batches of at most most calls with texts of
// textSize bytes, numbered from first in steps.
func NewRequests(form Form, most, textSize, first, step int) *Requests {
	text := strings.Repeat("0", MinText) + filler(textSize-MinText)
	one := form.Frame(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{%s"name":"echo","arguments":{"text":"%s"}}}`,
		firstID, form.Params, text))
	return &Requests{
		buf:  bytes.Repeat([]byte(one), most),
		size: len(one),
		id:   strings.Index(one, `"id":`+strconv.Itoa(firstID)) + len(`"id":`),
		text: strings.Index(one, `"`+text+`"`) + 1,
		most: most, next: first, step: step,
	}
}

// filler is prose without anything that JSON escapes.
func filler(n int) string {
	const prose = "A tool takes a text and returns it as it came, be it five letters or a hundred thousand of them. "
	return strings.Repeat(prose, n/len(prose)+1)[:n]
}

// Size is the size of one request in bytes.
func (r *Requests) Size() int { return r.size }

// Batch returns up to n requests to write, and how many. The bytes are valid
// until it is called again.
func (r *Requests) Batch(n int) ([]byte, int) {
	n = min(n, r.most)
	for i := range n {
		one := r.buf[i*r.size : (i+1)*r.size]
		id := one[r.id : r.id+idDigits]
		for d, v := idDigits-1, firstID+r.next; d >= 0; d-- {
			id[d] = byte('0' + v%10)
			v /= 10
		}
		copy(one[r.text:], id[idDigits-MinText:])
		r.next += r.step
	}
	return r.buf[:n*r.size], n
}

// One returns one request and its number.
func (r *Requests) One() ([]byte, int) {
	number := r.next
	b, _ := r.Batch(1)
	return b, number
}
