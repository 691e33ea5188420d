package origin

import (
	"mime"
	"net/http"
	"strings"
	"time"

	"mcpworks/internal/bounded"
	"mcpworks/internal/rawjson"
	"mcpworks/mcp/transport"
)

const (
	excerptSize = 4 << 10 // of a body that is shown to people
	discardSize = 4 << 10
	discardTime = 100 * time.Millisecond
)

// Succeeded says whether a response is of success.
func Succeeded(resp *http.Response) bool { return resp.StatusCode/100 == 2 }

// Is says whether a response is of a media type.
func Is(resp *http.Response, want string) bool {
	got, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	return err == nil && got == want
}

// Refusal makes an error of a response. A body that is JSON is kept up to a
// message's size, for it can be an error with data.
func Refusal(resp *http.Response, maxMessage int64) *transport.StatusError {
	most := int64(excerptSize)
	if Is(resp, "application/json") {
		most = max(most, maxMessage)
	}
	body, cut, err := bounded.Read(resp.Body, most)
	e := &transport.StatusError{
		Status:     resp.StatusCode,
		Body:       body,
		JSON:       err == nil && !cut && rawjson.Check(body, rawjson.Limits{}) == nil,
		Challenge:  strings.Join(resp.Header.Values("WWW-Authenticate"), ", "),
		RetryAfter: resp.Header.Get("Retry-After"),
	}
	if resp.StatusCode/100 == 3 {
		e.Location = resp.Header.Get("Location")
	}
	if !e.JSON {
		e.Body = Excerpt(body)
	}
	return e
}

// WrongContent makes an error of a response whose body is no message. It reads
// the beginning, unless something was read already.
func WrongContent(resp *http.Response, body []byte) *transport.ContentError {
	if body == nil {
		body, _, _ = bounded.Read(resp.Body, excerptSize)
	}
	return &transport.ContentError{Type: resp.Header.Get("Content-Type"), Body: Excerpt(body)}
}

// Excerpt is the beginning of a body.
func Excerpt(body []byte) []byte { return body[:min(len(body), excerptSize)] }

// Discard ends a response that nobody needs. It reads the rest, which should be
// nothing, so that the connection can be used again, but does not wait for it.
func Discard(resp *http.Response) {
	stop := time.AfterFunc(discardTime, func() { _ = resp.Body.Close() })
	defer stop.Stop()
	_, _, _ = bounded.Read(resp.Body, discardSize)
	_ = resp.Body.Close()
}
