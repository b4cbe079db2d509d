// Package mail builds a message and delivers it to an SMTP server, or, if none is
// configured, to a folder where people can read it.
package mail

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/mail"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	gomail "github.com/wneessen/go-mail"
)

// Message is one mail to one person.
type Message struct {
	// ID is the same each time the message is sent: receivers that have it already may drop it.
	ID      string
	Kind    string // as in Kinds; for headers and file names
	At      time.Time
	To      string // an address without a name
	ToName  string // may be empty
	Subject string
	Text    string
	HTML    string
}

// Sender hands one message on. An error that is not *Refused may pass: try again later.
type Sender interface {
	Send(ctx context.Context, m Message) error
}

// Asker is a Sender that tells what the other side said to a message it took.
type Asker interface {
	Sender
	Ask(ctx context.Context, m Message) (answer string, err error)
}

// Refused is a permanent answer: the same message will never be taken.
type Refused struct {
	Code   int    // SMTP reply code (RFC 5321, 4.2), 0 when the message itself is impossible
	Reason string // one line, for operators
}

// Error implements error.
func (r *Refused) Error() string {
	if r.Code == 0 {
		return "mail: refused: " + r.Reason
	}
	return fmt.Sprintf("mail: refused with %d: %s", r.Code, r.Reason)
}

// From is who the mails say they come from: "Name <address>" or an address.
type From struct{ Name, Address string }

// ParseFrom reads "Name <address>" or an address (RFC 5322, 3.4).
func ParseFrom(text string) (From, error) {
	a, err := mail.ParseAddress(text)
	if err != nil || hasBreak(text) {
		return From{}, fmt.Errorf("mail: %q is not an address such as Fleet <noreply@example.org>", oneLine(text, 100))
	}
	return From{Name: a.Name, Address: a.Address}, nil
}

// errAddress says that a message cannot be addressed.
var errAddress = errors.New("mail: the address is not usable")

// encode makes the message as it travels (RFC 5322, MIME), or as it lies in a file.
func encode(from From, m Message, inFile bool) (*gomail.Msg, error) {
	if to, err := mail.ParseAddress(m.To); err != nil || to.Address != m.To || hasBreak(m.To+m.Kind) ||
		strings.ContainsFunc(m.ID, outsideID) {
		return nil, errAddress
	}
	out := gomail.NewMsg(gomail.WithEncoding(gomail.EncodingQP), gomail.WithNoDefaultUserAgent())
	if err := out.From(address(from.Name, from.Address)); err != nil {
		return nil, fmt.Errorf("mail: from: %w", err)
	}
	if out.AddTo(address(m.ToName, m.To)) != nil {
		return nil, errAddress
	}
	out.Subject(oneLine(m.Subject, 200))
	out.SetDateWithValue(m.At)
	out.SetMessageIDWithValue(m.ID + "@" + domainOf(from.Address))
	out.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: no automatic answers
	out.SetGenHeader("X-Mail-Kind", m.Kind)
	asIs := strings.ReplaceAll(m.Text, "\n", "\r\n")
	switch {
	case isPlain(m.Text, unicode.MaxASCII):
		out.SetBodyString(gomail.TypeTextPlain, asIs, gomail.WithPartEncoding(gomail.EncodingUSASCII))
	case inFile && isPlain(m.Text, unicode.MaxRune): // a mail server may not take it so (RFC 6152)
		out.SetBodyString(gomail.TypeTextPlain, asIs, gomail.WithPartEncoding(gomail.NoEncoding))
	default:
		out.SetBodyString(gomail.TypeTextPlain, m.Text)
	}
	if m.HTML != "" {
		out.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	}
	return out, nil
}

// isPlain reports whether a text of characters up to most can stand as it is (RFC 2045, 2.7 and 2.8): then whoever opens the
// file of a mail with any viewer can copy its link, which other encodings break into lines.
func isPlain(text string, most rune) bool {
	for line := range strings.SplitSeq(text, "\n") {
		if len(line) > 998 || strings.ContainsFunc(line, func(c rune) bool { return c > most || c < ' ' && c != '\t' }) {
			return false
		}
	}
	return true
}

// bytes is the message as a file (.eml).
func (m Message) bytes(from From) ([]byte, error) {
	msg, err := encode(from, m, true)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	_, err = msg.WriteTo(&out)
	return out.Bytes(), err
}

// address quotes and encodes a name in front of an address (RFC 5322, 3.4; RFC 2047).
// net/mail leaves a backslash in an encoded word as it is, and such an address is
// refused by itself and by servers: there a name has a slash in its place.
func address(name, at string) string {
	name = oneLine(name, 100)
	if strings.ContainsFunc(name, func(c rune) bool { return c > unicode.MaxASCII }) {
		name = strings.ReplaceAll(name, `\`, "/")
	}
	return (&mail.Address{Name: name, Address: at}).String()
}

func domainOf(address string) string {
	_, domain, ok := strings.Cut(address, "@")
	if !ok || domain == "" || strings.ContainsFunc(domain, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return "localhost" // an identifier has no encoded words
	}
	return domain
}

// outsideID tells what may not stand left of a Message-ID's @ (RFC 5322, 3.6.4); identifiers of mails need no more than this.
func outsideID(c rune) bool {
	return c > unicode.MaxASCII || !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '-'
}

func hasBreak(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return unicode.IsControl(c) || c == '\u2028' || c == '\u2029' })
}

// oneLine is text for a header: no line breaks nor other control characters,
// valid UTF-8, at most max characters.
func oneLine(s string, max int) string {
	s = strings.Map(func(c rune) rune {
		switch {
		case c == '\u2028' || c == '\u2029' || unicode.IsSpace(c):
			return ' '
		case c == utf8.RuneError || unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c):
			return -1
		}
		return c
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if n := []rune(s); len(n) > max {
		s = string(n[:max])
	}
	return s
}
