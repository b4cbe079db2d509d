package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"
)

// SMTP hands messages to a server (RFC 5321). TLS is verified: implicit
// (smtps), or STARTTLS, which is demanded of every server that is not on this
// machine (RFC 8314). One connection a message: mails are few.
type SMTP struct {
	server  server
	from    From
	timeout time.Duration
	tls     *tls.Config
	options []gomail.Option
}

// SMTPOptions say which server.
type SMTPOptions struct {
	// URL is smtp://user:password@host:port (STARTTLS, port 587 when left out)
	// or smtps://… (implicit TLS, port 465). User and password may be missing.
	URL string
	// Password is used when the address has none.
	Password string
	From     From
	// Helo is how the client introduces itself; empty = the machine's name.
	Helo string
	// Roots are the authorities to believe; nil = those of the system.
	Roots *x509.CertPool
	// Timeout bounds connecting, and then each step of the conversation; 0 = 20 s.
	Timeout time.Duration
}

// server is a parsed address of an SMTP server.
type server struct {
	host, user, password string
	port                 int
	implicit, local      bool
}

// parseServer reads smtp[s]://user:password@host:port.
func parseServer(text string) (server, error) {
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "smtp" && u.Scheme != "smtps") || u.Hostname() == "" || u.Path != "" || u.RawQuery != "" ||
		u.Fragment != "" || u.Opaque != "" {
		return server{}, errors.New("mail: the address of the SMTP server is not smtp://user@host:port or smtps://user@host:port")
	}
	s := server{host: u.Hostname(), implicit: u.Scheme == "smtps", port: 587, local: loopback(u.Hostname())}
	if s.implicit {
		s.port = 465
	}
	if text := u.Port(); text != "" {
		if s.port, err = strconv.Atoi(text); err != nil || s.port < 1 || s.port > 65535 {
			return server{}, errors.New("mail: the port of the SMTP server is not within 1 and 65535")
		}
	}
	if u.User != nil {
		s.user = u.User.Username()
		s.password, _ = u.User.Password()
	}
	if hasBreak(s.host) || hasBreak(s.user) || hasBreak(s.password) {
		return server{}, errors.New("mail: the address of the SMTP server is not one line")
	}
	return s, nil
}

func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// signIns are the ways to sign in, the best first; a password travels as it is
// over TLS or within this machine only.
var signIns = []gomail.SMTPAuthType{gomail.SMTPAuthSCRAMSHA256, gomail.SMTPAuthSCRAMSHA1, gomail.SMTPAuthCramMD5, gomail.SMTPAuthPlain,
	gomail.SMTPAuthLogin}

// NewSMTP prepares a sender; it connects at the first message.
func NewSMTP(o SMTPOptions) (*SMTP, error) {
	s, err := parseServer(o.URL)
	if err != nil {
		return nil, err
	}
	if s.password == "" {
		s.password = o.Password
	}
	return newSMTP(s, o)
}

func newSMTP(s server, o SMTPOptions) (*SMTP, error) {
	if o.Timeout == 0 {
		o.Timeout = 20 * time.Second
	}
	out := &SMTP{server: s, from: o.From, timeout: o.Timeout, tls: &tls.Config{ServerName: s.host, MinVersion: tls.VersionTLS12,
		RootCAs: o.Roots}}
	policy := gomail.TLSMandatory
	switch {
	case s.implicit:
		policy = gomail.NoTLS // the connection is encrypted before the client speaks
	case s.local:
		policy = gomail.TLSOpportunistic
	}
	out.options = []gomail.Option{gomail.WithPort(s.port), gomail.WithTimeout(o.Timeout), gomail.WithoutNoop(), gomail.WithoutRset(),
		gomail.WithTLSConfig(out.tls), gomail.WithTLSPolicy(policy)}
	if o.Helo != "" {
		out.options = append(out.options, gomail.WithHELO(o.Helo))
	}
	if s.user != "" {
		out.options = append(out.options, gomail.WithOpportunisticSMTPAuth(signIns...), gomail.WithUsername(s.user),
			gomail.WithPassword(s.password))
	}
	_, err := gomail.NewClient(s.host, out.options...) // wrong options show now
	return out, err
}

// connection is a conversation with the server that ends with its context.
type connection struct {
	client *gomail.Client
	speak  *smtp.Client
	end    func()
}

func (s *SMTP) connect(ctx context.Context) (*connection, error) {
	var conn net.Conn
	dial := func(ctx context.Context, network, address string) (c net.Conn, err error) {
		if s.server.implicit {
			c, err = (&tls.Dialer{Config: s.tls}).DialContext(ctx, network, address)
		} else {
			c, err = (&net.Dialer{}).DialContext(ctx, network, address)
		}
		conn = c
		return c, err
	}
	client, err := gomail.NewClient(s.server.host, append(s.options[:len(s.options):len(s.options)], gomail.WithDialContextFunc(dial))...)
	if err != nil {
		return nil, err
	}
	within, cancel := context.WithTimeout(ctx, 3*s.timeout)
	cut := func() {
		if conn != nil {
			_ = conn.Close() // closed twice is no error that matters
		}
	}
	speak, err := client.DialToSMTPClientWithContext(within)
	if err != nil {
		cancel()
		cut()
		return nil, err
	}
	stop := context.AfterFunc(within, cut) // neither a stop nor a silent server holds us
	return &connection{client: client, speak: speak, end: func() { stop(); cancel(); cut() }}, nil
}

// Check connects, encrypts and signs in as for a message, and leaves again.
func (s *SMTP) Check(ctx context.Context) error {
	c, err := s.connect(ctx)
	if err != nil {
		return errors.New(s.said(err.Error()))
	}
	defer c.end()
	return c.client.CloseWithSMTPClient(c.speak)
}

// Send implements Sender. A 5xx answer to sender, recipient or message is
// *Refused. Failures to connect, to encrypt or to sign in are the operator's to
// mend, and 4xx answers pass: the message is tried again.
func (s *SMTP) Send(ctx context.Context, m Message) error {
	_, err := s.Ask(ctx, m)
	return err
}

// Ask implements Asker: it is Send, and answers what the server said when it took the message.
func (s *SMTP) Ask(ctx context.Context, m Message) (answer string, err error) {
	msg, err := encode(s.from, m, false)
	if errors.Is(err, errAddress) {
		return "", &Refused{Reason: err.Error()}
	}
	if err != nil {
		return "", err
	}
	c, err := s.connect(ctx)
	if err != nil {
		return "", fmt.Errorf("mail: connect: %s", s.said(err.Error()))
	}
	defer c.end()
	sent := c.client.SendWithSMTPClient(c.speak, msg)
	if sent == nil {
		_ = c.client.CloseWithSMTPClient(c.speak) // taken: a farewell that fails changes nothing
		return s.said(msg.ServerResponse()), nil
	}
	var failure *gomail.SendError
	if errors.As(sent, &failure) && permanent(failure.ErrorCode()) {
		return "", &Refused{Code: failure.ErrorCode(), Reason: s.said(sent.Error())}
	}
	return "", fmt.Errorf("mail: send: %s", s.said(sent.Error()))
}

// said is what the server said, word for word but for addresses and what we sign in with: some servers repeat it.
func (s *SMTP) said(text string) string {
	for _, secret := range []string{s.server.password, base64.StdEncoding.EncodeToString([]byte(s.server.password)),
		base64.StdEncoding.EncodeToString([]byte("\x00" + s.server.user + "\x00" + s.server.password))} {
		if s.server.password != "" {
			text = strings.ReplaceAll(text, secret, "<password>")
		}
	}
	return withoutAddresses(text)
}

// permanent tells codes that say no to this message for ever. 530, 534, 535 and
// 538 ask for another sign-in or for TLS (RFC 4954, 6; RFC 3207, 4).
func permanent(code int) bool {
	switch code {
	case 530, 534, 535, 538:
		return false
	}
	return code >= 500 && code < 600
}

var anyAddress = regexp.MustCompile(`<?[^\s<>,;:@]+@[^\s<>,;:@]+>?`)

// withoutAddresses is a server's answer for a log: one line, nobody named.
func withoutAddresses(s string) string {
	s, _, _ = strings.Cut(oneLine(s, 400), ", affected recipient(s)")
	return oneLine(anyAddress.ReplaceAllString(s, "<address>"), 250)
}
