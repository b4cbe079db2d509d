package store

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math"
	"reflect"
	"strings"
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
		s.Sources.Note(fleet.Source(i+1), fleet.Instant(1_795_000_000_000+n+i*5), fleet.Instant(1_795_000_000_000+n), fleet.Instant(1_795_000_000_009))
	}
	s.Sources.Shown = fleet.SourceGeotab
	for i := range 20 {
		s.Trail.Add(fleet.Instant(1_795_000_000_000+i*45_000), 39.7+float64(n+i)*1e-4, -75.5)
	}
	return s
}

// A body reads back as the state, field by field: with every field said, with few, and with ids.
func TestStateBodyIsTheState(t *testing.T) {
	id := "01993f2c-0000-7abc-8def-0123456789ab"
	ids := filled(3)
	ids.RunID, ids.LocationID, ids.StationID, ids.Street = id, id, strings.ToUpper(id), strings.Replace(id, "-", "x", 1)
	for _, s := range []fleet.State{{}, filled(1), filled(2), ids, {HeartbeatAt: 5, At: -7, Street: "King St", Lat: 1e-7, Lng: math.Copysign(0, -1)}} {
		s.ThingID, s.No, s.DueAt = "", 0, 0 // those of the asset's row, and what follows from the rest
		s.Config = fleet.ConfigState{}
		body := appendState([]byte("before"), &s)[len("before"):]
		var back fleet.State
		if err := readState(body, &back); err != nil || back != s || len(body)%stateStep != 0 {
			t.Errorf("%d bytes read back as\n%+v\nwant\n%+v (%v)", len(body), back, s, err)
		}
		for at := range body {
			body[at] ^= 4
			if err := readState(body, &back); err == nil {
				t.Errorf("byte %d is wrong, and nobody notices", at)
			}
			body[at] ^= 4
		}
		for n := range body {
			if err := readState(body[:n], &back); err == nil {
				t.Errorf("%d of %d bytes are read", n, len(body))
			}
		}
	}
}

// A body that is not what we write stops nothing, whatever its checksum says.
func FuzzStateBody(f *testing.F) {
	s := filled(1)
	f.Add(appendState(nil, &s)[stateHead:])
	f.Fuzz(func(t *testing.T, rest []byte) {
		body := append([]byte{stateVersion, 0, 0, 0, 0}, rest...)
		binary.LittleEndian.PutUint32(body[1:], crc32.Checksum(rest, stateTable))
		var back fleet.State
		_ = readState(body, &back)
	})
}

// A row that an earlier version wrote is read, and written anew as bytes.
func TestAStateOfAnEarlierVersionIsRead(t *testing.T) {
	path, db := olderDatabase(t, 55)
	old := filled(1)
	doc, err := json.Marshal(old)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), `INSERT INTO thing_state (thing_no, at, doc) VALUES (7, 99, $1)`, string(doc)); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s := openHereFor(t, Options{Path: path, SkipBackup: true})
	old.DueAt, old.Config, old.ThingID, old.No = 0, fleet.ConfigState{}, "", 7
	for _, when := range []string{"as it was", "written anew"} {
		var found []SavedState
		err := EachState(t.Context(), s.Reader(), func(x *SavedState) { found = append(found, *x) }, func(no int64, err error) { t.Error(no, err) })
		if err != nil || len(found) != 1 || found[0].At != 99 {
			t.Fatalf("%s: %+v %v", when, found, err)
		}
		if found[0].State.ThingID = ""; found[0].State != old {
			t.Errorf("%s it reads as\n%+v\nwant\n%+v", when, found[0].State, old)
		}
		if err := s.Write(t.Context(), func(tx *Tx) error {
			return tx.SaveStates(t.Context(), s.Engine(), []*fleet.State{&old}, 99, 0)
		}); err != nil {
			t.Fatal(err)
		}
	}
}

func BenchmarkStateDoc(b *testing.B) {
	s := filled(1)
	var buffer []byte
	for b.Loop() {
		buffer = appendState(buffer[:0], &s)
	}
	b.SetBytes(int64(len(buffer)))
}
