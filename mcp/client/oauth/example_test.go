package oauth_test

import (
	"context"
	"fmt"
	"net/http"

	"mcpworks/mcp/client"
	"mcpworks/mcp/client/oauth"
)

// The transport goes into the options of a session. Whoever shows the address to
// the user also listens where the answer is sent to.
func Example() {
	const server = "https://mcp.example.com/mcp"
	tokens, err := oauth.New(oauth.Config{
		Server: server, Name: "my program", RedirectURL: "http://127.0.0.1:33418/callback",
		Visit: func(ctx context.Context, address string) (string, error) {
			fmt.Println("Please open", address)
			var answer string
			_, err := fmt.Scanln(&answer)
			return answer, err
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	session, err := client.Connect(context.Background(), client.URL(server), client.Options{HTTPClient: &http.Client{Transport: tokens}})
	if err != nil {
		fmt.Println(err, tokens.Err())
		return
	}
	defer session.Close(context.Background())
	fmt.Println(session.ServerInfo().Name)
}
