package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// pair writes a certificate for localhost with a serial number.
func pair(t *testing.T, dir string, serial int64) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(90 * 24 * time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	der8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for name, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: der8}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

func TestACertificateIsTakenAgainWhenItChanges(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := pair(t, dir, 1)
	c, err := loadCertificate(certFile, keyFile, slog.New(slog.NewTextHandler(io.Discard, nil)))
	if err != nil {
		t.Fatal(err)
	}
	serial := func() int64 {
		c.looked = time.Time{} // the next handshake looks
		p, err := c.get(nil)
		if err != nil {
			t.Fatal(err)
		}
		return p.Leaf.SerialNumber.Int64()
	}
	if serial() != 1 {
		t.Fatal("not the first certificate")
	}
	pair(t, dir, 2)
	later := time.Now().Add(time.Minute)
	for _, name := range []string{certFile, keyFile} {
		if err := os.Chtimes(name, later, later); err != nil {
			t.Fatal(err)
		}
	}
	if serial() != 2 {
		t.Fatal("not the second certificate")
	}
	if err := os.WriteFile(certFile, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if serial() != 2 {
		t.Fatal("a broken file replaced a good certificate")
	}
}

// A server that runs for months says each day that its certificate ends soon, and once that its files are gone, or back.
func TestACertificatesAgeAndLossAreLogged(t *testing.T) {
	certFile, keyFile := pair(t, t.TempDir(), 1) // ends in 90 days
	var log bytes.Buffer
	c, err := loadCertificate(certFile, keyFile, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	c.now = func() time.Time { return now }
	after := func(d time.Duration) string {
		t.Helper()
		log.Reset()
		now = now.Add(d)
		if _, err := c.get(nil); err != nil {
			t.Fatal(err)
		}
		return log.String()
	}
	const day = 24 * time.Hour
	for _, step := range []struct {
		wait  time.Duration
		act   func() error
		words string // "" = the log stays silent
	}{
		{59 * day, nil, ""},
		{day + time.Hour, nil, "the certificate ends soon"},
		{time.Hour, nil, ""},
		{day, nil, "days=28"},
		{time.Minute, func() error { return os.Rename(certFile, certFile+".away") }, "do not work, the old pair stays"},
		{time.Minute, nil, ""},
		{time.Minute, func() error { return os.Rename(certFile+".away", certFile) }, "are good again"},
		{time.Minute, func() error { return os.Rename(certFile, certFile+".away") }, "no such file"},
		{29 * day, nil, "the certificate has ended"},
		{time.Hour, nil, ""},
	} {
		if step.act != nil {
			if err := step.act(); err != nil {
				t.Fatal(err)
			}
		}
		if got := after(step.wait); !strings.Contains(got, step.words) || step.words == "" && got != "" {
			t.Errorf("at %s: %q, want %q", now.Format(time.RFC3339), got, step.words)
		}
	}
}

func TestServeWithTLS(t *testing.T) {
	certFile, keyFile := pair(t, t.TempDir(), 7)
	s := start(t, filepath.Join(t.TempDir(), "data"), "--tls-cert", certFile, "--tls-key", keyFile)
	if s.info.URL[:8] != "https://" {
		t.Errorf("address %s", s.info.URL)
	}
	lbOK(t, "ready", "--data", s.data) // needs no certificate
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(read(t, certFile))
	for _, next := range []string{"h2", "http/1.1"} {
		conn, err := tls.Dial("tcp", s.info.Listen, &tls.Config{RootCAs: pool, ServerName: "localhost", NextProtos: []string{next}})
		if err != nil {
			t.Fatal(err)
		}
		if got := conn.ConnectionState().NegotiatedProtocol; got != next {
			t.Errorf("negotiated %q, want %q", got, next)
		}
		if err := conn.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if code := s.end(t); code != exitOK {
		t.Fatalf("exit %d\n%s", code, s.err.String())
	}
}

// What scanners flag is not offered: under TLS 1.2 a client that has only CBC suites is refused.
func TestOnlyAuthenticatedSuites(t *testing.T) {
	certFile, keyFile := pair(t, t.TempDir(), 1)
	c, err := loadCertificate(certFile, keyFile, slog.New(slog.NewTextHandler(io.Discard, nil)))
	if err != nil {
		t.Fatal(err)
	}
	port, err := tls.Listen("tcp", "127.0.0.1:0", c.config())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = port.Close() }()
	go func() {
		for {
			conn, err := port.Accept()
			if err != nil {
				return
			}
			_ = conn.(*tls.Conn).Handshake()
			_ = conn.Close()
		}
	}()
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(read(t, certFile))
	good := 0
	for _, suite := range append(tls.CipherSuites(), tls.InsecureCipherSuites()...) {
		if !slices.Contains(suite.SupportedVersions, tls.VersionTLS12) {
			continue
		}
		conn, err := tls.Dial("tcp", port.Addr().String(), &tls.Config{RootCAs: pool, ServerName: "localhost", MaxVersion: tls.VersionTLS12,
			CipherSuites: []uint16{suite.ID}})
		if err != nil {
			continue
		}
		_ = conn.Close()
		if good++; !strings.Contains(suite.Name, "_GCM_") && !strings.Contains(suite.Name, "_CHACHA20_") {
			t.Errorf("%s is offered", suite.Name)
		}
	}
	if good < 3 {
		t.Errorf("only %d suites", good)
	}
}
