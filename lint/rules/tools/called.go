package tools

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// A call is a tools/call of a tool that was called, with its answer.
type call struct {
	step   *lint.Step
	tool   string
	answer *lint.Message
}

func (c call) subject() lint.Subject { return lint.Subject{Kind: "tool", Name: c.tool} }

// calls are those of steps with one of some names that were answered.
func calls(v *lint.View, stepNames ...string) []call {
	var all []call
	for _, name := range stepNames {
		for _, s := range v.Steps(name) {
			if answer := s.Answer(); answer != nil && s.Talk().Phase == step.Calling {
				all = append(all, call{s, s.About, answer})
			}
		}
	}
	if len(all) == 0 {
		v.NotApplicable("no tool could be called for it")
	}
	return all
}

// results are the calls that ended with a result: not with an error, a question
// to the client, or a task.
func results(v *lint.View) []call {
	var all []call
	for _, c := range calls(v, step.Call, step.CallAgain, step.CallMissing, step.CallWrongType, step.CallAnswered) {
		if c.answer.HasResult() && !c.pending() {
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		v.NotApplicable("no call had a result")
	}
	return all
}

// pending says whether the result is yet to come.
func (c call) pending() bool {
	return rawjson.IsString(c.member("resultType"), "input_required") || rawjson.KindOf(c.member("task")) == rawjson.Object
}

func (c call) member(path ...string) []byte { return lint.Member(c.answer.Result, path...) }

// failed says whether the result is that of a tool that has failed.
func (c call) failed() bool { return string(c.member("isError")) == "true" }

// blocks are the elements of content, up to 1,000.
func (c call) blocks() [][]byte {
	var list [][]byte
	for block := range rawjson.Elements(c.member("content")) {
		if list = append(list, block); len(list) == 1000 {
			break
		}
	}
	return list
}

// toolOf finds a tool in the list of the main talk of the same era; ok is false
// if it is not there.
func toolOf(v *lint.View, c call) (item lint.Item, ok bool) {
	for _, t := range v.Talks(step.Main) {
		if t.Modern != c.step.Talk().Modern {
			continue
		}
		for _, item := range t.Items(step.List, mcp.MethodListTools) {
			if item.Name == c.tool {
				return item, true
			}
		}
	}
	return item, false
}
