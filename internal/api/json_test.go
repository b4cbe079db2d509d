package api

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"unicode/utf8"
)

var strictSeeds = []struct {
	text string
	good bool
}{
	{`{"a": [1, 2.5e3, "x", null, true], "b": {"a": 1}}`, true},
	{`"\ud83d\ude92"`, true},
	{`"\\ud800"`, true},
	{` 7 `, true},
	{`{"a": 1, "a": 2}`, false},
	{`{"a": 1, "\u0061": 2}`, false},
	{`[1] 2`, false},
	{`{"a": 1,}`, false},
	{`"\ud83d"`, false},
	{`"\ude92\ud83d"`, false},
	{`1e400`, false},
	{`NaN`, false},
	{"\"\xff\"", false},
	{``, false},
	{`[[`, false},
	{`]`, false},
}

func TestStrictJSON(t *testing.T) {
	for _, row := range strictSeeds {
		var v any
		if err := unmarshalStrict([]byte(row.text), &v); (err == nil) != row.good {
			t.Errorf("%q: %v", row.text, err)
		}
	}
}

// FuzzStrictJSON: whatever is accepted has one reading. It decodes, encodes
// and decodes again to the same value, and is what encoding/json reads too.
func FuzzStrictJSON(f *testing.F) {
	for _, row := range strictSeeds {
		f.Add([]byte(row.text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var v any
		if unmarshalStrict(data, &v) != nil {
			return
		}
		if !json.Valid(data) || !utf8.Valid(data) {
			t.Fatalf("accepted though invalid: %q", data)
		}
		var b bytes.Buffer
		if err := marshalJSON(&b, v); err != nil {
			t.Fatalf("cannot be written again: %v", err)
		}
		var again any
		if err := unmarshalStrict(b.Bytes(), &again); err != nil {
			t.Fatalf("%q became %q: %v", data, b.Bytes(), err)
		}
		if !reflect.DeepEqual(v, again) {
			t.Fatalf("%q has two readings", data)
		}
	})
}
