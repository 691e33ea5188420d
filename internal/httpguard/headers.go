package httpguard

import (
	"fmt"
	"net/http"
	"time"
)

// HeadersConfig configures Headers.
type HeadersConfig struct {
	// Streams asks reverse proxies not to buffer replies, which would hold
	// back event streams.
	Streams bool
	// StrictTransport is how long browsers shall insist on https; zero sends
	// no such header. Only for servers that are reached by https.
	StrictTransport time.Duration
}

// Headers sets the security headers of HTTP-17 on every reply: no guessing of
// content types, no storing and, where asked, no buffering. They are set before
// the handler runs, so a handler with a reason can change them.
func Headers(config HeadersConfig) Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h := w.Header()
			h.Set("X-Content-Type-Options", "nosniff")
			h.Set("Cache-Control", "no-store")
			if config.Streams {
				h.Set("X-Accel-Buffering", "no")
			}
			if config.StrictTransport > 0 {
				h.Set("Strict-Transport-Security", fmt.Sprintf("max-age=%d", int64(config.StrictTransport.Seconds())))
			}
			next.ServeHTTP(w, r)
		})
	}
}
