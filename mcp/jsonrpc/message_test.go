package jsonrpc_test

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp/jsonrpc"
)

// A parsed message as text, to be compared.
type envelope struct {
	ID, Method, Params, Result, Error string
}

func envelopeOf(m jsonrpc.Message) envelope {
	e := envelope{Method: m.Method, Params: string(m.Params), Result: string(m.Result), Error: string(m.Error)}
	if !m.ID.IsZero() {
		e.ID = m.ID.String()
	}
	return e
}

func TestParseAccepts(t *testing.T) {
	for name, test := range map[string]struct {
		frame string
		want  envelope
	}{
		"request":                    {`{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1}}`, envelope{ID: "1", Method: "m", Params: `{"a":1}`}},
		"notification":               {`{"jsonrpc":"2.0","method":"m"}`, envelope{Method: "m"}},
		"params null is absent":      {`{"jsonrpc":"2.0","id":1,"method":"m","params":null}`, envelope{ID: "1", Method: "m"}},
		"params array":               {`{"jsonrpc":"2.0","id":1,"method":"m","params":[1]}`, envelope{ID: "1", Method: "m", Params: `[1]`}},
		"string id":                  {`{"jsonrpc":"2.0","id":"1","method":"m"}`, envelope{ID: `"1"`, Method: "m"}},
		"empty string id":            {`{"jsonrpc":"2.0","id":"","method":"m"}`, envelope{ID: `""`, Method: "m"}},
		"zero id":                    {`{"jsonrpc":"2.0","id":0,"method":"m"}`, envelope{ID: `0`, Method: "m"}},
		"negative id":                {`{"jsonrpc":"2.0","id":-7,"method":"m"}`, envelope{ID: `-7`, Method: "m"}},
		"id beyond 64 bits":          {`{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"m"}`, envelope{ID: `123456789012345678901234567890`, Method: "m"}},
		"escaped id":                 {`{"jsonrpc":"2.0","id":"\u0041\/","method":"m"}`, envelope{ID: `"A/"`, Method: "m"}},
		"escaped method":             {`{"jsonrpc":"2.0","id":1,"method":"tools\/list"}`, envelope{ID: "1", Method: "tools/list"}},
		"escaped member name":        {`{"jsonrpc":"2.0","\u0069d":1,"method":"m"}`, envelope{ID: "1", Method: "m"}},
		"unknown members":            {`{"x":[{}],"jsonrpc":"2.0","ID":2,"method":"m"}`, envelope{Method: "m"}},
		"white space":                {" {\t\"jsonrpc\" : \"2.0\" , \"id\" : 1 , \"method\" : \"m\" } ", envelope{ID: "1", Method: "m"}},
		"result":                     {`{"jsonrpc":"2.0","id":1,"result":{}}`, envelope{ID: "1", Result: `{}`}},
		"result null":                {`{"jsonrpc":"2.0","id":1,"result":null}`, envelope{ID: "1", Result: `null`}},
		"error":                      {`{"jsonrpc":"2.0","id":1,"error":{"code":-1}}`, envelope{ID: "1", Error: `{"code":-1}`}},
		"error with a null id":       {`{"jsonrpc":"2.0","id":null,"error":{}}`, envelope{Error: `{}`}},
		"error without an id":        {`{"jsonrpc":"2.0","error":{}}`, envelope{Error: `{}`}},
		"members in another order":   {`{"params":{},"method":"m","id":1,"jsonrpc":"2.0"}`, envelope{ID: "1", Method: "m", Params: `{}`}},
		"member names match exactly": {`{"jsonrpc":"2.0","id":1,"method":"m","Params":{"a":1},"PARAMS":{}}`, envelope{ID: "1", Method: "m"}},
	} {
		t.Run(name, func(t *testing.T) {
			if err := jsonrpc.Check([]byte(test.frame), rawjson.Limits{}); err != nil {
				t.Fatalf("Check: %v", err)
			}
			m, err := jsonrpc.Parse([]byte(test.frame))
			if err != nil {
				t.Fatalf("Parse: %v", err)
			}
			if diff := cmp.Diff(test.want, envelopeOf(m)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			isRequest, isResponse := test.want.Method != "" && test.want.ID != "", test.want.Method == ""
			if m.IsRequest() != isRequest || m.IsResponse() != isResponse {
				t.Errorf("IsRequest %v, IsResponse %v", m.IsRequest(), m.IsResponse())
			}
		})
	}
}

// The id comes back with the error exactly where an answer may carry it.
func TestParseRefusesAndKeepsReadableID(t *testing.T) {
	for name, test := range map[string]struct{ frame, id string }{
		"not an object":                 {`7`, ""},
		"a string":                      {`"hello"`, ""},
		"null":                          {`null`, ""},
		"no version":                    {`{"id":1,"method":"m"}`, "1"},
		"old version":                   {`{"jsonrpc":"1.0","id":1,"method":"m"}`, "1"},
		"version is a number":           {`{"jsonrpc":2.0,"id":1,"method":"m"}`, "1"},
		"BASE-2 null id":                {`{"jsonrpc":"2.0","id":null,"method":"m"}`, ""},
		"BASE-2 fractional id":          {`{"jsonrpc":"2.0","id":1.5,"method":"m"}`, ""},
		"BASE-2 id with a zero decimal": {`{"jsonrpc":"2.0","id":1.0,"method":"m"}`, ""},
		"BASE-2 id with an exponent":    {`{"jsonrpc":"2.0","id":1e3,"method":"m"}`, ""},
		"BASE-2 boolean id":             {`{"jsonrpc":"2.0","id":true,"method":"m"}`, ""},
		"BASE-2 object id":              {`{"jsonrpc":"2.0","id":{},"method":"m"}`, ""},
		"BASE-2 array id":               {`{"jsonrpc":"2.0","id":[1],"method":"m"}`, ""},
		"method is a number":            {`{"jsonrpc":"2.0","id":1,"method":7}`, "1"},
		"method is null":                {`{"jsonrpc":"2.0","id":1,"method":null}`, "1"},
		"method is empty":               {`{"jsonrpc":"2.0","id":1,"method":""}`, "1"},
		"params is a string":            {`{"jsonrpc":"2.0","id":1,"method":"m","params":"x"}`, "1"},
		"params is a number":            {`{"jsonrpc":"2.0","id":1,"method":"m","params":1}`, "1"},
		"params is a boolean":           {`{"jsonrpc":"2.0","id":1,"method":"m","params":false}`, "1"},
		"method and result":             {`{"jsonrpc":"2.0","id":1,"method":"m","result":{}}`, "1"},
		"method and error":              {`{"jsonrpc":"2.0","id":1,"method":"m","error":{}}`, "1"},
		"nothing but an id":             {`{"jsonrpc":"2.0","id":1}`, "1"},
		"id twice":                      {`{"jsonrpc":"2.0","id":1,"id":1,"method":"m"}`, ""},
		"method twice":                  {`{"jsonrpc":"2.0","id":1,"method":"m","method":"n"}`, ""},
		"method twice, once escaped":    {`{"jsonrpc":"2.0","id":1,"method":"m","\u006dethod":"n"}`, ""},
		"BASE-5 result and error":       {`{"jsonrpc":"2.0","id":1,"result":{},"error":{}}`, ""},
		"BASE-5 result without an id":   {`{"jsonrpc":"2.0","result":{}}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if err := jsonrpc.Check([]byte(test.frame), rawjson.Limits{}); err != nil {
				t.Fatalf("Check: %v", err)
			}
			m, err := jsonrpc.Parse([]byte(test.frame))
			if err == nil {
				t.Fatalf("accepted as %+v", envelopeOf(m))
			}
			if err.Code != jsonrpc.InvalidRequest {
				t.Errorf("code %d", err.Code)
			}
			if got := envelopeOf(m).ID; got != test.id {
				t.Errorf("id %q, want %q", got, test.id)
			}
		})
	}
}

func TestCheckTellsBadJSONFromTooMuch(t *testing.T) {
	limits := rawjson.Limits{Depth: 3, StringBytes: 8}
	for frame, want := range map[string]int{
		`{"jsonrpc":"2.0"}`: 0,
		`[[[]]]`:            0,
		`[[[[]]]]`:          jsonrpc.InvalidRequest,
		`"12345678"`:        0,
		`"123456789"`:       jsonrpc.InvalidRequest,
		``:                  jsonrpc.ParseError,
		`{`:                 jsonrpc.ParseError,
		`{"a":1,}`:          jsonrpc.ParseError,
		`{} {}`:             jsonrpc.ParseError,
		"{\"a\":\"\xff\"}":  jsonrpc.ParseError,
		`"\ud800"`:          jsonrpc.ParseError,
		"\ufeff{}":          jsonrpc.ParseError,
		`NaN`:               jsonrpc.ParseError,
		`01`:                jsonrpc.ParseError,
	} {
		got := 0
		if err := jsonrpc.Check([]byte(frame), limits); err != nil {
			got = err.Code
			if strings.Contains(err.Message, "byte") {
				t.Errorf("%q: the message shows internals: %s", frame, err.Message)
			}
		}
		if got != want {
			t.Errorf("Check(%q) = %d, want %d", frame, got, want)
		}
	}
}

func TestBatch(t *testing.T) {
	for frame, want := range map[string][]string{
		`[]`:                  nil,
		` [ 1 , {"a":[2]} ] `: {`1`, `{"a":[2]}`},
		`[[1,2],"]"]`:         {`[1,2]`, `"]"`},
	} {
		elements, ok := jsonrpc.Batch([]byte(frame))
		var got []string
		for _, element := range elements {
			got = append(got, string(element))
		}
		if diff := cmp.Diff(want, got); diff != "" || !ok {
			t.Errorf("Batch(%s) ok=%v, -want +got:\n%s", frame, ok, diff)
		}
	}
	for _, frame := range []string{`{}`, `"["`, `7`, `null`} {
		if _, ok := jsonrpc.Batch([]byte(frame)); ok {
			t.Errorf("%s is no batch", frame)
		}
	}
}

func TestAppend(t *testing.T) {
	id := jsonrpc.StringID("a\"b\n")
	for _, test := range []struct{ got, want string }{
		{string(jsonrpc.AppendResponse([]byte("x"), jsonrpc.IntID(3))), `x{"jsonrpc":"2.0","id":3,"result":`},
		{string(jsonrpc.AppendCall(nil, id, "m\t", []byte(`{"k":1}`))), `{"jsonrpc":"2.0","id":"a\"b\n","method":"m\t","params":{"k":1}}`},
		{string(jsonrpc.AppendCall(nil, jsonrpc.ID{}, "m", nil)), `{"jsonrpc":"2.0","method":"m"}`},
		{string(jsonrpc.AppendErrorResponse(nil, jsonrpc.ID{}, &jsonrpc.Error{Code: -1, Message: "no"}, false)), `{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"no"}}`},
		{string(jsonrpc.AppendErrorResponse(nil, jsonrpc.ID{}, &jsonrpc.Error{Code: -1, Message: "no"}, true)), `{"jsonrpc":"2.0","error":{"code":-1,"message":"no"}}`},
		{string(jsonrpc.AppendErrorResponse(nil, id, &jsonrpc.Error{Code: -1, Message: "no"}, true)), `{"jsonrpc":"2.0","id":"a\"b\n","error":{"code":-1,"message":"no"}}`},
	} {
		if test.got != test.want {
			t.Errorf("got  %s\nwant %s", test.got, test.want)
		}
	}
}

func TestErrorObject(t *testing.T) {
	for _, test := range []struct {
		err  jsonrpc.Error
		want string
	}{
		{jsonrpc.Error{Code: -32602, Message: "bad \x00 \"thing\""}, `{"code":-32602,"message":"bad \u0000 \"thing\""}`},
		{jsonrpc.Error{Code: 7, Message: "", Data: map[string]any{"b": 1, "a": []any{"x"}}}, `{"code":7,"message":"","data":{"a":["x"],"b":1}}`},
		{jsonrpc.Error{Code: 7, Message: "m", Data: json.RawMessage(` {"a" : 1} `)}, `{"code":7,"message":"m","data":{"a":1}}`},
		{jsonrpc.Error{Code: 7, Message: "m", Data: func() {}}, `{"code":7,"message":"m"}`},
		{jsonrpc.Error{Code: 7, Message: "m", Data: []any{1, func() {}}}, `{"code":7,"message":"m"}`},
		{jsonrpc.Error{Code: 7, Message: "m", Cause: errors.New("secret path")}, `{"code":7,"message":"m"}`},
	} {
		if got := string(test.err.AppendJSON(nil)); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

func TestErrorsCompareByCode(t *testing.T) {
	var err error = &jsonrpc.Error{Code: jsonrpc.InvalidParams, Message: "one", Cause: io.EOF}
	if !errors.Is(err, &jsonrpc.Error{Code: jsonrpc.InvalidParams, Message: "two"}) {
		t.Error("errors of one code do not match")
	}
	if errors.Is(err, &jsonrpc.Error{Code: jsonrpc.InternalError}) {
		t.Error("errors of two codes match")
	}
	if !errors.Is(err, io.EOF) {
		t.Error("the cause is not found")
	}
	if err.Error() != "one (code -32602)" {
		t.Errorf("text %q", err)
	}
}

func TestZeroID(t *testing.T) {
	var id jsonrpc.ID
	text, err := json.Marshal(map[string]any{"id": id, "other": jsonrpc.IntID(5)})
	if !id.IsZero() || string(text) != `{"id":null,"other":5}` || err != nil {
		t.Errorf("zero id: %v %s %v", id.IsZero(), text, err)
	}
	if jsonrpc.StringID("").IsZero() || jsonrpc.IntID(0).IsZero() {
		t.Error("an empty string and zero are ids")
	}
}
