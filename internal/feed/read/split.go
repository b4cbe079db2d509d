package read

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
)

const window = 64 << 10

// errSyntax is a document whose outline is not JSON; what came before it counts.
var errSyntax = errors.New("no JSON")

// splitter cuts a JSON document into its parts without holding more than one. It matches brackets only: whether a part is valid
// JSON is for its decoder to decide, so that one bad feature does not affect the others.
type splitter struct {
	in   *bufio.Reader
	part []byte
}

// delim takes the next character when it is the wanted one.
func (s *splitter) delim(want byte) (bool, error) {
	c, err := firstOf(s.in)
	if err == nil && c == want {
		_, err = s.in.Discard(1)
		return true, err
	}
	return false, err
}

// members goes through an object: it calls of with the name of a member and the first character of its value, which of must read.
func (s *splitter) members(of func(key string, first byte) error) error {
	_, _ = s.in.Discard(1)
	for {
		if end, err := s.delim('}'); end || err != nil {
			return err
		}
		raw, err := s.value(headBytes)
		if err != nil {
			return err
		}
		var key string
		if json.Unmarshal(raw.text, &key) != nil {
			return errSyntax
		}
		if colon, err := s.delim(':'); err != nil || !colon {
			return orSyntax(err)
		}
		next, err := firstOf(s.in)
		if err != nil {
			return err
		}
		if err := of(key, next); err != nil {
			return err
		}
		if _, err := s.delim(','); err != nil {
			return err
		}
	}
}

// cut is one value of a document.
type cut struct {
	text []byte // nil when it is longer than requested; valid until the next value
	size int64
	deep int

	values int
}

// value reads the next value and stores at most so many bytes of it.
func (s *splitter) value(keep int) (cut, error) {
	first, err := firstOf(s.in)
	if err != nil {
		return cut{}, err
	}
	if first == ',' || first == ':' || first == ']' || first == '}' {
		return cut{}, errSyntax
	}
	s.part = s.part[:0]
	var c cut
	m := matcher{}
	for {
		_, err := s.in.Peek(1)
		if err != nil {
			if err == io.EOF && m.scalar && m.depth == 0 {
				return s.finish(c, keep), nil
			}
			return c, err
		}
		text, _ := s.in.Peek(s.in.Buffered())
		n, done := m.feed(text)
		if c.size += int64(n); c.size <= int64(keep) {
			s.part = append(s.part, text[:n]...)
		}
		_, _ = s.in.Discard(n)
		c.deep, c.values = m.deepest, m.values
		if done {
			return s.finish(c, keep), nil
		}
	}
}

func (s *splitter) finish(c cut, keep int) cut {
	if c.size <= int64(keep) && c.values <= MostValues {
		c.text = s.part
	}
	return c
}

// MostValues is how many numbers, texts and lists a part may have: twice what the
// longest line has. Each costs a decoder many times its bytes.
const MostValues = 60_000

// matcher finds the end of a value.
type matcher struct {
	depth, deepest, values   int
	quoted, escaped, started bool
	scalar                   bool // a number or a word, which ends where something else begins
}

// feed continues with a text and returns how much of it belongs to the value.
func (m *matcher) feed(text []byte) (n int, done bool) {
	for i, c := range text {
		switch {
		case m.escaped:
			m.escaped = false
		case m.quoted:
			if c == '\\' {
				m.escaped = true
			} else if c == '"' {
				m.quoted = false
				if m.depth == 0 {
					return i + 1, true
				}
			}
		case m.scalar && m.depth == 0 && (c == ',' || c == ']' || c == '}' || isSpace(c)):
			return i, true
		case c == ',':
			m.values++
		case c == '"':
			m.quoted = true
		case c == '{' || c == '[':
			m.values++
			m.depth++
			m.deepest = max(m.deepest, m.depth)
		case c == '}' || c == ']':
			if m.depth--; m.depth <= 0 {
				return i + 1, true
			}
		case !m.started:
			m.scalar = true
		}
		m.started = true
	}
	return len(text), false
}
