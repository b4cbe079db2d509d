package read

import (
	"bufio"
	"bytes"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// A text is read by what its bytes are: a byte order mark or UTF-16 without one,
// then UTF-8 where it is that, whatever its label says, and only then by the label.

// unicodeText turns UTF-16 into UTF-8 and cuts a byte order mark off.
func unicodeText(in *bufio.Reader) *bufio.Reader {
	head, _ := in.Peek(4)
	order, is := unicode.LittleEndian, false
	switch {
	case bytes.HasPrefix(head, []byte("\ufeff")):
		_, _ = in.Discard(3)
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
		is = true
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		order, is = unicode.BigEndian, true
	case len(head) == 4 && head[0] != 0 && head[1] == 0 && head[2] != 0 && head[3] == 0:
		is = true
	case len(head) == 4 && head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0:
		order, is = unicode.BigEndian, true
	}
	if !is {
		return in
	}
	return bufio.NewReaderSize(transform.NewReader(in, unicode.UTF16(order, unicode.UseBOM).NewDecoder()), window)
}

var declaration = regexp.MustCompile(`^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"'>]{1,60})["']`)

// declaredText is an XML document as UTF-8.
func declaredText(in *bufio.Reader) *bufio.Reader {
	head, _ := in.Peek(512)
	said := declaration.FindSubmatch(head)
	if said == nil {
		return in
	}
	label := strings.ToLower(strings.TrimSpace(string(said[1])))
	of, err := htmlindex.Get(label)
	if err != nil || strings.HasPrefix(label, "utf") || strings.HasPrefix(label, "ucs") {
		of = nil // one that is no UTF-8 in spite of its label is judged below
	}
	if name, _ := htmlindex.Name(of); of != nil && name == "iso-2022-jp" { // its bytes all look like ASCII
		return bufio.NewReaderSize(transform.NewReader(in, of.NewDecoder()), window)
	}
	return bufio.NewReaderSize(&sniffed{in: in, label: label, of: of}, window)
}

// sniffed passes ASCII on, and decides at the first other byte how the rest is read.
type sniffed struct {
	in    *bufio.Reader
	label string
	of    encoding.Encoding // by the label; nil = not known
	rest  io.Reader
}

func (s *sniffed) Read(p []byte) (int, error) {
	if s.rest != nil {
		return s.rest.Read(p)
	}
	if _, err := s.in.Peek(1); err != nil {
		return 0, err
	}
	seen, _ := s.in.Peek(min(len(p), s.in.Buffered()))
	plain := 0
	for plain < len(seen) && seen[plain] < utf8.RuneSelf {
		plain++
	}
	if plain > 0 {
		return s.in.Read(p[:plain])
	}
	switch ahead, _ := s.in.Peek(s.in.Size()); {
	case isUTF8(ahead):
		s.rest = s.in
	case s.of != nil:
		s.rest = transform.NewReader(s.in, s.of.NewDecoder())
	default:
		return 0, unreadable(UnknownEncoding, "The encoding of this text, %s, isn't known. Publish it as UTF-8.",
			shortened(s.label, 40))
	}
	return s.rest.Read(p)
}

// isUTF8 judges a text that may be cut in its last character.
func isUTF8(text []byte) bool {
	for cut := 0; cut < utf8.UTFMax && cut <= len(text); cut++ {
		if utf8.Valid(text[:len(text)-cut]) {
			return cut == 0 || !utf8.FullRune(text[len(text)-cut:])
		}
	}
	return false
}
