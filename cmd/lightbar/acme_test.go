package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lightbar/internal/config"
	"lightbar/internal/testkit/acmetest"
)

// orderedHere is a server's certificate that an authority of the county issues, and the port where it looks.
func orderedHere(t *testing.T, a *acmetest.Authority, data string, domains ...string) *certificate {
	t.Helper()
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, a.RootPEM, 0o600); err != nil {
		t.Fatal(err)
	}
	s := config.Server{Listen: "0.0.0.0:443", PublicURL: "https://" + domains[0], AdminListen: "off",
		ACME: config.ACME{Domains: domains, Email: "it@county.example", AcceptTerms: true, Directory: a.Directory, CA: ca}}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	c, err := orderedCertificate(&s, data, slog.New(slog.NewTextHandler(io.Discard, nil)))
	if err != nil {
		t.Fatal(err)
	}
	c.orders.waits, c.orders.retry = []time.Duration{time.Millisecond}, time.Millisecond
	port, err := tls.Listen("tcp", "127.0.0.1:0", c.config())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = port.Close() })
	go func() {
		for {
			conn, err := port.Accept()
			if err != nil {
				return
			}
			go func() { _, _ = io.Copy(io.Discard, conn); _ = conn.Close() }()
		}
	}()
	a.At = port.Addr().String()
	return c
}

func orderIn(t *testing.T, c *certificate) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	return c.orders.order(ctx)
}

// visit opens a connection as a browser does.
func visit(a *acmetest.Authority, domain string) (serial string, err error) {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(a.RootPEM)
	conn, err := tls.Dial("tcp", a.At, &tls.Config{ServerName: domain, RootCAs: roots, NextProtos: []string{"h2"}})
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close() }()
	return conn.ConnectionState().PeerCertificates[0].SerialNumber.String(), nil
}

func TestACertificateIsOrdered(t *testing.T) {
	a, data := acmetest.New(t), t.TempDir()
	c := orderedHere(t, a, data, "fleet.county.example", "map.county.example")
	if _, err := visit(a, "fleet.county.example"); err == nil {
		t.Error("there is a certificate before one was issued")
	}
	if c.orders.dueIn() != 0 || c.facts().EndsAt != 0 {
		t.Errorf("due in %v, %+v", c.orders.dueIn(), c.facts())
	}
	a.Break(acmetest.Faults{BadNonce: 2, Down: 2})
	if err := orderIn(t, c); err != nil {
		t.Fatal(acmeWords(err))
	}
	first, err := visit(a, "map.county.example")
	if err != nil {
		t.Fatal(err)
	}
	if due := c.orders.dueIn(); due < 59*24*time.Hour || due > 60*24*time.Hour || !c.facts().Renews {
		t.Errorf("the next one is due in %v: %+v", due, c.facts())
	}
	for _, name := range []string{"account.pem", "certificate.pem"} {
		if st, err := os.Stat(filepath.Join(acmeFolder(data, a.Directory), name)); err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, st, err)
		}
	}
	if got := a.Contacts(); len(got) != 1 || got[0] != "mailto:it@county.example" {
		t.Errorf("accounts of %v", got)
	}
	// A start takes it from the disk; other names, or another authority, need another one.
	if again := orderedHere(t, a, data, "fleet.county.example"); again.leaf() == nil || again.orders.dueIn() <= 0 {
		t.Errorf("after a restart: %+v", again.facts())
	} else if serial, err := visit(a, "fleet.county.example"); serial != first || err != nil {
		t.Errorf("after a restart: %s %v", serial, err)
	}
	if other := orderedHere(t, a, data, "fleet.county.example", "new.county.example"); other.orders.dueIn() != 0 {
		t.Error("a new name orders nothing")
	} else if err := orderIn(t, other); err != nil || len(a.Contacts()) != 1 {
		t.Errorf("of the same account: %v, %v", err, a.Contacts())
	}
	if elsewhere := orderedHere(t, acmetest.New(t), data, "fleet.county.example"); elsewhere.leaf() != nil {
		t.Error("what another authority signed is used")
	}
	if err := os.WriteFile(acmePair(data, a.Directory), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if spoiled := orderedHere(t, a, data, "fleet.county.example"); spoiled.orders.dueIn() != 0 {
		t.Error("a spoiled file orders nothing")
	}
}

// What an authority refuses is said in its words, and tried again when it allows.
func TestWhatAnAuthorityRefuses(t *testing.T) {
	a := acmetest.New(t)
	c := orderedHere(t, a, t.TempDir(), "fleet.county.example")
	try := func(faults acmetest.Faults) error {
		t.Helper()
		a.Break(faults)
		err := orderIn(t, c)
		if err == nil {
			t.Fatalf("%+v is no trouble", faults)
		}
		return err
	}
	c.orders.waits = acmeWaits
	err := try(acmetest.Faults{RateLimited: 1, RetryAfter: 7200})
	if wait := c.orders.again(err, 0); wait != 2*time.Hour || !strings.Contains(acmeWords(err), "rateLimited: too many new orders recently") {
		t.Errorf("rate limited: again in %v, %s", wait, acmeWords(err))
	}
	err = try(acmetest.Faults{BadOrder: 1})
	if wait := c.orders.again(err, 1); wait != 15*time.Minute || !strings.Contains(acmeWords(err), "CAA record forbids issuance") {
		t.Errorf("an invalid order: again in %v, %s", wait, acmeWords(err))
	}
	if err = try(acmetest.Faults{NoProof: true}); !strings.Contains(acmeWords(err), "offers no TLS-ALPN-01 for fleet.county.example") {
		t.Errorf("no way to prove: %s", acmeWords(err))
	}
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	open := a.At
	a.At = closed.Addr().String()
	_ = closed.Close()
	if err = try(acmetest.Faults{}); !strings.Contains(acmeWords(err), "fleet.county.example: urn:ietf:params:acme:error:unauthorized: the proof at") {
		t.Errorf("a closed port: %s", acmeWords(err))
	}
	a.At, c.orders.AcceptTerms, c.orders.folder = open, false, t.TempDir()
	if err = try(acmetest.Faults{}); !strings.Contains(err.Error(), "account") {
		t.Errorf("without the terms: %v", err)
	}
}

// The server orders by its own clock, again after a failure, and again before the end.
func TestACertificateIsRenewed(t *testing.T) {
	a := acmetest.New(t)
	c := orderedHere(t, a, t.TempDir(), "fleet.county.example")
	a.Break(acmetest.Faults{RateLimited: 1, Lasts: 10 * time.Second}) // they are late as soon as they are issued
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { c.orders.run(ctx); close(ended) }()
	seen := map[string]bool{}
	for until := time.Now().Add(time.Minute); len(seen) < 3 && time.Now().Before(until); {
		if serial, err := visit(a, "fleet.county.example"); err == nil {
			seen[serial] = true
		}
	}
	cancel()
	<-ended
	if len(seen) < 3 {
		t.Errorf("%d certificates", len(seen))
	}
}

func TestWhatOrdersNeed(t *testing.T) {
	good := func() config.Server {
		return config.Server{Listen: "0.0.0.0:443", PublicURL: "https://fleet.county.example", AdminListen: "off",
			ACME: config.ACME{Domains: []string{"fleet.county.example"}, AcceptTerms: true, Directory: "https://ca.example/directory"}}
	}
	for name, c := range map[string]struct {
		change func(*config.Server)
		say    string
	}{
		"good":                      {func(*config.Server) {}, ""},
		"large letters":             {func(s *config.Server) { s.ACME.Domains = []string{"Fleet.County.Example"} }, ""},
		"no terms":                  {func(s *config.Server) { s.ACME.AcceptTerms = false }, "read the terms of service of ca.example"},
		"files too":                 {func(s *config.Server) { s.TLSCert, s.TLSKey = "a", "b" }, "give one of them"},
		"a wildcard":                {func(s *config.Server) { s.ACME.Domains = []string{"*.county.example"} }, "is not a name"},
		"an address":                {func(s *config.Server) { s.ACME.Domains = []string{"192.0.2.7"} }, "is not a name"},
		"one label":                 {func(s *config.Server) { s.ACME.Domains = []string{"fleet"} }, "is not a name"},
		"another host":              {func(s *config.Server) { s.PublicURL = "https://map.county.example" }, "--public-url"},
		"plain http":                {func(s *config.Server) { s.PublicURL = "http://fleet.county.example" }, "--public-url"},
		"an authority in the clear": {func(s *config.Server) { s.ACME.Directory = "http://ca.example/directory" }, "--tls-acme-directory"},
		"no domain":                 {func(s *config.Server) { s.ACME.Domains = nil }, "need --tls-acme-domain"},
		"two addresses":             {func(s *config.Server) { s.ACME.Email = "a@b.example, c@d.example" }, "--tls-acme-email"},
	} {
		s := good()
		c.change(&s)
		err := s.Check()
		var wrong config.Error
		if c.say == "" && err != nil || c.say != "" && (!errors.As(err, &wrong) || !strings.Contains(err.Error(), c.say)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
