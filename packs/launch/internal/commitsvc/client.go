package commitsvc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"mcpworks/internal/bounded"
	"mcpworks/internal/secret"
	"mcpworks/packs/launch/internal/gitrepo"
)

const (
	callTime  = 60 * time.Second
	maxAnswer = 1 << 20
	// longestWait is how long the client itself waits when it was told to come
	// again. Beyond it the caller decides.
	longestWait = 60 * time.Second
)

// pauses are the waits before each further try.
var pauses = []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}

// ClientConfig says where a service is.
type ClientConfig struct {
	// URL is its address: https, or http on this machine.
	URL string
	// Token goes with every request, and never anywhere else.
	Token secret.String
	// Transport carries the requests; nil means the network. See package
	// inprocess.
	Transport http.RoundTripper
	// Wait waits before another try; nil means in real time.
	Wait func(ctx context.Context, d time.Duration) error
	// CallTime bounds one try; 0 means 60 seconds.
	CallTime time.Duration
}

// A Client asks a commit service. Many goroutines may use it.
type Client struct {
	config ClientConfig
	http   *http.Client
}

// NewClient returns a client.
func NewClient(config ClientConfig) (*Client, error) {
	at, err := url.Parse(config.URL)
	switch {
	case err != nil || at.Host == "" || at.User != nil || at.RawQuery != "" || at.Fragment != "":
		return nil, errors.New("commit service: the address is malformed")
	case at.Scheme != "https" && (at.Scheme != "http" || !isLoopback(at.Hostname())):
		return nil, errors.New("commit service: the address must be https")
	}
	config.URL = strings.TrimSuffix(config.URL, "/")
	if config.Wait == nil {
		config.Wait = wait
	}
	if config.CallTime == 0 {
		config.CallTime = callTime
	}
	return &Client{config, &http.Client{
		Transport:     config.Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

func isLoopback(host string) bool {
	address := net.ParseIP(host)
	return host == "localhost" || address != nil && address.IsLoopback()
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}

// Commit asks for a commit. Its error is a *Failure.
func (c *Client) Commit(ctx context.Context, request CommitRequest) (CommitResponse, error) {
	request.SchemaVersion = Version
	var answer CommitResponse
	if err := c.call(ctx, http.MethodPost, CommitPath, request.IdempotencyKey, request, &answer); err != nil {
		return CommitResponse{}, err
	}
	if answer.RunID != request.RunID || answer.IdempotencyKey != request.IdempotencyKey || answer.BranchName != request.BranchName || !gitrepo.IsSHA(answer.CommitSHA) {
		return CommitResponse{}, &Failure{Status: http.StatusOK, Message: "the answer belongs to another request"}
	}
	return answer, nil
}

// OpenPR asks for a pull request. Its error is a *Failure.
func (c *Client) OpenPR(ctx context.Context, request OpenPRRequest) (OpenPRResponse, error) {
	request.SchemaVersion = Version
	var answer OpenPRResponse
	if err := c.call(ctx, http.MethodPost, OpenPRPath, request.IdempotencyKey, request, &answer); err != nil {
		return OpenPRResponse{}, err
	}
	if answer.RunID != request.RunID || answer.IdempotencyKey != request.IdempotencyKey || answer.BranchName != request.BranchName || !isAddress(answer.URL) {
		return OpenPRResponse{}, &Failure{Status: http.StatusOK, Message: "the answer belongs to another request"}
	}
	return answer, nil
}

// isAddress says whether text may be shown as the address of a pull request: a
// web page or a name, and never a file.
func isAddress(text string) bool {
	at, err := url.Parse(text)
	return err == nil && (at.Scheme == "https" && at.Host != "" && at.User == nil || at.Scheme == "urn" && at.Opaque != "")
}

// Health asks whether the service is there.
func (c *Client) Health(ctx context.Context) error {
	var answer struct{}
	return c.call(ctx, http.MethodGet, HealthPath, "", nil, &answer)
}

// call sends a request until it is answered, at most four times (11.2). The key
// makes it safe to send it again: also if the answer was lost and not the
// request.
func (c *Client) call(ctx context.Context, method, path, key string, request, answer any) error {
	var body []byte
	if request != nil {
		var err error
		if body, err = json.Marshal(request); err != nil {
			return &Failure{Status: http.StatusBadRequest, Message: "the request cannot be written", Err: err}
		}
	}
	for try := 0; ; try++ {
		failed := c.try(ctx, method, path, key, body, answer)
		if failed == nil {
			return nil
		}
		if try == len(pauses) || !failed.again() || ctx.Err() != nil || failed.RetryAfter > longestWait {
			return failed
		}
		if err := c.config.Wait(ctx, max(pauses[try], failed.RetryAfter)); err != nil {
			return failed
		}
	}
}

// try sends a request once.
func (c *Client) try(ctx context.Context, method, path, key string, body []byte, answer any) *Failure {
	ctx, cancel := context.WithTimeout(ctx, c.config.CallTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, c.config.URL+path, bytes.NewReader(body))
	if err != nil {
		return &Failure{Message: "the request cannot be made", Err: err}
	}
	r.Header.Set("Accept", "application/json")
	if !c.config.Token.IsZero() {
		r.Header.Set("Authorization", "Bearer "+c.config.Token.Reveal())
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set(KeyHeader, key)
	}
	response, err := c.http.Do(r)
	if err != nil {
		return &Failure{Message: "the service did not answer", Err: err}
	}
	defer response.Body.Close()
	text, cut, err := bounded.Read(response.Body, maxAnswer)
	switch {
	case err != nil:
		return &Failure{Message: "the answer was cut off", Err: err}
	case response.StatusCode != http.StatusOK && response.StatusCode != http.StatusCreated:
		return failureOf(response, text)
	case cut || json.Unmarshal(text, answer) != nil:
		return &Failure{Status: response.StatusCode, Message: "the answer is not what is expected"}
	}
	return nil
}

// failureOf reads how the service says no.
func failureOf(response *http.Response, text []byte) *Failure {
	failed := &Failure{Status: response.StatusCode, Message: "the service refused"}
	var said errorBody
	if json.Unmarshal(text, &said) == nil && said.Code != "" {
		failed.Code, failed.Message, failed.Details = bounded.Runes(said.Code, 64), bounded.Runes(said.Message, 1000), said.Details
	}
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && seconds > 0 {
		failed.RetryAfter = time.Duration(min(seconds, 86400)) * time.Second
	}
	return failed
}
