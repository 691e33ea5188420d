package record

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"mcpworks/internal/bounded"
	"mcpworks/internal/secret"
)

// maxAnswer bounds what is read of a service's answer.
const maxAnswer = 64 << 20

// A Reader asks a telemetry service as Store.Telemetry asks the store.
type Reader struct {
	URL       string
	Token     secret.String
	Transport http.RoundTripper // nil means the network
}

// Telemetry answers a question about a run. A run that the service does not know
// is ErrNotFound.
func (r Reader) Telemetry(ctx context.Context, q Query) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, tryTime)
	defer cancel()
	values := url.Values{"include": q.Include}
	if q.Include == nil {
		values["include"] = []string{IncludeSummary, IncludeRuns}
	}
	if q.PageSize > 0 {
		values.Set("page_size", strconv.Itoa(q.PageSize))
	}
	if q.Cursor != "" {
		values.Set("cursor", q.Cursor)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.URL+"/telemetry/"+url.PathEscape(q.RunID)+"?"+values.Encode(), nil)
	if err != nil {
		return Answer{}, errors.New("the address of the telemetry service is malformed")
	}
	if !r.Token.IsZero() {
		request.Header.Set("Authorization", "Bearer "+r.Token.Reveal())
	}
	client := http.Client{Transport: r.Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if err != nil {
		return Answer{}, errors.New("the telemetry service did not answer")
	}
	defer response.Body.Close()
	text, cut, err := bounded.Read(response.Body, maxAnswer)
	switch {
	case err != nil || cut:
		return Answer{}, errors.New("the answer of the telemetry service is cut off or too long")
	case response.StatusCode == http.StatusNotFound:
		return Answer{}, ErrNotFound
	case response.StatusCode == http.StatusUnprocessableEntity && q.Cursor != "":
		return Answer{}, ErrCursor
	case response.StatusCode != http.StatusOK:
		return Answer{}, fmt.Errorf("the telemetry service answered %d", response.StatusCode)
	}
	var answer Answer
	if err := json.Unmarshal(text, &answer); err != nil {
		return Answer{}, errors.New("the answer of the telemetry service is not what is expected")
	}
	answer.Summary.APIPosted, answer.Summary.OutboxPending = q.Pending == 0, q.Pending
	return answer, nil
}
