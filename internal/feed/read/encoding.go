package read

import (
	"bufio"
	"bytes"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
	"golang.org/x/text/transform"
)

// A text is read by its bytes: a byte order mark, UTF-16 or UTF-32 without one, then UTF-8 if it is valid, whatever its label, then
// by the label, and without one as windows-1252, which older programs write.

// unicodeText turns UTF-16 and UTF-32 into UTF-8 and cuts a byte order mark off.
func unicodeText(in *bufio.Reader) *bufio.Reader {
	head, _ := in.Peek(4)
	for bytes, of := range map[string]encoding.Encoding{"\xff\xfe\x00\x00": utf32Little, "\x00\x00\xfe\xff": utf32Big,
		"<\x00\x00\x00": utf32Little, "\x00\x00\x00<": utf32Big, "{\x00\x00\x00": utf32Little, "\x00\x00\x00{": utf32Big} {
		if string(head) == bytes {
			return bufio.NewReaderSize(transform.NewReader(in, of.NewDecoder()), window)
		}
	}
	order, is := unicode.LittleEndian, false
	switch {
	case bytes.HasPrefix(head, []byte("\ufeff")):
		for bytes.HasPrefix(head, []byte("\ufeff")) { // parts that were put together bring one each
			_, _ = in.Discard(3)
			head, _ = in.Peek(4)
		}
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

var (
	utf32Little = utf32.UTF32(utf32.LittleEndian, utf32.UseBOM)
	utf32Big    = utf32.UTF32(utf32.BigEndian, utf32.UseBOM)
)

// otherLabels are names of encodings that browsers do not know and programs write.
var otherLabels = map[string]string{"ansi": "windows-1252", "win1252": "windows-1252", "windows1252": "windows-1252",
	"cp-1252": "windows-1252", "latin-1": "latin1", "iso latin 1": "latin1", "macroman": "macintosh"}

// unlabeled is a text without a label of its encoding.
func unlabeled(in *bufio.Reader) *bufio.Reader {
	return bufio.NewReaderSize(&sniffed{in: in, of: charmap.Windows1252, mostly: true}, window)
}

var declaration = regexp.MustCompile(`^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"'>]{1,60})["']`)

// declaredText is an XML document as UTF-8.
func declaredText(in *bufio.Reader) *bufio.Reader {
	head, _ := in.Peek(512)
	said := declaration.FindSubmatch(head)
	if said == nil {
		return unlabeled(in)
	}
	label := strings.ToLower(strings.TrimSpace(string(said[1])))
	if other := otherLabels[label]; other != "" {
		label = other
	}
	if strings.HasPrefix(label, "utf") || strings.HasPrefix(label, "ucs") {
		return unlabeled(in) // most write this label, also over text of Windows
	}
	of, err := htmlindex.Get(label)
	if err != nil {
		of = nil
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
	// mostly: a program that writes the first character as UTF-8 writes all like that, and a broken one does not affect the others.
	mostly bool
	rest   io.Reader
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
	case isUTF8(ahead), s.mostly && startsUTF8(ahead):
		s.rest = s.in
	case s.of != nil:
		s.rest = transform.NewReader(s.in, s.of.NewDecoder())
	default:
		return 0, unreadable(UnknownEncoding, "The encoding of this text, %s, isn't known. Publish it as UTF-8.",
			shortened(s.label, 40))
	}
	return s.rest.Read(p)
}

func startsUTF8(text []byte) bool {
	r, size := utf8.DecodeRune(text)
	return r != utf8.RuneError || size > 1
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
