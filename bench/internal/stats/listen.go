package stats

import (
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"time"
)

// Listening begins the line on standard error that tells the address of a peer,
// once it can be reached.
const Listening = "listening on http://"

// ProfilePath is where a Go peer gives a CPU profile of itself if Variable is
// set.
const ProfilePath = "/debug/pprof/profile"

// ListenAndServe serves a Go peer over HTTP: the handler on /mcp, and nothing
// else unless Variable is set. All of them get the same server, with the one
// timeout that none should be without.
func ListenAndServe(address string, handler http.Handler) error {
	mux := http.NewServeMux()
	mux.Handle("/mcp", handler)
	if os.Getenv(Variable) != "" {
		mux.HandleFunc(ProfilePath, pprof.Profile)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%s%s/mcp\n", Listening, listener.Addr())
	server := http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	return server.Serve(listener)
}
