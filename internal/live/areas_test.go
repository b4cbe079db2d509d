package live_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/live"
)

// country makes areas of one region at random: circles, polygons and
// multipolygons of up to 200 corners, all by the law.
type country struct {
	*rand.Rand
	lat, lng, deg float64 // of the region: its south-west corner and its side
}

func (c *country) star(lat, lng, radius float64, corners int) [][2]float64 {
	var ring [][2]float64
	k := math.Cos(lat * math.Pi / 180)
	for i := range corners {
		a, d := 2*math.Pi*float64(i)/float64(corners), radius*(0.5+0.5*c.Float64())/111_195
		ring = append(ring, [2]float64{fleet.FromFixed(fleet.ToFixed(lng + d*math.Cos(a)/k)), fleet.FromFixed(fleet.ToFixed(lat + d*math.Sin(a)))})
	}
	return append(ring, ring[0])
}

func (c *country) block(lat, lng, radius float64) [][2]float64 {
	lo, hi := fleet.Reach(lat, lng, radius)
	round := func(v float64) float64 { return fleet.FromFixed(fleet.ToFixed(v)) }
	w, s, e, n := round(lo[0]), round(lo[1]), round(hi[0]), round(hi[1])
	return [][2]float64{{w, s}, {e, s}, {e, n}, {w, n}, {w, s}}
}

func (c *country) area(id int, owner string) *fleet.Area {
	a := &fleet.Area{ID: fmt.Sprintf("%08d", id), OrganizationID: owner, IsStation: true, HasCenter: true, Lat: c.lat + c.deg*c.Float64(), Lng: c.lng + c.deg*c.Float64()}
	radius := 20 + 480*c.Float64()
	var geometry map[string]any
	switch corners := 4 + c.IntN(197); c.IntN(4) {
	case 0:
		a.RadiusM = radius
		return a
	case 1:
		geometry = map[string]any{"type": "Polygon", "coordinates": [][][2]float64{c.block(a.Lat, a.Lng, radius)}}
	case 2:
		geometry = map[string]any{"type": "Polygon", "coordinates": [][][2]float64{c.star(a.Lat, a.Lng, radius, corners), c.star(a.Lat, a.Lng, radius*0.4, 5)}}
	default:
		lat, lng := fleet.Offset(a.Lat, a.Lng, 2*radius, 0)
		geometry = map[string]any{"type": "MultiPolygon", "coordinates": [][][][2]float64{
			{c.star(a.Lat, a.Lng, radius/2, corners/2+2)}, {c.star(lat, lng, radius/2, corners/2+2)}}}
	}
	text, err := json.Marshal(geometry)
	if err == nil {
		a.Shape, err = fleet.ParseShape(text)
	}
	if err != nil {
		panic(fmt.Sprintf("%s: %v", text, err))
	}
	return a
}

func polygonText(t *testing.T, rings ...[][2]float64) []byte {
	t.Helper()
	text, err := json.Marshal(map[string]any{"type": "Polygon", "coordinates": rings})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// position is one near an area: on its box, at the height of a box, in it or somewhere about it.
func (c *country) position(a *fleet.Area) (lat, lng float64) {
	lo, hi, _ := a.Box()
	pick := func(k int) float64 {
		switch c.IntN(5) {
		case 0:
			return lo[k]
		case 1:
			return hi[k]
		}
		return lo[k] + (hi[k]-lo[k])*(1.6*c.Float64()-0.3)
	}
	return pick(1), pick(0)
}

// slowly looks through all areas, one by one.
func slowly(areas map[string]*fleet.Area, owner string) fleet.Surroundings {
	each := func(visit func(*fleet.Area)) {
		for _, a := range areas {
			if a.OrganizationID == owner && a.IsMatched() {
				visit(a)
			}
		}
	}
	return fleet.Surroundings{
		Station: func(lat, lng float64) (id string) {
			each(func(a *fleet.Area) {
				if (id == "" || a.ID < id) && a.Contains(lat, lng) {
					id = a.ID
				}
			})
			return id
		},
		Near: func(lat, lng, withinM float64) (found bool) {
			each(func(a *fleet.Area) { found = found || a.DistanceFromM(lat, lng) <= withinM })
			return found
		},
	}
}

// The index finds the stations that looking through all of them finds, while
// they are changed one by one: on outlines, on boxes that touch, at every
// accuracy. Who began before a change does not see it.
//
// spec: 4.station.02 9.limits.24 9.limits.25
func TestTheIndexFindsWhatLookingThroughAllAreasFinds(t *testing.T) {
	c := &country{Rand: rand.New(rand.NewPCG(17, 4)), lat: 39.7, lng: -75.6, deg: 0.03}
	areas, owners := map[string]*fleet.Area{}, []string{"A", "B"}
	p := live.New(nil, live.Options{})
	var all []*fleet.Area
	for i := range 120 {
		a := c.area(i, owners[i%2])
		areas[a.ID] = a
		all = append(all, a)
	}
	p.SetAreas(all)
	at, strict := 0, 0
	check := func(round int, around func(owner string) fleet.Surroundings, areas map[string]*fleet.Area) {
		t.Helper()
		for range 100 {
			lat, lng := c.position(all[c.IntN(len(all))])
			for _, owner := range owners {
				got, want := around(owner).Station(lat, lng), slowly(areas, owner).Station(lat, lng)
				if got != want {
					t.Fatalf("round %d: at %v, %v %s finds %q, want %q", round, lat, lng, owner, got, want)
				}
				point := fleet.Point{Lat: lat, Lng: lng, HasAccuracy: true, AccuracyM: 25 + 70*c.Float64()}
				if usable := fleet.Usable(&point, around(owner)); usable != fleet.Usable(&point, slowly(areas, owner)) {
					t.Fatalf("round %d: at %v, %v by %v m: usable: %v", round, lat, lng, point.AccuracyM, usable)
				} else if !usable {
					strict++
				}
				if want != "" {
					at++
				}
			}
		}
	}
	check(0, p.Around, areas)
	for round := range 40 {
		before := map[string]fleet.Surroundings{"A": p.Around("A"), "B": p.Around("B")}
		was := map[string]*fleet.Area{}
		for id, a := range areas {
			was[id] = a
		}
		change := p.Begin()
		changes := 1 + c.IntN(4)
		if round%9 == 5 { // so many that the index is made anew
			changes = 150
		}
		for range changes {
			a := c.area(c.IntN(140), owners[c.IntN(2)])
			switch c.IntN(6) {
			case 0:
				change.DropArea(a.ID)
				delete(areas, a.ID)
				continue
			case 1:
				a.Inactive = true
			case 2:
				a.IsStation = false
			case 3:
				a.DeletedAt = 1
			}
			change.PutArea(a)
			areas[a.ID] = a
			all = append(all, a)
		}
		if round%7 == 3 {
			change.Abort()
			areas = was
		} else {
			change.Apply(nil)
		}
		check(round+1, p.Around, areas)
		if round%10 == 0 {
			check(round+1, func(owner string) fleet.Surroundings { return before[owner] }, was)
		}
	}
	if at < 300 || strict < 300 {
		t.Errorf("%d positions at stations, %d points not usable: is this test blind?", at, strict)
	}
}

// Readers find a station that stays, whatever else is changed meanwhile.
func TestReadersOfAreasNeverWait(t *testing.T) {
	c := &country{Rand: rand.New(rand.NewPCG(1, 8)), lat: 39.7, lng: -75.6, deg: 0.1}
	p := live.New(nil, live.Options{})
	var all []*fleet.Area
	for i := range 500 {
		all = append(all, c.area(1+i, "A"))
	}
	home := &fleet.Area{ID: "00000000", OrganizationID: "A", IsStation: true, HasCenter: true, Lat: 39.75, Lng: -75.55}
	p.SetAreas(append(all, home))
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for n := 0; ; n++ {
				if got := p.Around("A").Station(home.Lat, home.Lng); got != home.ID {
					t.Errorf("look %d: %q", n, got)
					return
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for range 2000 {
		change := p.Begin()
		if a := c.area(1+c.IntN(600), "A"); c.IntN(3) == 0 {
			change.DropArea(a.ID)
		} else {
			change.PutArea(a)
		}
		change.Apply(nil)
	}
	close(done)
	readers.Wait()
}
