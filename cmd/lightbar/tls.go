package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/sys/unix"

	"lightbar/internal/fleet"
	"lightbar/internal/secret"
)

// certificate serves a key pair from files and takes them again when they change.
type certificate struct {
	certFile, keyFile string
	log               *slog.Logger
	now               func() time.Time
	orders            *orders // puts the pair there; nil = somebody else does

	mu      sync.Mutex
	pair    *tls.Certificate // nil = it was not issued yet
	stamp   [2]fileStamp
	looked  time.Time
	warned  time.Time // when the log last spoke of the pair's age
	trouble string    // why the files cannot be taken, as the log said it; "" = they can
}

type fileStamp struct {
	at   time.Time
	size int64
}

const (
	lookEvery = 10 * time.Second // bounds how often handshakes look at the files
	warnEvery = 24 * time.Hour
)

func loadCertificate(certFile, keyFile string, log *slog.Logger) (*certificate, error) {
	c := &certificate{certFile: certFile, keyFile: keyFile, log: log, now: time.Now}
	if st, err := os.Stat(keyFile); err == nil && secret.Exposed(keyFile, st.Mode()) {
		log.Warn("the private key can be read by others", "file", keyFile, "mode", st.Mode().Perm().String())
	}
	stamp, err := c.stamps()
	if err != nil {
		return nil, place("The certificate cannot be read: %v.", err)
	}
	pair, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		return nil, place("The certificate %s and the key %s are not a pair that works: %v.", certFile, keyFile, err)
	}
	c.pair, c.stamp, c.looked = &pair, stamp, c.now()
	c.warnAge()
	return c, nil
}

func (c *certificate) stamps() (out [2]fileStamp, err error) {
	for i, name := range []string{c.certFile, c.keyFile} {
		st, err := os.Stat(name)
		if err != nil {
			return out, err
		}
		out[i] = fileStamp{st.ModTime(), st.Size()}
	}
	return out, nil
}

// get is tls.Config.GetCertificate. A pair that does not work keeps the old one.
func (c *certificate) get(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	if c.orders != nil && slices.Contains(hello.SupportedProtos, acme.ALPNProto) {
		if proof := c.orders.proof(hello); proof != nil {
			return proof, nil
		}
		return nil, errNoCertificate
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pair == nil {
		return nil, errNoCertificate // take puts the first one there
	}
	if c.now().Sub(c.looked) >= lookEvery {
		c.looked = c.now()
		c.reload()
		c.warnAge()
	}
	return c.pair, nil
}

// take takes a pair that was just put there.
func (c *certificate) take() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	stamp, err := c.stamps()
	if err != nil {
		return err
	}
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err == nil {
		c.pair, c.stamp, c.trouble, c.warned, c.looked = &pair, stamp, "", time.Time{}, c.now()
	}
	return err
}

// leaf is the certificate in use; nil = there is none.
func (c *certificate) leaf() *x509.Certificate {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pair == nil {
		return nil
	}
	return c.pair.Leaf
}

// reload takes the files again when they changed. Each trouble is said once, not at each look.
func (c *certificate) reload() {
	stamp, err := c.stamps()
	if err == nil && stamp == c.stamp {
		if c.trouble != "" {
			c.trouble = ""
			c.log.Info("the certificate's files are good again", "file", c.certFile)
		}
		return
	}
	var pair tls.Certificate
	if err == nil {
		pair, err = tls.LoadX509KeyPair(c.certFile, c.keyFile)
	}
	if err != nil {
		if err.Error() != c.trouble {
			c.trouble = err.Error()
			c.log.Error("the certificate's files do not work, the old pair stays", "file", c.certFile, "key", c.keyFile, "error", err)
		}
		return
	}
	c.pair, c.stamp, c.trouble, c.warned = &pair, stamp, "", time.Time{}
	c.log.Info("certificate taken again", "file", c.certFile)
}

// warnAge says each day that the pair in use ends soon, or that it has ended.
func (c *certificate) warnAge() {
	now := c.now()
	if c.pair.Leaf == nil || now.Sub(c.warned) < warnEvery {
		return
	}
	left := c.pair.Leaf.NotAfter.Sub(now)
	switch {
	case !ofLeaf(c.pair.Leaf, c.orders != nil).IsLate(fleet.InstantOf(now)):
		return
	case left < 0:
		c.log.Error("the certificate has ended, clients refuse it", "file", c.certFile, "ended", c.pair.Leaf.NotAfter.UTC().Format(time.RFC3339))
	default:
		c.log.Warn("the certificate ends soon", "file", c.certFile, "days", int(left.Hours()/24))
	}
	c.warned = now
}

// facts are what is known of the pair in use; the zero value without one.
func (c *certificate) facts() fleet.Certificate {
	leaf := c.leaf()
	if leaf == nil {
		return fleet.Certificate{}
	}
	return ofLeaf(leaf, c.orders != nil)
}

func ofLeaf(leaf *x509.Certificate, renews bool) fleet.Certificate {
	return fleet.Certificate{BeginsAt: fleet.InstantOf(leaf.NotBefore), EndsAt: fleet.InstantOf(leaf.NotAfter), Renews: renews}
}

func (c *certificate) config() *tls.Config {
	protocols := []string{"h2", "http/1.1"}
	if c.orders != nil {
		protocols = append(protocols, acme.ALPNProto)
	}
	return &tls.Config{GetCertificate: c.get, MinVersion: tls.VersionTLS12, CipherSuites: suites(), NextProtos: protocols}
}

// suites are those offered for TLS 1.2: authenticated ones alone. The default adds CBC with SHA-1 for clients that have nothing better.
func suites() (out []uint16) {
	for _, s := range tls.CipherSuites() {
		if !strings.Contains(s.Name, "_CBC_") && slices.Contains(s.SupportedVersions, tls.VersionTLS12) {
			out = append(out, s.ID)
		}
	}
	return out
}

// certificate examines the chain as a client would see it.
func (d *doctor) certificate() {
	if d.server.ACME.Orders() {
		d.ordered()
	}
	d.pair("certificate", d.server.TLSCert, d.server.TLSKey, hostOf(d.server.PublicURL))
	d.pair("mqtt-cert", d.server.MQTTCert, d.server.MQTTKey, "")
}

// ordered examines the certificate that the server orders by itself.
func (d *doctor) ordered() {
	if _, port, err := net.SplitHostPort(d.server.Listen); err == nil && port != "443" {
		d.warn("certificate", acmePort, "the authority connects to port 443 of %s, and the server listens on port %s: lead one to the other",
			strings.Join(d.server.ACME.Domains, ", "), port)
	}
	file := acmePair(d.e.common.Data, d.server.ACME.Directory)
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		d.warn("certificate", acmeNone, "none was issued yet by %s; the server orders it when it runs, and its log says what hinders it",
			hostOf(d.server.ACME.Directory))
		return
	}
	d.pair("certificate", file, file, hostOf(d.server.PublicURL))
}

// pair examines one pair of files; host is what clients call the server, "" = nobody knows.
func (d *doctor) pair(check, certFile, keyFile, host string) {
	if certFile == "" || keyFile == "" {
		return
	}
	if st, err := os.Stat(keyFile); err == nil && secret.Exposed(keyFile, st.Mode()) {
		d.warn(check, certificateKeyOpen, "the key %s can be read by others (mode %04o)", keyFile, st.Mode().Perm())
	}
	pair, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		d.say(check, wrong, "%s and %s are not a pair that works: %v", certFile, keyFile, err)
		return
	}
	between := x509.NewCertPool()
	for _, der := range pair.Certificate[1:] {
		if cert, err := x509.ParseCertificate(der); err == nil {
			between.AddCert(cert)
		}
	}
	left := pair.Leaf.NotAfter.Sub(d.now())
	_, err = pair.Leaf.Verify(x509.VerifyOptions{DNSName: host, Intermediates: between, CurrentTime: d.now()})
	if host == "" {
		host = strings.Join(pair.Leaf.DNSNames, ", ")
	}
	var unknown x509.UnknownAuthorityError
	switch {
	case left < 0:
		d.say(check, wrong, "it ended on %s", pair.Leaf.NotAfter.Format(time.DateOnly))
	case errors.As(err, &unknown):
		d.warn(check, certificateUnknown,
			"no authority that this machine knows has signed it (the chain in %s may lack an intermediate)", certFile)
	case err != nil:
		d.say(check, wrong, "it is not good for %s: %v", host, err)
	case ofLeaf(pair.Leaf, d.server.ACME.Orders() && certFile == keyFile).IsLate(fleet.InstantOf(d.now())):
		d.warn(check, certificateEnding, "it ends in %s", counted(int(left.Hours()/24), "day"))
	default:
		d.say(check, good, "good for %s until %s", host, pair.Leaf.NotAfter.Format(time.DateOnly))
	}
}

// portWords say why an address cannot be listened on.
func portWords(flag, address string, err error) string {
	switch {
	case errors.Is(err, unix.EADDRINUSE):
		return flag + " " + address + " is in use by another program; stop it or choose another port."
	case errors.Is(err, unix.EACCES):
		return flag + " " + address + " needs rights this user does not have; choose a port above 1023."
	case errors.Is(err, unix.EADDRNOTAVAIL):
		return flag + " " + address + " is not an address of this machine."
	}
	return flag + " " + address + " cannot be listened on: " + err.Error() + "."
}
