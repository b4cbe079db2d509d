package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"log/slog"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// certificate serves a key pair from files and takes them again when they change.
type certificate struct {
	certFile, keyFile string
	log               *slog.Logger

	mu     sync.Mutex
	pair   *tls.Certificate
	stamp  [2]fileStamp
	looked time.Time
}

type fileStamp struct {
	at   time.Time
	size int64
}

// lookEvery bounds how often handshakes look at the files.
const lookEvery = 10 * time.Second

func loadCertificate(certFile, keyFile string, log *slog.Logger) (*certificate, error) {
	c := &certificate{certFile: certFile, keyFile: keyFile, log: log}
	if st, err := os.Stat(keyFile); err == nil && st.Mode().Perm()&0o044 != 0 {
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
	c.pair, c.stamp, c.looked = &pair, stamp, time.Now()
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
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.looked) < lookEvery {
		return c.pair, nil
	}
	c.reload()
	return c.pair, nil
}

// reload takes the files again when they changed.
func (c *certificate) reload() {
	c.looked = time.Now()
	stamp, err := c.stamps()
	if err != nil || stamp == c.stamp {
		return
	}
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err != nil {
		c.log.Error("the new certificate does not work, the old one stays", "error", err)
		return
	}
	c.pair, c.stamp = &pair, stamp
	c.log.Info("certificate taken again", "file", c.certFile)
	c.warnAge()
}

func (c *certificate) warnAge() {
	if c.pair.Leaf == nil {
		return
	}
	if left := time.Until(c.pair.Leaf.NotAfter); left < 30*24*time.Hour {
		c.log.Warn("the certificate ends soon", "file", c.certFile, "days", int(left.Hours()/24))
	}
}

func (c *certificate) config() *tls.Config {
	return &tls.Config{GetCertificate: c.get, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}
}

// certificate examines the chain as a client would see it.
func (d *doctor) certificate() {
	s := d.server
	if s.TLSCert == "" || s.TLSKey == "" {
		return
	}
	if st, err := os.Stat(s.TLSKey); err == nil && st.Mode().Perm()&0o077 != 0 {
		d.say("certificate", warn, "the key %s can be read by others (mode %04o)", s.TLSKey, st.Mode().Perm())
	}
	pair, err := tls.LoadX509KeyPair(s.TLSCert, s.TLSKey)
	if err != nil {
		d.say("certificate", wrong, "%s and %s are not a pair that works: %v", s.TLSCert, s.TLSKey, err)
		return
	}
	between := x509.NewCertPool()
	for _, der := range pair.Certificate[1:] {
		if cert, err := x509.ParseCertificate(der); err == nil {
			between.AddCert(cert)
		}
	}
	host := hostOf(s.PublicURL)
	left := pair.Leaf.NotAfter.Sub(d.now())
	_, err = pair.Leaf.Verify(x509.VerifyOptions{DNSName: host, Intermediates: between, CurrentTime: d.now()})
	var unknown x509.UnknownAuthorityError
	switch {
	case left < 0:
		d.say("certificate", wrong, "it ended on %s", pair.Leaf.NotAfter.Format(time.DateOnly))
	case errors.As(err, &unknown):
		d.say("certificate", warn, "no authority that this machine knows has signed it (the chain in %s may lack an intermediate)", s.TLSCert)
	case err != nil:
		d.say("certificate", wrong, "it is not good for %s: %v", host, err)
	case left < 30*24*time.Hour:
		d.say("certificate", warn, "it ends in %d days", int(left.Hours()/24))
	default:
		d.say("certificate", good, "good for %s until %s", host, pair.Leaf.NotAfter.Format(time.DateOnly))
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
