package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// jsonDepth bounds nesting: nothing on the wire is deeper than a few levels.
const jsonDepth = 64

func marshalJSON(w io.Writer, v any) error {
	if long, ok := v.(interface{ WriteJSON(to io.Writer) error }); ok { // not as one piece in memory
		return long.WriteJSON(w)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// unmarshalStrict decodes JSON that has only one reading: valid UTF-8, no
// duplicate keys, nothing behind the value, no surrogate halves, no NUL (which
// PostgreSQL does not store), no numbers out of range, bounded depth.
// encoding/json alone lets all but the last three pass (OWASP ASVS 1.5.3: one parser's view).
func unmarshalStrict(data []byte, v any) error {
	if err := checkJSON(data); err != nil {
		return err
	}
	return json.Unmarshal(data, v)
}

func checkJSON(data []byte) error {
	if !utf8.Valid(data) {
		return errors.New("the text is not UTF-8")
	}
	if loneSurrogate(data) {
		return errors.New("a text has an incomplete character")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := checkValue(dec, 0); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is text after the value")
	}
	return nil
}

func checkValue(dec *json.Decoder, depth int) error {
	if depth > jsonDepth {
		return errors.New("nested too deeply")
	}
	token, err := dec.Token()
	if err != nil {
		return err
	}
	switch t := token.(type) {
	case json.Number:
		if _, err := t.Float64(); err != nil {
			return fmt.Errorf("a number is out of range")
		}
		return nil
	case json.Delim:
		return checkContainer(dec, t, depth)
	case string:
		if !storable(t) {
			return errors.New("a text contains NUL")
		}
	}
	return nil
}

func checkContainer(dec *json.Decoder, open json.Delim, depth int) error {
	keys := map[string]bool{}
	for dec.More() {
		if open == '{' {
			key, err := dec.Token()
			if err != nil {
				return err
			}
			name, ok := key.(string)
			if !ok {
				return errors.New("a name is not text")
			}
			if !storable(name) {
				return errors.New("a name contains NUL")
			}
			if keys[name] {
				return errors.New("a name appears twice")
			}
			keys[name] = true
		}
		if err := checkValue(dec, depth+1); err != nil {
			return err
		}
	}
	_, err := dec.Token() // the closing delimiter
	return err
}

// loneSurrogate finds \ud800–\udfff escapes that do not form a pair:
// encoding/json turns them into U+FFFD without a word.
func loneSurrogate(data []byte) bool {
	for i := 0; i+1 < len(data); i++ {
		if data[i] != '\\' {
			continue
		}
		unit, ok := unicodeEscape(data[i:])
		if !ok {
			i++ // the escaped character cannot begin another escape
			continue
		}
		i += 5
		if unit < 0xd800 || unit > 0xdfff {
			continue
		}
		low, ok := unicodeEscape(data[min(i+1, len(data)):])
		if unit > 0xdbff || !ok || low < 0xdc00 || low > 0xdfff {
			return true
		}
		i += 6
	}
	return false
}

func unicodeEscape(b []byte) (unit uint32, ok bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	for _, c := range b[2:6] {
		switch {
		case c >= '0' && c <= '9':
			unit = unit<<4 | uint32(c-'0')
		case c >= 'a' && c <= 'f':
			unit = unit<<4 | uint32(c-'a'+10)
		case c >= 'A' && c <= 'F':
			unit = unit<<4 | uint32(c-'A'+10)
		default:
			return 0, false
		}
	}
	return unit, true
}
