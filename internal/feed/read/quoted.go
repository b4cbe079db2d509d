package read

import (
	"bufio"
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// quoted is the document inside of a JSON text: some publishers put their whole document into one, as programs do that convert
// answers to JSON which are JSON already.
type quoted struct {
	in   *bufio.Reader
	left []byte // of a character
	end  error
}

// unquoted reads the document in a text of JSON, which begins here.
func unquoted(in *bufio.Reader) (*bufio.Reader, byte, error) {
	_, _ = in.Discard(1)
	text := bufio.NewReaderSize(&quoted{in: in}, window)
	first, err := firstOf(text)
	if err != nil {
		return nil, 0, whyNot(err)
	}
	return text, first, nil
}

func (q *quoted) Read(p []byte) (n int, err error) {
	for n < len(p) && (len(q.left) > 0 || q.end == nil) {
		if len(q.left) > 0 {
			copied := copy(p[n:], q.left)
			n, q.left = n+copied, q.left[copied:]
			continue
		}
		var c byte
		switch c, q.end = q.in.ReadByte(); {
		case q.end != nil:
		case c == '"':
			q.end = io.EOF
		case c == '\\':
			q.escaped()
		default:
			p[n] = c
			n++
		}
	}
	if n == 0 && len(p) > 0 {
		return 0, q.end
	}
	return n, nil
}

var escapes = map[byte]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escaped reads what follows a backslash.
func (q *quoted) escaped() {
	c, err := q.in.ReadByte()
	switch is, known := escapes[c]; {
	case err != nil:
		q.end = err
	case c == 'u':
		r := q.unit()
		if utf16.IsSurrogate(r) {
			if next, _ := q.in.Peek(2); string(next) == `\u` {
				_, _ = q.in.Discard(2)
				r = utf16.DecodeRune(r, q.unit())
			}
		}
		q.left = utf8.AppendRune(q.left[:0], r)
	case known:
		q.left = append(q.left[:0], is)
	default:
		q.left = append(q.left[:0], c)
	}
}

// unit is one of UTF-16, in four digits.
func (q *quoted) unit() rune {
	digits, _ := q.in.Peek(4)
	n, err := strconv.ParseUint(string(digits), 16, 16)
	if err != nil {
		return utf8.RuneError
	}
	_, _ = q.in.Discard(4)
	return rune(n)
}
