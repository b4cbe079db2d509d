package fleet_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lightbar/internal/fleet"
)

// drawn is a shape with what it was made of, so that a test can judge it by other means.
type drawn struct {
	*fleet.Shape
	lat, lng, radiusM float64      // of a circle
	ring              [][2]float64 // of a polygon
}

// holds is the law said plainly: a circle by its radius, a polygon by a ray, a line never.
func (d *drawn) holds(lat, lng float64) bool {
	if d.ring == nil {
		lo, hi := d.Box()
		return lng >= lo[0] && lng <= hi[0] && fleet.DistanceM(lat, lng, d.lat, d.lng) <= d.radiusM
	}
	return !d.IsLine() && ray(d.ring, int64(fleet.ToFixed(lng)), int64(fleet.ToFixed(lat)))
}

// draw makes any shape of a size near a place.
func draw(t *testing.T, r *rand.Rand, lat, lng float64) *drawn {
	t.Helper()
	d := &drawn{lat: lat, lng: lng, radiusM: math.Exp(r.Float64()*math.Log(641*0.99)) * 1.001}
	reach := d.radiusM / 111_195
	round := func(v float64) float64 { return fleet.FromFixed(fleet.ToFixed(v)) }
	text := func(kind string, coordinates any) []byte {
		b, _ := json.Marshal(map[string]any{"type": kind, "coordinates": coordinates})
		return b
	}
	var err error
	switch r.IntN(5) {
	case 0, 1:
		d.Shape, err = fleet.ParseCircle(lat, lng, d.radiusM)
	case 2: // a block along the grid
		w, s, e, n := round(lng-reach), round(lat-reach), round(lng+reach), round(lat+reach)
		d.ring = [][2]float64{{w, s}, {e, s}, {e, n}, {w, n}, {w, s}}
		d.Shape, err = fleet.ReadShape(text("Polygon", [][][2]float64{d.ring}))
	case 3: // a line
		d.ring = [][2]float64{{lng - reach, lat}, {lng + reach, lat + reach}}
		d.Shape, err = fleet.ReadShape(text("LineString", d.ring))
	default: // a star, sometimes as large as no law allows
		if r.IntN(8) == 0 && math.Abs(lng) < 170 {
			reach *= 500
		}
		b := star(r, 3+r.IntN(60), lat, lng, min(reach, (89-math.Abs(lat))/2))
		var g struct{ Coordinates [][][2]float64 }
		if err = json.Unmarshal(b, &g); err == nil {
			d.ring = g.Coordinates[0]
			d.Shape, err = fleet.ReadShape(b)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// spotNear is a position about a shape: anywhere, or within two grid steps of
// its box, of an eighth of its box, of a corner or of its outline.
func (d *drawn) spotNear(r *rand.Rand) (lat, lng float64) {
	lo, hi := d.Box()
	at := [2]float64{}
	for k := range at {
		part := 1.6*r.Float64() - 0.3
		if r.IntN(2) == 0 {
			part = float64(r.IntN(9)) / 8
		}
		at[k] = lo[k] + part*(hi[k]-lo[k])
	}
	lng, lat = at[0], at[1]
	switch {
	case r.IntN(3) == 0 && d.ring == nil:
		turn := 2 * math.Pi * r.Float64()
		lat, lng = fleet.Offset(d.lat, d.lng, d.radiusM*math.Cos(turn), d.radiusM*math.Sin(turn))
	case r.IntN(3) == 0 && d.ring != nil:
		i, f := r.IntN(len(d.ring)-1), r.Float64()
		lng, lat = d.ring[i][0]+f*(d.ring[i+1][0]-d.ring[i][0]), d.ring[i][1]+f*(d.ring[i+1][1]-d.ring[i][1])
	}
	step := func(v, most float64) float64 {
		return math.Max(-most, math.Min(most, fleet.FromFixed(fleet.ToFixed(v)+int32(r.IntN(5)-2))))
	}
	return step(lat, 90), step(lng, 180)
}

// The index finds the shapes that the law finds, one by one: of all kinds and
// sizes, in a town, along the edges of the map and scattered over the earth.
//
// spec: 4.station.02
func TestAnIndexFindsTheShapesThatHoldAPosition(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 7))
	places := map[string]func() (lat, lng float64){
		"a town":         func() (float64, float64) { return 39.7 + 0.02*r.Float64(), -75.5 + 0.02*r.Float64() },
		"the earth":      func() (float64, float64) { return 160*r.Float64() - 80, 358*r.Float64() - 179 },
		"the north":      func() (float64, float64) { return 88.5, 178 * r.Float64() },
		"the meridian":   func() (float64, float64) { return 10 * r.Float64(), -179.99 + 0.01*r.Float64() },
		"one very place": func() (float64, float64) { return -33, 151 },
		"two towns": func() (float64, float64) {
			if r.IntN(2) == 0 {
				return 39.7 + 0.1*r.Float64(), -75.5
			}
			return -33, 151 + 0.1*r.Float64()
		},
	}
	held, near := 0, 0
	for name, place := range places {
		for _, n := range []int{0, 1, 7, 400} {
			all, shapes := make([]*drawn, n), make([]*fleet.Shape, n)
			for i := range all {
				lat, lng := place()
				all[i] = draw(t, r, lat, lng)
				shapes[i] = all[i].Shape
			}
			x := fleet.NewShapeIndex(shapes)
			for i, s := range shapes {
				if k, ok := x.Find(s); !ok || k != i {
					t.Fatalf("%s: shape %d is found at %d", name, i, k)
				}
			}
			for range 5 * n {
				lat, lng := all[r.IntN(n)].spotNear(r)
				var got, want []int
				x.At(lat, lng, func(k int) { got = append(got, k) })
				for k, d := range all {
					if is := d.holds(lat, lng); is != d.Contains(lat, lng) {
						t.Fatalf("%s: a shape says that %v, %v is in it: %v", name, lat, lng, !is)
					} else if is {
						want = append(want, k)
					}
				}
				if slices.Sort(got); !slices.Equal(got, want) {
					t.Fatalf("%s: at %v, %v of %d: %v, want %v", name, lat, lng, n, got, want)
				}
				held += len(want)
				within := 100 * r.Float64()
				found, isNear := false, false
				x.Near(lat, lng, within, func(int) bool { found = true; return false })
				for _, d := range all {
					isNear = isNear || d.DistanceFromM(lat, lng) <= within
				}
				if found != isNear && math.Abs(lat) < 85 { // DistanceM is flat: near a pole it says what no box can
					t.Fatalf("%s: within %v m of %v, %v: %v", name, within, lat, lng, found)
				}
				if isNear {
					near++
				}
			}
		}
	}
	if held < 5000 || near < 5000 {
		t.Errorf("%d shapes held a position, %d positions were near one: is this test blind?", held, near)
	}
}
