package crooked

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
)

// A change bends the value of a message.
type change func(root any)

type (
	saying  = func(*Chat, Message) [][]byte
	hearing = func(*Chat, []byte) ([][]byte, bool)
)

// missing is the value of what is taken away.
type missing struct{}

// set gives a place another value. The place is a path like result/tools/0/name;
// * stands for every element, and ~ for a slash in a name. The value is JSON, or missing{}.
func set(path string, value any) change {
	return func(root any) { put(root, strings.Split(path, "/"), value) }
}

// drop takes a member away.
func drop(path string) change { return set(path, missing{}) }

func put(at any, path []string, value any) {
	name, last := strings.ReplaceAll(path[0], "~", "/"), len(path) == 1
	switch container := at.(type) {
	case map[string]any:
		if name == "*" {
			for key := range container {
				put(container, append([]string{key}, path[1:]...), value)
			}
			return
		}
		_, gone := value.(missing)
		switch {
		case last && gone:
			delete(container, name)
		case last:
			container[name] = value
		default:
			if container[name] == nil {
				container[name] = map[string]any{}
			}
			put(container[name], path[1:], value)
		}
	case []any:
		for i := range container {
			if name != "*" && strconv.Itoa(i) != name {
				continue
			}
			if last {
				container[i] = value
			} else {
				put(container[i], path[1:], value)
			}
		}
	}
}

// js is JSON text as a value.
func js(text string) any {
	value, err := rawjson.Decode([]byte(text))
	if err != nil || rawjson.Check([]byte(text), rawjson.Limits{}) != nil {
		panic(fmt.Sprintf("%s is no JSON: %v", text, err)) // a constant of this package
	}
	return value
}

// bend changes a message.
func bend(message []byte, changes ...change) []byte {
	value, err := rawjson.Decode(message)
	if err != nil {
		return message
	}
	for _, change := range changes {
		change(value)
	}
	text, err := rawjson.Append(nil, value)
	if err != nil {
		panic(err) // the changes are constants of this package
	}
	return text
}

// when says what is said in place of messages that a test picks.
func when(picked func(*Chat, Message) bool, say func(*Chat, Message) [][]byte) saying {
	return func(c *Chat, m Message) [][]byte {
		if picked(c, m) {
			return say(c, m)
		}
		return one(m.Raw)
	}
}

// result bends the results of a method; the empty one is any.
func result(method string, changes ...change) saying {
	return when(func(_ *Chat, m Message) bool { return m.isResult(method) },
		func(_ *Chat, m Message) [][]byte { return one(bend(m.Raw, changes...)) })
}

// refusal bends the errors in answer to a method.
func refusal(method string, changes ...change) saying {
	return when(func(_ *Chat, m Message) bool { return m.isError(method) },
		func(_ *Chat, m Message) [][]byte { return one(bend(m.Raw, changes...)) })
}

// instead answers a method with something else: body is the text of a member.
func instead(method, body string) saying {
	return when(func(_ *Chat, m Message) bool { return m.answers(method) },
		func(_ *Chat, m Message) [][]byte { return one(response(m.Asked, body)) })
}

// before says other messages before the answer to a method.
func before(method string, messages ...string) saying {
	return when(func(_ *Chat, m Message) bool { return m.answers(method) },
		func(_ *Chat, m Message) [][]byte { return append(frames(messages), m.Raw) })
}

func frames(texts []string) [][]byte {
	var all [][]byte
	for _, text := range texts {
		all = append(all, []byte(text))
	}
	return all
}

// reply answers requests of a method before the server sees them: body is the
// text of a member.
func reply(method, body string) hearing {
	return replyIf(func(message []byte) bool { return methodOf(message) == method }, body)
}

func replyIf(picked func([]byte) bool, body string) hearing {
	return func(_ *Chat, message []byte) ([][]byte, bool) {
		if !picked(message) {
			return nil, false
		}
		return one(response(message, body)), true
	}
}

// swallow leaves messages unanswered.
func swallow(picked func([]byte) bool) hearing {
	return func(_ *Chat, message []byte) ([][]byte, bool) { return nil, picked(message) }
}

// asks says whether a message is one of a method.
func asks(method string) func([]byte) bool {
	return func(message []byte) bool { return methodOf(message) == method }
}

// listing bends the first page of the list of tools, on which the first tool is
// one with a little of everything.
func listing(changes ...change) saying {
	return when(func(_ *Chat, m Message) bool {
		return m.isResult(mcp.MethodListTools) && param(m.Asked, "cursor") == ""
	},
		func(_ *Chat, m Message) [][]byte { return one(bend(m.Raw, changes...)) })
}

// property lists the first tool with another property, which has a schema.
func property(text string) saying {
	return listing(set("result/tools/0/inputSchema/properties/more", js(text)))
}

// number is a number as JSON writes it.
func number(text string) json.Number { return json.Number(text) }
