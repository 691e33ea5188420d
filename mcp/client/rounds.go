package client

import (
	"context"
	"encoding/json"
	"fmt"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
)

// asks are the methods that a modern server may answer with questions.
var asks = map[string]bool{mcp.MethodCallTool: true, mcp.MethodReadResource: true, mcp.MethodGetPrompt: true}

// complete sends a request and answers what a modern server asks back, round
// after round, until there is a result.
func (s *Session) complete(ctx context.Context, rq request) (json.RawMessage, error) {
	params := rq.params
	for round := 0; ; round++ {
		result, err := s.send(ctx, &rq)
		if err != nil {
			return nil, err
		}
		if rawjson.KindOf(result) != rawjson.Object {
			return nil, &ProtocolError{Reason: "the result of " + rq.method + " is not an object", Message: result}
		}
		if !s.Revision().Modern {
			return result, nil
		}
		kind := rawjson.Member(result, "resultType")
		switch {
		case kind == nil, rawjson.IsString(kind, "complete"):
			return result, nil
		case !rawjson.IsString(kind, "input_required"), !asks[rq.method]:
			return nil, &ProtocolError{Reason: fmt.Sprintf("resultType %.40s in answer to %s", kind, rq.method), Message: result}
		case round >= s.opts.Limits.Rounds:
			return nil, &InputRequiredError{Reason: fmt.Sprintf("still after %d rounds", round), Result: result}
		}
		if rq.params, err = s.respond(ctx, params, result); err != nil {
			return nil, fmt.Errorf("%s: %w", rq.method, err)
		}
	}
}

// respond makes the params of the next round: those of the first, the answers
// to what was asked, and the state as it came.
func (s *Session) respond(ctx context.Context, params, result []byte) ([]byte, error) {
	questions, state := rawjson.Member(result, "inputRequests"), rawjson.Member(result, "requestState")
	if questions == nil && state == nil {
		return nil, &ProtocolError{Reason: "input_required without inputRequests and requestState", Message: result}
	}
	if questions != nil && rawjson.KindOf(questions) != rawjson.Object {
		return nil, &ProtocolError{Reason: "inputRequests is not an object", Message: result}
	}
	o := rawjson.Begin(nil)
	for name, value := range rawjson.Members(params) {
		o.Raw(string(name), value)
	}
	if questions != nil {
		answers := rawjson.Begin(o.Name("inputResponses"))
		for key, question := range rawjson.Members(questions) {
			method := text(rawjson.Member(question, "method"))
			if !s.offers(method) {
				return nil, &InputRequiredError{Reason: fmt.Sprintf("%.60q is not offered", method), Result: result}
			}
			answer, err := s.answer(ctx, method, rawjson.Member(question, "params"))
			if err != nil {
				return nil, fmt.Errorf("answering %s: %w", method, err)
			}
			answers.Raw(string(key), answer)
		}
		o.Set(answers.End())
	}
	if state != nil {
		o.Raw("requestState", state)
	}
	return o.End(), nil
}
