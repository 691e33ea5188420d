package ojapi

import (
	"context"
	"net/http"
	"strconv"

	"mcpworks/internal/rawjson"
)

// ask gets target and returns the object of a 200 JSON answer. Everything else
// becomes one of the errors of section 9, in the order of its table.
func (c *Client) ask(ctx context.Context, target string) (object, error) {
	r, err := c.get(ctx, target)
	if err != nil {
		return nil, err
	}
	return c.success(r)
}

func (c *Client) success(r response) (object, error) {
	if r.status != http.StatusOK || !r.isJSON {
		return nil, &StatusError{Text: c.failureText(r)}
	}
	o, err := parseObject(r.body)
	if err != nil {
		return nil, invalidJSON(err.Error())
	}
	return o, nil
}

// failureText prints the problem document of a failed request (case 4), or
// else the beginning of the body (cases 5 and 6).
func (c *Client) failureText(r response) string {
	if r.status != http.StatusOK && r.isJSON {
		if text, ok := problemDocument(r); ok {
			return c.redactor.String(text)
		}
	}
	return "[" + strconv.Itoa(r.status) + "] " + c.excerpt(r.body)
}

// problemDocument prints an RFC 7807 body: title is a string, status an integer
// or absent, detail a string or absent. The status printed is the body's own
// (invariant 23).
func problemDocument(r response) (string, bool) {
	o, err := parseObject(r.body)
	if err != nil {
		return "", false
	}
	title, ok := rawjson.String(o["title"])
	if !ok {
		return "", false
	}
	status := strconv.Itoa(r.status)
	if raw, present := o["status"]; present {
		if !rawjson.IsInteger(raw) {
			return "", false
		}
		status = string(raw)
	}
	text := "[" + status + "] " + title
	if raw, present := o["detail"]; present {
		detail, ok := rawjson.String(raw)
		if !ok {
			return "", false
		}
		text += ": " + detail
	}
	return text, true
}
