// Package console is the web page that mcpworks serves: what is here, and the
// lines that make a client use it.
package console

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"strings"
)

// The page is embedded, loads nothing from elsewhere and has no script.
var (
	//go:embed page
	files embed.FS

	index = template.Must(template.ParseFS(files, "page/index.html"))
)

// The paths that New's handler answers.
const (
	PathIndex = "/"
	PathStyle = "/console.css"
	PathIcon  = "/console.svg"
)

// Paths are all of them.
var Paths = []string{PathIndex, PathStyle, PathIcon}

// policy lets the page load its own style and icon, and nothing else.
var policy = strings.Join([]string{
	"default-src 'none'", "style-src 'self'", "img-src 'self'",
	"base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
}, "; ")

// Options are what a program knows about itself.
type Options struct {
	// Version is that of the program.
	Version string
	// Packs are what is served, in the order of the page.
	Packs []Pack
	// Token says that callers need one. The page itself is then open, and
	// tells less: no tools, no version, no notes.
	Token bool
	// Ready says whether requests are taken; nil means always.
	Ready func() bool
}

// A Pack is one server on the page.
type Pack struct {
	Name  string // the first part of its paths
	Title string
	About string // one sentence
	Note  string // what a newcomer should know, such as that the data is invented
	Tools []Tool
	// Command is the program that serves the same over standard input and
	// output, with arguments as an example; empty if there is none.
	Command []string
}

// A Tool is one line of a pack.
type Tool struct {
	Name, Title, Description string
}

// New returns the handler of the page. Everything else is 404.
func New(opts Options) http.Handler {
	if opts.Ready == nil {
		opts.Ready = func() bool { return true }
	}
	return &console{opts}
}

type console struct {
	opts Options
}

// ServeHTTP implements http.Handler.
func (c *console) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	switch r.URL.Path {
	case PathIndex:
		c.serveIndex(w, r)
	case PathStyle:
		serveFile(w, "page/console.css", "text/css; charset=utf-8")
	case PathIcon:
		serveFile(w, "page/console.svg", "image/svg+xml")
	default:
		http.Error(w, "nothing is here; see /", http.StatusNotFound)
	}
}

func serveFile(w http.ResponseWriter, name, contentType string) {
	content, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(content) // a browser that has gone needs no answer
}

func (c *console) serveIndex(w http.ResponseWriter, r *http.Request) {
	origin := "http://" + r.Host // the Host guard has let it pass
	if r.TLS != nil {
		origin = "https://" + r.Host
	}
	data := struct {
		Options
		Origin  string
		Ready   bool
		Clients []client
	}{c.opts, origin, c.opts.Ready(), clients(c.opts, origin)}
	if c.opts.Token {
		data.Version, data.Packs = "", nil
		for _, pack := range c.opts.Packs {
			pack.Tools, pack.Note = nil, ""
			data.Packs = append(data.Packs, pack)
		}
	}
	var page bytes.Buffer
	if err := index.Execute(&page, data); err != nil {
		panic(err) // the template and its data are ours
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(page.Bytes())
}
