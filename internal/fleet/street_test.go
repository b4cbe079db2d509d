package fleet

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// followed is what a live picture does with the mark: it answers how often the street was looked up.
func followed(s *State, m StreetMark) (StreetMark, bool) {
	if m.StillApplies(s) {
		return m, false
	}
	return MarkStreet(s), true
}

// However its receiver wanders, who stands on scene has one street, also when
// it says a speed, and also at a corner.
func TestAStandingAssetKeepsItsStreet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lat, lng := rapid.Float64Range(-60, 60).Draw(t, "lat"), rapid.Float64Range(-179, 179).Draw(t, "lng")
		s := State{LocationID: "scene", HasAccuracy: rapid.Bool().Draw(t, "says its accuracy")}
		noise := 19.0
		if s.HasAccuracy {
			s.AccuracyM = rapid.Float64Range(0, 49).Draw(t, "accuracy")
			noise = max(noise, 0.99*s.AccuracyM)
		}
		var mark StreetMark
		for i := range rapid.IntRange(1, 40).Draw(t, "reports") {
			off := rapid.Float64Range(0, noise).Draw(t, "off")
			way := rapid.Float64Range(0, 2*math.Pi).Draw(t, "way")
			s.Lat, s.Lng = Offset(lat, lng, off*math.Sin(way), off*math.Cos(way))
			s.HasSpeed = rapid.Bool().Draw(t, "says its speed")
			s.SpeedMS = rapid.Float64Range(0, 5).Draw(t, "speed")
			var looked bool
			if mark, looked = followed(&s, mark); looked != (i == 0) {
				t.Fatalf("report %d: looked up: %v", i, looked)
			}
		}
	})
}

// A street is never of a place that is far from where the asset is.
func TestAStreetIsOfWhereTheAssetIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := State{Lat: 39.7, Lng: -75.5}
		var mark StreetMark
		for range rapid.IntRange(1, 40).Draw(t, "reports") {
			step := rapid.Float64Range(-60, 60)
			s.Lat, s.Lng = Offset(s.Lat, s.Lng, step.Draw(t, "east"), step.Draw(t, "north"))
			s.LocationID = rapid.SampledFrom([]string{"", "scene"}).Draw(t, "at")
			s.HasSpeed, s.SpeedMS = rapid.Bool().Draw(t, "says its speed"), rapid.Float64Range(0, 30).Draw(t, "speed")
			s.HasAccuracy, s.AccuracyM = rapid.Bool().Draw(t, "says its accuracy"), rapid.Float64Range(0, 200).Draw(t, "accuracy")
			mark, _ = followed(&s, mark)
			most := 15.0
			if s.isStopped() {
				most = 40
				if s.HasAccuracy {
					most = max(most, min(100, 2*s.AccuracyM))
				}
			}
			if far := DistanceM(s.Lat, s.Lng, mark.Lat, mark.Lng); far >= most {
				t.Fatalf("its street is of a place %v m away, with at most %v", far, most)
			}
			if s.isStopped() && !mark.IsStopped {
				t.Fatal("it stands and has the street of a place that it drove past")
			}
		}
	})
}
