package check

import (
	"math"
	"net/mail"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// hold compares a value with its law in all editions at once: the document's edition may come only at its end.
func (c *checker) hold(l *law, v any, in edition) {
	if !is(l.kind, v) {
		c.note(in, typeWrong, "This is not ", string(l.kind), ".")
		return
	}
	switch v := v.(type) {
	case map[string]any:
		c.holdFields(l, v, in)
	case []any:
		if len(v) < l.few {
			c.note(in, listShort, "At least ", strconv.Itoa(l.few), ", not ", strconv.Itoa(len(v)), ".")
		}
		for i, one := range v {
			if l.each != nil {
				c.at(i, func() { c.hold(l.each, one, in) })
			}
		}
	case float64:
		if l.least != nil && v < *l.least && (l.other == nil || v < *l.other) {
			c.note(in, numberSmall, "At least ", strconv.FormatFloat(*l.least, 'f', -1, 64), ".")
		} else if l.least != nil && v < *l.least {
			c.note(in&^cwz, numberSmall, "At least ", strconv.FormatFloat(*l.least, 'f', -1, 64), ".")
		}
	case string:
		c.holdText(l, v, in)
	}
}

func (c *checker) holdFields(l *law, v map[string]any, in edition) {
	for i := range l.fields {
		f := &l.fields[i]
		known := in
		if f.in != 0 {
			known &= f.in
		}
		value, there := v[f.name]
		if there && known != 0 {
			c.down(f.name, func() {
				c.hold(f.is, value, known)
				c.note(known&f.old, deprecated)
			})
		}
		if _, other := v[f.instead]; !there && other && f.instead != "" { // the old word, which only WZDx knows
			c.down(f.name, func() { c.note(in&f.must&cwz, memberMissing) })
		} else if !there {
			c.down(f.name, func() { c.note(in&f.must, memberMissing) })
		}
		if _, other := v[f.needs]; f.needs != "" && there && !other {
			c.down(f.needs, func() { c.note(known, memberMissing, f.name, " needs it.") })
		}
	}
}

func (c *checker) holdText(l *law, v string, in edition) {
	if l.words != nil {
		c.noteText(in&^l.words[v], wordUnknown, v)
		return
	}
	switch l {
	case aTime:
		at, err := time.Parse(time.RFC3339, strings.ToUpper(v))
		if err != nil {
			c.noteText(in, timeInvalid, v)
		} else if _, offset := at.Zone(); offset != 0 {
			c.noteText(in, timeNotUTC, v)
		}
	case anEmail:
		if at, err := mail.ParseAddress(v); err != nil || at.Address != v {
			c.note(in, formatWrong, "“", short(v), "” is no email address.")
		}
	case aURI:
		if at, err := url.Parse(v); err != nil || !at.IsAbs() {
			c.note(in, formatWrong, "“", short(v), "” is no address.")
		}
	}
}

func is(k kind, v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return k == object
	case []any:
		return k == list
	case string:
		return k == text
	case bool:
		return k == flag
	case float64:
		return k == number || k == whole && v == math.Trunc(v)
	}
	return false
}

// short is a text of the document as a report may show it, on a terminal too.
func short(v string) string {
	if len(v) > 1000 {
		v = v[:1000]
	}
	v = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '�'
	}, v)
	if runes := []rune(v); len(runes) > 60 {
		return string(runes[:59]) + "…"
	}
	return v
}
