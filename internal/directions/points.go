package directions

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"lightbar/internal/geo"
	"lightbar/internal/geo/places"
)

// points are the coordinates and Plus Codes of a text, which are words of many
// signs: one word stands for each while the rest is read.
type points []string

const (
	stand        = "\uE000" // a letter that nobody writes, before the number of a point
	mostOfPoints = 10       // words of one
)

// Two bare numbers may be an exit and a milepost: these are not.
var isPoint = regexp.MustCompile(`(?i)\d\s*°|^\W*geo:|\d[.,]\d{3,}.*\d[.,]\d{3,}`)

func has(text string) bool { return strings.Contains(text, stand) }

// takePoints puts words in the place of a text's points.
func takePoints(text string) (string, points) {
	var found points
	fields := strings.Fields(strings.ReplaceAll(text, stand, ""))
	var out []string
	for at := 0; at < len(fields); {
		n := pointIn(fields[at:])
		if n == 0 {
			out = append(out, fields[at])
			at++
			continue
		}
		said := strings.Join(fields[at:at+n], " ")
		point := strings.TrimRight(said, ",;")
		out = append(out, stand+strconv.Itoa(len(found))+said[len(point):])
		found = append(found, point)
		at += n
	}
	if len(found) == 0 {
		return text, nil
	}
	return strings.Join(out, " "), found
}

// pointIn is how many of the first fields say a point.
func pointIn(fields []string) int {
	if places.IsPlusCode(strings.Trim(fields[0], ",;.()")) {
		return 1
	}
	for n := min(mostOfPoints, len(fields)); n > 0; n-- {
		said := strings.Join(fields[:n], " ")
		if !isPoint.MatchString(said) {
			continue
		}
		if _, ok := geo.ReadPosition(said); ok {
			return n
		}
	}
	return 0
}

// putBack writes the points in the places of their words.
func (p points) putBack(text string) string {
	for i := len(p) - 1; i >= 0; i-- {
		text = strings.ReplaceAll(text, stand+strconv.Itoa(i), p[i])
	}
	return text
}

// at is the place of a point; a code is near to its town, to that of the line, or to what is looked at.
func (d *description) at(point string) (places.Place, error) {
	p, ok := d.Places.Parse(point, d.near)
	if d.said.Town != "" && (!ok || p.Kind == places.PlacePlusCode) {
		if in, isIn := d.Places.Parse(point+" "+d.said.Town, d.near); isIn && (!ok || !in.IsPartial) {
			p, ok = in, true
		}
	}
	switch {
	case !ok:
		return p, unclear(fmt.Sprintf("No town is known here for %q. Write one behind the code, such as \"PFV2+VJ Newark\", or click the map.",
			point))
	case p.IsPartial:
		return p, unclear(fmt.Sprintf("No town is known here for %q. Write another one, or click the map.", point))
	}
	return p, nil
}

// point is a point of a road.
func (d *description) point(road places.NamedRoad, said string) ([]end, error) {
	p, err := d.at(said)
	if err != nil {
		return nil, err
	}
	if !d.Roads.IsOn(d.Places.NamesOf(road), p.LatLng) {
		return nil, unclear(fmt.Sprintf("%s is more than 150 m from %s. Write a place on it, or click the map.", p.Label, road.Name))
	}
	return []end{{label: p.Label, heading: math.NaN(), isPoint: true, LatLng: p.LatLng}}, nil
}

// straight lays the line between two points of no road that was said.
func (d *description) straight(ctx context.Context) (Described, error) {
	from, err := d.at(d.said.From.Text)
	if err != nil {
		return Described{}, err
	}
	to, err := d.at(d.said.To.Text)
	if err != nil {
		return Described{}, err
	}
	waypoints := []geo.LatLng{from.LatLng, to.LatLng}
	if wrong := Wrong(waypoints); wrong != "" {
		return Described{}, unclear(wrong)
	}
	if geo.DistanceM(from.LatLng, to.LatLng) < apartM {
		return Described{}, unclear(fmt.Sprintf("%s and %s are one place.", from.Label, to.Label))
	}
	way, err := d.Find(ctx, waypoints)
	if err != nil {
		return Described{}, err
	}
	if !way.IsRouted {
		return Described{}, unclear(fmt.Sprintf("No road leads from %s to %s. Points are at most 100 m from one. Click the map instead.",
			from.Label, to.Label))
	}
	heading := d.said.Way
	if heading < 0 {
		heading = geo.HeadingDeg(way.Points[0], last(way.Points))
	}
	return Described{Way: way, Waypoints: waypoints, Label: from.Label + " to " + to.Label, Direction: letterOf(heading)}, nil
}
