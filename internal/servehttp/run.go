// Package servehttp runs a server on HTTP for the lifetime of its process: the
// listener and its end ([Run]), the guards in front of it ([Stack]), and a plain
// REST face over its tools ([REST]).
package servehttp

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"mcpworks/internal/httpguard"
)

// The limits of every listener. There is none on writing: an event stream may
// last for days, and the transports cut off readers that take nothing.
const (
	headerTimeout = 10 * time.Second
	idleTimeout   = 2 * time.Minute
	maxHeader     = 64 << 10
	defaultDrain  = 10 * time.Second
)

// Config says what to serve and where.
type Config struct {
	// Listen is host:port; port 0 picks a free one.
	Listen string
	// LoopbackOnly refuses to serve when Listen turns out to be an address
	// that other machines reach, whatever its name promised.
	LoopbackOnly bool
	// CertFile and KeyFile switch on TLS, 1.2 or newer; both or none.
	CertFile, KeyFile string
	// Handler answers; see Stack.
	Handler http.Handler
	// Listening is told the address once connections are taken; nil is fine.
	Listening func(url string)
	// OnShutdown is called in order when serving shall end, after the listener
	// was closed. The context ends when Drain is over.
	OnShutdown []func(context.Context)
	// Drain is how long requests may go on after that; 0 means 10 seconds.
	Drain time.Duration
	// Log gets what goes wrong on connections; nil means nowhere.
	Log *slog.Logger
}

// Run serves until ctx is done, or until SIGINT or SIGTERM. Then it takes no
// more connections, calls OnShutdown, waits for the requests in flight until
// Drain is over and closes what is left. A second signal ends the process at
// once.
func Run(ctx context.Context, cfg Config) error {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Drain == 0 {
		cfg.Drain = defaultDrain
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()

	listener, scheme, err := listen(ctx, cfg)
	if err != nil {
		return err
	}
	unused := &fresh{}
	web := &http.Server{
		ConnState:                    unused.note,
		Handler:                      cfg.Handler,
		ReadHeaderTimeout:            headerTimeout,
		IdleTimeout:                  idleTimeout,
		MaxHeaderBytes:               maxHeader,
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(cfg.Log.Handler(), slog.LevelDebug),
	}
	if cfg.Listening != nil {
		cfg.Listening(scheme + "://" + reachable(listener.Addr()))
	}
	failed := make(chan error, 1)
	go func() { failed <- web.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	stop()               // the second signal finds no handler
	_ = listener.Close() // nobody new, before anybody is told
	drain(ctx, web, unused, cfg)
	<-failed // its error is that of the closed listener
	return nil
}

// drain is the end of serving, once ctx is done.
func drain(ctx context.Context, web *http.Server, unused *fresh, cfg Config) {
	cfg.Log.Info("shutting down", "drain", cfg.Drain)
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), cfg.Drain)
	defer cancel()
	finished := make(chan struct{})
	var err error
	go func() {
		defer close(finished)
		err = web.Shutdown(last)
	}()
	for _, end := range cfg.OnShutdown {
		end(last)
	}
	unused.closeUntil(finished)
	if err != nil {
		cfg.Log.Warn("requests were cut off", "error", err)
		_ = web.Close() // the listener is closed already
	}
}

// listen opens the listener, inside TLS if asked for.
func listen(ctx context.Context, cfg Config) (listener net.Listener, scheme string, err error) {
	var secure *tls.Config
	switch {
	case (cfg.CertFile == "") != (cfg.KeyFile == ""):
		return nil, "", errors.New("TLS needs a certificate file and a key file")
	case cfg.CertFile != "":
		pair, err := tls.LoadX509KeyPair(cfg.CertFile, cfg.KeyFile)
		if err != nil {
			return nil, "", fmt.Errorf("load the TLS certificate: %w", err)
		}
		secure = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}
	}
	var config net.ListenConfig
	if listener, err = config.Listen(ctx, network(cfg.Listen), cfg.Listen); err != nil {
		return nil, "", err
	}
	if address := listener.Addr().String(); cfg.LoopbackOnly && !httpguard.IsLoopback(address) {
		listener.Close()
		return nil, "", fmt.Errorf("%s is %s, which other machines can reach: %w", cfg.Listen, address, httpguard.ErrUnauthenticated)
	}
	if secure != nil {
		return tls.NewListener(listener, secure), "https", nil
	}
	return listener, "http", nil
}

// network keeps an IPv4 address from being served over IPv6 too, as Go does
// with 0.0.0.0.
func network(address string) string {
	if host, err := netip.ParseAddrPort(address); err == nil && host.Addr().Is4() {
		return "tcp4"
	}
	return "tcp"
}

// reachable is an address of this machine by which a listener can be reached:
// that of all interfaces is none.
func reachable(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return addr.String()
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
}
