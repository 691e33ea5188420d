package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"time"

	"mcpworks/internal/cmdline"
	"mcpworks/internal/logging"
	"mcpworks/internal/rawjson"
	"mcpworks/internal/version"
	"mcpworks/lint/conceal"
	"mcpworks/mcp"
	"mcpworks/mcp/client"
)

// The limits (A9.1), as far as no option says otherwise.
const (
	defaultTimeout = 30 * time.Second
	defaultStartup = 30 * time.Second
	defaultMaxTime = 5 * time.Minute

	// probeTime is how long a server has to answer the modern way before it is
	// asked the legacy way as well (A8.3).
	probeTime = 3 * time.Second
	// closeTime is how long a server may take to end; after a failure or a
	// signal there is less of it.
	closeTime, hastyTime = 10 * time.Second, time.Second
)

// A talk is what a verb has with one server.
type talk struct {
	*call
	verb   verb
	target target
	opts   client.Options
	watch  *watch
	*client.Session
}

// talkTo opens a session, has something done with it, and closes it.
func (v verb) talkTo(ctx context.Context, c *call, do func(context.Context, *talk) ([]byte, error)) ([]byte, error) {
	return v.prepared(ctx, c, func(ctx context.Context, t *talk) ([]byte, error) {
		if err := t.connect(ctx); err != nil {
			return nil, t.diagnose(ctx, err)
		}
		result, err := do(ctx, t)
		t.close(ctx, err)
		return result, t.diagnose(ctx, err)
	})
}

// prepared does everything that comes before the first byte is sent.
func (v verb) prepared(ctx context.Context, c *call, do func(context.Context, *talk) ([]byte, error)) ([]byte, error) {
	t := &talk{call: c, verb: v, watch: newWatch(c)}
	var err error
	if t.opts, err = v.clientOptions(c); err != nil {
		return nil, err
	}
	if t.target, err = v.resolve(c); err != nil {
		return nil, err
	}
	t.opts.Way, t.opts.Recorder, t.opts.Secrets = t.target.way, t.watch, c.hidden.all()
	if c.Has(optServerLogs) {
		t.opts.On.Log = t.serverLog
	}
	if err := t.watch.open(c.Value(optTranscript)); err != nil {
		return nil, err
	}
	if limit := c.Duration(optMaxTime, defaultMaxTime); !v.streams || c.Has(optMaxTime) {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, overtime{limit})
		defer cancel()
	}
	result, err := do(ctx, t)
	if lost := t.watch.close(); lost != nil {
		return nil, lost
	}
	return result, err
}

// serverLog shows what a server logs over the protocol.
func (t *talk) serverLog(m client.LogMessage) {
	text, ok := rawjson.String(m.Data)
	if !ok {
		text = string(m.Data)
	}
	fmt.Fprintf(t.stderr, "server: %s\n", oneLine(t.redact(located(m.Level.String()+":", m.Logger, text))))
}

// overtime is why a command that took too long ended.
type overtime struct{ limit time.Duration }

func (o overtime) Error() string { return fmt.Sprintf("not done within %v", o.limit) }

func (t *talk) connect(ctx context.Context) (err error) {
	begin := time.Now()
	if t.Session, err = client.Connect(ctx, t.target.Target, t.opts); err != nil {
		return err
	}
	t.detail("connected to %s in %v: %s over %s", t.serverName(), time.Since(begin).Round(time.Millisecond), t.Version(), t.transport())
	return nil
}

func (t *talk) serverName() string {
	if info := t.ServerInfo(); info.Name != "" {
		return strings.TrimSpace(info.Name + " " + info.Version)
	}
	return t.target.name
}

// transport names the one that is used, as the client does.
func (t *talk) transport() string {
	attempts := t.Attempts()
	if len(attempts) == 0 {
		return ""
	}
	return attempts[len(attempts)-1].Way
}

// close ends the session, and the server with it if it was started.
func (t *talk) close(ctx context.Context, failed error) {
	p := t.Process()
	ctx, cancel := closing(ctx, failed)
	defer cancel()
	if err := t.Session.Close(ctx); err != nil {
		t.detail("closing: %v", err)
	}
	if p == nil {
		return
	}
	if exit, ok := p.Exit(); ok && exit.After > client.EndOfInput {
		t.detail("the server did not end when its input did, and was stopped: %v", exit.After)
	}
}

// closing is the time that there is for it.
func closing(ctx context.Context, failed error) (context.Context, context.CancelFunc) {
	limit := closeTime
	if failed != nil || ctx.Err() != nil {
		limit = hastyTime
	}
	return context.WithTimeout(context.WithoutCancel(ctx), limit)
}

// clientOptions are what the options of the command line mean for the client.
func (v verb) clientOptions(c *call) (client.Options, error) {
	opts := client.Options{
		Info: mcp.Implementation{Name: "mcplint", Version: version.Number},
		Timeouts: client.Timeouts{
			Probe:   probeTime,
			Open:    c.Duration(optStartup, defaultStartup),
			Request: c.Duration(optTimeout, defaultTimeout),
		},
		Log: logging.New(c.stderr, logLevel(c)),
	}
	if err := v.setProtocol(c, &opts); err != nil {
		return opts, err
	}
	if err := v.setHeader(c, &opts); err != nil {
		return opts, err
	}
	if err := v.checkVariables(c); err != nil {
		return opts, err
	}
	return opts, setTLS(c, &opts)
}

// checkVariables refuses variables without a name, and tells of those that are
// passed on but not set.
func (v verb) checkVariables(c *call) error {
	for _, variable := range c.Values[optEnv] {
		name, _, set := strings.Cut(variable, "=")
		if name == "" {
			return v.usage("the value of %s must be NAME or NAME=VALUE, and has no name", optEnv)
		}
		if _, here := os.LookupEnv(name); !set && !here {
			c.notice("the variable %s is not set here, so the server does not get it", name)
		}
	}
	return nil
}

func logLevel(c *call) slog.Level {
	switch {
	case c.Has(optMessages):
		return slog.LevelDebug
	case c.Has(optVerbose):
		return slog.LevelInfo
	}
	return logging.LevelOff
}

func (v verb) setProtocol(c *call, opts *client.Options) error {
	switch protocol := c.Value(optProtocol); protocol {
	case "", "auto":
	case "legacy":
		opts.Era = client.Legacy
	case "modern":
		opts.Era = client.Modern
	default:
		if opts.Revision = mcp.RevisionOf(protocol); opts.Revision == nil {
			var known []string
			for _, rev := range mcp.Revisions() {
				known = append(known, rev.Version)
			}
			return v.usage("the value of %s must be auto, legacy, modern or one of %s, not %q", optProtocol, strings.Join(known, ", "), protocol)
		}
	}
	return nil
}

func (v verb) setHeader(c *call, opts *client.Options) error {
	opts.Header = http.Header{}
	for _, header := range c.Values[optHeader] {
		name, value, ok := strings.Cut(header, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || !headerName.MatchString(name) || strings.ContainsAny(value, "\r\n\x00") {
			return v.usage("the value of %s must be 'Name: value'", optHeader)
		}
		opts.Header.Add(name, value)
	}
	if variable := c.Value(optBearerEnv); variable != "" {
		token := strings.TrimSpace(os.Getenv(variable))
		if token == "" {
			return v.usage("the variable %s, which %s names, is not set", variable, optBearerEnv)
		}
		opts.Header.Set("Authorization", "Bearer "+token)
	}
	c.hidden.add(conceal.Header(opts.Header)...)
	return nil
}

var headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")

// setTLS makes a client of HTTP where the usual one does not do.
func setTLS(c *call, opts *client.Options) error {
	if !c.Has(optInsecure) && !c.Has(optCAFile) {
		return nil
	}
	config := &tls.Config{InsecureSkipVerify: c.Has(optInsecure)}
	if file := c.Value(optCAFile); file != "" {
		text, err := readFile(optCAFile, file)
		if err != nil {
			return err
		}
		if config.RootCAs, err = x509.SystemCertPool(); err != nil {
			config.RootCAs = x509.NewCertPool()
		}
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return cmdline.Mistaken(fmt.Sprintf("%s %s holds no certificate", optCAFile, file), "it must be in PEM, with lines that say BEGIN CERTIFICATE")
		}
	}
	opts.HTTPClient = &http.Client{Transport: &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout: 10 * time.Second,
		ForceAttemptHTTP2:   true,
		DisableCompression:  true, // it holds back events
		TLSClientConfig:     config,
	}}
	return nil
}
