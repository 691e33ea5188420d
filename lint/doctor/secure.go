package doctor

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"time"
)

// soon is when the end of a certificate is worth a word.
const soon = 14 * 24 * time.Hour

// secure shakes hands and looks at the certificate. The handshake itself takes
// any, so that it can be shown what is wrong with it.
func (w *way) secure(ctx context.Context, conn net.Conn) bool {
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	config := &tls.Config{}
	if w.transport.TLSClientConfig != nil {
		config = w.transport.TLSClientConfig.Clone()
	}
	insecure := config.InsecureSkipVerify
	config.InsecureSkipVerify = true
	if config.ServerName == "" {
		config.ServerName = w.address.Hostname()
	}
	config.NextProtos = nil
	secured := tls.Client(conn, config)
	if err := secured.HandshakeContext(ctx); err != nil {
		if !w.x.stopped(ctx, "tls") {
			w.x.fail("tls", shortNetwork(err), w.handshakeCause(ctx, err))
		}
		return false
	}
	state := secured.ConnectionState()
	leaf := state.PeerCertificates[0]
	evidence := certificateLines(leaf)
	err := verify(state.PeerCertificates, config)
	switch remaining := time.Until(leaf.NotAfter); {
	case err != nil && insecure:
		w.x.warn("tls", "the certificate is not trusted, and accepted since that was asked for: "+err.Error(), "", evidence...)
	case err != nil:
		w.x.fail("tls", "the certificate is not trusted: "+err.Error(), certificateCause(err, leaf), evidence...)
		return false
	case remaining < soon:
		w.x.warn("tls", "the certificate is good for less than two weeks", "renew it", evidence...)
	default:
		w.x.ok("tls", tls.VersionName(state.Version)+", and the certificate is good", evidence...)
	}
	return true
}

func verify(chain []*x509.Certificate, config *tls.Config) error {
	opts := x509.VerifyOptions{Roots: config.RootCAs, DNSName: config.ServerName, Intermediates: x509.NewCertPool()}
	if config.Time != nil {
		opts.CurrentTime = config.Time()
	}
	for _, certificate := range chain[1:] {
		opts.Intermediates.AddCert(certificate)
	}
	_, err := chain[0].Verify(opts)
	return err
}

func certificateLines(c *x509.Certificate) []string {
	names := append([]string{}, c.DNSNames...)
	for _, ip := range c.IPAddresses {
		names = append(names, ip.String())
	}
	if len(names) > maxLines {
		names = append(names[:maxLines], "…")
	}
	return []string{
		"subject: " + c.Subject.String(),
		"names: " + strings.Join(names, ", "),
		"issuer: " + c.Issuer.String(),
		fmt.Sprintf("valid from %s to %s", c.NotBefore.UTC().Format(time.DateTime), c.NotAfter.UTC().Format(time.DateTime)),
	}
}

// handshakeCause is why there is no TLS at all.
func (w *way) handshakeCause(ctx context.Context, err error) *Cause {
	cut := errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
	if errors.As(err, new(tls.RecordHeaderError)) || cut && w.speaksPlain(ctx) {
		return because(tlsNotSpoken, "")
	}
	return because(tlsFailed, shortNetwork(err))
}

// speaksTLS says whether there is TLS at the address after all. Some servers
// just hang up on those who come without.
func (w *way) speaksTLS(ctx context.Context) bool {
	if w.transport == nil {
		return false
	}
	return w.trial(ctx, func(ctx context.Context, conn net.Conn) bool {
		config := &tls.Config{InsecureSkipVerify: true, ServerName: w.address.Hostname()} // nothing is sent
		return tls.Client(conn, config).HandshakeContext(ctx) == nil
	})
}

// speaksPlain says whether there is HTTP without TLS at the address.
func (w *way) speaksPlain(ctx context.Context) bool {
	return w.trial(ctx, func(_ context.Context, conn net.Conn) bool {
		begin := make([]byte, len("HTTP/"))
		_, err := fmt.Fprintf(conn, "HEAD / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", w.address.Host)
		if err == nil {
			_, err = io.ReadFull(conn, begin)
		}
		return err == nil && string(begin) == "HTTP/"
	})
}

// trial connects once more, to find out something.
func (w *way) trial(ctx context.Context, try func(context.Context, net.Conn) bool) bool {
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	conn, err := w.dial(ctx, "tcp", hostPort(w.address))
	if err != nil {
		return false
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	return try(ctx, conn)
}

// certificateCause is why a certificate is not trusted.
func certificateCause(err error, c *x509.Certificate) *Cause {
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, new(x509.HostnameError)):
		return because(tlsWrongName, strings.Join(c.DNSNames[:min(len(c.DNSNames), maxLines)], ", "))
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return because(tlsExpired, fmt.Sprintf("from %s to %s", c.NotBefore.UTC().Format(time.DateOnly), c.NotAfter.UTC().Format(time.DateOnly)))
	case errors.As(err, new(x509.UnknownAuthorityError)):
		return because(tlsUntrusted, c.Issuer.String())
	}
	return because(tlsFailed, err.Error())
}
