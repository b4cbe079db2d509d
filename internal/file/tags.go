package file

import (
	"errors"
	"io"
	"regexp"
)

// ErrLongTag is an element with more attributes than any program writes.
var ErrLongTag = errors.New("one of its elements has too many attributes")

// Tags feeds an XML decoder, which would make something of each attribute of an
// element however many there are: it lets no longer tag through (ErrLongTag). Control
// characters, which no XML may have and people paste from elsewhere, become blanks.
type Tags struct {
	In     io.ByteReader
	length int    // of the tag so far; 0 = outside of tags
	quote  byte   // of an attribute
	until  string // the end of a comment or of a text that holds tags as they are
	last   [2]byte
	ahead  []byte // read already
	failed error  // what comes then
}

// longestTag is more than any program writes.
const longestTag = 16 << 10

// ReadByte implements io.ByteReader.
func (g *Tags) ReadByte() (byte, error) {
	c, err := g.next()
	if err != nil {
		return c, err
	}
	switch {
	case g.until != "":
		if c == '>' && string(g.last[:]) == g.until {
			g.until = ""
		}
	case g.length == 0:
		if c == '<' {
			g.length = 1
		}
	case g.length == 2 && g.last[1] == '!' && (c == '-' || c == '['):
		g.length, g.until = 0, map[byte]string{'-': "--", '[': "]]"}[c]
	default:
		g.inTag(c)
	}
	if g.last = [2]byte{g.last[1], c}; g.length > longestTag {
		return 0, ErrLongTag
	}
	return c, nil
}

// controlReference is a control character as a serializer writes it.
var controlReference = regexp.MustCompile(`(?i)^#(?:x0*(?:[0-8bcef]|1[0-9a-f])|0*(?:[0-8]|1[124-9]|2\d|3[01]));`)

// next is the next byte, a blank for a control character.
func (g *Tags) next() (byte, error) {
	c, err := g.raw()
	if c == '&' && err == nil {
		const longest = 8
		for len(g.ahead) < longest && g.failed == nil {
			var more byte
			if more, g.failed = g.In.ReadByte(); g.failed == nil {
				g.ahead = append(g.ahead, more)
			}
		}
		if n := len(controlReference.Find(g.ahead)); n > 0 {
			c, g.ahead = ' ', g.ahead[n:]
		}
	}
	if c < ' ' && c != '\t' && c != '\n' && c != '\r' {
		c = ' '
	}
	return c, err
}

func (g *Tags) raw() (byte, error) {
	if len(g.ahead) > 0 {
		c := g.ahead[0]
		g.ahead = g.ahead[1:]
		return c, nil
	}
	if g.failed != nil {
		return 0, g.failed
	}
	return g.In.ReadByte()
}

func (g *Tags) inTag(c byte) {
	switch g.length++; {
	case g.quote != 0:
		if c == g.quote {
			g.quote = 0
		}
	case c == '"' || c == '\'':
		g.quote = c
	case c == '>':
		g.length = 0
	}
}

// Read implements io.Reader; a decoder of XML does not call it.
func (g *Tags) Read(p []byte) (int, error) {
	c, err := g.ReadByte()
	if err != nil || len(p) == 0 {
		return 0, err
	}
	p[0] = c
	return 1, nil
}
