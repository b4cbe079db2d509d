package device

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"lightbar/internal/fleet"
)

// scanner reads JSON (RFC 8259) from a text without reflection and, for the
// usual texts without escapes, without allocating: values are parts of the body.
type scanner struct {
	s string
	i int
}

var errJSON = errors.New("not JSON")

// maxDepth bounds nested values that are skipped.
const maxDepth = 32

func (c *scanner) space() {
	for c.i < len(c.s) {
		switch c.s[c.i] {
		case ' ', '\t', '\n', '\r':
			c.i++
		default:
			return
		}
	}
}

// peek is the next byte after space, 0 at the end.
func (c *scanner) peek() byte {
	c.space()
	if c.i < len(c.s) {
		return c.s[c.i]
	}
	return 0
}

// take consumes a byte if it is next.
func (c *scanner) take(b byte) bool {
	if c.peek() == b {
		c.i++
		return true
	}
	return false
}

// text reads a string.
func (c *scanner) text() (string, error) {
	if !c.take('"') {
		return "", errJSON
	}
	start := c.i
	for c.i < len(c.s) {
		switch b := c.s[c.i]; {
		case b == '"':
			t := c.s[start:c.i]
			c.i++
			return fleet.TextOf(t), nil
		case b == '\\':
			return c.escaped(start)
		case b < ' ':
			return "", errJSON
		}
		c.i++
	}
	return "", errJSON
}

// escaped reads the rest of a string that has escapes.
func (c *scanner) escaped(start int) (string, error) {
	var out strings.Builder
	out.WriteString(c.s[start:c.i])
	for c.i < len(c.s) {
		b := c.s[c.i]
		c.i++
		switch {
		case b == '"':
			return fleet.TextOf(out.String()), nil
		case b < ' ':
			return "", errJSON
		case b != '\\':
			out.WriteByte(b)
			continue
		}
		if c.i >= len(c.s) {
			return "", errJSON
		}
		b = c.s[c.i]
		c.i++
		switch b {
		case '"', '\\', '/':
			out.WriteByte(b)
		case 'b':
			out.WriteByte('\b')
		case 'f':
			out.WriteByte('\f')
		case 'n':
			out.WriteByte('\n')
		case 'r':
			out.WriteByte('\r')
		case 't':
			out.WriteByte('\t')
		case 'u':
			r, err := c.unicode()
			if err != nil {
				return "", err
			}
			out.WriteRune(r)
		default:
			return "", errJSON
		}
	}
	return "", errJSON
}

// unicode reads the four digits after \u, and the second half of a surrogate pair.
func (c *scanner) unicode() (rune, error) {
	r, err := c.hex4()
	if err != nil || !utf16.IsSurrogate(r) {
		return r, err
	}
	if strings.HasPrefix(c.s[c.i:], `\u`) {
		before := c.i
		c.i += 2
		low, err := c.hex4()
		if err != nil {
			return 0, err
		}
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, nil
		}
		c.i = before
	}
	return utf8.RuneError, nil
}

func (c *scanner) hex4() (rune, error) {
	if c.i+4 > len(c.s) {
		return 0, errJSON
	}
	v, err := strconv.ParseUint(c.s[c.i:c.i+4], 16, 16)
	if err != nil {
		return 0, errJSON
	}
	c.i += 4
	return rune(v), nil
}

// number reads a number as its text, checked against the grammar; -Infinity is one here.
func (c *scanner) number() (string, error) {
	c.space()
	start := c.i
	if c.i < len(c.s) && c.s[c.i] == '-' {
		c.i++
	}
	switch {
	case c.noNumber():
		return c.s[start:c.i], nil
	case c.i < len(c.s) && c.s[c.i] == '0':
		c.i++
	case !c.digits():
		return "", errJSON
	}
	if c.i < len(c.s) && c.s[c.i] == '.' {
		c.i++
		if !c.digits() {
			return "", errJSON
		}
	}
	if c.i < len(c.s) && (c.s[c.i] == 'e' || c.s[c.i] == 'E') {
		c.i++
		if c.i < len(c.s) && (c.s[c.i] == '+' || c.s[c.i] == '-') {
			c.i++
		}
		if !c.digits() {
			return "", errJSON
		}
	}
	return c.s[start:c.i], nil
}

// noNumbers are what programs write in place of a number that is not one, although JSON has no such word. A batch is not lost
// because of one.
var noNumbers = []string{"infinity", "inf", "nan"}

func (c *scanner) noNumber() bool {
	for _, word := range noNumbers {
		if end := c.i + len(word); end <= len(c.s) && strings.EqualFold(c.s[c.i:end], word) {
			c.i = end
			return true
		}
	}
	return false
}

func (c *scanner) digits() bool {
	start := c.i
	for c.i < len(c.s) && c.s[c.i] >= '0' && c.s[c.i] <= '9' {
		c.i++
	}
	return c.i > start
}

func (c *scanner) word(w string) bool {
	if strings.HasPrefix(c.s[c.i:], w) {
		c.i += len(w)
		return true
	}
	return false
}

// skip passes over any value.
func (c *scanner) skip(depth int) error {
	if depth > maxDepth {
		return errJSON
	}
	switch b := c.peek(); {
	case b == '"':
		_, err := c.text()
		return err
	case b == '{':
		return c.object(func(string) error { return c.skip(depth + 1) })
	case b == '[':
		return c.array(func() error { return c.skip(depth + 1) })
	case b == 't' && c.word("true"), b == 'f' && c.word("false"), b == 'n' && c.word("null"):
		return nil
	case b == '-' || b >= '0' && b <= '9':
		_, err := c.number()
		return err
	case c.noNumber():
		return nil
	}
	return errJSON
}

// object reads an object; field is called before each value and must consume it.
func (c *scanner) object(field func(name string) error) error {
	if !c.take('{') {
		return errJSON
	}
	if c.take('}') {
		return nil
	}
	for {
		name, err := c.text()
		if err != nil {
			return err
		}
		if !c.take(':') {
			return errJSON
		}
		if err := field(name); err != nil {
			return err
		}
		if c.take(',') {
			continue
		}
		if c.take('}') {
			return nil
		}
		return errJSON
	}
}

// array reads an array; element must consume one value.
func (c *scanner) array(element func() error) error {
	if !c.take('[') {
		return errJSON
	}
	if c.take(']') {
		return nil
	}
	for {
		if err := element(); err != nil {
			return err
		}
		if c.take(',') {
			continue
		}
		if c.take(']') {
			return nil
		}
		return errJSON
	}
}

// end reports whether only space is left.
func (c *scanner) end() bool { return c.peek() == 0 && c.i >= len(c.s) }
