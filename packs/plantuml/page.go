package plantuml

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// The page is one document with its style and script inside. It loads nothing
// from elsewhere, but the picture when somebody asks for it.
var (
	//go:embed page/page.html
	pageHTML string
	//go:embed page/page.css
	pageStyle string
	//go:embed page/page.js
	pageScript string
)

// example is what the page begins with.
const example = "@startuml\nBob -> Alice : hello\n@enduml"

type pageProblem struct {
	Code             string
	Status           int
	Message, Meaning string
}

// page is the same for everyone, so it is made once.
var page = sync.OnceValue(func() []byte {
	data := struct {
		Style            template.CSS
		Script           template.JS
		Tool, Argument   string
		Example, URL     string
		MaxText, MaxBody int
		Problems         []pageProblem
	}{
		Style: template.CSS(pageStyle), Script: template.JS(pageScript),
		Tool: toolName, Argument: codeName,
		Example: example, URL: URL(Encode(example)),
		MaxText: MaxText, MaxBody: MaxBody,
	}
	for _, p := range problems {
		data.Problems = append(data.Problems, pageProblem{p.code, p.status, strings.ReplaceAll(p.message, "%s", "…"), p.meaning})
	}
	var b bytes.Buffer
	funcs := template.FuncMap{"thousands": thousands}
	if err := template.Must(template.New("page").Funcs(funcs).Parse(pageHTML)).Execute(&b, data); err != nil {
		panic(err) // every input is a constant
	}
	return b.Bytes()
})

// pagePolicy lets the page do what it does and nothing else.
var pagePolicy = strings.Join([]string{
	"default-src 'none'",
	"style-src " + sourceHash(pageStyle),
	"script-src " + sourceHash(pageScript),
	"connect-src 'self'",
	"img-src data: https://www.plantuml.com", // its icon, and pictures asked for
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
}, "; ")

func sourceHash(source string) string {
	sum := sha256.Sum256([]byte(source))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func servePage(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		bad := methodNotAllowed.naming(http.MethodGet)
		h.Set("Allow", "GET, HEAD")
		h.Set("Content-Type", "application/json")
		w.WriteHeader(bad.status)
		w.Write(failure(bad))
		return
	}
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", pagePolicy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-cache")
	w.Write(page())
}

// thousands writes a number as people read it: 51,200.
func thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	digits := strconv.Itoa(n % 1000)
	return thousands(n/1000) + "," + strings.Repeat("0", 3-len(digits)) + digits
}
