package main

import (
	"context"
	"crypto/x509"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"lightbar/internal/config"
	"lightbar/internal/mail"
	"lightbar/internal/secret"
)

// outboxDir is where mails are written when there is no SMTP server.
func outboxDir(data string) string { return filepath.Join(data, "outbox") }

// letters are how mails leave, with the files read that the settings name.
type letters struct {
	from  mail.From
	named bool              // from says its name itself; else mails carry the brand's
	smtp  *mail.SMTPOptions // nil = a folder
}

func lettersOf(s *config.Server) (l letters, err error) {
	var host string
	l.named = s.Mail.From != ""
	if l.from, host, err = senderOf(s, ""); err != nil || s.Mail.URL == "" {
		return l, err
	}
	o, err := smtpOptions(s, host)
	if err != nil {
		return l, err
	}
	l.smtp = &o
	_, err = l.sender() // a wrong address shows now
	return l, err
}

// post makes what hands mails on. brand is the name the mails come from
// unless the settings name a sender.
func (l letters) post(e *env, brand string) (mail.Sender, error) {
	if !l.named {
		l.from.Name = brand
	}
	if l.smtp == nil {
		return &mail.Folder{Dir: outboxDir(e.common.Data), From: l.from, Log: e.log}, nil
	}
	return l.sender()
}

func (l letters) sender() (*mail.SMTP, error) {
	o := *l.smtp
	o.From = l.from
	out, err := mail.NewSMTP(o)
	if err != nil {
		return nil, config.Error("--smtp-url: " + sentence(err.Error()))
	}
	return out, nil
}

// smtpOptions reads the files of an SMTP server's settings.
func smtpOptions(s *config.Server, host string) (mail.SMTPOptions, error) {
	o := mail.SMTPOptions{URL: s.Mail.URL.Reveal(), Helo: host}
	var err error
	if s.Mail.PasswordFile != "" {
		if o.Password, err = secretOf(s.Mail.PasswordFile); err != nil {
			return o, err
		}
	}
	o.Roots, err = rootsOf(s.Mail.CA)
	return o, err
}

// rootsOf reads the certificates of a file; nil, which is what this machine knows, without one.
func rootsOf(file string) (*x509.CertPool, error) {
	if file == "" {
		return nil, nil
	}
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, place("The certificates %s cannot be read: %v.", file, errors.Unwrap(err))
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		return nil, place("The file %s holds no certificate (PEM).", file)
	}
	return roots, nil
}

// senderOf is who mails come from, and the name of this server among mail servers.
func senderOf(s *config.Server, brand string) (from mail.From, host string, err error) {
	u, err := url.Parse(s.PublicURL)
	if err != nil || u.Hostname() == "" {
		return from, "", config.Error("--public-url is needed for mails.")
	}
	if s.Mail.From == "" {
		return mail.From{Name: brand, Address: "noreply@" + u.Hostname()}, u.Hostname(), nil
	}
	if from, err = mail.ParseFrom(s.Mail.From); err != nil {
		return from, "", config.Error("--mail-from: " + sentence(err.Error()))
	}
	return from, u.Hostname(), nil
}

// secretOf reads the first line of a file that others cannot read.
func secretOf(file string) (string, error) {
	st, err := os.Stat(file)
	if err == nil && secret.Exposed(file, st.Mode()) {
		return "", place("The file %s can be read by others (mode %04o); run chmod 600 on it.", file, st.Mode().Perm())
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return "", place("The file %s cannot be read: %v.", file, errors.Unwrap(err))
	}
	line, _, _ := strings.Cut(string(b), "\n")
	return strings.TrimRight(line, "\r"), nil
}

// mail examines how letters would leave.
func (d *doctor) mail() {
	s := d.server
	from, _, err := senderOf(s, "")
	if err != nil {
		return // the check of the configuration has said it
	}
	if s.Mail.URL == "" {
		d.warnIf(!config.Loopback(s.Listen), "mail", noSMTP,
			"no --smtp-url: invitations and links are written to %s, where somebody must read them", outboxDir(d.e.common.Data))
		return
	}
	if s.Mail.From == "" {
		d.warn("mail", noMailFrom, "no --mail-from: mails come from %s", from.Address)
	}
	var post *mail.SMTP
	l, err := lettersOf(s)
	if err == nil {
		post, err = l.sender()
	}
	if err != nil {
		d.say("mail", wrong, "%v", err)
		return
	}
	ctx, cancel := context.WithTimeout(d.e.ctx, 30*time.Second)
	defer cancel()
	if err := post.Check(ctx); err != nil {
		d.say("mail", wrong, "%s does not take mails: %v", s.Mail.URL, err)
		return
	}
	d.say("mail", good, "%s takes mails", s.Mail.URL)
}
