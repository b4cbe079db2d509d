package read

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Limits bound what a document may cost us; the zero value of each means that of Usual.
type Limits struct {
	Bytes    int64 // of the document, after unpacking
	Feature  int   // bytes of one feature
	Depth    int   // of nested objects and lists in one feature
	Features int   // how many are looked at; those beyond are refused
	Points   int   // of one line
}

// Usual holds any feed that we know of (the largest has 110 MB) twice over.
var Usual = Limits{Bytes: 256 << 20, Feature: 1 << 20, Depth: 64, Features: 1_000_000, Points: 10_000}

func (l Limits) filled() Limits {
	or := func(n, usual int) int {
		if n <= 0 {
			return usual
		}
		return n
	}
	if l.Bytes <= 0 {
		l.Bytes = Usual.Bytes
	}
	l.Feature, l.Depth = or(l.Feature, Usual.Feature), or(l.Depth, Usual.Depth)
	l.Features, l.Points = or(l.Features, Usual.Features), or(l.Points, Usual.Points)
	return l
}

// Why a document cannot be read at all; the list is closed.
const (
	Empty       = "empty"
	HTML        = "html"
	BadGzip     = "gzip_invalid"
	TooLarge    = "too_large"
	UnknownText = "not_a_feed"

	UnknownEncoding = "encoding_unknown"
)

// Unreadable is a document that cannot be read: nothing of it counts, also not
// what was handed on before.
type Unreadable struct {
	Reason  string // of the list above
	Message string // a sentence
}

func (u *Unreadable) Error() string { return u.Message }

func unreadable(reason, format string, args ...any) error {
	return &Unreadable{reason, fmt.Sprintf(format, args...)}
}

// capped refuses what is longer than its limit, and ends with its context: unpacking may take long, however little is sent.
type capped struct {
	ctx  context.Context
	in   io.Reader
	left int64
	most int64
}

func (c *capped) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	if c.left <= 0 {
		// The limit itself may be the very end.
		if n, err := c.in.Read(p[:1]); n == 0 {
			return 0, err
		}
		return 0, unreadable(TooLarge, "The document has more than %d MB.", c.most>>20)
	}
	n, err := c.in.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	return n, err
}

// open unpacks gzip, converts UTF-16 to UTF-8, removes a byte order mark and recognizes the kind of text by its first character.
func open(ctx context.Context, in io.Reader, limits Limits) (*bufio.Reader, byte, error) {
	packed := bufio.NewReaderSize(in, window)
	if magic, _ := packed.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		plain, err := gzip.NewReader(packed)
		if err != nil {
			return nil, 0, unreadable(BadGzip, "The document is marked as gzip but can't be unpacked.")
		}
		in = plain
	} else {
		in = packed
	}
	text := bufio.NewReaderSize(&capped{ctx, in, limits.Bytes, limits.Bytes}, window)
	text = unicodeText(text)
	first, err := firstOf(text)
	if err != nil {
		return nil, 0, whyNot(err)
	}
	if first == '<' {
		head, _ := text.Peek(512)
		low := bytes.ToLower(head)
		if bytes.HasPrefix(low, []byte("<!doctype html")) || bytes.Contains(low, []byte("<html")) {
			return nil, 0, unreadable(HTML, "This is a web page (HTML), not a feed. The address may need a key, or show an error.")
		}
	}
	if first != '<' { // XML may declare its encoding
		text = unlabeled(text)
	}
	return text, first, nil
}

// whyNot returns why a document has no beginning.
func whyNot(err error) error {
	var u *Unreadable
	switch {
	case errors.As(err, &u):
		return err
	case errors.Is(err, io.EOF):
		return unreadable(Empty, "The document is empty.")
	case isPacking(err):
		return unreadable(BadGzip, "The document is marked as gzip but can't be unpacked.")
	}
	return err
}

// isPacking distinguishes a broken gzip from a broken connection.
func isPacking(err error) bool {
	return errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) || errors.Is(err, io.ErrUnexpectedEOF) ||
		strings.HasPrefix(err.Error(), "flate: ")
}

// firstOf skips space and looks at the next character.
func firstOf(in *bufio.Reader) (byte, error) {
	for {
		c, err := in.ReadByte()
		if err != nil {
			return 0, err
		}
		if !isSpace(c) {
			return c, in.UnreadByte()
		}
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
