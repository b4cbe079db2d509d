package app

import (
	"slices"

	"lightbar/catalog"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// zones are alerting zones: people draw them, and alerting assets make them active.
var zones = record.NewResource(resource[fleet.Zone, wire.Zone, wire.ZoneWrite]{
	Name: "zone", Missing: "Zone not found", Views: "VIEW_ZONES", Adds: "ADD_ZONE", Edits: "EDIT_ZONE", Deletes: "DELETE_ZONE",
	Message: fleet.MessageZone, Rows: store.Zones, Row: (*App).zoneWire,
	Of: func(x *fleet.Zone) record.Fields {
		return record.Fields{ID: &x.ID, Owner: &x.OrganizationID, Version: &x.Version, UpdatedAt: &x.UpdatedAt, DeletedAt: &x.DeletedAt}
	},
	Make: func(e *record.Editing[*App, fleet.Zone], in wire.ZoneWrite) error {
		e.Next.ExpiryS = fleet.ZoneExpiryS()
		return applyZone(&e.Next, in)
	},
	Law:        func(e *record.Editing[*App, fleet.Zone], in wire.ZoneWrite) error { return applyZone(&e.Next, in) },
	CheckEmpty: func(wrong map[string]string) { noteRefusal(wrong, applyZone(new(fleet.Zone), wire.ZoneWrite{})) },
	Pictured:   true, Most: catalog.Setting("zone", "perOrganization"),
	Back:         record.BackTo(putBackZone),
	Title:        func(row wire.Zone) string { return row.Description },
	PutInPicture: func(c *live.Change, x *fleet.Zone) error { return c.PutZone(x) },
})

// putBackZone restores a zone to what an audit row contains, by the law.
func putBackZone(_ *App, x *fleet.Zone, was wire.Zone, said wire.ZoneWrite) error {
	said.DefaultExpiry = &was.ActiveLocations.DefaultExpiry
	return applyZone(x, said)
}

var zoneIDMax = int(catalog.LimitInt("zone", "idText"))

// applyZone is the law of alerting zones: the fields that were sent are written over the zone, and then the whole must be valid.
func applyZone(x *fleet.Zone, in wire.ZoneWrite) error {
	wrong := map[string]string{}
	wire.Texts(wrong, x, &in)
	in.OrganizationID.ApplyTo(&x.OrganizationID)
	if in.ExternalID != nil {
		text, sentence := fleet.CheckName(*in.ExternalID, zoneIDMax)
		if x.ExternalID = text; sentence != "" {
			wrong["external_id"] = sentence
		}
	}
	if in.TypeName != nil {
		x.Kind = *in.TypeName
		if !slices.ContainsFunc(catalog.AllEnums().ZoneTypes, func(t catalog.ZoneType) bool { return t.Name == x.Kind }) {
			wrong["alerting_zone_type_name"] = "Unknown type"
		}
	}
	if in.DefaultExpiry != nil {
		x.ExpiryS = *in.DefaultExpiry
		if sentence := x.CheckExpiry(); sentence != "" {
			wrong["default_expiry"] = sentence
		}
	}
	if in.Features.IsSent() {
		if x.Features = nil; !in.Features.IsNull() {
			features, err := fleet.ParseZone(in.Features)
			noteRefusal(wrong, err)
			x.Features = features
		}
	}
	for field, missing := range map[string]bool{"alerting_zone_type_name": x.Kind == "", "description": x.Description == "",
		"features": x.Features == nil} {
		if missing && wrong[field] == "" {
			wrong[field] = "Required"
		}
	}
	if len(wrong) > 0 {
		return fleet.RefuseFields(wrong)
	}
	return nil
}

// zoneWire is a zone as lists show it; for the audit (a is nil) with the fields that people wrote.
func (a *App) zoneWire(x *fleet.Zone) wire.Zone {
	if a == nil {
		return wire.ZoneOf(x)
	}
	return a.Live.ZoneRow(x)
}
