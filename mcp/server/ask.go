package server

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"mcpworks/internal/jsonschema"
	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
)

const (
	// stateLifetime is how long a modern client has for the next round.
	stateLifetime = 10 * time.Minute
	// askTimeout is how long a legacy client has for one answer.
	askTimeout = 10 * time.Minute
)

// Ask puts questions to the client, or through it to its user, and returns the
// raw answers under the same keys. A handler that gets an error must return it
// as it is.
//
// A legacy client is asked while the handler waits. A modern client gets the
// questions as the result of its request and sends the request again with the
// answers: the handler then runs anew from the start, and this time Ask
// returns. Answers of earlier rounds travel with the client, signed, so several
// Asks in one handler work too; nothing is held open for a client that never
// comes back. What a handler does before its last Ask must therefore be
// harmless to repeat.
func (r *Request) Ask(ctx context.Context, questions map[string]mcp.InputRequest) (map[string]json.RawMessage, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var missing mcp.ClientCapabilities
	for key, question := range questions {
		if err := question.Validate(); err != nil {
			return nil, fmt.Errorf("question %s: %w", key, err)
		}
		missing = missing.Or(question.Missing(r.client))
	}
	if r.rev.Modern {
		if missing != (mcp.ClientCapabilities{}) {
			return nil, mcp.MissingCapability(missing)
		}
		return r.askModern(questions)
	}
	answers := map[string]json.RawMessage{}
	for _, key := range slices.Sorted(maps.Keys(questions)) {
		answer, err := r.askLegacy(ctx, questions[key])
		if err != nil {
			return nil, err
		}
		answers[key] = answer
	}
	return answers, nil
}

// askLegacy sends a request to the client and waits for its response.
func (r *Request) askLegacy(ctx context.Context, question mcp.InputRequest) (json.RawMessage, error) {
	if !question.In(r.rev) || question.Missing(r.client) != (mcp.ClientCapabilities{}) || !r.session.isInitialized() {
		return nil, &Failure{Text: "the client cannot answer " + question.Method()}
	}
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	id, response := r.session.expect()
	defer r.session.forget(id)
	if err := r.out.Notify(ctx, jsonrpc.AppendCall(nil, id, question.Method(), question.Params(r.rev))); err != nil {
		return nil, err
	}
	select {
	case m := <-response:
		if m.Error != nil {
			return nil, &Failure{Text: "the client refused " + question.Method(), Cause: fmt.Errorf("client error %s", shorten(string(m.Error)))}
		}
		if !isAnswer(question, m.Result) {
			return nil, &Failure{Text: "the client's answer to " + question.Method() + " does not fit the question"}
		}
		return json.RawMessage(m.Result), nil
	case <-r.session.deaf:
		return nil, &Failure{Text: "the client has left without an answer to " + question.Method()}
	case <-ctx.Done():
		o := rawjson.Begin(nil)
		o.Set(id.AppendJSON(o.Name("requestId")))
		_ = r.out.Notify(context.WithoutCancel(ctx), jsonrpc.AppendCall(nil, jsonrpc.ID{}, mcp.NotifyCancelled, o.End()))
		return nil, &Failure{Text: "the client did not answer " + question.Method() + " in time", Cause: ctx.Err()}
	}
}

// expect books an id for a request to the client.
func (s *session) expect() (jsonrpc.ID, <-chan jsonrpc.Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nextID++
	id := jsonrpc.IntID(s.nextID)
	response := make(chan jsonrpc.Message, 1)
	if s.pending == nil {
		s.pending = map[jsonrpc.ID]chan jsonrpc.Message{}
	}
	s.pending[id] = response
	return id, response
}

func (s *session) forget(id jsonrpc.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.pending, id)
}

// deliver hands a response of the client to whoever waits for it. Nobody waits
// for responses in the modern era, nor twice for the same one.
func (s *session) deliver(m jsonrpc.Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if waiting := s.pending[m.ID]; waiting != nil {
		delete(s.pending, m.ID)
		waiting <- m
	}
}

// askModern returns the answers the request came with, or the questions that
// are still open as an error.
func (r *Request) askModern(questions map[string]mcp.InputRequest) (map[string]json.RawMessage, error) {
	r.asking.Lock()
	defer r.asking.Unlock()
	answers := map[string]json.RawMessage{}
	open := map[string]mcp.InputRequest{}
	for key, question := range questions {
		answer, ok := r.answers[key]
		if !ok || !isAnswer(question, answer) {
			open[key] = question
			continue
		}
		answers[key] = answer
		if r.used == nil {
			r.used = map[string]json.RawMessage{}
		}
		r.used[key] = answer
	}
	if len(open) > 0 {
		return nil, &inputRequired{questions: open, state: r.seal()}
	}
	return answers, nil
}

// isAnswer says whether a checked answer fits its question, a filled-in form
// its schema, too.
func isAnswer(question mcp.InputRequest, answer []byte) bool {
	if !question.Accepts(answer) {
		return false
	}
	form, _ := mcp.ParseElicitResult(answer)
	if question.Form() == nil || form.Action != "accept" {
		return true
	}
	schema, err := jsonschema.Compile(question.Form())
	return err == nil && len(schema.Validate(form.Content)) == 0
}

// inputRequired is the result that asks a modern client for more. It passes
// through handlers as an error.
type inputRequired struct {
	questions map[string]mcp.InputRequest
	state     string
}

func (*inputRequired) Error() string { return "input required" }

// AppendMembers implements mcp.Result.
func (i *inputRequired) AppendMembers(dst []byte, rev *mcp.Revision) ([]byte, error) {
	dst = append(dst, `"inputRequests":`...)
	all := rawjson.Begin(dst)
	for _, key := range slices.Sorted(maps.Keys(i.questions)) {
		one := rawjson.Begin(all.Name(key))
		one.String("method", i.questions[key].Method())
		one.Raw("params", i.questions[key].Params(rev))
		all.Set(one.End())
	}
	dst = append(all.End(), `,"requestState":`...)
	return rawjson.AppendString(dst, i.state), nil
}

// ResultMeta implements mcp.Result.
func (*inputRequired) ResultMeta() mcp.Meta { return nil }

// takeAnswers reads what a modern client brought back from an earlier round.
func (r *Request) takeAnswers() error {
	if !r.rev.Modern {
		return nil
	}
	if r.params.requestState == nil && r.params.inputResponses == nil {
		return nil
	}
	r.answers = map[string]json.RawMessage{}
	if r.params.requestState != nil {
		r.retried = true
		state, ok := rawjson.String(r.params.requestState)
		if !ok || !r.unseal(state) {
			return invalidParams("requestState is not valid, or no longer: send the request again without it")
		}
	}
	if r.params.inputResponses == nil {
		return nil
	}
	r.retried = true
	if rawjson.KindOf(r.params.inputResponses) != rawjson.Object {
		return invalidParams("inputResponses must be an object")
	}
	for key, value := range rawjson.Members(r.params.inputResponses) {
		r.answers[string(key)] = value
	}
	return nil
}

// seal writes the answers used so far as a string only this server can have
// made, good for this request and for a while.
func (r *Request) seal() string {
	o := rawjson.Begin(nil)
	o.Int("expires", r.session.srv.opts.Now().Add(stateLifetime).Unix())
	o.String("request", r.digest())
	o.Set(mcp.Meta(r.used).AppendJSON(o.Name("answers")))
	payload := base64.RawURLEncoding.EncodeToString(o.End())
	return payload + "." + r.session.srv.sign(payload)
}

// unseal takes the answers out of a sealed state, if it is one for this
// request.
func (r *Request) unseal(state string) bool {
	srv := r.session.srv
	payload, signature, _ := strings.Cut(state, ".")
	if !hmac.Equal([]byte(signature), []byte(srv.sign(payload))) {
		return false
	}
	text, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil {
		return false
	}
	var sealed struct {
		Expires int64
		Request string
		Answers map[string]json.RawMessage
	}
	if json.Unmarshal(text, &sealed) != nil || sealed.Request != r.digest() ||
		srv.opts.Now().Unix() > sealed.Expires {
		return false
	}
	maps.Copy(r.answers, sealed.Answers)
	return true
}

func (srv *Server) sign(payload string) string {
	mac := hmac.New(sha256.New, srv.stateKey)
	mac.Write([]byte(payload))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// digest stands for the caller, the method and its params, however they were
// spelled.
func (r *Request) digest() string {
	parts := []any{r.principal, r.methodName}
	for _, raw := range [][]byte{r.params.name, r.params.arguments, r.params.uri} {
		var value any
		if raw != nil {
			var err error
			if value, err = rawjson.Decode(raw); err != nil {
				value = string(raw)
			}
		}
		parts = append(parts, value)
	}
	text, _ := rawjson.Append(nil, parts) // decoded JSON can be written again
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
