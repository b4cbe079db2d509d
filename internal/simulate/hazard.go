package simulate

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// Hazards are what a traffic center reports of dangers on the streets: some at
// a time, each for a while, then another one elsewhere.
type Hazards struct {
	// Reporter stands for the sender: who delivers the items finds its client by it.
	Reporter string

	rng   *rand.Rand
	next  []time.Time // when each of them is followed by another
	count int
}

// dangers are the hazards of the demo, in turn.
var dangers = []struct{ kind, description string }{
	{"stopped_traffic", "Queue before the lights"}, {"debris", "Ladder in the left lane"}, {"disabled_vehicle", "Truck on the shoulder"},
	{"flooding", "Water on the road"}, {"signal_out", "Lights are dark: treat as a four-way stop"}, {"crash", "Two cars, right lane blocked"},
	{"slow_traffic", "Slow behind road works"}, {"road_damage", "Deep pothole"}, {"animal", "Deer beside the road"},
}

// hazardsAtOnce is how many there are at a time.
const hazardsAtOnce = 5

// NewHazards readies a traffic center; the same seed gives the same hazards.
func NewHazards(reporter string, seed uint64, now time.Time) *Hazards {
	h := &Hazards{Reporter: reporter, rng: rand.New(rand.NewPCG(seed, 0)), next: make([]time.Time, hazardsAtOnce)}
	for i := range h.next {
		h.next[i] = now
	}
	return h
}

// step reports the hazards that begin now; each expires by itself.
func (h *Hazards) step(roads Roads, center LatLng, radiusM float64, now time.Time) (out []Item) {
	for i, at := range h.next {
		if now.Before(at) {
			continue
		}
		danger := dangers[h.count%len(dangers)]
		h.count++
		until := now.Add(time.Duration(12+h.rng.IntN(25)) * time.Minute)
		h.next[i] = until.Add(time.Duration(1+h.rng.IntN(4)) * time.Minute)
		place := roads.Place(h.rng, center, radiusM)
		out = append(out, Item{Type: "hazard", Asset: h.Reporter, At: stamp(now), Lat: &place.Lat, Lng: &place.Lng,
			ID: fmt.Sprintf("TC-%d-%d", now.Unix(), i), HazardType: danger.kind, Description: danger.description, ExpiresAt: stamp(until)})
	}
	return out
}
