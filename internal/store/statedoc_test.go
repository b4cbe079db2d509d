package store

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"lightbar/internal/fleet"
)

// filled is a state with a value in every field.
func filled(n int) (s fleet.State) {
	v := reflect.ValueOf(&s).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			f.SetString(fmt.Sprintf("%d \"Straße\"\n\\ <&>", n+i))
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Int64:
			f.SetInt(1_795_000_000_000 + int64(n+i)*1007)
		case reflect.Uint8:
			f.SetUint(3)
		case reflect.Float64:
			f.SetFloat(-75.1234567 - float64(n+i)/3)
		}
	}
	for i := range s.Sources.Seen {
		s.Sources.Heard(fleet.Source(i+1), fleet.Instant(1_795_000_000_000+n+i*5), fleet.Instant(1_795_000_000_000+n), fleet.Instant(1_795_000_000_009))
	}
	s.Sources.Shown = fleet.SourceGeotab
	for i := range 20 {
		s.Trail.Add(fleet.Instant(1_795_000_000_000+i*45_000), 39.7+float64(n+i)*1e-4, -75.5)
	}
	return s
}

// What is written without reflection reads back as the state, field by field, as with json.Marshal.
func TestStateDocIsTheState(t *testing.T) {
	for _, s := range []fleet.State{{}, filled(1), filled(2), {ThingID: "a", Street: "King St", Lat: 1e-7, Lng: -180}} {
		mine, err := appendState(nil, &s)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var a, b fleet.State
		if err := json.Unmarshal(mine, &a); err != nil {
			t.Fatalf("%v: %s", err, mine)
		}
		if err := json.Unmarshal(theirs, &b); err != nil {
			t.Fatal(err)
		}
		if a != b {
			t.Errorf("reads back as\n%+v\nwant\n%+v\n%s", a, b, mine)
		}
	}
}

func BenchmarkStateDoc(b *testing.B) {
	s := filled(1)
	var buffer []byte
	for b.Loop() {
		buffer, _ = appendState(buffer[:0], &s)
	}
	b.SetBytes(int64(len(buffer)))
}
