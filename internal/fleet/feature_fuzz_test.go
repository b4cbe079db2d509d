package fleet

import (
	"encoding/json"
	"testing"
)

// Shapes that somebody sends for a geo event or a zone: they are refused, or
// what is kept is written and read again as it was, by the law that let it in.
func FuzzFeatures(f *testing.F) {
	const a, z = `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{`, `}]}`
	f.Add(a + `"radius_dist":80,"name":"x"},"geometry":{"type":"Point","coordinates":[-75.5,39.7,4]}` + z)
	f.Add(a + `"radius_dist":1e-320},"geometry":{"type":"Point","coordinates":[180,-0]}` + z)
	f.Add(a + `},"geometry":{"type":"LineString","coordinates":[[-75.5,39.7],[-75.51,39.712345678]]}` + z)
	f.Add(a + `},"geometry":{"type":"Polygon","coordinates":[[[0,0],[0.004,0],[0.004,0.004],[0,0]],[[0.001,0.0005],[0.002,0.0005],[0.002,0.001],[0.001,0.0005]]]}` + z)
	f.Add(a + `},"geometry":{"type":"MultiPolygon","coordinates":[[[[0,0],[0.002,0],[0.001,0.002],[0,0]]]]}` + z)
	f.Add(a + `"radius_dist":641},"geometry":{"type":"Point","Type":"Polygon","coordinates":[1,2],"coordinates":[[[0,0]]]}` + z)
	f.Add(`{"type":"FeatureCollection","features":[null,{"type":"Feature","geometry":null}]}`)
	f.Add(`{"TYPE":"FeatureCollection","features":[]}`)
	f.Fuzz(func(t *testing.T, text string) {
		if c, refusal := ParseFeatures(text); refusal == nil && c != nil {
			kept := sameWhenRead(t, c)
			again, refusal := ParseFeatures(kept)
			if refusal != nil || !again.Equal(c) {
				t.Fatalf("%s of an event comes back: %v", kept, refusal)
			}
		}
		c, err := ParseZone([]byte(text))
		if err != nil {
			return
		}
		kept := sameWhenRead(t, c)
		again, err := ParseZone([]byte(kept))
		if err != nil || !again.Equal(c) {
			t.Fatalf("%s of a zone comes back: %v", kept, err)
		}
		shapes, err := (&Zone{Features: c}).Shapes()
		if err != nil || len(shapes) != len(c.Features) {
			t.Fatalf("%d shapes of %s: %v", len(shapes), kept, err)
		}
		for _, s := range shapes {
			lo, hi := HoldsBox(s)
			lat, lng := s.Anchor()
			if !(lo[0] <= lng && lng <= hi[0] && lo[1] <= lat && lat <= hi[1]) || !Holds(s, lat, lng) {
				t.Errorf("%s holds not what it stands on: %v, %v of %v %v", kept, lat, lng, lo, hi)
			}
		}
	})
}

func sameWhenRead(t *testing.T, c *FeatureCollection) string {
	t.Helper()
	kept, err := json.Marshal(c)
	if err != nil {
		t.Fatalf("%+v: %v", c, err)
	}
	var back FeatureCollection
	if err := json.Unmarshal(kept, &back); err != nil || !back.Equal(c) {
		t.Fatalf("%s is read as %+v (%v)", kept, back, err)
	}
	return string(kept)
}
