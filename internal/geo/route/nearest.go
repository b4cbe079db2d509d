package route

import (
	"math"
	"strings"

	"lightbar/internal/geo"
)

// Preferences of Nearest, all in meters of distance that a street may be
// farther away and still be chosen.
const (
	nearestWithinM   = 200.0 // farther away than this there is no street
	unnamedPenaltyM  = 15.0  // a street without name and number against one with a name
	numberedPenaltyM = 5.0   // a minor road with a number only
	againstPenaltyM  = 40.0  // a one-way driven against its direction
	acrossPenaltyM   = 20.0  // a heading at right angles to the street
)

// Bounds of Roadway: an asset farther away is not on the road, and one that faces across it is not in the direction of either way.
const (
	roadwayWithinM   = 30.0
	roadwayWithinDeg = 45.0
)

// Street is a place on a road: the road's name and where on it the point nearest to the requested position lies.
type Street struct {
	Name       string  // "North King Street"; empty when the road has none
	Ref        string  // route number, "US 13 Business"; several are joined by ";"
	Class      string  // motorway, trunk, primary, secondary, tertiary, residential, service
	Link       bool    // a ramp or turn lane
	DistanceM  float64 // from the asked position to Lat, Lng
	HeadingDeg float64 // of the road there: the driven way round on one-ways, else the nearer to the asked heading
	Oneway     bool
	LimitKmh   float64 // mapped speed limit, else the default of the class
	Lat, Lng   float64 // the snapped position
}

// Label is the name that people use for the street: its name, else its number, else its kind.
func (s Street) Label() string {
	switch {
	case s.Name != "":
		return s.Name
	case s.Ref != "":
		return RoadText(s.Ref)
	}
	for _, c := range RoadClasses {
		if c.Name == s.Class {
			if s.Link {
				return c.link
			}
			return c.words
		}
	}
	return ""
}

// RoadText writes a road's name or numbers as signs and people do, for all that shows one:
// "I-95 / US 202", mapped as "I 95; US 202". Other names stay as they are mapped.
func RoadText(mapped string) string {
	if !strings.HasPrefix(mapped, "I ") && !strings.Contains(mapped, ";") {
		return mapped
	}
	parts := strings.Split(mapped, ";")
	for i, part := range parts {
		parts[i] = strings.TrimSpace(part)
		if number, is := strings.CutPrefix(parts[i], "I "); is && '0' <= number[0] && number[0] <= '9' { // no "I Street"
			parts[i] = "I-" + number
		}
	}
	return strings.Join(parts, " / ")
}

// Nearest returns the street at a position; false when none lies within 200 m or the position is not on Earth. A named street wins
// over an unnamed one up to 15 m nearer. headingDeg is the direction of travel, NaN when unknown: it distinguishes the carriageways
// of a divided highway, and crossing streets. It allocates nothing.
func (r *Roads) Nearest(lat, lng, headingDeg float64) (Street, bool) {
	if !(geo.LatLng{Lat: lat, Lng: lng}).Valid() {
		return Street{}, false
	}
	f := finder{roads: r, lat: lat, lng: lng, heading: headingDeg, within: nearestWithinM, prefer: true}
	hit, ok := f.find()
	if !ok {
		return Street{}, false
	}
	return r.street(&hit, headingDeg), true
}

// Beside names the nearest other street than a road (by its name, or its number
// as RoadText writes it) within some meters of a place: the one that is crossed there. Empty where there is none with a name.
func (r *Roads) Beside(at geo.LatLng, road string, withinM float64) string {
	f := finder{roads: r, lat: at.Lat, lng: at.Lng, heading: math.NaN(), within: withinM, other: true, road: road}
	hit, ok := f.find()
	if !at.Valid() || !ok {
		return ""
	}
	return r.textAt(r.edges[hit.edge].Name)
}

// Roadway returns the direction of the traffic at the position of something that arrived with a heading (NaN when unknown): degrees
// clockwise from north, to a tenth. A one-way has one; on other roads it follows the heading. False when that is not known, or when
// no road is within 30 m.
func (r *Roads) Roadway(lat, lng, headingDeg float64) (deg float64, known bool) {
	s, ok := r.Nearest(lat, lng, headingDeg)
	if !ok || s.DistanceM > roadwayWithinM || !s.Oneway && !(geo.HeadingDiff(s.HeadingDeg, headingDeg) <= roadwayWithinDeg) {
		return 0, false
	}
	return math.Mod(math.Round(s.HeadingDeg*10)/10, 360), true
}

// Carriageway returns the direction of the traffic on the one-way road at the position of something that arrived with a heading
// (NaN when unknown): degrees clockwise from north, to a tenth. False where the traffic goes both ways, and when no road is within
// 30 m.
func (r *Roads) Carriageway(lat, lng, headingDeg float64) (deg float64, known bool) {
	s, ok := r.Nearest(lat, lng, headingDeg)
	if !ok || s.DistanceM > roadwayWithinM || !s.Oneway {
		return 0, false
	}
	return math.Mod(math.Round(s.HeadingDeg*10)/10, 360), true
}

func (r *Roads) street(h *snap, headingDeg float64) Street {
	e := &r.edges[h.edge]
	heading := h.heading
	if e.Flags&EdgeOneway == 0 && geo.HeadingDiff(heading, headingDeg) > 90 {
		heading = math.Mod(heading+180, 360)
	}
	return Street{
		Name: r.textAt(e.Name), Ref: r.textAt(e.Ref), Class: RoadClasses[e.Class].Name, Link: e.Flags&EdgeLink != 0,
		DistanceM: h.distance, HeadingDeg: heading, Oneway: e.Flags&EdgeOneway != 0, LimitKmh: float64(e.limitKmh), Lat: h.at.Lat, Lng: h.at.Lng,
	}
}

// snap is the nearest place on an edge.
type snap struct {
	edge     uint32
	segment  uint32 // index of the segment's first point among all points
	part     float64
	at       geo.LatLng
	distance float64
	heading  float64 // along the points' order
	score    float64
}

// finder looks for the best place on any edge around a position.
type finder struct {
	roads    *Roads
	lat, lng float64
	heading  float64 // NaN: unknown
	within   float64
	prefer   bool  // names before nearness
	need     uint8 // flags an edge must have
	other    bool  // only named streets other than road, by name and number
	road     string
	on       *onRoad // only this road; nil for any
}

// find searches 50 m around first: in a town that is enough nearly always.
func (f *finder) find() (snap, bool) {
	best := snap{score: math.Inf(1)}
	radius := min(50, f.within)
	for {
		f.search(radius, &best)
		// Nothing outside the box can have a score below its distance.
		if best.score <= radius || radius >= f.within {
			return best, !math.IsInf(best.score, 1)
		}
		radius = min(radius*4, f.within)
	}
}

func (f *finder) search(radius float64, best *snap) {
	cos := max(geo.CosLat(f.lat), 0.01)
	r := f.roads
	r.walk(f.boxAround(radius, cos), func(c chunk) geo.Box {
		e := &r.edges[c.edge]
		if e.Flags&f.need == f.need && (!f.other || f.isOther(e)) && f.on.has(e) {
			f.measure(c, e, cos, radius, best)
		}
		return f.boxAround(min(radius, best.score), cos)
	})
}

func (f *finder) isOther(e *Edge) bool {
	name, ref := f.roads.textAt(e.Name), RoadText(f.roads.textAt(e.Ref))
	return name != "" && name != f.road && (ref == "" || ref != f.road)
}

func (f *finder) boxAround(radius, cos float64) geo.Box {
	dLat := radius / geo.MetersPerDegree
	dLng := dLat / cos
	return geo.Box{
		MinLat: clampFixed(f.lat - dLat), MinLng: clampFixed(f.lng - dLng),
		MaxLat: clampFixed(f.lat + dLat), MaxLng: clampFixed(f.lng + dLng),
	}
}

func clampFixed(deg float64) int32 {
	return int32(math.Max(math.MinInt32, math.Min(math.MaxInt32, deg*geo.Fixed)))
}

// measure compares the segments of one chunk, in a plane that touches at the position.
func (f *finder) measure(c chunk, e *Edge, cos, radius float64, best *snap) {
	penalty := 0.0
	if f.prefer {
		penalty = namePenalty(e)
	}
	scaleLat := geo.MetersPerDegree / geo.Fixed
	scaleLng := scaleLat * cos
	lat0, lng0 := f.lat*geo.Fixed, f.lng*geo.Fixed
	points := f.roads.points
	p := points[c.first]
	ax, ay := (float64(p.Lng)-lng0)*scaleLng, (float64(p.Lat)-lat0)*scaleLat
	for i := c.first + 1; i < chunkEnd(e, c.first); i++ {
		q := points[i]
		bx, by := (float64(q.Lng)-lng0)*scaleLng, (float64(q.Lat)-lat0)*scaleLat
		dx, dy := bx-ax, by-ay
		part := 0.0
		if length := dx*dx + dy*dy; length > 0 {
			part = max(0, min(1, -(ax*dx+ay*dy)/length))
		}
		x, y := ax+part*dx, ay+part*dy
		distance := math.Sqrt(x*x + y*y)
		if distance <= radius && distance+penalty < best.score {
			heading := planeHeading(dx, dy)
			if score := distance + penalty + headingPenalty(e, heading, f.heading); score < best.score {
				*best = snap{edge: c.edge, segment: i - 1, part: part, distance: distance, heading: heading, score: score,
					at: geo.LatLng{Lat: f.lat + y/geo.MetersPerDegree, Lng: f.lng + x/(geo.MetersPerDegree*cos)}}
			}
		}
		ax, ay = bx, by
	}
}

func namePenalty(e *Edge) float64 {
	switch {
	case e.Name != 0:
		return 0
	case e.Ref == 0:
		return unnamedPenaltyM
	case e.Class <= ClassPrimary:
		return 0
	}
	return numberedPenaltyM
}

// headingPenalty grows with the angle between travel and road; unknown (NaN) costs nothing.
func headingPenalty(e *Edge, road, travel float64) float64 {
	diff := geo.HeadingDiff(road, travel)
	switch {
	case math.IsNaN(diff):
		return 0
	case diff <= 90:
		return acrossPenaltyM * (1 - math.Cos(diff*math.Pi/180))
	case e.Flags&EdgeOneway != 0:
		return acrossPenaltyM + (againstPenaltyM-acrossPenaltyM)*-math.Cos(diff*math.Pi/180)
	}
	return acrossPenaltyM * (1 + math.Cos(diff*math.Pi/180))
}

func planeHeading(dx, dy float64) float64 {
	h := math.Atan2(dx, dy) * 180 / math.Pi
	if h < 0 {
		h += 360
	}
	if h >= 360 {
		h = 0
	}
	return h
}
