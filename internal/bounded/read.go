// Package bounded answers "how much": reads that stop at a cap, and text cut
// where a character ends. The limits themselves belong to the callers.
package bounded

import (
	"errors"
	"io"
)

// firstRead is the size of the first buffer; it doubles up to the caller's max.
const firstRead = 4 << 10

// maxEmptyReads is how often in a row a reader may give nothing without an
// error before Read gives up with io.ErrNoProgress.
const maxEmptyReads = 100

// Read returns the first max bytes of r, or all of r when it is shorter. The
// buffer grows with what arrives and is never larger than max.
//
// After max bytes Read asks r for a single byte more, to learn whether it cut:
// cut is true when r did not end there. What fails after max bytes is not an
// error, since the caller already has all it wanted. A read that fails earlier
// gives what had arrived, together with the error.
func Read(r io.Reader, max int64) (data []byte, cut bool, err error) {
	if max < 0 {
		max = 0
	}
	data = make([]byte, 0, min(firstRead, max))
	for empty := 0; int64(len(data)) < max; {
		if len(data) == cap(data) {
			data = grow(data, max)
		}
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case err == io.EOF:
			return data, false, nil
		case err != nil && int64(len(data)) < max:
			return data, false, err
		case err != nil:
			return data, true, nil
		case n > 0:
			empty = 0
		default:
			if empty++; empty == maxEmptyReads {
				return data, false, io.ErrNoProgress
			}
		}
	}
	_, err = io.ReadFull(r, make([]byte, 1))
	return data, !errors.Is(err, io.EOF), nil
}

func grow(data []byte, max int64) []byte {
	// Compared before doubling, so that no max can overflow.
	size := max
	if int64(cap(data)) < max/2 {
		size = int64(cap(data)) * 2
	}
	bigger := make([]byte, len(data), size)
	copy(bigger, data)
	return bigger
}
