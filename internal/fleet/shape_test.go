package fleet_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

// comb is a polygon of n corners (catalog/vectors/shapes.json).
func comb(n int) []byte {
	var b strings.Builder
	b.WriteString(`{"type":"Polygon","coordinates":[[`)
	for i := range n - 2 {
		fmt.Fprintf(&b, "[%.6f,%.4f],", float64(i)*1e-6, 1e-4*float64(1+i%2))
	}
	fmt.Fprintf(&b, "[%.6f,0],[0,0],[0,0.0001]]]}", float64(n-3)*1e-6)
	return []byte(b.String())
}

// spec: 5.area.04 5.area.05 8.area.02 8.area.03 9.limits.23
func TestShapeVectors(t *testing.T) {
	type row struct {
		Name     string
		Geometry json.RawMessage
		Circle   *struct {
			Lat, Lon float64
			Radius   float64 `json:"radius_dist"`
		}
		Comb           int
		Exclusion      bool
		Line           bool
		Field, Message string
		AreaM2         *float64 `json:"area_m2"`
		Inside         [][2]float64
		Outside        [][2]float64
	}
	for _, c := range vectors[cases[row]](t, "shapes.json").Cases {
		t.Run(c.Name, func(t *testing.T) {
			var s *fleet.Shape
			var err error
			switch {
			case c.Circle != nil:
				s, err = fleet.ParseCircle(c.Circle.Lat, c.Circle.Lon, c.Circle.Radius)
			case c.Comb != 0:
				s, err = fleet.ParseShape(comb(c.Comb))
			default:
				s, err = fleet.ParseShape(c.Geometry)
			}
			if err == nil && c.Exclusion {
				err = s.CheckExclusion()
			}
			var refused *fleet.Refusal
			if errors.As(err, &refused); c.Message != "" {
				if refused == nil || refused.Code != "validation_failed" || refused.Field != c.Field || refused.Message != c.Message {
					t.Fatalf("%v, want %s: %s", err, c.Field, c.Message)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if c.AreaM2 != nil && math.Abs(s.AreaM2()-*c.AreaM2) > math.Max(*c.AreaM2*1e-6, 1e-4) {
				t.Errorf("%.9g m², want %.9g", s.AreaM2(), *c.AreaM2)
			}
			if s.IsLine() != c.Line {
				t.Errorf("a line: %v", s.IsLine())
			}
			if lat, lng := s.Anchor(); !c.Line && !s.Contains(lat, lng) || s.DistanceFromM(lat, lng) > 0.02 {
				t.Errorf("its anchor %v, %v lies outside", lat, lng)
			}
			for _, p := range c.Inside {
				if !s.Contains(p[1], p[0]) || s.DistanceFromM(p[1], p[0]) != 0 {
					t.Errorf("%v is not inside", p)
				}
			}
			for _, p := range c.Outside {
				if s.Contains(p[1], p[0]) {
					t.Errorf("%v is inside", p)
				}
			}
		})
	}
}

// A circle of 641 m is the largest of whole meters that the limit of size lets through.
//
// spec: 9.limits.23
func TestTheLargestCircleIsWhatTheLimitGives(t *testing.T) {
	const mile, radius = 1609.0, 6_371_008.8
	limit := catalog.Limit("area", "maxSquareMiles") * mile * mile
	for r, fits := range map[float64]bool{catalog.Limit("area", "circleMaxM"): true, catalog.Limit("area", "circleMaxM") + 1: false} {
		if m2 := 2 * math.Pi * radius * radius * (1 - math.Cos(r/radius)); m2 <= limit != fits {
			t.Errorf("%v m: %v m² of %v", r, m2, limit)
		}
	}
	s, err := fleet.ParseCircle(39.7, -75.5, catalog.Limit("area", "circleMaxM"))
	if err != nil {
		t.Fatal(err)
	}
	if r, ok := s.IsCircle(); !ok || r != 641 || s.AreaM2() > limit {
		t.Errorf("%v %v %v", r, ok, s.AreaM2())
	}
	for _, r := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0.999} {
		if _, err := fleet.ParseCircle(39.7, -75.5, r); err == nil {
			t.Errorf("%v m is a radius", r)
		}
	}
	if _, err := fleet.ParseCircle(math.NaN(), -75.5, 100); err == nil {
		t.Error("nowhere is a center")
	}
}

// A law may become stricter, and a start must still read what was stored.
func TestAStoredShapeIsReadWithoutTheLaw(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"too large":   {`{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1],[0,0]]]}`, true},
		"crosses":     {`{"type":"Polygon","coordinates":[[[0,0],[2,2],[2,0],[0,2],[0,0]]]}`, true},
		"not closed":  {`{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1]]]}`, true},
		"no shape":    {`{"type":"Polygon","coordinates":[]}`, false},
		"not a shape": {`{"type":"Point","coordinates":[0,0]}`, false},
	} {
		if _, err := fleet.ParseShape([]byte(c.text)); err == nil {
			t.Errorf("%s: the law lets it through", name)
		}
		s, err := fleet.ReadShape([]byte(c.text))
		if (err == nil) != c.want {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil && (!s.Contains(0.1, 0.5) != (name == "crosses") || s.Contains(3, 3)) {
			t.Errorf("%s: it is not matched as it is drawn", name)
		}
	}
}

func polygonText(rings ...[][2]int) []byte {
	var all [][][2]float64
	for _, ring := range rings {
		var r [][2]float64
		for _, p := range append(ring, ring[0]) {
			r = append(r, [2]float64{float64(p[0]) * 1e-6, float64(p[1]) * 1e-6})
		}
		all = append(all, r)
	}
	b, _ := json.Marshal(map[string]any{"type": "Polygon", "coordinates": all})
	return b
}

// meets compares all sides with all others, in whole numbers.
func meets(ring [][2]int) bool {
	turn := func(a, b, p [2]int) int { return (b[0]-a[0])*(p[1]-a[1]) - (p[0]-a[0])*(b[1]-a[1]) }
	on := func(a, b, p [2]int) bool {
		return turn(a, b, p) == 0 && p[0] >= min(a[0], b[0]) && p[0] <= max(a[0], b[0]) && p[1] >= min(a[1], b[1]) && p[1] <= max(a[1], b[1])
	}
	sign := func(v int) int { return min(1, max(-1, v)) }
	n := len(ring)
	for i := range n {
		a, b := ring[i], ring[(i+1)%n]
		for j := range n {
			c, d := ring[j], ring[(j+1)%n]
			switch {
			case i == j:
				continue
			case (i+1)%n == j:
				if on(a, b, d) || on(c, d, a) {
					return true
				}
			case (j+1)%n == i:
				continue // the same, seen from the other
			case on(a, b, c) || on(a, b, d) || on(c, d, a) || on(c, d, b):
				return true
			case sign(turn(a, b, c))*sign(turn(a, b, d)) < 0 && sign(turn(c, d, a))*sign(turn(c, d, b)) < 0:
				return true
			}
		}
	}
	return false
}

// The sweep finds what comparing all sides finds, on grids so coarse that corners and sides often meet.
func TestASelfCrossingRingIsFound(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	simple, others := 0, 0
	for range 30_000 {
		span := 3 + r.IntN(12)
		var ring [][2]int
		for range 3 + r.IntN(7) {
			p := [2]int{r.IntN(span), r.IntN(span)}
			if len(ring) == 0 || ring[len(ring)-1] != p {
				ring = append(ring, p)
			}
		}
		if len(ring) < 4 || ring[0] == ring[len(ring)-1] {
			continue
		}
		_, err := fleet.ParseShape(polygonText(ring))
		switch {
		case (err != nil) != meets(ring):
			t.Fatalf("%v: %v, want a crossing: %v", ring, err, meets(ring))
		case err == nil:
			simple++
		default:
			others++
		}
	}
	if simple < 1000 || others < 1000 {
		t.Errorf("%d simple rings and %d others: is this test blind?", simple, others)
	}
}

// star is a simple ring around a center, of any number of corners.
func star(r *rand.Rand, corners int, lat, lng, radiusDeg float64) []byte {
	var ring [][2]float64
	for i := range corners {
		a := 2 * math.Pi * float64(i) / float64(corners)
		d := radiusDeg * (0.3 + 0.7*r.Float64())
		ring = append(ring, [2]float64{lng + d*math.Cos(a), lat + d*math.Sin(a)})
	}
	b, _ := json.Marshal(map[string]any{"type": "Polygon", "coordinates": [][][2]float64{append(ring, ring[0])}})
	return b
}

// Whatever the number of corners and strips, a position is inside when a ray from it meets the outline an odd number of times.
func TestInsideIsWhatARaySays(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	for range 200 {
		corners := 3 + r.IntN(120)
		text := star(r, corners, 39.7, -75.5, 0.004)
		s, err := fleet.ParseShape(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		var g struct{ Coordinates [][][2]float64 }
		if err := json.Unmarshal(text, &g); err != nil {
			t.Fatal(err)
		}
		ring := g.Coordinates[0]
		for range 200 {
			x, y := fleet.ToFixed(-75.5+(r.Float64()-0.5)*0.009), fleet.ToFixed(39.7+(r.Float64()-0.5)*0.009)
			if r.IntN(4) == 0 { // at the height of a corner
				y = fleet.ToFixed(ring[r.IntN(len(ring))][1])
			}
			if got, want := s.Contains(fleet.FromFixed(y), fleet.FromFixed(x)), ray(ring, int64(x), int64(y)); got != want {
				t.Fatalf("%d corners, %d %d: %v, want %v of %s", corners, x, y, got, want, text)
			}
		}
		for _, p := range ring {
			if !s.Contains(p[1], p[0]) || s.DistanceFromM(p[1], p[0]) != 0 {
				t.Fatalf("a corner lies outside: %v of %s", p, text)
			}
		}
	}
}

func ray(ring [][2]float64, x, y int64) bool {
	in := false
	for i := range len(ring) - 1 {
		ax, ay := int64(fleet.ToFixed(ring[i][0])), int64(fleet.ToFixed(ring[i][1]))
		bx, by := int64(fleet.ToFixed(ring[i+1][0])), int64(fleet.ToFixed(ring[i+1][1]))
		side := (bx-ax)*(y-ay) - (x-ax)*(by-ay)
		if side == 0 && x >= min(ax, bx) && x <= max(ax, bx) && y >= min(ay, by) && y <= max(ay, by) {
			return true
		}
		if (ay > y) != (by > y) && (side > 0) == (by > ay) {
			in = !in
		}
	}
	return in
}

// slanted is a comb whose long teeth lie next to each other at 45 degrees: neither latitude nor longitude parts their sides.
func slanted() []byte {
	var ring [][2]int
	for i := range 1998 {
		ring = append(ring, [2]int{4*i + 3000*(i%2), 3000*(i%2) - 4*i})
	}
	return polygonText(append(ring, [2]int{8000, -9000}, [2]int{-1000, -1000}))
}

// A shape of 2,000 corners costs its sender a few milliseconds, however its sides lie.
func BenchmarkParseShape(b *testing.B) {
	for name, text := range map[string][]byte{
		"star": star(rand.New(rand.NewPCG(1, 2)), 2000, 39.7, -75.5, 0.004), "comb": comb(2000), "slanted": slanted(),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := fleet.ParseShape(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
