package bus

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"lightbar/internal/fleet"
)

func sampleFrame() Frame {
	return Frame{Organization: "0190-ab", Epoch: "e1", First: 1 << 40, At: 1763720000123, Items: []Item{
		{Type: fleet.MessagePoint, Key: "a", Body: []byte(`{"type":"point"}`)},
		{Type: "future", Key: "", Body: []byte(`{}`)},
	}}
}

func TestFrameSurvivesItsEncoding(t *testing.T) {
	for _, f := range []Frame{sampleFrame(), {Organization: "o", Epoch: "e", First: 7}} {
		got, err := decodeFrame(f.encode())
		if err != nil || !reflect.DeepEqual(got, f) {
			t.Errorf("%+v, %v; want %+v", got, err, f)
		}
	}
}

func TestDamagedFramesAreRefused(t *testing.T) {
	f := sampleFrame()
	whole := f.encode()
	for n := range whole {
		if _, err := decodeFrame(whole[:n]); err == nil {
			t.Errorf("%d of %d bytes were taken for a frame", n, len(whole))
		}
	}
	if _, err := decodeFrame(append(bytes.Clone(whole), 0)); err == nil {
		t.Error("a longer text was taken for a frame")
	}
}

func FuzzDecodeFrame(f *testing.F) {
	s := sampleFrame()
	f.Add(s.encode())
	f.Add([]byte{})
	f.Add([]byte{1, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := decodeFrame(b)
		if err != nil {
			return
		}
		again, err := decodeFrame(got.encode())
		if err != nil || !reflect.DeepEqual(again, got) {
			t.Fatalf("%+v became %+v, %v", got, again, err)
		}
	})
}

func TestSubjectsAreOneToken(t *testing.T) {
	seen := map[string]string{}
	for _, id := range []string{"", "01900000-0000-7000-8000-300000000001", "a.b", "*", ">", "a b", "é"} {
		s := subjectFrames(id)
		rest, ok := strings.CutPrefix(s, subjectFramesOf)
		if !ok || rest == "" || strings.ContainsAny(rest, ".*> ") {
			t.Errorf("%q: subject %q", id, s)
		}
		if other, twice := seen[s]; twice {
			t.Errorf("%q and %q share %q", id, other, s)
		}
		seen[s] = id
	}
}
