package httpguard

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// CORSConfig says which pages of other origins may use the server from a
// browser. The zero value grants nothing. Cookies are never granted.
type CORSConfig struct {
	// AnyOrigin grants access to every page. All replies then carry the same
	// headers, whether or not the request has an Origin, and every OPTIONS
	// request is answered here.
	AnyOrigin bool
	// Origins are the origins granted access, as in OriginConfig. The Origin
	// guard, where it is stacked, has to allow them too.
	Origins []string
	// Methods and Headers are what a preflight allows beyond what needs none.
	Methods, Headers []string
	// Expose are the response headers that pages may read.
	Expose []string
	// MaxAge is how long a browser may keep a preflight's answer; zero leaves
	// that to the browser.
	MaxAge time.Duration
	// PreflightStatus is the status of a preflight's empty answer; zero means
	// 204.
	PreflightStatus int
}

// CORS adds the headers by which browsers let pages of other origins in, and
// answers preflights. It refuses nothing: a request of an origin that is not
// granted passes without the headers. It must stand outside Bearer, because
// preflights carry no token.
func CORS(config CORSConfig) (Middleware, error) {
	if config.AnyOrigin && len(config.Origins) > 0 {
		return nil, errors.New("CORS is for any origin or for a list of origins, not for both")
	}
	origins, err := compileOrigins(config.Origins)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Concat(config.Methods, config.Headers, config.Expose) {
		if !isToken(name) {
			return nil, fmt.Errorf("CORS: %q is no name of a method or header", name)
		}
	}
	if config.PreflightStatus == 0 {
		config.PreflightStatus = http.StatusNoContent
	}
	c := &cors{
		config:  config,
		origins: origins,
		methods: strings.Join(config.Methods, ", "),
		headers: strings.Join(config.Headers, ", "),
		expose:  strings.Join(config.Expose, ", "),
	}
	switch {
	case config.AnyOrigin:
		return c.open, nil
	case len(origins) > 0:
		return c.listed, nil
	}
	return func(next http.Handler) http.Handler { return next }, nil
}

type cors struct {
	config                   CORSConfig
	origins                  map[origin]bool
	methods, headers, expose string
}

// open grants everyone the same.
func (c *cors) open(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", "*")
		setUnlessEmpty(h, "Access-Control-Expose-Headers", c.expose)
		c.allow(h)
		if r.Method == http.MethodOptions {
			c.answer(w)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// listed grants access to the origins of the list.
func (c *cors) listed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Add("Vary", "Origin")
		values := r.Header.Values("Origin")
		if len(values) != 1 {
			next.ServeHTTP(w, r)
			return
		}
		o, ok := parseOrigin(values[0])
		granted := ok && c.origins[o]
		if granted {
			h.Set("Access-Control-Allow-Origin", values[0])
			setUnlessEmpty(h, "Access-Control-Expose-Headers", c.expose)
		}
		if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
			if granted {
				c.allow(h)
			}
			c.answer(w)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// allow sets what a preflight asks for.
func (c *cors) allow(h http.Header) {
	setUnlessEmpty(h, "Access-Control-Allow-Methods", c.methods)
	setUnlessEmpty(h, "Access-Control-Allow-Headers", c.headers)
	if c.config.MaxAge > 0 {
		h.Set("Access-Control-Max-Age", strconv.Itoa(int(c.config.MaxAge.Seconds())))
	}
}

func (c *cors) answer(w http.ResponseWriter) {
	if c.config.PreflightStatus != http.StatusNoContent {
		w.Header().Set("Content-Length", "0")
	}
	w.WriteHeader(c.config.PreflightStatus)
}

func setUnlessEmpty(h http.Header, name, value string) {
	if value != "" {
		h.Set(name, value)
	}
}

// isToken accepts a token of RFC 9110, 5.6.2.
func isToken(s string) bool {
	for _, c := range []byte(s) {
		if !(isDigit(c) || isLower(c) || isUpper(c) || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0) {
			return false
		}
	}
	return s != ""
}
