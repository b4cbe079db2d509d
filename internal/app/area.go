package app

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/people"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

var (
	areaNameMax = int(catalog.LimitInt("text", "name"))
	areaDescMax = int(catalog.LimitInt("text", "description"))
)

// areas are points of interest, stations and exclusion zones; those for automated vehicles can be changed only by haas:manage
// (requirements 6.area).
var areas = record.NewResource(resource[fleet.Area, wire.Area, wire.AreaWrite]{
	Name: "area", Missing: "Area not found", Views: "VIEW_AREAS", Adds: "ADD_AREA", Edits: "EDIT_AREA", Deletes: "DELETE_AREA",
	Message: fleet.MessageArea, Rows: store.Areas, Row: (*App).areaWire,
	Of: func(x *fleet.Area) record.Fields {
		return record.Fields{ID: &x.ID, Owner: &x.OrganizationID, Version: &x.Version, UpdatedAt: &x.UpdatedAt, DeletedAt: &x.DeletedAt}
	},
	Law: func(e *record.Editing[*App, fleet.Area], in wire.AreaWrite) error { return e.By.applyArea(&e.Next, in) },
	CheckEmpty: func(wrong map[string]string) {
		noteRefusal(wrong, new(App).applyArea(new(fleet.Area), wire.AreaWrite{}))
	},
	Most:  catalog.Setting("area", "perOrganization"),
	Back:  record.BackTo(func(a *App, x *fleet.Area, was wire.Area, _ wire.AreaWrite) error { return a.putBackArea(x, was) }),
	Title: func(row wire.Area) string { return row.Name },
	May: func(actor *access.Actor, x *fleet.Area) error {
		if areaType(x.Kind).IsAVType && !actor.Can("haas:manage") {
			return fleet.Refuse("forbidden", "", "Only a platform administrator can change areas for automated vehicles.")
		}
		return nil
	},
	PutInPicture: func(c *live.Change, x *fleet.Area) (err error) {
		err = readShape(x)
		c.PutArea(x)
		return err
	},
})

// readShape parses the shape of an area that was read from the store.
func readShape(x *fleet.Area) (err error) {
	if x.Geometry != "" && x.Shape == nil {
		x.Shape, err = fleet.ReadShape([]byte(x.Geometry))
	}
	return err
}

// AreaTypes returns the types of areas. Requires VIEW_AREAS.
func (a *App) AreaTypes(actor *access.Actor) ([]wire.AreaType, wire.Meta, error) {
	if err := actor.Must("VIEW_AREAS"); err != nil {
		return nil, wire.Meta{}, err
	}
	out := []wire.AreaType{}
	for _, t := range catalog.AllEnums().AreaTypes {
		out = append(out, areaTypeWire(t))
	}
	return out, wire.SinglePage(len(out), a.now()), nil
}

// putBackArea restores an area to what an audit row contains, by the law. Its address was checked when it was entered, and may be
// empty.
func (a *App) putBackArea(x *fleet.Area, was wire.Area) error {
	var address fleet.Address
	wire.Same(&address, &was)
	wire.Same(x, &address)
	organization, thing, kind := wire.ID(was.OrganizationID), wire.ID(""), wire.ID(was.EZType.ID)
	if was.ThingID != nil {
		thing = wire.ID(*was.ThingID)
	}
	shape, err := shapeBack(x, was.AreaGeom)
	if err != nil {
		return err
	}
	said := wire.AreaWrite{OrganizationID: &organization, ThingID: &thing, EZTypeID: &kind, Name: &was.Name, Desc: &was.Desc,
		AreaGeom: shape, PointGeom: &was.PointGeom, RadiusDist: &was.RadiusDist, IsActive: &was.IsActive}
	return a.applyArea(x, said)
}

// applyArea is the law of areas (requirements 5.area): the fields that were sent are written over the area, and then the whole must
// be valid.
func (a *App) applyArea(x *fleet.Area, in wire.AreaWrite) error {
	wrong := map[string]string{}
	wire.Texts(wrong, x, &in)
	people.SetOptionalAddress(wrong, x, &in)
	// This text differs from those of other fields (requirements 5.area).
	if in.Name != nil && utf8.RuneCountInString(strings.TrimSpace(*in.Name)) > areaNameMax {
		wrong["name"] = fmt.Sprintf("%d Max Characters", areaNameMax)
	}
	in.OrganizationID.ApplyTo(&x.OrganizationID)
	if in.ThingID != nil {
		x.ThingID = in.ThingID.String()
	}
	if in.EZTypeID.IsSent() {
		if x.Kind = areaTypeByID(in.EZTypeID.String()).Name; x.Kind == "" {
			wrong["ez_type_id"] = "Unknown type"
		}
	}
	if in.IsActive != nil {
		x.Inactive = !*in.IsActive
	}
	if x.Name == "" && wrong["name"] == "" {
		wrong["name"] = "Required"
	}
	if x.Kind == "" && wrong["ez_type_id"] == "" {
		wrong["ez_type_id"] = "Required"
	}
	x.IsStation = areaType(x.Kind).IsStationView
	shapeArea(wrong, x, in)
	if len(wrong) > 0 {
		return fleet.RefuseFields(wrong)
	}
	if x.ThingID == "" {
		return nil
	}
	if t, _, _, ok := a.Live.Thing(x.ThingID); !ok || t.OrganizationID != x.OrganizationID {
		return fleet.Refuse("thing_not_found", "thing_id", "Asset not found")
	}
	return nil
}

// shapeArea writes the shape that was sent over the area's.
func shapeArea(wrong map[string]string, x *fleet.Area, in wire.AreaWrite) {
	if in.PointGeom != nil {
		x.Lat, x.Lng, x.HasCenter = in.PointGeom.Lat, in.PointGeom.Lon, true
	}
	if in.RadiusDist != nil {
		x.RadiusM = *in.RadiusDist
	}
	if in.AreaGeom.IsSent() {
		if x.Geometry = ""; !in.AreaGeom.IsNull() {
			x.Geometry = string(in.AreaGeom)
		}
	}
	if !x.HasCenter {
		wrong["point_geom"] = "ERROR: Please set new map location. Click 'View Instructions' above if needed"
		return
	}
	// Without any shape the area is the usual circle; a radius of 0 that was sent is refused.
	if x.Geometry == "" && x.RadiusM == 0 && in.RadiusDist == nil {
		x.RadiusM = catalog.Limit("area", "stationRadiusM")
	}
	noteRefusal(wrong, x.Reshape(areaType(x.Kind).IsExclusion))
}

// noteRefusal adds a law's refusal to the other fields that are wrong.
func noteRefusal(wrong map[string]string, err error) {
	if refusal := (*fleet.Refusal)(nil); errors.As(err, &refusal) && len(refusal.Fields) > 0 {
		maps.Copy(wrong, refusal.Fields)
	} else if refusal != nil {
		wrong[refusal.Field] = refusal.Message
	}
}

// areaWire is an area as lists show it; for the audit (a is nil) without the name of its organization.
func (a *App) areaWire(x *fleet.Area) (out wire.Area) {
	wire.Same(&out, x)
	out.Desc, out.IsActive, out.PointGeom = x.Description, !x.Inactive, wire.PointGeom{Lat: x.Lat, Lon: x.Lng}
	out.RadiusDist, out.AreaGeom = x.RadiusM, wire.Geometry(x.Geometry)
	out.EZType, out.ThingID = areaTypeWire(areaType(x.Kind)), nil
	if x.ThingID != "" {
		out.ThingID = &x.ThingID
	}
	out.OrganizationName = a.organizationName(x.OrganizationID)
	return out
}

func areaTypeWire(t catalog.AreaType) (out wire.AreaType) {
	wire.Same(&out, &t)
	out.DBName = t.Name
	return out
}

func areaType(name string) catalog.AreaType {
	return areaTypeWhere(func(t catalog.AreaType) bool { return t.Name == name })
}

func areaTypeByID(id string) catalog.AreaType {
	return areaTypeWhere(func(t catalog.AreaType) bool { return t.ID == id })
}

func areaTypeWhere(is func(catalog.AreaType) bool) catalog.AreaType {
	types := catalog.AllEnums().AreaTypes
	if at := slices.IndexFunc(types, is); at >= 0 {
		return types[at]
	}
	return catalog.AreaType{}
}
