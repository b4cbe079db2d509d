package app

import (
	"context"
	"encoding/json"
	"slices"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// zones are alerting zones: people draw them, and alerting assets make them active.
var zones = record.NewResource(resource[fleet.Zone, wire.Zone]{
	Name: "zone", Missing: "Zone not found", Views: "VIEW_ZONES", Adds: "ADD_ZONE", Edits: "EDIT_ZONE", Deletes: "DELETE_ZONE",
	Message: fleet.MessageZone, Rows: store.Zones, Row: (*App).zoneWire, Gone: wire.GoneZone,
	Of: func(x *fleet.Zone) record.Fields {
		return record.Fields{ID: &x.ID, Owner: &x.OrganizationID, Version: &x.Version, UpdatedAt: &x.UpdatedAt, DeletedAt: &x.DeletedAt}
	},
	Pictured: true, Most: catalog.Setting("zone", "perOrganization"),
	Back:  record.BackTo(putBackZone),
	Title: func(row wire.Zone) string { return row.Description },
	Keep:  func(c *live.Change, x *fleet.Zone) error { return c.PutZone(x) },
})

// ListZones returns the alerting zones of organizations in reach. Requires VIEW_ZONES.
func (a *App) ListZones(ctx context.Context, actor *access.Actor, in Rows) ([]wire.Zone, wire.Meta, error) {
	return zones.List(ctx, a, actor, in)
}

// Zone returns one alerting zone in reach. Requires VIEW_ZONES. Refusals: not_found.
func (a *App) Zone(ctx context.Context, actor *access.Actor, id string) (wire.Zone, error) {
	return zones.Read(ctx, a, actor, id)
}

// CreateZone makes an alerting zone; again tells that it was there as it was
// sent. Requires ADD_ZONE and full reach of its organization. Refusals:
// organization_not_found, validation_failed, conflict.
func (a *App) CreateZone(ctx context.Context, actor *access.Actor, in wire.ZoneWrite) (row wire.Zone, again bool, err error) {
	id := ""
	if in.ID.Said() {
		id = in.ID.String()
	}
	return zones.Create(ctx, a, actor, id, func(e *record.Editing[*App, fleet.Zone]) error {
		e.Next.OrganizationID, e.Next.ExpiryS = actor.OrganizationID, fleet.ZoneExpiryS()
		return applyZone(&e.Next, in)
	})
}

// UpdateZone edits an alerting zone that was seen in a version, 0 = any.
// Requires EDIT_ZONE and full reach. Refusals: as CreateZone, not_found.
func (a *App) UpdateZone(ctx context.Context, actor *access.Actor, id string, seen int64, in wire.ZoneWrite) (wire.Zone, error) {
	return zones.Edit(ctx, a, actor, id, seen, func(e *record.Editing[*App, fleet.Zone]) error { return applyZone(&e.Next, in) })
}

// DeleteZone removes an alerting zone. Requires DELETE_ZONE and full reach. Refusals: not_found.
func (a *App) DeleteZone(ctx context.Context, actor *access.Actor, id string) error {
	return zones.Remove(ctx, a, actor, id)
}

// UndoZone undoes the change that made a version of an alerting zone, the
// present one, for 24 hours. Requires EDIT_ZONE, with deletions DELETE_ZONE too,
// and full reach. Refusals: not_found, conflict, undo_expired, undo_nothing, those of UpdateZone.
func (a *App) UndoZone(ctx context.Context, actor *access.Actor, id string, version int64) (wire.Zone, error) {
	return zones.Undo(ctx, a, actor, id, version)
}

// putBackZone makes a zone what a row says, by the law.
func putBackZone(_ *App, x *fleet.Zone, was wire.Zone) error {
	features, err := json.Marshal(was.Features)
	if err != nil {
		return err
	}
	organization := wire.ID(was.OrganizationID)
	return applyZone(x, wire.ZoneWrite{OrganizationID: &organization, ExternalID: &was.ExternalID, TypeName: &was.TypeName,
		AlertMessage: &was.AlertMessage, Description: &was.Description, Features: features, DefaultExpiry: &was.ActiveLocations.DefaultExpiry})
}

var zoneIDMax = int(catalog.LimitInt("zone", "idText"))

// applyZone is the law of alerting zones: what is said is put over the zone, and
// then it must hold as a whole.
func applyZone(x *fleet.Zone, in wire.ZoneWrite) error {
	wrong := map[string]string{}
	wire.Texts(wrong, x, &in)
	if in.OrganizationID.Said() {
		x.OrganizationID = in.OrganizationID.String()
	}
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
	if in.Features.Said() {
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

// zoneWire is a zone as lists show it; for the audit (a nil) as people wrote it.
func (a *App) zoneWire(x *fleet.Zone) wire.Zone {
	if a == nil {
		return wire.ZoneOf(x)
	}
	return a.Live.ZoneRow(x)
}
