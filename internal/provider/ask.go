package provider

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
	"unicode"

	"lightbar/catalog"
	"lightbar/internal/outbound"
)

// api asks the server of one account.
type api struct {
	name    string // of the provider, for sentences
	account Account
	server  string
	out     *outbound.Client
	now     func() time.Time
}

// answer is what a server said.
type answer struct {
	code       int
	retryAfter time.Duration
	body       *bufio.Reader
}

// ask calls and lets read have the answer of any status. Errors: *Error, the context's, those of read.
func (a *api) ask(ctx context.Context, call outbound.Call, read func(*answer) error) error {
	said, err := a.out.Do(ctx, call)
	if err != nil {
		return a.unheard(ctx, err)
	}
	defer func() { _ = said.Body.Close() }()
	err = read(&answer{code: said.Code, retryAfter: said.RetryAfter, body: bufio.NewReaderSize(said.Body, 16<<10)})
	if cut := (*brokenJSON)(nil); errors.As(err, &cut) {
		return a.unheard(ctx, cut.err)
	}
	return err
}

// unheard says why there is no answer, or none that is whole.
func (a *api) unheard(ctx context.Context, err error) error {
	var e *outbound.Error
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &e) && e.Reason == outbound.TooLarge:
		return a.failed(Unreadable, 0, "The answer of %s is too long: %s", a.name, e.Message)
	case errors.As(err, &e):
		return a.failed(Unavailable, 0, "%s is not available: %s", a.name, e.Message)
	case isCut(err):
		return a.failed(Unavailable, 0, "The answer of %s ends in the middle.", a.name)
	}
	return a.failed(Unreadable, 0, "The answer of %s is not what it documents.", a.name)
}

// failed makes an error. No text of the provider goes in: it could repeat what it was asked with.
func (a *api) failed(reason string, retryAfter time.Duration, format string, args ...any) *Error {
	return &Error{Reason: oneOf(catalog.AllEnums().ProviderProblems, reason), Message: fmt.Sprintf(format, args...), RetryAfter: retryAfter}
}

// status says what a code means that is no success; nil if it says nothing of itself.
func (a *api) status(said *answer) error {
	text := fmt.Sprintf("%d %s", said.code, http.StatusText(said.code))
	switch {
	case said.code == http.StatusTooManyRequests:
		return a.failed(OverLimit, said.retryAfter, "%s was asked too often.", a.name)
	case said.code == http.StatusRequestTimeout || said.code >= 500:
		return a.failed(Unavailable, said.retryAfter, "%s answers %s.", a.name, text)
	case said.code >= 300 && said.code < 400:
		return a.failed(Unreadable, 0, "%s redirects to another address.", a.name)
	}
	return nil
}

// first is the first character of the answer that is no blank; 0 if there is none.
func (s *answer) first() byte {
	for {
		head, err := s.body.Peek(1)
		if err != nil {
			return 0
		}
		if !unicode.IsSpace(rune(head[0])) {
			return head[0]
		}
		_, _ = s.body.Discard(1)
	}
}

// isHTML reports whether not the provider speaks, but what stands before it.
func (s *answer) isHTML() bool { return s.first() == '<' }

// oneOf holds a word to its closed list: what no screen can say must not be said.
func oneOf(list []catalog.Named, word string) string {
	for _, one := range list {
		if one.Name == word {
			return word
		}
	}
	panic("provider: the catalog has no " + word)
}

// clean makes a text of a provider fit to be shown: one line, of bounded length.
func clean(text string) string {
	out := make([]rune, 0, min(len(text), textMax))
	for _, r := range text {
		if unicode.IsControl(r) || r == unicode.ReplacementChar {
			r = ' '
		}
		if out = append(out, r); len(out) == textMax {
			break
		}
	}
	return string(bytes.TrimSpace([]byte(string(out))))
}
