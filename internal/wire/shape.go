package wire

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

// A shape and its noun call most fields alike. Where they do, no line copies one
// into the other: the struct says it, with a tag at where the noun's name is
// another. Shapes that are made thousands of times a second are made by hand.

// field is a field of a shape and where the other struct keeps it.
type field struct {
	from, to int
	json     string
	max      int // characters, of a text with a law; 0 = not by tag
	check    func(text string, max int) (trimmed, sentence string)
	required bool // may not be empty
}

var pairs sync.Map // of [2]reflect.Type: []field

// fieldsOf pairs the fields of from with those of to that are called alike, whatever their types.
func fieldsOf(from, to reflect.Type) []field {
	if known, ok := pairs.Load([2]reflect.Type{from, to}); ok {
		return known.([]field)
	}
	var out []field
	for i := range from.NumField() {
		f := from.Field(i)
		name := f.Name
		if at := f.Tag.Get("at"); at != "" {
			name = at
		}
		target, ok := to.FieldByName(name)
		if !ok || len(target.Index) != 1 {
			continue
		}
		limit, rule, _ := strings.Cut(f.Tag.Get("text"), ",")
		json, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		pair := field{from: i, to: target.Index[0], json: json, required: rule == "required"}
		if limit != "" {
			pair.max, pair.check = int(catalog.LimitInt("text", limit)), lawOfText(limit)
		}
		out = append(out, pair)
	}
	pairs.Store([2]reflect.Type{from, to}, out)
	return out
}

// lawOfText is the law of the texts that have a limit: names and ids must not look like others, other texts may say anything.
func lawOfText(limit string) func(text string, max int) (trimmed, sentence string) {
	switch limit {
	case "nickname", "plate", "registry", "vehicleId":
		return fleet.CheckAssetText
	case "name":
		return fleet.CheckName
	case "wzdxId":
		return maxCharacters(fleet.CheckName)
	case "description", "alertMessage":
		return maxCharacters(fleet.CheckText)
	}
	return fleet.CheckText
}

// maxCharacters says of a text that is too long what the requirements say of those of closures, zones, and areas
// (requirements 5.closure: "40 Max Characters"); of an asset's and of others it is "Must be 50 or fewer characters".
func maxCharacters(check func(text string, max int) (trimmed, sentence string)) func(text string, max int) (trimmed, sentence string) {
	return func(text string, max int) (trimmed, sentence string) {
		if trimmed, sentence = check(text, max); utf8.RuneCountInString(trimmed) > max {
			sentence = fmt.Sprintf("%d Max Characters", max)
		}
		return trimmed, sentence
	}
}

// Same copies what two structs call alike and hold in the same type, ids and texts being one; both are pointers.
func Same(to, from any) {
	dst, src := reflect.ValueOf(to).Elem(), reflect.ValueOf(from).Elem()
	for _, f := range fieldsOf(src.Type(), dst.Type()) {
		value, target := src.Field(f.from), dst.Field(f.to)
		switch {
		case value.Type() == target.Type():
			target.Set(value)
		case value.Kind() == reflect.String && target.Kind() == reflect.String:
			target.SetString(value.String())
		}
	}
}

// Take puts what a write shape sends over a noun as it is, no law applied, and
// reports whether it sends anything; both are pointers.
func Take(noun, write any) (isSent bool) {
	dst, src := reflect.ValueOf(noun).Elem(), reflect.ValueOf(write).Elem()
	for _, f := range fieldsOf(src.Type(), dst.Type()) {
		sent := src.Field(f.from)
		if sent.Kind() == reflect.Pointer && !sent.IsNil() && sent.Type().Elem() == dst.Field(f.to).Type() {
			dst.Field(f.to).Set(sent.Elem())
			isSent = true
		}
	}
	return isSent
}

// Put is Take and then Texts: what is sent, with its texts as their law has them.
func Put(wrong map[string]string, noun, write any) {
	Take(noun, write)
	Texts(wrong, noun, write)
}

// Texts puts the texts that a write shape sends, those with a tag text (a limit
// of catalog/limits.json, "required" where it may not be empty), over a noun.
// Those that break the law of texts are noted in wrong by the names of the wire;
// noun and write are pointers.
func Texts(wrong map[string]string, noun, write any) {
	dst, src := reflect.ValueOf(noun).Elem(), reflect.ValueOf(write).Elem()
	for _, f := range fieldsOf(src.Type(), dst.Type()) {
		if f.max == 0 {
			continue
		}
		sent := reflect.Indirect(src.Field(f.from))
		if !sent.IsValid() {
			continue
		}
		text, sentence := f.check(sent.String(), f.max)
		if sentence == "" && f.required && isBlank(text) {
			sentence = "Required"
		}
		if sentence != "" {
			wrong[f.json] = sentence
			continue
		}
		dst.Field(f.to).SetString(text)
	}
}

// isBlank reports whether nothing of a text can be seen.
func isBlank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsSpace(r) && !fleet.Invisible(r) })
}

// AllTextsOf is the write shape that sends every text of a noun: a new one is checked by the law of edits.
func AllTextsOf[W any](noun any) (write W) { return textsOf[W](noun, true) }

// FilledTextsOf is the write shape that sends the texts of a noun that are not empty, the others left as they are.
func FilledTextsOf[W any](noun any) (write W) { return textsOf[W](noun, false) }

func textsOf[W any](noun any, empty bool) (write W) {
	dst, src := reflect.ValueOf(&write).Elem(), reflect.ValueOf(noun).Elem()
	for _, f := range fieldsOf(dst.Type(), src.Type()) {
		if text := src.Field(f.to).String(); f.max != 0 && (empty || text != "") {
			dst.Field(f.from).Set(reflect.ValueOf(&text))
		}
	}
	return write
}

// Gone is the row of a record that was deleted, a struct with ID and IsDeleted: only its id means something, and lists are empty.
func Gone[W any](id string) (row W) {
	of := reflect.ValueOf(&row).Elem()
	for i := range of.NumField() {
		if f := of.Field(i); f.Kind() == reflect.Slice {
			f.Set(reflect.MakeSlice(f.Type(), 0, 0))
		}
	}
	of.FieldByName("ID").SetString(id)
	of.FieldByName("IsDeleted").SetBool(true)
	return row
}
