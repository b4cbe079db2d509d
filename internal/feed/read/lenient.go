package read

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// How much of a text is stored, in characters.
const (
	idRunes          = 200
	nameRunes        = 200
	descriptionRunes = 2000
)

// text takes a string, and also a number where somebody forgot the quotes.
type text string

func (t *text) UnmarshalJSON(raw []byte) error {
	switch {
	case raw[0] == '"':
		return json.Unmarshal(raw, (*string)(t))
	case raw[0] != '{' && raw[0] != '[' && string(raw) != "null":
		*t = text(raw)
	}
	return nil
}

// number takes a number, also one in quotes; anything else is 0.
type number float64

func (n *number) UnmarshalJSON(raw []byte) error {
	if f, err := strconv.ParseFloat(strings.Trim(string(raw), `" `), 64); err == nil && math.Abs(f) < 1e15 {
		*n = number(f)
	}
	return nil
}

// upTo is a whole number between 0 and a limit.
func (n number) upTo(most int) int { return int(max(0, min(float64(n), float64(most)))) }

// flag takes true and false, also in quotes, and the words that came before WZDx 4.1.
type flag bool

func (f *flag) UnmarshalJSON(raw []byte) error {
	switch strings.ToLower(strings.Trim(string(raw), `" `)) {
	case "true", "verified", "1":
		*f = true
	}
	return nil
}

// list reads a list, also a single element in its place; elements of another kind are left out.
type list[T any] []T

func (l *list[T]) UnmarshalJSON(raw []byte) error {
	var elements []json.RawMessage
	if raw[0] != '[' {
		elements = []json.RawMessage{raw}
	} else if err := json.Unmarshal(raw, &elements); err != nil {
		return err
	}
	for i, element := range elements {
		var one T
		if string(element) != "null" && json.Unmarshal(element, &one) == nil {
			*l = append(slices.Grow(*l, len(elements)-i), one) // at once: growing by steps holds a long list twice
		}
	}
	return nil
}

// object takes an object; anything else is nothing.
type object[T any] struct{ is *T }

func (o *object[T]) UnmarshalJSON(raw []byte) error {
	if raw[0] == '{' {
		o.is = new(T)
		return json.Unmarshal(raw, o.is)
	}
	return nil
}

// shortened makes one line of a text, of at most so many characters that can be printed.
func shortened(said string, most int) string {
	if len(said) > 8*most { // before it is looked at rune by rune
		said = strings.ToValidUTF8(said[:8*most], "")
	}
	said = strings.Join(strings.FieldsFunc(said, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if runes := []rune(said); len(runes) > most {
		return strings.TrimSpace(string(runes[:most-1])) + "…"
	}
	return said
}
