package ojapi

import (
	"context"
	"net/http"
	"strconv"
)

// Problem is one problem. A text that is null, missing or not text is empty;
// numbers are taken as text.
type Problem struct {
	Source string
	ID     string

	Title, TitleCN     string
	Content, ContentCN string
	Difficulty         string
	Link               string
	Tags               []string
	// ACRate is the acceptance rate in percent, nil when unknown.
	ACRate *float64
}

// dailySource is the platform of the daily challenge, whose body names none.
const dailySource = "leetcode"

// Problem fetches a problem by platform and id (6.2). A body without source
// belongs to the requested one.
func (c *Client) Problem(ctx context.Context, source, id string) (*Problem, error) {
	o, err := c.ask(ctx, "/api/v1/problems/"+Escape(source)+"/"+Escape(id))
	if err != nil {
		return nil, err
	}
	return decodeProblem(o, source)
}

// Daily fetches the problem of the day (6.1). While the backend is still
// fetching it, the error is a *Fetching.
func (c *Client) Daily(ctx context.Context, domain, date string) (*Problem, error) {
	r, err := c.get(ctx, "/api/v1/daily?domain="+Escape(domain)+"&date="+Escape(date))
	if err != nil {
		return nil, err
	}
	if r.status == http.StatusAccepted {
		return nil, &Fetching{RetryAfter: retryAfter(r)}
	}
	o, err := c.success(r)
	if err != nil {
		return nil, err
	}
	return decodeProblem(o, dailySource)
}

func retryAfter(r response) *int {
	if !r.isJSON {
		return nil
	}
	o, err := parseObject(r.body)
	if err != nil {
		return nil
	}
	seconds, err := strconv.Atoi(string(o["retry_after"])) // fails for all but an integer
	if err != nil {
		return nil
	}
	return &seconds
}

// Resolve finds the problem that a URL, slug or id stands for (6.4). When there
// is none, the error is an *Unresolved.
func (c *Client) Resolve(ctx context.Context, query string) (*Problem, error) {
	o, err := c.ask(ctx, "/api/v1/resolve/"+Escape(query))
	if err != nil {
		return nil, err
	}
	return decodeResolved(o)
}

func decodeResolved(o object) (*Problem, error) {
	source := o.textOr("source", "")
	if o.isNull("problem") {
		return nil, &Unresolved{Source: source, ID: o.textOr("id", "")}
	}
	nested, err := asObject(o["problem"])
	if err != nil {
		return nil, invalidJSON("problem: " + err.Error())
	}
	return decodeProblem(nested, source)
}

// decodeProblem reads a problem object; source stands in for a blank one.
func decodeProblem(o object, source string) (*Problem, error) {
	id, ok := o.text("id")
	if !ok {
		return nil, invalidJSON("problem without id")
	}
	return &Problem{
		Source:     o.textOr("source", source),
		ID:         id,
		Title:      o.textOr("title", ""),
		TitleCN:    o.textOr("title_cn", ""),
		Content:    o.textOr("content", ""),
		ContentCN:  o.textOr("content_cn", ""),
		Difficulty: o.textOr("difficulty", ""),
		Link:       o.textOr("link", ""),
		Tags:       o.texts("tags"),
		ACRate:     o.float("ac_rate"),
	}, nil
}
