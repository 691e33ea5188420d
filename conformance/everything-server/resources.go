package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/server"
)

const watched = "test://watched-resource"

var (
	redPixel = decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==")
	silence  = decode("UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=")
)

func decode(text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err) // a constant of this file
	}
	return data
}

type readFunc = func(context.Context, *server.ReadCall) (*mcp.ReadResourceResult, error)

func contents(mimeType, text string, blob []byte) readFunc {
	return func(_ context.Context, call *server.ReadCall) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{URI: call.URI, MIMEType: mimeType, Text: text, Blob: blob}}}, nil
	}
}

func (f *fixture) resources() []server.Resource {
	return []server.Resource{
		{
			Resource: mcp.Resource{URI: "test://static-text", Name: "Static Text Resource", Description: "A text that never changes.", MIMEType: "text/plain"},
			Read:     contents("text/plain", "This is the content of the static text resource.", nil),
		},
		{
			Resource: mcp.Resource{URI: "test://static-binary", Name: "Static Binary Resource", Description: "An image that never changes.", MIMEType: "image/png"},
			Read:     contents("image/png", "", redPixel),
		},
		{
			Resource: mcp.Resource{URI: watched, Name: "Watched Resource", Description: "Changes every three seconds.", MIMEType: "text/plain"},
			Read:     contents("text/plain", "Watched resource content", nil),
		},
	}
}

func (f *fixture) templates() []server.ResourceTemplate {
	return []server.ResourceTemplate{{
		ResourceTemplate: mcp.ResourceTemplate{
			URITemplate: "test://template/{id}/data", Name: "Resource Template", Description: "JSON that holds the id.", MIMEType: "application/json",
		},
		Read: func(_ context.Context, call *server.ReadCall) (*mcp.ReadResourceResult, error) {
			id := call.Variables["id"]
			text, err := json.Marshal(map[string]any{"id": id, "templateTest": true, "data": "Data for ID: " + id})
			if err != nil {
				return nil, err
			}
			return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{URI: call.URI, MIMEType: "application/json", Text: string(text)}}}, nil
		},
	}}
}

// touch updates the watched resource until ctx ends.
func (f *fixture) touch(ctx context.Context) {
	tick := time.NewTicker(3 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			f.server.ResourceUpdated(watched)
		case <-ctx.Done():
			return
		}
	}
}

func prompt(name, description string, arguments ...mcp.PromptArgument) server.Prompt {
	return server.Prompt{
		Prompt: mcp.Prompt{Name: name, Description: description, Arguments: arguments},
		Get: func(context.Context, *server.PromptCall) (*mcp.GetPromptResult, error) {
			return userSays(mcp.Text{Text: "This is a simple prompt for testing."}), nil
		},
	}
}

func userSays(blocks ...mcp.Content) *mcp.GetPromptResult {
	result := &mcp.GetPromptResult{}
	for _, block := range blocks {
		result.Messages = append(result.Messages, mcp.PromptMessage{Role: "user", Content: block})
	}
	return result
}

func required(name, description string) mcp.PromptArgument {
	return mcp.PromptArgument{Name: name, Description: description, Required: true}
}

func (f *fixture) prompts() []server.Prompt {
	withArguments := prompt("test_prompt_with_arguments", "Repeats its two arguments.",
		required("arg1", "First test argument"), required("arg2", "Second test argument"))
	withArguments.Get = func(_ context.Context, call *server.PromptCall) (*mcp.GetPromptResult, error) {
		text := fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", call.Arguments["arg1"], call.Arguments["arg2"])
		return userSays(mcp.Text{Text: text}), nil
	}
	withResource := prompt("test_prompt_with_embedded_resource", "Includes a resource.", required("resourceUri", "URI of the resource to embed"))
	withResource.Get = func(_ context.Context, call *server.PromptCall) (*mcp.GetPromptResult, error) {
		return userSays(
			mcp.EmbeddedResource{Contents: mcp.ResourceContents{
				URI: call.Arguments["resourceUri"], MIMEType: "text/plain", Text: "Embedded resource content for testing.",
			}},
			mcp.Text{Text: "Please process the embedded resource above."},
		), nil
	}
	withImage := prompt("test_prompt_with_image", "Includes an image.")
	withImage.Get = func(context.Context, *server.PromptCall) (*mcp.GetPromptResult, error) {
		return userSays(mcp.Image{Data: redPixel, MIMEType: "image/png"}, mcp.Text{Text: "Please analyze the image above."}), nil
	}
	inRounds := prompt("test_input_required_result_prompt", "Asks before it answers.")
	inRounds.Get = func(ctx context.Context, call *server.PromptCall) (*mcp.GetPromptResult, error) {
		answers, err := call.Ask(ctx, map[string]mcp.InputRequest{
			"user_context": mcp.ElicitForm("Give some context", json.RawMessage(`{"type":"object","properties":{"context":{"type":"string"}},"required":["context"]}`)),
		})
		if err != nil {
			return nil, err
		}
		return userSays(mcp.Text{Text: "Context: " + field(answers["user_context"], "context")}), nil
	}
	return []server.Prompt{
		prompt("test_simple_prompt", "A prompt without arguments."), withArguments, withResource, withImage, inRounds,
	}
}

// complete knows a few values for the first argument of one prompt.
func complete(_ context.Context, call *server.CompleteCall) (*mcp.CompleteResult, error) {
	result := &mcp.CompleteResult{}
	if call.Prompt != "test_prompt_with_arguments" || call.Argument != "arg1" {
		return result, nil
	}
	for _, value := range []string{"paris", "park", "party"} {
		if len(value) >= len(call.Value) && value[:len(call.Value)] == call.Value {
			result.Values = append(result.Values, value)
		}
	}
	return result, nil
}
