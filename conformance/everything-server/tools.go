package main

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/server"
)

// A fixture is the server and what its tools change.
type fixture struct {
	server *server.Server

	mu    sync.Mutex
	extra bool // whether the tool or prompt that comes and goes is there
}

type handler = func(context.Context, *server.ToolCall) (*mcp.CallToolResult, error)

const noArguments = `{"type":"object","properties":{}}`

func tool(name, description, schema string, handle handler) server.Tool {
	return server.Tool{
		Tool: mcp.Tool{
			Name: name, Description: description, InputSchema: json.RawMessage(schema),
			Annotations: &mcp.ToolAnnotations{ReadOnly: true, Idempotent: true},
		},
		Handler: handle,
	}
}

// says makes a handler that always gives the same blocks.
func says(blocks ...mcp.Content) handler {
	return func(context.Context, *server.ToolCall) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: blocks}, nil
	}
}

var embedded = mcp.EmbeddedResource{Contents: mcp.ResourceContents{
	URI: "test://embedded-resource", MIMEType: "text/plain", Text: "This is an embedded resource content.",
}}

func (f *fixture) tools() []server.Tool {
	tools := []server.Tool{
		tool("test_simple_text", "Returns one text block.", noArguments,
			says(mcp.Text{Text: "This is a simple text response for testing."})),
		tool("test_image_content", "Returns an image.", noArguments, says(mcp.Image{Data: redPixel, MIMEType: "image/png"})),
		tool("test_audio_content", "Returns a sound.", noArguments, says(mcp.Audio{Data: silence, MIMEType: "audio/wav"})),
		tool("test_embedded_resource", "Returns a resource.", noArguments, says(embedded)),
		tool("test_multiple_content_types", "Returns text, an image and a resource.", noArguments,
			says(mcp.Text{Text: "Multiple content types test:"}, mcp.Image{Data: redPixel, MIMEType: "image/png"}, embedded)),
		tool("test_tool_with_logging", "Logs three messages while it works.", noArguments, logThrice),
		tool("test_tool_with_progress", "Reports progress while it works.", noArguments, reportProgress),
		tool("test_error_handling", "Always fails.", noArguments, func(context.Context, *server.ToolCall) (*mcp.CallToolResult, error) {
			return mcp.ErrorResult("This tool intentionally returns an error for testing"), nil
		}),
		tool("test_sampling", "Asks the client's model.", promptArgument, askModel),
		tool("test_elicitation", "Asks the user.", messageArgument, askUser),
		tool("test_elicitation_sep1034_defaults", "Asks the user with defaults.", noArguments, askForm(defaultsForm)),
		tool("test_elicitation_sep1330_enums", "Asks the user to choose.", noArguments, askForm(enumsForm)),
		tool("test_reconnection", "Closes the stream in the middle of the call.", noArguments, reconnect),
		tool("json_schema_2020_12_tool", "Has an input schema with everything.", richSchema, says(mcp.Text{Text: "ok"})),
		tool("test_x_mcp_header", "Has an argument that is mirrored in a header.", headerSchema, says(mcp.Text{Text: "ok"})),
		tool("test_missing_capability", "Needs sampling.", noArguments, needSampling),
		tool("test_streaming_elicitation", "Streams without asking.", noArguments, streamOnly),
		tool("test_logging_tool", "Tries to log.", noArguments, logThrice),
		tool("test_trigger_tool_change", "Changes the list of tools.", noArguments, f.changeTools),
		tool("test_trigger_prompt_change", "Changes the list of prompts.", noArguments, f.changePrompts),
	}
	return append(tools, inputTools()...)
}

func logThrice(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	for _, text := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
		call.Log(ctx, mcp.LevelInfo, "", text)
		if err := pause(ctx, 50*time.Millisecond); err != nil {
			return nil, err
		}
	}
	return mcp.TextResult("Tool with logging executed successfully"), nil
}

func reportProgress(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	for _, done := range []float64{0, 50, 100} {
		call.Progress(ctx, done, 100, fmt.Sprintf("Completed step %v of 100", done))
		if err := pause(ctx, 50*time.Millisecond); err != nil {
			return nil, err
		}
	}
	return mcp.TextResult("done"), nil
}

func streamOnly(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	call.Progress(ctx, 1, 2, "half way")
	if err := pause(ctx, 50*time.Millisecond); err != nil {
		return nil, err
	}
	return mcp.TextResult("streamed"), nil
}

func reconnect(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	call.CloseStream(500 * time.Millisecond)
	if err := pause(ctx, 100*time.Millisecond); err != nil {
		return nil, err
	}
	return mcp.TextResult("Reconnection test completed successfully. If you received this, the client properly reconnected after stream closure."), nil
}

func pause(ctx context.Context, wait time.Duration) error {
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Questions to legacy clients while the call is open; modern ones answer in
// further rounds.

const (
	promptArgument  = `{"type":"object","properties":{"prompt":{"type":"string","description":"What to ask"}},"required":["prompt"]}`
	messageArgument = `{"type":"object","properties":{"message":{"type":"string","description":"What to show"}},"required":["message"]}`
	userForm        = `{"type":"object","properties":{"username":{"type":"string","description":"User's response"},"email":{"type":"string","description":"User's email address"}},"required":["username","email"]}`
	defaultsForm    = `{"type":"object","properties":{"name":{"type":"string","description":"User name","default":"John Doe"},"age":{"type":"integer","description":"User age","default":30},"score":{"type":"number","description":"User score","default":95.5},"status":{"type":"string","description":"User status","enum":["active","inactive","pending"],"default":"active"},"verified":{"type":"boolean","description":"Verification status","default":true}},"required":[]}`
	enumsForm       = `{"type":"object","properties":{` +
		`"untitledSingle":{"type":"string","description":"Select one option","enum":["option1","option2","option3"]},` +
		`"titledSingle":{"type":"string","description":"Select one option with titles","oneOf":[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},` +
		`"legacyEnum":{"type":"string","description":"Select one option (legacy)","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},` +
		`"untitledMulti":{"type":"array","description":"Select multiple options","minItems":1,"maxItems":3,"items":{"type":"string","enum":["option1","option2","option3"]}},` +
		`"titledMulti":{"type":"array","description":"Select multiple options with titles","minItems":1,"maxItems":3,"items":{"anyOf":[{"const":"value1","title":"First Choice"},{"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}},"required":[]}`
)

func askModel(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	prompt := call.Arguments["prompt"].(string)
	answers, err := call.Ask(ctx, map[string]mcp.InputRequest{"answer": sampling(prompt)})
	if err != nil {
		return nil, err
	}
	return mcp.TextResult("LLM response: " + samplingText(answers["answer"])), nil
}

func askUser(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	message := call.Arguments["message"].(string)
	return answerForm(ctx, call, message, userForm)
}

func askForm(schema string) handler {
	return func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
		return answerForm(ctx, call, "Please fill in the form", schema)
	}
}

func answerForm(ctx context.Context, call *server.ToolCall, message, schema string) (*mcp.CallToolResult, error) {
	answers, err := call.Ask(ctx, map[string]mcp.InputRequest{"form": mcp.ElicitForm(message, json.RawMessage(schema))})
	if err != nil {
		return nil, err
	}
	form, ok := mcp.ParseElicitResult(answers["form"])
	if !ok {
		return nil, &server.Failure{Text: "the client's answer is not a form"}
	}
	content, err := json.Marshal(form.Content)
	if err != nil {
		return nil, err
	}
	return mcp.TextResult(fmt.Sprintf("User response: action=%s, content=%s", form.Action, content)), nil
}

func sampling(prompt string) mcp.InputRequest {
	params, err := json.Marshal(map[string]any{
		"messages":  []any{map[string]any{"role": "user", "content": map[string]any{"type": "text", "text": prompt}}},
		"maxTokens": 100,
	})
	if err != nil {
		panic(err) // strings and numbers can always be written
	}
	return mcp.CreateMessage(params)
}

func samplingText(raw json.RawMessage) string {
	var answer struct {
		Content struct{ Text string }
	}
	if json.Unmarshal(raw, &answer) != nil || answer.Content.Text == "" {
		return "No response"
	}
	return answer.Content.Text
}

func needSampling(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	if !call.ClientCapabilities().Sampling {
		return nil, mcp.MissingCapability(mcp.ClientCapabilities{Sampling: true})
	}
	return mcp.TextResult("sampling is there"), nil
}

// changeTools and changePrompts let something come and go.
func (f *fixture) changeTools(context.Context, *server.ToolCall) (*mcp.CallToolResult, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.extra = !f.extra
	tools := f.tools()
	if f.extra {
		tools = append(tools, tool("test_extra_tool", "Comes and goes.", noArguments, says(mcp.Text{Text: "here"})))
	}
	return mcp.TextResult("tools changed"), f.server.SetTools(tools...)
}

func (f *fixture) changePrompts(context.Context, *server.ToolCall) (*mcp.CallToolResult, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.extra = !f.extra
	prompts := f.prompts()
	if f.extra {
		prompts = append(prompts, prompt("test_extra_prompt", "Comes and goes."))
	}
	return mcp.TextResult("prompts changed"), f.server.SetPrompts(prompts...)
}

// inputTools ask modern clients in rounds.
func inputTools() []server.Tool {
	const prefix = "test_input_required_result_"
	nameForm := mcp.ElicitForm("What is your name?", json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`))
	confirm := mcp.ElicitForm("Please confirm", json.RawMessage(`{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}`))
	step := func(n int, field string) mcp.InputRequest {
		return mcp.ElicitForm(fmt.Sprintf("Step %d", n), json.RawMessage(`{"type":"object","properties":{"`+field+`":{"type":"string"}},"required":["`+field+`"]}`))
	}
	ask := func(name, description string, handle handler) server.Tool {
		return tool(prefix+name, description, noArguments, handle)
	}
	return []server.Tool{
		ask("elicitation", "Asks for a name.", func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			answers, err := call.Ask(ctx, map[string]mcp.InputRequest{"user_name": nameForm})
			if err != nil {
				return nil, err
			}
			return mcp.TextResult("Hello, " + field(answers["user_name"], "name") + "!"), nil
		}),
		ask("sampling", "Asks the model.", func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			answers, err := call.Ask(ctx, map[string]mcp.InputRequest{"capital_question": sampling("What is the capital of France?")})
			if err != nil {
				return nil, err
			}
			return mcp.TextResult(samplingText(answers["capital_question"])), nil
		}),
		ask("list_roots", "Asks for the roots.", func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			answers, err := call.Ask(ctx, map[string]mcp.InputRequest{"client_roots": mcp.ListRoots()})
			if err != nil {
				return nil, err
			}
			return mcp.TextResult("Roots: " + string(answers["client_roots"])), nil
		}),
		ask("request_state", "Keeps state between rounds.", func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			if _, err := call.Ask(ctx, map[string]mcp.InputRequest{"confirm": confirm}); err != nil {
				return nil, err
			}
			return mcp.TextResult("state-ok"), nil
		}),
		ask("multiple_inputs", "Asks three things at once.", func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			_, err := call.Ask(ctx, map[string]mcp.InputRequest{
				"user_name": nameForm, "greeting": sampling("Write a greeting"), "client_roots": mcp.ListRoots(),
			})
			if err != nil {
				return nil, err
			}
			return mcp.TextResult("all inputs received"), nil
		}),
		ask("multi_round", "Asks twice.", func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			first, err := call.Ask(ctx, map[string]mcp.InputRequest{"step1": step(1, "name")})
			if err != nil {
				return nil, err
			}
			second, err := call.Ask(ctx, map[string]mcp.InputRequest{"step2": step(2, "color")})
			if err != nil {
				return nil, err
			}
			return mcp.TextResult(field(first["step1"], "name") + " likes " + field(second["step2"], "color")), nil
		}),
		ask("tampered_state", "Protects its state.", func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			if _, err := call.Ask(ctx, map[string]mcp.InputRequest{"confirm": confirm}); err != nil {
				return nil, err
			}
			return mcp.TextResult("state verified"), nil
		}),
		ask("capabilities", "Asks only what the client can answer.", func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			questions := map[string]mcp.InputRequest{
				"user_name": nameForm, "greeting": sampling("Write a greeting"), "client_roots": mcp.ListRoots(),
			}
			for key, question := range questions {
				if question.Missing(call.ClientCapabilities()) != (mcp.ClientCapabilities{}) {
					delete(questions, key)
				}
			}
			if len(questions) == 0 {
				return mcp.TextResult("nothing can be asked"), nil
			}
			if _, err := call.Ask(ctx, questions); err != nil {
				return nil, err
			}
			return mcp.TextResult("answered"), nil
		}),
	}
}

// field returns one field of an accepted form.
func field(raw json.RawMessage, name string) string {
	form, ok := mcp.ParseElicitResult(raw)
	if !ok || form.Action != "accept" {
		return "nobody"
	}
	text, _ := form.Content[name].(string)
	return text
}

const richSchema = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",` +
	`"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},` +
	`"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},` +
	`"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]},{"required":["name"]},{"maxProperties":2}]}],` +
	`"anyOf":[{"required":["phone"]},{"required":["email"]},true],` +
	`"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},"else":{"required":[]},` +
	`"additionalProperties":false}`

const headerSchema = `{"type":"object","properties":{"region":{"type":"string","description":"Region to use","x-mcp-header":"Region"},"level":{"type":"integer","description":"Level to use","x-mcp-header":"Level"}},"required":["region"]}`
