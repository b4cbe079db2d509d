package file

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
)

// What is read here is valid JSON that lies in memory already: nothing of it is
// copied, however many members and elements it has.

// checkJSON returns where a text breaks (its line); 0 = it is JSON.
func checkJSON(text []byte) (line int) {
	var syntax *json.SyntaxError
	if errors.As(json.Unmarshal(text, &struct{}{}), &syntax) {
		return 1 + bytes.Count(text[:min(int(syntax.Offset), len(text))], []byte("\n"))
	}
	return 0
}

// skipValue is where the value at the beginning of a text ends.
func skipValue(text []byte) int {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			if quoted = !quoted; !quoted && depth == 0 {
				return i + 1
			}
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth < 0 {
				return i
			}
			if depth == 0 {
				return i + 1
			}
		case depth == 0 && (c == ',' || c == ':' || isSpace(c)):
			return i
		}
	}
	return len(text)
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func trimJSON(text []byte) []byte { return bytes.TrimLeft(text, " \t\r\n") }

// next cuts the value at the beginning of a text off, and what follows it.
func next(text []byte) (value, rest []byte) {
	text = trimJSON(text)
	n := skipValue(text)
	return text[:n], trimJSON(text[n:])
}

// list passes on the elements of a list, or nothing if it is not one.
func (w *work) list(text []byte, visit func(value []byte) error) error {
	return w.parts(text, '[', func(_, value []byte) error { return visit(value) })
}

// members passes on the members of an object, or nothing if it is not one; name is quoted.
func (w *work) members(object []byte, visit func(name, value []byte) error) error {
	return w.parts(object, '{', visit)
}

func (w *work) parts(text []byte, open byte, visit func(name, value []byte) error) error {
	if text = trimJSON(text); len(text) == 0 || text[0] != open {
		return nil
	}
	text = trimJSON(text[1:])
	for len(text) > 0 && text[0] != ']' && text[0] != '}' {
		if err := w.step(); err != nil {
			return err
		}
		var name, value []byte
		if open == '{' {
			if name, text = next(text); len(text) > 0 {
				text = text[1:] // the colon
			}
		}
		value, text = next(text)
		if err := visit(name, value); err != nil {
			return err
		}
		if len(text) > 0 && text[0] == ',' {
			text = trimJSON(text[1:])
		}
	}
	return nil
}

// textOf is a quoted text.
func textOf(quoted []byte) (text string, ok bool) {
	if len(quoted) < 2 || quoted[0] != '"' {
		return "", false
	}
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1]), true
	}
	return text, json.Unmarshal(quoted, &text) == nil
}

// plainJSON is a text, a number or a truth value as text; empty for anything else.
func plainJSON(raw []byte) string {
	if text, ok := textOf(raw); ok {
		return text
	}
	if len(raw) == 0 || raw[0] == '{' || raw[0] == '[' || raw[0] == '"' || string(raw) == "null" {
		return ""
	}
	return string(raw)
}

// isNamed reports whether a quoted name is a word, ignoring letter case.
func isNamed(name []byte, word string) bool {
	return len(name) < 6*len(word)+3 && strings.EqualFold(plainJSON(name), word)
}

// isObjectOrNull reports whether a value is an object, or none at all.
func isObjectOrNull(value []byte) bool { return isNull(value) || value[0] == '{' }

// isNull reports whether a value is missing or null.
func isNull(value []byte) bool { return len(value) == 0 || string(value) == "null" }

// kindOf is the name of a GeoJSON type, cut off beyond the length of any real one.
func kindOf(value []byte) string {
	if len(value) > 200 {
		value = append(bytes.ToValidUTF8(value[:100:100], nil), '"')
	}
	text, _ := textOf(value)
	return text
}

// noNumber is what programs write for a number that is not one, although JSON has no such word.
var noNumber = regexp.MustCompile(`^[+-]?(?i:nan|inf(?:inity)?)\b`)

// unescaped is a backslash in a text that stands for itself.
var unescaped = regexp.MustCompile(`^\\(?:[^"\\/bfnrtu]|u(?:[^0-9a-fA-F]|[0-9a-fA-F]{1,3}[^0-9a-fA-F]))`)

// MendJSON removes from a text of JSON what programs write in it that do not use a library for JSON: control characters in texts
// become blanks, a backslash that escapes nothing stands for itself, and, if requested, NaN and infinities become null. Valid JSON
// is unchanged (isMended is false); a text with other faults is still invalid. The error is that of ctx.
func MendJSON(ctx context.Context, text []byte, withNumbers bool) (out []byte, isMended bool, err error) {
	if json.Valid(text) {
		return text, false, ctx.Err()
	}
	out = make([]byte, 0, len(text)+len(text)/8)
	quoted := false
	for i := 0; i < len(text); i++ {
		if i%takenAtOnce == 0 && ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		c := text[i]
		switch {
		case !quoted && withNumbers && bytes.IndexByte([]byte("+-nNiI"), c) >= 0:
			if n := len(noNumber.Find(text[i:min(len(text), i+12)])); n > 0 {
				out, i = append(out, "null"...), i+n-1
				continue
			}
		case c == '"':
			quoted = !quoted
		case quoted && c < ' ':
			c = ' '
		case quoted && c == '\\' && unescaped.Match(text[i:min(len(text), i+6)]):
			out = append(out, '\\')
		case quoted && c == '\\' && i+1 < len(text):
			out, i = append(out, c), i+1
			c = text[i]
		}
		out = append(out, c)
	}
	return out, true, nil
}
