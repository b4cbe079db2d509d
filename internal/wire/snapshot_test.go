package wire_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"lightbar/internal/wire"
)

// What is written piece by piece is what encoding/json writes.
func TestSnapshotIsWrittenAsJSON(t *testing.T) {
	full := wire.NewSnapshot(3)
	for i := range 2000 {
		full.ID = append(full.ID, fmt.Sprintf("%d \"<&>\\ \u2028 é\x01", i))
		full.Flags, full.Course, full.Lat = append(full.Flags, uint16(i)), append(full.Course, int16(-i)), append(full.Lat, int32(i)*-1_000_000)
		full.At, full.Speed = append(full.At, int64(i)<<40), append(full.Speed, float32(i)/100)
	}
	full.Count, full.Full, full.AsOf = 2000, true, 1795258927250
	full.Orgs, full.RelationSet = []wire.OrganizationRef{{ID: "o", Name: "<A>"}}, [][]wire.Relationship{{{OrganizationName: "B & C"}}}
	for _, s := range []*wire.Snapshot{wire.NewSnapshot(0), full} {
		var got, want bytes.Buffer
		if err := (wire.ThingsSnapshot{Data: s}).WriteJSON(&got); err != nil {
			t.Fatal(err)
		}
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(map[string]any{"data": s}); err != nil {
			t.Fatal(err)
		}
		var a, b any
		if err := json.Unmarshal(got.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(want.Bytes(), &b); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(a, b) || got.Bytes()[got.Len()-1] != '\n' {
			t.Errorf("%.400s\nwant\n%.400s", got.Bytes(), want.Bytes())
		}
	}
}
