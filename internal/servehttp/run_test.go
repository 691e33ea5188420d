package servehttp_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"mcpworks/internal/httpguard"
	"mcpworks/internal/servehttp"
)

// start runs a server until stop is called, which returns what Run returned.
func start(t *testing.T, cfg servehttp.Config) (url string, begin context.CancelFunc, wait func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	listening, ended := make(chan string, 1), make(chan error, 1)
	cfg.Listen, cfg.Listening = "127.0.0.1:0", func(url string) { listening <- url }
	go func() { ended <- servehttp.Run(ctx, cfg) }()
	select {
	case url = <-listening:
	case err := <-ended:
		t.Fatal(err)
	}
	return url, cancel, func() error { return <-ended }
}

func TestRequestsInFlightAreAnsweredAtTheEnd(t *testing.T) {
	begun, finish, told := make(chan struct{}), make(chan struct{}), make(chan struct{})
	url, stop, wait := start(t, servehttp.Config{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			close(begun)
			<-finish
			_, _ = io.WriteString(w, "done")
		}),
		OnShutdown: []func(context.Context){func(context.Context) { close(told) }},
		Drain:      time.Minute,
	})
	answer := make(chan string, 1)
	go func() {
		resp, err := http.Get(url)
		if err != nil {
			answer <- err.Error()
			return
		}
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		answer <- string(body)
	}()
	<-begun
	stop()
	<-told
	if _, err := net.DialTimeout("tcp", url[len("http://"):], time.Second); err == nil {
		t.Error("connections are still taken")
	}
	close(finish)
	if got := <-answer; got != "done" {
		t.Errorf("answer %q", got)
	}
	if err := wait(); err != nil {
		t.Error(err)
	}
}

func TestWhatDoesNotEndIsCutOff(t *testing.T) {
	begun := make(chan struct{})
	url, stop, wait := start(t, servehttp.Config{
		Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			close(begun)
			<-r.Context().Done()
		}),
		Drain: time.Millisecond,
	})
	failed := make(chan error, 1)
	go func() {
		_, err := http.Get(url)
		failed <- err
	}()
	<-begun
	stop()
	if err := wait(); err != nil {
		t.Error(err)
	}
	if err := <-failed; err == nil {
		t.Error("the request was answered")
	}
}

// A connection on which nobody asked anything is no reason to stay.
func TestUnusedConnectionsDoNotHoldUpTheEnd(t *testing.T) {
	url, stop, wait := start(t, servehttp.Config{Handler: http.NotFoundHandler(), Drain: time.Hour})
	conn, err := net.Dial("tcp", url[len("http://"):])
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if resp, err := http.Get(url); err != nil { // and so the first one was taken
		t.Fatal(err)
	} else {
		resp.Body.Close()
	}
	begun := time.Now()
	stop()
	if err := wait(); err != nil {
		t.Error(err)
	}
	if took := time.Since(begun); took > 4*time.Second { // net/http's own patience is 5 s
		t.Errorf("it took %v", took)
	}
}

func TestUnusableConfigurationsAreErrors(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	for name, cfg := range map[string]servehttp.Config{
		"port taken":        {Listen: busy.Addr().String()},
		"half of TLS":       {Listen: "127.0.0.1:0", CertFile: "cert.pem"},
		"no certificate":    {Listen: "127.0.0.1:0", CertFile: "no.pem", KeyFile: "no.key"},
		"HTTP-4 every host": {Listen: "0.0.0.0:0", LoopbackOnly: true},
	} {
		err := servehttp.Run(t.Context(), cfg)
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		if cfg.LoopbackOnly && !errors.Is(err, httpguard.ErrUnauthenticated) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTLSIsOfVersion12OrNewer(t *testing.T) {
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writeCertificate(t, cert, key)
	url, stop, wait := start(t, servehttp.Config{
		CertFile: cert, KeyFile: key,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Proto) }),
	})
	for _, test := range []struct {
		version uint16
		proto   string // empty: refused
	}{{tls.VersionTLS11, ""}, {tls.VersionTLS12, "HTTP/2.0"}, {tls.VersionTLS13, "HTTP/2.0"}} {
		client := &http.Client{Transport: &http.Transport{
			TLSClientConfig:   &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS10, MaxVersion: test.version}, // a certificate of this test
			ForceAttemptHTTP2: true,
		}}
		resp, err := client.Get(url)
		if err != nil {
			if test.proto != "" {
				t.Errorf("version %x: %v", test.version, err)
			}
			continue
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		client.CloseIdleConnections()
		if string(body) != test.proto {
			t.Errorf("version %x: %q, want %q", test.version, body, test.proto)
		}
	}
	stop()
	if err := wait(); err != nil {
		t.Error(err)
	}
}

func writeCertificate(t *testing.T, certFile, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, NotAfter: time.Now().Add(time.Hour)}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: cert}, keyFile: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
