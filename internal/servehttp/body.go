package servehttp

import (
	"io"
	"net/http"
	"time"
)

// limitBody refuses bodies that are too long and gives up on those that take
// too long. The time limit is over as soon as the body is: what comes after it
// on the connection may take as long as the answer does.
func limitBody(most int64, timeout time.Duration) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.ContentLength == 0:
				next.ServeHTTP(w, r)
				return
			case r.ContentLength > most:
				refuseBody(w, r)
				return
			}
			control := http.NewResponseController(w)
			if control.SetReadDeadline(time.Now().Add(timeout)) == nil {
				r.Body = &timedBody{ReadCloser: r.Body, control: control}
			}
			r.Body = http.MaxBytesReader(w, r.Body, most)
			next.ServeHTTP(w, r)
		})
	}
}

func refuseBody(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Connection", "close") // the body is not read
	const message = "the body is too long"
	if isREST(r) {
		writeFailure(w, http.StatusRequestEntityTooLarge, codeBodyTooLarge, message)
		return
	}
	http.Error(w, message, http.StatusRequestEntityTooLarge)
}

// A timedBody lifts the read deadline at its end.
type timedBody struct {
	io.ReadCloser
	control *http.ResponseController
}

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		_ = b.control.SetReadDeadline(time.Time{}) // could be set, so can be lifted
	}
	return n, err
}

// answerTime is how long a response may take from beginning to end, unless its
// handler sets deadlines of its own, as the transports do for every write.
const answerTime = 2 * time.Minute

// limitTime cuts off a client that does not read.
func limitTime(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(answerTime))
		next.ServeHTTP(w, r)
	})
}
