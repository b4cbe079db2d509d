package store

import (
	"context"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

var locations = table[fleet.Location]{name: "location", columns: func(l *fleet.Location) []column {
	return []column{
		{"id", &l.ID, keyed},
		{"organization_id", &l.OrganizationID, once},
		{"external_id", &l.ExternalID, edit},
		{"is_active", &l.IsActive, edit},
		{"lat", &l.Lat, edit},
		{"lng", &l.Lng, edit},
		{"origin_lat", &l.OriginLat, once},
		{"origin_lng", &l.OriginLng, once},
		{"street", &l.Street, edit},
		{"roadway_heading", maybe{&l.RoadwayHeading, &l.HasHeading, false}, edit},
		{"start_at", &l.StartAt, edit},
		{"end_at", &l.EndAt, edit},
		{"alert_message", &l.AlertMessage, edit},
		{"wzdx_id", &l.WZDxID, edit},
		{"version", &l.Version, edit},
		{"updated_at", &l.UpdatedAt, edit},
		{"edited_version", &l.EditedVersion, edit},
		{"edited_at", &l.EditedAt, edit},
		{"is_geo_marker", &l.IsGeoMarker, once},
		{"features", jsonOf(&l.Features), edit},
		{"alt", maybe{&l.Alt, &l.HasAlt, false}, edit},
		{"expires_at", &l.ExpiresAt, edit},
		{"said_at", &l.ReportedAt, edit},
		{"learned_at", &l.LearnedAt, edit},
		{"learned_end_at", &l.LearnedEndAt, edit},
		{"drivers_measured", &l.DriversMeasured, edit},
		{"drivers_alerted", &l.DriversAlerted, edit},
	}
}}

// stay is a row of an asset at a location.
type stay struct {
	fleet.Presence
	locationID string
}

var stays = table[stay]{name: "location_thing", columns: func(s *stay) []column {
	return []column{
		{"location_id", &s.locationID, keyed}, {"thing_id", &s.ThingID, keyed},
		{"organization_id", &s.OrganizationID, once}, {"start_at", &s.StartAt, keyed}, {"end_at", &s.EndAt, edit},
	}
}}

var staysOf = stays.joined("t", "location_thing t JOIN location l ON l.id = t.location_id")

var (
	saveLocation = locations.upserts("")
	saveStay     = stays.upserts("")

	hotLocation, hotStay = engine.NewHot(saveLocation.text), engine.NewHot(saveStay.text)

	saveLocationsPG = locations.upsertsPG()
	saveStaysPG     = stays.upsertsPG()
)

// SaveLocation writes an incident with its stays.
func (tx *Tx) SaveLocation(ctx context.Context, on engine.Name, l *fleet.Location) error {
	return tx.SaveLocations(ctx, on, []*fleet.Location{l})
}

// SaveLocations writes incidents with their stays. None must repeat; of two stays of an asset that begin at the same
// instant the last one counts.
func (tx *Tx) SaveLocations(ctx context.Context, on engine.Name, list []*fleet.Location) error {
	if on == engine.Postgres {
		return tx.saveLocationsPG(ctx, list)
	}
	for _, l := range list {
		if _, err := tx.Run(ctx, hotLocation, saveLocation.args(l)...); err != nil {
			return err
		}
		for i := range l.Presences {
			if _, err := tx.Run(ctx, hotStay, saveStay.args(&stay{l.Presences[i], l.ID})...); err != nil {
				return err
			}
		}
	}
	return nil
}

func (tx *Tx) saveLocationsPG(ctx context.Context, list []*fleet.Location) error {
	if err := saveLocationsPG.run(ctx, tx, list); err != nil {
		return err
	}
	var all []*stay
	for _, l := range list {
		at := map[fleet.Presence]int{} // one statement may not meet a row twice
		for i := range l.Presences {
			p := &l.Presences[i]
			key := fleet.Presence{ThingID: p.ThingID, StartAt: p.StartAt}
			if before, is := at[key]; is {
				all[before] = &stay{*p, l.ID}
				continue
			}
			at[key] = len(all)
			all = append(all, &stay{*p, l.ID})
		}
	}
	return saveStaysPG.run(ctx, tx, all)
}

var (
	locationsSince = locations.selects("WHERE is_active OR updated_at >= $1 OR start_at >= $2 ORDER BY start_at, id")
	staysSince     = staysOf.selects(`WHERE l.is_active OR l.updated_at >= $1 OR l.start_at >= $2
ORDER BY t.location_id, t.start_at, t.thing_id`)
)

// LocationsSince reads incidents that are active, changed or began since an instant, with their stays; not whole when one
// of them cannot be read.
func LocationsSince(ctx context.Context, r Reader, since fleet.Instant) (list []*fleet.Location, whole bool, err error) {
	return locationsWith(ctx, r, locationsSince, staysSince, int64(since), int64(since))
}

var (
	locationsOfOrganization = locations.selects("WHERE organization_id = $1 AND start_at >= $2 AND start_at < $3 ORDER BY start_at, id")
	staysOfOrganization     = staysOf.selects(`WHERE l.organization_id = $1 AND l.start_at >= $2 AND l.start_at < $3
ORDER BY t.location_id, t.start_at, t.thing_id`)
)

// LocationsOfOrganization reads an organization's incidents that began from, to (to excluded).
func LocationsOfOrganization(ctx context.Context, r Reader, organizationID string, from, to fleet.Instant) ([]*fleet.Location, error) {
	return readLocations(ctx, r, locationsOfOrganization, staysOfOrganization, organizationID, int64(from), int64(to))
}

var (
	locationByID    = locations.selects("WHERE id = $1")
	staysOfLocation = staysOf.selects("WHERE l.id = $1 ORDER BY t.start_at, t.thing_id")
)

// LocationByID reads an incident with its stays. ErrNotFound when there is none.
func LocationByID(ctx context.Context, r Reader, id string) (*fleet.Location, error) {
	list, err := readLocations(ctx, r, locationByID, staysOfLocation, id)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, ErrNotFound
	}
	return list[0], nil
}

var eventByExternalID = locations.selects("WHERE is_geo_marker AND organization_id = $1 AND external_id = $2")

// EventByExternalID reads an organization's event by its sender's id. ErrNotFound when there is none.
func EventByExternalID(ctx context.Context, r Reader, organizationID, externalID string) (*fleet.Location, error) {
	l, err := eventByExternalID.one(ctx, r, organizationID, externalID)
	if err != nil {
		return nil, err
	}
	return &l, nil
}

func readLocations(ctx context.Context, r Reader, locations reading[fleet.Location], stays reading[stay], args ...any) (
	[]*fleet.Location, error) {
	list, _, err := locationsWith(ctx, r, locations, stays, args...)
	return list, err
}

func locationsWith(ctx context.Context, r Reader, locations reading[fleet.Location], stays reading[stay], args ...any) (
	list []*fleet.Location, whole bool, err error) {
	if list, err = locations.refs(ctx, r, args...); err != nil {
		return nil, false, err
	}
	whole = true
	byID := make(map[string]*fleet.Location, len(list))
	for _, l := range list {
		byID[l.ID] = l
	}
	err = stays.each(ctx, r, func(s *stay) {
		if l := byID[s.locationID]; l != nil {
			l.Presences = append(l.Presences, s.Presence)
		} else {
			whole = false
		}
	}, args...)
	return list, whole, err
}

var staysOfThing = stays.selects("WHERE thing_id = $1 AND start_at <= $2 AND (end_at = 0 OR end_at >= $3) ORDER BY start_at")

// StaysOfThing reads one asset's stays at incidents that touch a period.
func StaysOfThing(ctx context.Context, r Reader, thingID string, from, to fleet.Instant) (out []fleet.Presence, err error) {
	err = staysOfThing.each(ctx, r, func(s *stay) { out = append(out, s.Presence) }, thingID, int64(to), int64(from))
	return out, err
}
