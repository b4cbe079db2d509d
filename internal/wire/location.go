package wire

import "lightbar/internal/fleet"

// LocationOf makes an incident's wire shape. find gives the assets that the
// reader may see; others are left out.
func LocationOf(l *fleet.Location, now fleet.Instant, find func(thingID string) (*fleet.Thing, bool)) Location {
	out := Location{
		ID: l.ID, ExternalID: l.ExternalID, OrganizationID: l.OrganizationID, IsActive: l.IsActive, Lat: l.Lat, Lng: l.Lng, Street: l.Street,
		ThingsActive: []LocationThing{}, ThingsInactive: []LocationThing{}, StartTime: l.StartAt, EndTime: l.EndAt,
		AlertMessage: l.AlertMessage, WZDxID: l.WZDxID, Version: l.Version,
	}
	if l.HasHeading {
		h := l.RoadwayHeading
		out.RoadwayHeading = &h
	}
	for i := range l.Presences {
		p := &l.Presences[i]
		t, ok := find(p.ThingID)
		if !ok {
			continue
		}
		end := p.EndAt
		if end == 0 {
			end = max(now, p.StartAt)
		}
		row := LocationThing{
			ID: t.ID, ExternalID: t.ExternalID, HaasID: t.SystemName, Nickname: t.Nickname, VINNumber: t.VIN, LicensePlateNumber: t.Plate,
			RegistryNumber: t.Registry, Runtime: int64(end.Sub(p.StartAt).Seconds()), StartTime: p.StartAt, EndTime: p.EndAt,
		}
		if p.EndAt == 0 {
			out.ThingsActive = append(out.ThingsActive, row)
		} else {
			out.ThingsInactive = append(out.ThingsInactive, row)
		}
	}
	return out
}

// GoneThing is the row of an asset that left the reader's sight: only its id means something.
func GoneThing(id string) Thing {
	return Thing{Live: Live{ID: id, Status: fleet.StatusOffline.Wire(), Closures: []ClosureRef{}}, IsDeleted: true, DeviceType: "api",
		OrganizationRelations: []Relationship{}, ExternalIdentifiers: []ExternalIdentifier{}, FeedSubscriptions: []string{}}
}
