package wire

import "lightbar/internal/fleet"

// LocationThing is an asset in an event (requirements 3.loc).
type LocationThing struct {
	ID                 string        `json:"id"`
	ExternalID         string        `json:"external_id"`
	HaasID             string        `json:"haas_id"`
	Nickname           string        `json:"nickname"`
	VINNumber          string        `json:"vin_number"`
	LicensePlateNumber string        `json:"license_plate_number"`
	RegistryNumber     string        `json:"registry_number"`
	Runtime            int64         `json:"runtime" doc:"seconds"`
	StartTime          fleet.Instant `json:"start_time" nullable:"false"`
	EndTime            fleet.Instant `json:"end_time" doc:"null while it is there"`
}

// Location is an incident or event.
type Location struct {
	ID             string          `json:"id"`
	ExternalID     string          `json:"external_id"`
	OrganizationID string          `json:"organization_id"`
	IsActive       bool            `json:"is_active"`
	Lat            float64         `json:"lat"`
	Lng            float64         `json:"lng"`
	OriginLat      float64         `json:"origin_lat" doc:"where it began: an edit leaves its marker within 100 m of there"`
	OriginLng      float64         `json:"origin_lng"`
	Street         string          `json:"street"`
	RoadwayHeading *float64        `json:"roadway_heading" doc:"of the traffic, degrees clockwise from north; null where it is not known"`
	ThingsActive   []LocationThing `json:"things_active"`
	ThingsInactive []LocationThing `json:"things_inactive"`
	StartTime      fleet.Instant   `json:"start_time" doc:"null where is_deleted"`
	EndTime        fleet.Instant   `json:"end_time" doc:"null while it is active"`
	AlertMessage   string          `json:"alert_message"`
	WZDxID         string          `json:"wzdx_id"`
	IsGeoMarker    bool            `json:"is_geo_marker" doc:"sent without assets; it cannot be edited"`
	Alt            *float64        `json:"alt" doc:"meters; null unless an event brings one"`
	// Features are the shapes of an event that a sender reported.
	Features *fleet.FeatureCollection `json:"features" doc:"GeoJSON; null where there are none"`
	// DriversAlerted is what the apps say that follow the organization's alerts.
	DriversAlerted *int64 `json:"drivers_alerted" doc:"how many drivers were shown an alert of its assets, each once; null: not measured, because no app told of any"`
	Version        int64  `json:"version"`
	IsDeleted      bool   `json:"is_deleted,omitempty" doc:"out of the asking organization's sight; only id is then meaningful"`
}

// LocationWrite is an edit of an incident (requirements 7.location): where its marker stands and which way the traffic goes there.
type LocationWrite struct {
	Lat            *float64 `json:"lat,omitempty" doc:"degrees, with lng; at most 100 m from where the event began"`
	Lng            *float64 `json:"lng,omitempty" doc:"degrees, with lat"`
	RoadwayHeading *float64 `json:"roadway_heading,omitempty" doc:"degrees clockwise from north, 0 to 360"`
	OrganizationID *ID      `json:"organization_id,omitempty" doc:"the event's own"`
}

// LocationOf makes an incident's wire shape. find gives the assets that the
// reader may see; others are left out.
func LocationOf(l *fleet.Location, now fleet.Instant, find func(thingID string) (*fleet.Thing, bool)) Location {
	out := Location{
		ID: l.ID, ExternalID: l.ExternalID, OrganizationID: l.OrganizationID, IsActive: l.IsActive, Lat: l.Lat, Lng: l.Lng,
		OriginLat: l.OriginLat, OriginLng: l.OriginLng, Street: l.Street,
		ThingsActive: []LocationThing{}, ThingsInactive: []LocationThing{}, StartTime: l.StartAt, EndTime: l.EndAt,
		AlertMessage: l.AlertMessage, WZDxID: l.WZDxID, IsGeoMarker: l.IsGeoMarker, Features: l.Features, Version: l.Version,
	}
	if l.DriversMeasured {
		drivers := l.DriversAlerted
		out.DriversAlerted = &drivers
	}
	if l.HasAlt {
		alt := l.Alt
		out.Alt = &alt
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

// GoneLocation is the row of an incident that left the reader's sight: only its id means something.
func GoneLocation(id string) Location {
	return Location{ID: id, ThingsActive: []LocationThing{}, ThingsInactive: []LocationThing{}, IsDeleted: true}
}
