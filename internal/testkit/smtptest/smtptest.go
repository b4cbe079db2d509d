// Package smtptest is a real SMTP server on loopback for tests, one that can
// be told to misbehave.
package smtptest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// Taken is one message the server has taken.
type Taken struct {
	From, To string
	Data     string // headers and body as they came
	TLS      bool
	User     string // who signed in
}

// Rules are how a server behaves. The zero value takes everything.
type Rules struct {
	User, Password string                  // asked for when set
	Mail           func(from string) error // refuses a sender
	Rcpt           func(to string) error   // refuses a recipient
	Data           func() error            // refuses a message that has come in whole
	DropInData     bool                    // cuts the connection within the message
	Silent         bool                    // reads the message and never answers
	TLS            *tls.Config             // STARTTLS, or TLS from the start with Implicit
	Implicit       bool
}

// Server is the running server.
type Server struct {
	Addr string // HOST:PORT

	mu    sync.Mutex
	rules Rules
	taken []Taken
	tries int
	quit  chan struct{}
}

// New starts a server that ends with the test.
func New(t testing.TB, rules Rules) *Server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{Addr: l.Addr().String(), rules: rules, quit: make(chan struct{})}
	server := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) { return &session{server: s, conn: c}, nil }))
	server.Domain, server.AllowInsecureAuth = "mail.test", true
	server.ErrorLog = log.New(io.Discard, "", 0)
	if rules.TLS != nil && rules.Implicit {
		l = tls.NewListener(l, rules.TLS)
	} else {
		server.TLSConfig = rules.TLS
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	t.Cleanup(func() {
		close(s.quit)
		if err := server.Close(); err != nil {
			t.Errorf("smtptest: %v", err)
		}
		<-done
	})
	return s
}

// Behave changes the rules of the next messages; TLS stays as it was.
func (s *Server) Behave(rules Rules) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = rules
}

// Taken lists the messages that were taken, oldest first.
func (s *Server) Taken() []Taken {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Taken(nil), s.taken...)
}

// Tries counts the senders that were named: attempts to hand a message on.
func (s *Server) Tries() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tries
}

type session struct {
	server *Server
	conn   *smtp.Conn
	user   string
	m      Taken
}

func (s *session) rules() Rules {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	return s.server.rules
}

// AuthMechanisms implements smtp.AuthSession.
func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

// Auth implements smtp.AuthSession.
func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if r := s.rules(); user != r.User || password != r.Password {
			return smtp.ErrAuthFailed
		}
		s.user = user
		return nil
	}), nil
}

// Mail implements smtp.Session.
func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.server.mu.Lock()
	s.server.tries++
	s.server.mu.Unlock()
	r := s.rules()
	if r.User != "" && s.user == "" {
		return smtp.ErrAuthRequired
	}
	_, encrypted := s.conn.TLSConnectionState()
	s.m = Taken{From: from, TLS: encrypted, User: s.user}
	if r.Mail != nil {
		return r.Mail(from)
	}
	return nil
}

// Rcpt implements smtp.Session.
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.m.To = to
	if r := s.rules(); r.Rcpt != nil {
		return r.Rcpt(to)
	}
	return nil
}

// Data implements smtp.Session.
func (s *session) Data(r io.Reader) error {
	rules := s.rules()
	if rules.DropInData {
		_, _ = io.ReadFull(r, make([]byte, 64))
		return errors.Join(s.conn.Conn().Close(), io.ErrUnexpectedEOF)
	}
	body, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if rules.Silent {
		<-s.server.quit
		return io.ErrUnexpectedEOF
	}
	if rules.Data != nil {
		if err := rules.Data(); err != nil {
			return err
		}
	}
	s.m.Data = string(body)
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.server.taken = append(s.server.taken, s.m)
	return nil
}

// Reset implements smtp.Session.
func (s *session) Reset() {}

// Logout implements smtp.Session.
func (s *session) Logout() error { return nil }

// Refuse is an answer of the server, such as 550 for a mailbox that is not there.
func Refuse(code int, words string) error {
	return &smtp.SMTPError{Code: code, EnhancedCode: smtp.NoEnhancedCode, Message: words}
}

// Authority is one of the test's own, with a server certificate of it for 127.0.0.1.
type Authority struct {
	Server *tls.Config
	Roots  *x509.CertPool
	PEM    []byte
}

// NewAuthority makes the keys and the certificates.
func NewAuthority(t testing.TB) Authority {
	t.Helper()
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(err)
	ca := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	caBytes, err := x509.CreateCertificate(rand.Reader, ca, ca, &caKey.PublicKey, caKey)
	check(err)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(err)
	leaf := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "mail.test"}, NotBefore: ca.NotBefore, NotAfter: ca.NotAfter,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, KeyUsage: x509.KeyUsageDigitalSignature}
	leafBytes, err := x509.CreateCertificate(rand.Reader, leaf, ca, &key.PublicKey, caKey)
	check(err)
	root, err := x509.ParseCertificate(caBytes)
	check(err)
	pool := x509.NewCertPool()
	pool.AddCert(root)
	return Authority{Server: &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{leafBytes}, PrivateKey: key}}}, Roots: pool,
		PEM: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: caBytes})}
}
