package directions

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"lightbar/internal/geo"
	"lightbar/internal/geo/places"
	"lightbar/internal/geo/route"
)

const (
	mostListed = 20  // exits or streets that a sentence names
	postsApart = 5.0 // mileposts between which a place is reckoned
	begunName  = 1.0 // "5" for exit 5A
	mostEnds   = 50  // places of one road that one of the text may be: "st" is a part of any street's name
)

// ends are the places of a road that one of the text may be; an *Unclear for none.
func (d *description) ends(ctx context.Context, road places.NamedRoad, place Place) ([]end, error) {
	switch place.Kind {
	case AtExit:
		return d.exits(road, place.Text)
	case AtMile:
		return d.miles(ctx, road, place.Number)
	case AtPoint:
		return d.point(road, place.Text)
	}
	return d.corners(road, place.Text)
}

func (d *description) exits(road places.NamedRoad, number string) (out []end, err error) {
	exits := d.Places.ExitsOf(road)
	var known []string
	for _, x := range exits {
		isMeant, unlikeness := false, begunName
		for part := range strings.SplitSeq(x.Ref, ";") {
			part = strings.ToUpper(strings.TrimSpace(part))
			if part == "" || len(part) > 6 {
				continue
			}
			if !slices.Contains(known, part) {
				known = append(known, part)
			}
			letters, isBegun := strings.CutPrefix(part, number)
			switch {
			case part == number:
				isMeant, unlikeness = true, 0
			case isBegun && strings.Trim(letters, "0123456789") == letters:
				isMeant = true
			}
		}
		if isMeant {
			ref := strings.ReplaceAll(strings.Trim(x.Ref, "; "), ";", "/")
			out = append(out, end{label: "exit " + ref, heading: x.HeadingDeg, unlikeness: unlikeness, LatLng: x.LatLng})
		}
	}
	switch {
	case len(out) > 0:
		return out, nil
	case len(known) == 0:
		return nil, unclear(fmt.Sprintf("No numbered exits are mapped on %s here. Use crossings, or click the map.", road.Name))
	}
	slices.SortFunc(known, func(a, b string) int { return cmp.Or(cmp.Compare(leading(a), leading(b)), strings.Compare(a, b)) })
	return nil, unclear(fmt.Sprintf("No exit %s on %s here; exits here: %s.", number, road.Name, listed(known)))
}

// leading is the number that a text begins with.
func leading(text string) int {
	n, _ := strconv.Atoi(text[:len(text)-len(strings.TrimLeft(text, "0123456789"))])
	return n
}

func listed(names []string) string {
	if len(names) > mostListed {
		return strings.Join(names[:mostListed], ", ") + " …"
	}
	return strings.Join(names, ", ")
}

// miles finds a milepost, or reckons the place between two.
func (d *description) miles(ctx context.Context, road places.NamedRoad, number float64) (out []end, err error) {
	posts := d.Places.MilepostsOf(road)
	if len(posts) == 0 {
		return nil, unclear(fmt.Sprintf("No mileposts are mapped on %s here. Use exits or crossings, or click the map.", road.Name))
	}
	label := "mile " + strconv.FormatFloat(number, 'f', -1, 64)
	add := func(at geo.LatLng) {
		isTwice := slices.ContainsFunc(out, func(e end) bool { return geo.DistanceM(e.LatLng, at) < snapM })
		if !isTwice {
			out = append(out, end{label: label, heading: math.NaN(), LatLng: at})
		}
	}
	for _, p := range posts {
		if p.Number == number {
			add(p.LatLng)
		}
	}
	for i, low := range posts {
		for _, high := range posts[i+1:] {
			isAround := low.Number < number && number < high.Number && high.Number-low.Number <= postsApart
			if len(out) == 0 && isAround && geo.DistanceM(low.LatLng, high.LatLng) <= (high.Number-low.Number)*2*1609 {
				if at, ok := d.reckoned(ctx, road, low, high, number); ok {
					add(at)
				}
			}
		}
	}
	if len(out) == 0 {
		return nil, unclear(fmt.Sprintf("No milepost %s on %s here; mileposts here: %s to %s. Use exits or crossings, or click the map.",
			strconv.FormatFloat(number, 'f', -1, 64), road.Name, strconv.FormatFloat(posts[0].Number, 'f', -1, 64),
			strconv.FormatFloat(posts[len(posts)-1].Number, 'f', -1, 64)))
	}
	return out, nil
}

// reckoned is a place between two mileposts: as far along the road as its number between theirs.
func (d *description) reckoned(ctx context.Context, road places.NamedRoad, low, high places.Milepost, number float64) (geo.LatLng, bool) {
	part := (number - low.Number) / (high.Number - low.Number)
	for _, p := range [][2]geo.LatLng{{low.LatLng, high.LatLng}, {high.LatLng, low.LatLng}} {
		way, err := d.follow(ctx, d.Places.NamesOf(road), p[0], p[1])
		if err == nil {
			return route.NewTrack(&way).At(way.DistanceM * part).LatLng, true
		}
		part = 1 - part
	}
	return geo.LatLng{}, false
}

// corners are the crossings with a street, in the town if one was said.
func (d *description) corners(road places.NamedRoad, street string) (out []end, err error) {
	all := d.Places.CrossingsOf(d.Roads, road, street, d.near, d.work)
	for _, c := range all {
		if d.said.Town == "" || d.Places.IsIn(c.Near, c.LatLng, d.said.Town) {
			out = append(out, end{label: c.Other, heading: math.NaN(), unlikeness: c.Likeness, isBegun: c.IsBegun, LatLng: c.LatLng})
		}
	}
	switch {
	case len(out) > 0:
		return out[:min(len(out), mostEnds)], nil
	case len(all) > 0:
		return nil, d.notInTown(road, street, towns(all))
	case d.work.Pieces < 0:
		return nil, unclear(fmt.Sprintf("%s and %q may be too many roads. Write more of their names, or click the map.", road.Name, street))
	case !slices.ContainsFunc(d.Places.RoadsNamed(street, d.near, 1), func(r places.NamedRoad) bool { return !r.IsBegun }):
		return nil, unclear(fmt.Sprintf("No road called %q is known here.%s", street, d.streetsOf(road)))
	}
	return nil, unclear(fmt.Sprintf("%s does not meet %q here.%s", road.Name, street, d.streetsOf(road)))
}

// notInTown says where a road does meet a street; the region may know no towns there.
func (d *description) notInTown(road places.NamedRoad, street, towns string) error {
	_, isKnown := d.Places.Town(d.said.Town, d.near)
	switch {
	case towns == "":
		return unclear(fmt.Sprintf("No town called %q is known where %s meets %q. Leave the town out.", d.said.Town, road.Name, street))
	case !isKnown:
		return unclear(fmt.Sprintf("No town called %q is known here; %s meets %q in %s.", d.said.Town, road.Name, street, towns))
	}
	return unclear(fmt.Sprintf("%s does not meet %q in %s; it does in %s.", road.Name, street, d.said.Town, towns))
}

// streetsOf says which streets a road meets.
func (d *description) streetsOf(road places.NamedRoad) string {
	const few = 8
	if names := d.Places.StreetsAlong(d.Roads, road, d.near, few); len(names) > 0 {
		return fmt.Sprintf(" %s meets %s and others; or click the map.", road.Name, strings.Join(names, ", "))
	}
	return " Click the map instead."
}

func towns(corners []places.RoadCorner) string {
	var names []string
	for _, c := range corners {
		if c.Near != "" && !slices.Contains(names, c.Near) {
			names = append(names, c.Near)
		}
	}
	return listed(names)
}
