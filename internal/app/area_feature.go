package app

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"lightbar/catalog"
	"lightbar/internal/file"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

// law applies what a feature contains to its area.
func (i *areaImport) law(p *plannedArea) error {
	said, wrong := writeOfFeature(&p.feature)
	p.shortened = takeLines(&p.feature, &said)
	before := p.next
	err := i.applyArea(&p.next, said)
	var refusal *fleet.Refusal
	if errors.As(err, &refusal) && slices.ContainsFunc(addressFields, func(field string) bool { return refusal.Fields[field] != "" }) {
		p.next, p.leftOut, refusal = before, true, nil
		said.Address1, said.Address2, said.City, said.State, said.PostalCode, said.CountryCode = nil, nil, nil, nil, nil, nil
		err = i.applyArea(&p.next, said)
	}
	if errors.As(err, &refusal) {
		for field, sentence := range refusal.Fields {
			p.wrong[field] = sentence
		}
		if len(refusal.Fields) > 0 {
			err = nil
		}
	}
	maps.Copy(p.wrong, wrong)
	return err
}

// addressFields are the fields of an address that a file may write in its program's own way: such a value is left out, and the area
// is imported without it.
var addressFields = []string{"address1", "address2", "city", "state", "postal_code", "country_code"}

// takeLines makes the name and the description fit what an area can have.
func takeLines(f *file.AreaFeature, said *wire.AreaWrite) (wasCut bool) {
	for _, text := range []struct {
		said **string
		most int
	}{{&said.Name, areaNameMax}, {&said.Desc, areaDescMax}} {
		if *text.said == nil {
			continue
		}
		line, cut := f.Line(**text.said, text.most)
		*text.said, wasCut = &line, wasCut || cut
	}
	return wasCut
}

// writeOfFeature returns a feature as an edit would send it; wrong has what cannot be read.
func writeOfFeature(f *file.AreaFeature) (out wire.AreaWrite, wrong map[string]string) {
	wrong = map[string]string{}
	text := func(names ...string) *string {
		for _, name := range names {
			if said, ok := f.Properties[name]; ok {
				return &said
			}
		}
		return nil
	}
	number := func(field string, names ...string) *float64 {
		said := text(names...)
		if said == nil {
			return nil
		}
		v, err := strconv.ParseFloat(*said, 64)
		if err != nil {
			wrong[field] = "Must be a number"
			return nil
		}
		return &v
	}
	out = wire.AreaWrite{Name: text("name"), Desc: text("desc", "description"), Address1: text("address1"), Address2: text("address2"),
		City: text("city"), State: text("state"), PostalCode: text("postal_code"), CountryCode: text("country_code")}
	if said := text("thing_id"); said != nil {
		id := wire.ID(*said)
		out.ThingID = &id
	}
	if said := text("ez_type"); said != nil {
		id := wire.ID(areaTypeNamed(*said).ID)
		if out.EZTypeID = &id; id == "" { // an empty id is none: the law would treat it as not sent
			wrong["ez_type_id"] = "Unknown type"
		}
	} else if said := text("type"); said != nil { // other programs have their own types
		if id := wire.ID(areaTypeNamed(*said).ID); id != "" {
			out.EZTypeID = &id
		}
	}
	if said := text("is_active"); said != nil {
		on, isKnown := truthOf(*said)
		if !isKnown {
			wrong["is_active"] = "Must be true or false"
		}
		out.IsActive = &on
	}
	if f.Geometry == "" {
		out.AreaGeom, out.PointGeom = wire.Geometry("null"), &wire.PointGeom{Lat: f.Lat, Lon: f.Lng}
		out.RadiusDist = number("radius_dist", "radius_dist", "radius")
		return out, wrong
	}
	out.AreaGeom = wire.Geometry(f.Geometry)
	lat, lng := number("point_geom", "lat"), number("point_geom", "lng", "lon")
	delete(wrong, "point_geom") // the shape also gives the marker's place
	out.PointGeom = markerOf(f, lat, lng)
	return out, wrong
}

// truthOf reads true and false, also as spreadsheets and field apps write them.
func truthOf(said string) (on, isKnown bool) {
	switch said = strings.ToLower(strings.TrimSpace(said)); said {
	case "yes", "y", "on", "no", "n", "off":
		return said[0] == 'y' || said == "on", true
	}
	on, err := strconv.ParseBool(said)
	return on, err == nil
}

// markerOf returns the place of a shape's marker: as given, else a point within the shape.
func markerOf(f *file.AreaFeature, lat, lng *float64) *wire.PointGeom {
	if lat != nil && lng != nil && *lat >= -90 && *lat <= 90 && *lng >= -180 && *lng <= 180 {
		return &wire.PointGeom{Lat: *lat, Lon: *lng}
	}
	at := &wire.PointGeom{}
	if shape, err := fleet.ReadShape([]byte(f.Geometry)); err == nil { // else the law reports what is wrong with it
		at.Lat, at.Lon = shape.Anchor()
	}
	return at
}

// areaTypeNamed finds a type by its name or its label.
func areaTypeNamed(name string) catalog.AreaType {
	name = strings.TrimRight(strings.TrimSpace(name), " ^")
	return areaTypeWhere(func(t catalog.AreaType) bool {
		return strings.EqualFold(t.Name, name) || strings.EqualFold(t.DisplayName, name) || t.ID == name
	})
}
