package config

import (
	"encoding/json"
	"log/slog"
	"net/mail"
	"net/url"
	"strconv"
	"strings"
)

// Mail says how letters leave. Without an SMTP server they are written to the
// folder outbox in the data folder.
type Mail struct {
	URL          SMTPURL `help:"SMTP server: smtp://user@host:587 (STARTTLS) or smtps://user@host:465 (TLS from the start); without it emails are written to DATA/outbox. Put a password into LIGHTBAR_SMTP_URL or a file, never on the command line." name:"smtp-url" env:"LIGHTBAR_SMTP_URL" placeholder:"URL"`
	PasswordFile string  `help:"File with the SMTP password on its first line, readable only by this user." name:"smtp-password-file" type:"path" env:"LIGHTBAR_SMTP_PASSWORD_FILE" placeholder:"FILE"`
	CA           string  `help:"Certificates (PEM) to trust instead of the system's, for your own mail server." name:"smtp-ca" type:"path" env:"LIGHTBAR_SMTP_CA" placeholder:"FILE"`
	From         string  `help:"Sender of all emails, such as \"County Map <map@example.org>\"; without it, the product's name and noreply at the public address." name:"mail-from" env:"LIGHTBAR_MAIL_FROM" placeholder:"ADDRESS"`
}

// People are the rules for passwords and accounts.
type People struct {
	RevealUnknownEmail bool   `help:"On the forgotten-password page, say when there is no such user. With --no-reveal-unknown-email the answer is always the same." default:"true" negatable:"" env:"LIGHTBAR_REVEAL_UNKNOWN_EMAIL"`
	PasswordPolicy     string `help:"specified: 8 characters of four kinds, 90 days, history of 10; nist: 15 characters, no expiry." default:"specified" enum:"specified,nist" env:"LIGHTBAR_PASSWORD_POLICY" placeholder:"NAME"`
	LinkConfirmation   bool   `help:"Ask \"Continue as ...\" before a sign-in link (an address with tokens) signs in." env:"LIGHTBAR_LINK_CONFIRMATION"`
}

// check verifies the mail settings as far as that needs no connection. No sentence repeats the address.
func (m Mail) check() error {
	if m.URL != "" {
		u, err := url.Parse(m.URL.Reveal())
		if err != nil || (u.Scheme != "smtp" && u.Scheme != "smtps") || u.Hostname() == "" || u.Path != "" ||
			u.RawQuery != "" || u.Fragment != "" {
			return wrong("--smtp-url is not an address such as smtp://user@mail.example.org:587 or smtps://user@mail.example.org:465.")
		}
		if port := u.Port(); port != "" {
			if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
				return wrong("--smtp-url has no port within 1 and 65535.")
			}
		}
		if _, set := u.User.Password(); set && m.PasswordFile != "" {
			return wrong("--smtp-url and --smtp-password-file both give a password; keep one.")
		}
	} else if m.PasswordFile != "" || m.CA != "" {
		return wrong("--smtp-password-file and --smtp-ca need --smtp-url.")
	}
	if m.From != "" {
		if _, err := mail.ParseAddress(m.From); err != nil || strings.ContainsAny(m.From, "\r\n") {
			return wrong("--mail-from %q is not an address such as \"County Map <map@example.org>\".", m.From)
		}
	}
	return nil
}

// SMTPURL is an address that may hold a password: printing hides it.
type SMTPURL string

// String hides the password.
func (u SMTPURL) String() string { return hidden(string(u)) }

// MarshalJSON hides the password.
func (u SMTPURL) MarshalJSON() ([]byte, error) { return json.Marshal(u.String()) }

// LogValue hides the password.
func (u SMTPURL) LogValue() slog.Value { return slog.StringValue(u.String()) }

// Reveal is the address itself, for the sender alone.
func (u SMTPURL) Reveal() string { return string(u) }
