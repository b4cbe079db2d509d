// Package acmetest is an authority that speaks ACME (RFC 8555) over HTTPS, with the faults that real ones have. It proves
// domains by TLS-ALPN-01 (RFC 8737) for real, by connecting to the address that the test names.
package acmetest

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// Authority is one that runs until the test ends.
type Authority struct {
	Directory string // its address
	RootPEM   []byte // of its own server, and of what it signs
	At        string // where every domain is, HOST:PORT

	server *httptest.Server
	root   *x509.Certificate
	key    *ecdsa.PrivateKey

	mu       sync.Mutex
	faults   Faults
	nonces   map[string]bool
	accounts map[string]*jose.JSONWebKey // by URL
	contacts []string
	orders   []*order
	serial   int64
}

// Faults are what goes wrong, each so many times.
type Faults struct {
	BadNonce    int           // the nonce is called used up
	RateLimited int           // no order is taken
	RetryAfter  int           // seconds, as those refusals say it
	BadOrder    int           // the order becomes invalid after the proofs
	Down        int           // 503
	Lasts       time.Duration // of what is signed; 0 = 90 days
	NoProof     bool          // TLS-ALPN-01 is not offered
}

type order struct {
	domains []string
	status  string
	proofs  []string // by domain: pending, valid or invalid
	problem *problem
	chain   []byte
	account string
}

type problem struct {
	Type   string `json:"type"`
	Detail string `json:"detail"`
	Status int    `json:"status,omitempty"`
}

const kind = "urn:ietf:params:acme:error:"

// New starts an authority.
func New(t testing.TB) *Authority {
	t.Helper()
	a := &Authority{nonces: map[string]bool{}, accounts: map[string]*jose.JSONWebKey{}, serial: time.Now().UnixNano()}
	var err error
	if a.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "County authority"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(1000 * 24 * time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, a.key.Public(), a.key)
	if err != nil {
		t.Fatal(err)
	}
	a.root, _ = x509.ParseCertificate(der)
	a.RootPEM = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	own, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	leaf := a.sign(t, []string{"localhost"}, own.Public(), time.Hour)
	a.server = httptest.NewUnstartedServer(http.HandlerFunc(a.serve))
	a.server.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{leaf}, PrivateKey: own}}}
	a.server.StartTLS()
	t.Cleanup(a.server.Close)
	a.Directory = strings.Replace(a.server.URL, "127.0.0.1", "localhost", 1) + "/directory"
	return a
}

// Break lets things go wrong from now on.
func (a *Authority) Break(f Faults) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.faults = f
}

// Contacts are the addresses of accounts.
func (a *Authority) Contacts() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.contacts
}

func (a *Authority) sign(t testing.TB, domains []string, key crypto.PublicKey, lasts time.Duration) []byte {
	a.serial++
	template := &x509.Certificate{SerialNumber: big.NewInt(a.serial), Subject: pkix.Name{CommonName: domains[0]}, DNSNames: domains,
		NotBefore: time.Now().Add(-time.Minute), NotAfter: time.Now().Add(lasts), KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	der, err := x509.CreateCertificate(rand.Reader, template, a.root, key, a.key)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

func (a *Authority) url(path string) string {
	return strings.TrimSuffix(a.Directory, "/directory") + path
}

func (a *Authority) nonce(w http.ResponseWriter) {
	text := make([]byte, 12)
	_, _ = rand.Read(text)
	nonce := base64.RawURLEncoding.EncodeToString(text)
	a.nonces[nonce] = true
	w.Header().Set("Replay-Nonce", nonce)
}

func say(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	if p, is := body.(*problem); is {
		p.Status = status
		w.Header().Set("Content-Type", "application/problem+json")
	}
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func (a *Authority) serve(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.nonce(w)
	switch {
	case a.faults.Down > 0:
		a.faults.Down--
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	case r.URL.Path == "/directory":
		say(w, 200, map[string]any{"newNonce": a.url("/nonce"), "newAccount": a.url("/account"), "newOrder": a.url("/order"),
			"revokeCert": a.url("/revoke"), "keyChange": a.url("/change"), "meta": map[string]any{"termsOfService": a.url("/terms")}})
		return
	case r.URL.Path == "/nonce":
		w.WriteHeader(http.StatusOK)
		return
	}
	payload, account, jwk, wrong := a.signed(r)
	if wrong != nil {
		say(w, http.StatusBadRequest, wrong)
		return
	}
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case parts[0] == "account":
		a.account(w, payload, jwk)
	case account == "":
		say(w, http.StatusForbidden, &problem{Type: kind + "accountDoesNotExist", Detail: "no account"})
	case parts[0] == "order" && len(parts) == 1:
		a.newOrder(w, payload, account)
	default:
		var no, domain int
		if len(parts) > 1 {
			_, _ = fmt.Sscan(parts[1], &no)
		}
		if len(parts) > 2 {
			_, _ = fmt.Sscan(parts[2], &domain)
		}
		if no >= len(a.orders) || domain >= len(a.orders[no].domains) || a.orders[no].account != account {
			say(w, http.StatusNotFound, &problem{Type: kind + "malformed", Detail: "nothing there"})
			return
		}
		a.ofOrder(w, r, parts[0], no, domain, payload)
	}
}

// signed checks the signature, the nonce, and the address of a request (RFC 8555, 6.2 to 6.4).
func (a *Authority) signed(r *http.Request) (payload []byte, account string, jwk *jose.JSONWebKey, wrong *problem) {
	text, _ := io.ReadAll(r.Body)
	bad := func(what string) ([]byte, string, *jose.JSONWebKey, *problem) {
		return nil, "", nil, &problem{Type: kind + "malformed", Detail: what}
	}
	jws, err := jose.ParseSigned(string(text), []jose.SignatureAlgorithm{jose.ES256, jose.RS256})
	if err != nil || r.Header.Get("Content-Type") != "application/jose+json" {
		return bad(fmt.Sprint("not signed: ", err))
	}
	head := jws.Signatures[0].Protected
	if head.ExtraHeaders["url"] != a.url(r.URL.Path) {
		return bad("signed for another address")
	}
	if !a.nonces[head.Nonce] || a.faults.BadNonce > 0 {
		a.faults.BadNonce = max(0, a.faults.BadNonce-1)
		return nil, "", nil, &problem{Type: kind + "badNonce", Detail: "JWS has an invalid anti-replay nonce"}
	}
	delete(a.nonces, head.Nonce)
	if jwk = head.JSONWebKey; jwk == nil {
		account = head.KeyID
		if jwk = a.accounts[account]; jwk == nil {
			return bad("no such account")
		}
	}
	if payload, err = jws.Verify(jwk); err != nil {
		return bad("wrong signature")
	}
	return payload, account, jwk, nil
}

func (a *Authority) account(w http.ResponseWriter, payload []byte, jwk *jose.JSONWebKey) {
	var said struct {
		Contact []string `json:"contact"`
		Agreed  bool     `json:"termsOfServiceAgreed"`
		Only    bool     `json:"onlyReturnExisting"`
	}
	_ = json.Unmarshal(payload, &said)
	print, _ := jwk.Thumbprint(crypto.SHA256)
	at := a.url("/account/" + base64.RawURLEncoding.EncodeToString(print))
	w.Header().Set("Location", at)
	status := http.StatusOK
	if a.accounts[at] == nil {
		if !said.Agreed {
			say(w, http.StatusForbidden, &problem{Type: kind + "userActionRequired", Detail: "agree to the terms"})
			return
		}
		a.accounts[at], status = jwk, http.StatusCreated
		a.contacts = append(a.contacts, said.Contact...)
	}
	say(w, status, map[string]any{"status": "valid", "contact": said.Contact})
}

func (a *Authority) newOrder(w http.ResponseWriter, payload []byte, account string) {
	if a.faults.RateLimited > 0 {
		a.faults.RateLimited--
		w.Header().Set("Retry-After", fmt.Sprint(a.faults.RetryAfter))
		say(w, http.StatusTooManyRequests, &problem{Type: kind + "rateLimited", Detail: "too many new orders recently"})
		return
	}
	var said struct {
		Identifiers []struct{ Value string }
	}
	_ = json.Unmarshal(payload, &said)
	o := &order{status: "pending", account: account}
	for _, id := range said.Identifiers {
		o.domains, o.proofs = append(o.domains, id.Value), append(o.proofs, "pending")
	}
	a.orders = append(a.orders, o)
	w.Header().Set("Location", a.url(fmt.Sprintf("/orders/%d", len(a.orders)-1)))
	say(w, http.StatusCreated, a.show(len(a.orders)-1))
}

func (a *Authority) show(no int) map[string]any {
	o := a.orders[no]
	out := map[string]any{"status": o.status, "finalize": a.url(fmt.Sprintf("/finalize/%d", no))}
	var ids []map[string]string
	var at []string
	for i, domain := range o.domains {
		ids, at = append(ids, map[string]string{"type": "dns", "value": domain}), append(at, a.url(fmt.Sprintf("/authz/%d/%d", no, i)))
	}
	out["identifiers"], out["authorizations"] = ids, at
	if o.problem != nil {
		out["error"] = o.problem
	}
	if o.chain != nil {
		out["certificate"] = a.url(fmt.Sprintf("/cert/%d", no))
	}
	return out
}

func (a *Authority) ofOrder(w http.ResponseWriter, r *http.Request, what string, no, domain int, payload []byte) {
	o := a.orders[no]
	token := fmt.Sprintf("token-%d-%d", no, domain)
	challenge := map[string]any{"type": "tls-alpn-01", "token": token, "url": a.url(fmt.Sprintf("/challenge/%d/%d", no, domain)), "status": o.proofs[domain]}
	if a.faults.NoProof {
		challenge["type"] = "dns-01"
	}
	if o.proofs[domain] == "invalid" {
		challenge["error"] = &problem{Type: kind + "unauthorized", Detail: "the proof at " + a.At + " is missing"}
	}
	switch what {
	case "orders":
		say(w, 200, a.show(no))
	case "authz":
		say(w, 200, map[string]any{"status": o.proofs[domain], "identifier": map[string]string{"type": "dns", "value": o.domains[domain]},
			"challenges": []any{challenge}})
	case "challenge":
		o.proofs[domain] = "invalid"
		print, _ := a.accounts[o.account].Thumbprint(crypto.SHA256)
		if a.proved(o.domains[domain], token+"."+base64.RawURLEncoding.EncodeToString(print)) {
			o.proofs[domain] = "valid"
		}
		a.judge(o)
		challenge["status"] = "processing"
		delete(challenge, "error")
		say(w, 200, challenge)
	case "finalize":
		a.finalize(w, no, payload)
	case "cert":
		w.Header().Set("Content-Type", "application/pem-certificate-chain")
		_, _ = w.Write(o.chain)
	}
}

// judge makes an order ready when all its domains are proved.
func (a *Authority) judge(o *order) {
	joined := strings.Join(o.proofs, " ")
	switch {
	case strings.Contains(joined, "invalid"):
		o.status = "invalid"
	case strings.Contains(joined, "pending"):
	case a.faults.BadOrder > 0:
		a.faults.BadOrder--
		o.status, o.problem = "invalid", &problem{Type: kind + "caa", Detail: "CAA record forbids issuance"}
	default:
		o.status = "ready"
	}
}

// proved looks at the domain's port (RFC 8737, section 3).
func (a *Authority) proved(domain, authorization string) bool {
	conn, err := tls.Dial("tcp", a.At, &tls.Config{ServerName: domain, NextProtos: []string{"acme-tls/1"}, InsecureSkipVerify: true})
	if err != nil {
		return false
	}
	defer func() { _ = conn.Close() }()
	state := conn.ConnectionState()
	leaf, sum := state.PeerCertificates[0], sha256.Sum256([]byte(authorization))
	want, _ := asn1.Marshal(sum[:])
	if state.NegotiatedProtocol != "acme-tls/1" || len(leaf.DNSNames) != 1 || leaf.DNSNames[0] != domain {
		return false
	}
	for _, ext := range leaf.Extensions {
		if ext.Id.Equal(asn1.ObjectIdentifier{1, 3, 6, 1, 5, 5, 7, 1, 31}) {
			return ext.Critical && bytes.Equal(ext.Value, want)
		}
	}
	return false
}

func (a *Authority) finalize(w http.ResponseWriter, no int, payload []byte) {
	o := a.orders[no]
	var said struct{ CSR string }
	_ = json.Unmarshal(payload, &said)
	der, _ := base64.RawURLEncoding.DecodeString(said.CSR)
	request, err := x509.ParseCertificateRequest(der)
	if err != nil || o.status != "ready" || request.CheckSignature() != nil || strings.Join(request.DNSNames, " ") != strings.Join(o.domains, " ") {
		say(w, http.StatusForbidden, &problem{Type: kind + "badCSR", Detail: "the request is not that of the order"})
		return
	}
	lasts := a.faults.Lasts
	if lasts == 0 {
		lasts = 90 * 24 * time.Hour
	}
	a.serial++
	template := &x509.Certificate{SerialNumber: big.NewInt(a.serial), DNSNames: o.domains, NotBefore: time.Now().Add(-time.Minute), NotAfter: time.Now().Add(lasts),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	signed, err := x509.CreateCertificate(rand.Reader, template, a.root, request.PublicKey, a.key)
	if err != nil {
		say(w, http.StatusInternalServerError, &problem{Type: kind + "serverInternal", Detail: err.Error()})
		return
	}
	o.status, o.chain = "valid", append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed}), a.RootPEM...)
	w.Header().Set("Location", a.url(fmt.Sprintf("/orders/%d", no)))
	say(w, 200, a.show(no))
}
