package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/acme"

	"lightbar/internal/config"
	"lightbar/internal/durable"
)

// orders gets the certificate from an authority that speaks ACME (RFC 8555), and again before it ends. It orders by its own
// clock alone, never because somebody connects: strangers could use up what the authority allows in a week. The authority
// proves the domains on the port that it serves (TLS-ALPN-01, RFC 8737), so no other port is opened.
type orders struct {
	config.ACME
	folder string // of this authority: the account's key, and the certificate with its key, all 0600
	http   *http.Client
	cert   *certificate
	log    *slog.Logger
	waits  []time.Duration // after the first failure, the second, …; the last one repeats
	retry  time.Duration   // within one order, for what passes by itself

	mu     sync.Mutex
	proofs map[string]*tls.Certificate // by domain, while the authority looks
}

// acmeWaits stay far below what authorities allow (Let's Encrypt: five failures an hour for a name).
var acmeWaits = []time.Duration{time.Minute, 15 * time.Minute, time.Hour, 4 * time.Hour}

const (
	orderWithin = 10 * time.Minute
	lookAgain   = 6 * time.Hour // a machine that slept finds its clock elsewhere
	acmeRetry   = 10 * time.Second
	acmeRetries = 5
)

var errNoCertificate = errors.New("the certificate was not issued yet")

// acmeFolder is where what an authority gave lies; another authority has another one, so that nothing of a trial remains.
func acmeFolder(data, directory string) string {
	host := "authority"
	if u, err := url.Parse(directory); err == nil && u.Host != "" {
		host = strings.ReplaceAll(u.Host, ":", "_")
	}
	return filepath.Join(data, "acme", host)
}

func acmePair(data, directory string) string {
	return filepath.Join(acmeFolder(data, directory), "certificate.pem")
}

// orderedCertificate is the certificate of the domains that the settings name. There may be none yet.
func orderedCertificate(s *config.Server, data string, log *slog.Logger) (*certificate, error) {
	roots, err := rootsOf(s.ACME.CA)
	if err != nil {
		return nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	o := &orders{ACME: s.ACME, folder: acmeFolder(data, s.ACME.Directory), log: log, waits: acmeWaits, retry: acmeRetry,
		http: &http.Client{Transport: transport, Timeout: time.Minute}, proofs: map[string]*tls.Certificate{}}
	file := acmePair(data, s.ACME.Directory)
	o.cert = &certificate{certFile: file, keyFile: file, log: log, now: time.Now, orders: o}
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return o.cert, nil
	}
	switch c, err := loadCertificate(file, file, log); {
	case err != nil:
		log.Warn("the certificate that was issued can't be used, another is ordered", "file", file, "error", err)
	default:
		o.cert.pair, o.cert.stamp, o.cert.looked = c.pair, c.stamp, c.looked
	}
	return o.cert, nil
}

// run orders whenever it is time, until ctx ends.
func (o *orders) run(ctx context.Context) {
	for failures := 0; ; {
		wait := o.dueIn()
		if wait <= 0 {
			err := o.order(ctx)
			if ctx.Err() != nil {
				return
			}
			if err == nil {
				failures = 0
				o.log.Info("a certificate was issued", "domains", o.Domains, "ends", o.cert.leaf().NotAfter.UTC().Format(time.RFC3339))
				wait = max(o.dueIn(), o.waits[0]) // one that is late at once must not be ordered on and on
			} else {
				wait = o.again(err, failures)
				failures++
				o.log.Error("no certificate was issued, it will be tried again", "domains", o.Domains, "authority", o.Directory,
					"error", acmeWords(err), "next", o.cert.now().Add(wait).UTC().Format(time.RFC3339))
			}
		}
		timer := time.NewTimer(min(wait, max(lookAgain, o.waits[len(o.waits)-1])))
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
	}
}

// dueIn is when the next one is ordered: at once if there is none for these domains, else when a third of its life is left.
func (o *orders) dueIn() time.Duration {
	leaf := o.cert.leaf()
	if leaf == nil || slices.ContainsFunc(o.Domains, func(domain string) bool { return leaf.VerifyHostname(domain) != nil }) {
		return 0
	}
	return leaf.NotAfter.Add(-leaf.NotAfter.Sub(leaf.NotBefore) / 3).Sub(o.cert.now())
}

// again is how long the next try waits: what the authority asks for, and never less than after so many failures.
func (o *orders) again(err error, failures int) time.Duration {
	wait := o.waits[min(failures, len(o.waits)-1)]
	var refused *acme.Error
	if errors.As(err, &refused) {
		if asked, is := acme.RateLimit(refused); is {
			wait = max(wait, min(asked, 7*24*time.Hour))
		}
	}
	return wait
}

// acmeWords is what an authority said, as one line of a log.
func acmeWords(err error) string {
	var proof *acme.AuthorizationError
	if errors.As(err, &proof) && len(proof.Errors) > 0 {
		return proof.Identifier + ": " + acmeWords(proof.Errors[0])
	}
	var said *acme.Error
	if errors.As(err, &said) {
		return strings.Join(strings.Fields(said.ProblemType+": "+said.Detail), " ")
	}
	return strings.Join(strings.Fields(err.Error()), " ")
}

// order gets a certificate and puts it where the next handshake takes it.
func (o *orders) order(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, orderWithin)
	defer cancel()
	if err := durable.MakeFolder(filepath.Dir(o.folder)); err != nil {
		return err
	}
	if err := durable.MakeFolder(o.folder); err != nil {
		return err
	}
	account, err := keyIn(filepath.Join(o.folder, "account.pem"))
	if err != nil {
		return err
	}
	client := &acme.Client{Key: account, DirectoryURL: o.Directory, HTTPClient: o.http, UserAgent: "lightbar/" + version,
		RetryBackoff: o.backoff}
	var contact []string
	if o.Email != "" {
		contact = []string{"mailto:" + o.Email}
	}
	_, err = client.Register(ctx, &acme.Account{Contact: contact}, func(string) bool { return o.AcceptTerms })
	if err != nil && !errors.Is(err, acme.ErrAccountAlreadyExists) {
		return fmt.Errorf("account: %w", err)
	}
	ordered, err := client.AuthorizeOrder(ctx, acme.DomainIDs(o.Domains...))
	if err != nil {
		return fmt.Errorf("order: %w", err)
	}
	for _, at := range ordered.AuthzURLs {
		if err := o.prove(ctx, client, at); err != nil {
			return fmt.Errorf("proof: %w", err)
		}
	}
	if ordered, err = client.WaitOrder(ctx, ordered.URI); err != nil {
		return fmt.Errorf("order: %w", err)
	}
	pair, err := o.finish(ctx, client, ordered.FinalizeURL)
	if err != nil {
		return fmt.Errorf("issue: %w", err)
	}
	if err := durable.Write(o.cert.certFile, pair); err != nil {
		return err
	}
	return o.cert.take()
}

// backoff tries again at once what passes by itself: a nonce that was used up, a server that is busy. Who is told to wait
// waits outside of the order.
func (o *orders) backoff(n int, _ *http.Request, answer *http.Response) time.Duration {
	switch {
	case n > acmeRetries, answer != nil && answer.StatusCode == http.StatusTooManyRequests:
		return 0
	case answer != nil && answer.StatusCode < http.StatusInternalServerError:
		return time.Millisecond
	}
	return o.retry
}

// prove shows the authority that this server has a domain's port.
func (o *orders) prove(ctx context.Context, client *acme.Client, at string) error {
	asked, err := client.GetAuthorization(ctx, at)
	if err != nil || asked.Status == acme.StatusValid {
		return err
	}
	i := slices.IndexFunc(asked.Challenges, func(c *acme.Challenge) bool { return c.Type == "tls-alpn-01" })
	if i < 0 {
		return fmt.Errorf("the authority offers no TLS-ALPN-01 for %s", asked.Identifier.Value)
	}
	domain := asked.Identifier.Value
	proof, err := client.TLSALPN01ChallengeCert(asked.Challenges[i].Token, domain)
	if err != nil {
		return err
	}
	o.show(domain, &proof)
	defer o.show(domain, nil)
	if _, err := client.Accept(ctx, asked.Challenges[i]); err != nil {
		return err
	}
	_, err = client.WaitAuthorization(ctx, asked.URI)
	return err
}

func (o *orders) show(domain string, proof *tls.Certificate) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.proofs[domain] = proof; proof == nil {
		delete(o.proofs, domain)
	}
}

// proof answers the authority's look; nil = it looks at nothing that was ordered.
func (o *orders) proof(hello *tls.ClientHelloInfo) *tls.Certificate {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.proofs[strings.ToLower(hello.ServerName)]
}

// finish lets the authority sign a new key, and answers both as the file has them.
func (o *orders) finish(ctx context.Context, client *acme.Client, at string) ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	request, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{DNSNames: o.Domains}, key)
	if err != nil {
		return nil, err
	}
	chain, _, err := client.CreateOrderCert(ctx, at, request, true)
	if err != nil {
		return nil, err
	}
	out, err := keyPEM(key)
	for _, der := range chain {
		out = append(out, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})...)
	}
	if err == nil {
		_, err = tls.X509KeyPair(out, out)
	}
	return out, err
}

func keyPEM(key *ecdsa.PrivateKey) ([]byte, error) {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), err
}

// keyIn reads the account's key, or makes it.
func keyIn(file string) (*ecdsa.PrivateKey, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			return nil, err
		}
		if text, err = keyPEM(key); err != nil {
			return nil, err
		}
		return key, durable.Write(file, text)
	}
	if err != nil {
		return nil, err
	}
	if block, _ := pem.Decode(text); block != nil {
		if parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes); err == nil {
			if key, ok := parsed.(*ecdsa.PrivateKey); ok {
				return key, nil
			}
		}
	}
	return nil, fmt.Errorf("%s is no key; move it away, and a new account is made", file)
}
