package file

import (
	"errors"
	"io"
)

// ErrLongTag is an element with more attributes than any program writes.
var ErrLongTag = errors.New("one of its elements has too many attributes")

// Tags feeds an XML decoder, which would make something of each attribute of an
// element however many there are: it lets no longer tag through (ErrLongTag).
type Tags struct {
	In     io.ByteReader
	length int    // of the tag so far; 0 = outside of tags
	quote  byte   // of an attribute
	until  string // the end of a comment or of a text that holds tags as they are
	last   [2]byte
}

// longestTag is more than any program writes.
const longestTag = 16 << 10

// ReadByte implements io.ByteReader.
func (g *Tags) ReadByte() (byte, error) {
	c, err := g.In.ReadByte()
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
