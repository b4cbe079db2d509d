package fleet

import (
	"fmt"
	"math"

	"lightbar/catalog"
)

var (
	incidentOpenWithinM  = catalog.Setting("incident", "openWithinM")
	incidentOpenAfter    = catalog.Setting("incident", "openAfterMs")
	incidentLeaveBeyondM = catalog.Setting("incident", "leaveBeyondM")
	incidentQuiet        = catalog.Setting("incident", "closeAfterQuietMs")
	incidentExpire       = catalog.Setting("incident", "expireAfterMs")

	locationEditWithinM = catalog.Limit("map", "locationEditWithinM")
)

// roundingM is how much a position may move when it is rounded for storing.
const roundingM = 0.01

// stand applies the incident law to a point in order that moved the marker: an incident opens when the asset alerts within 30 m for
// 60 s, never at its own station, in test mode, or by a point without accuracy; the stay ends beyond 150 m.
func (s *State) stand(at Instant, p *Point, around Surroundings, o *Outcome) {
	if s.LocationID != "" {
		if DistanceM(p.Lat, p.Lng, s.LocationLat, s.LocationLng) > incidentLeaveBeyondM.Float() {
			s.leave(at, o)
			return
		}
		s.noteLightsOff(at)
		if s.LightsOffAt != 0 && at.Sub(s.LightsOffAt) >= incidentQuiet.Duration() {
			s.leave(s.LightsOffAt.Add(incidentQuiet.Duration()), o)
		}
		return
	}
	if !s.Alerting || around.Testing {
		s.dwell(0, 0, 0)
		return
	}
	if s.DwellAt != 0 && DistanceM(p.Lat, p.Lng, s.DwellLat, s.DwellLng) > incidentOpenWithinM.Float() {
		s.dwell(0, 0, 0)
	}
	if !p.HasAccuracy {
		return
	}
	if s.DwellAt == 0 {
		s.dwell(at, p.Lat, p.Lng)
		return
	}
	if at.Sub(s.DwellAt) < incidentOpenAfter.Duration() || around.stationAt(p.Lat, p.Lng) != "" {
		return
	}
	o.Arrive, o.ArriveAt, o.ArriveLat, o.ArriveLng = true, s.DwellAt, s.DwellLat, s.DwellLng
}

// OnScene applies a device's own report, in order, that it is on scene: it arrives at its position at once, alerting or not, in
// test mode or not (someone reported it), but never by a position older than the time after which a quiet incident closes, nor at
// its own station, nor by a report from before the end of its last stay: that belongs to the stay. Call it after AdvanceSignal.
func OnScene(s *State, at Instant, around Surroundings) (o Outcome) {
	if s.LocationID != "" || at < s.LeftAt || !s.HasPosition || at.Sub(s.At) > incidentQuiet.Duration() ||
		around.stationAt(s.Lat, s.Lng) != "" {
		return o
	}
	o.Arrive, o.ArriveAt, o.ArriveLat, o.ArriveLng = true, at, s.Lat, s.Lng
	return o
}

// noteLightsOff notes since when an asset at an incident does not alert.
func (s *State) noteLightsOff(at Instant) {
	switch {
	case s.LocationID == "" || s.Alerting:
		s.LightsOffAt = 0
	case s.LightsOffAt == 0:
		s.LightsOffAt = at
	}
	if !s.Alerting {
		s.dwell(0, 0, 0)
	}
}

// dwell notes since when it has been stopped where an incident may open; at 0 nowhere.
func (s *State) dwell(at Instant, lat, lng float64) {
	s.DwellAt, s.DwellLat, s.DwellLng, s.DwellPoints = at, lat, lng, 0
}

// Arrive puts the asset at an incident since an instant; runs of its stay must
// be computed again (RunsFrom, RunsTo), as being there is not being enroute.
func Arrive(s *State, l *Location, since Instant) Outcome {
	var o Outcome
	s.LocationID, s.LocationLat, s.LocationLng, s.ArrivedAt = l.ID, l.Lat, l.Lng, since
	s.LightsOffAt = 0
	s.dwell(0, 0, 0)
	s.noteLightsOff(since)
	o.Changes |= ChangeIncident
	if s.EverAlerting {
		o.history(since, max(s.HeartbeatAt, since))
	}
	return o
}

// Leave ends the asset's stay, for example because the incident expired.
func Leave(s *State, at Instant) Outcome {
	var o Outcome
	if s.LocationID != "" {
		s.leave(at, &o)
	}
	return o
}

func (s *State) leave(at Instant, o *Outcome) {
	o.LeaveID, o.LeaveAt = s.LocationID, max(at, s.ArrivedAt)
	o.Changes |= ChangeIncident
	s.LeftAt = max(s.LeftAt, o.LeaveAt)
	s.LocationID, s.LocationLat, s.LocationLng, s.ArrivedAt = "", 0, 0, 0
	s.LightsOffAt = 0
	s.dwell(0, 0, 0)
}

// NewLocation opens an incident of an organization at a position.
func NewLocation(id, organizationID, street string, lat, lng float64, startAt Instant) *Location {
	return &Location{ID: id, OrganizationID: organizationID, IsActive: true, Lat: lat, Lng: lng, OriginLat: lat, OriginLng: lng,
		Street: street, StartAt: startAt, Version: 1}
}

// Join starts a stay at the incident.
func (l *Location) Join(thingID, organizationID string, at Instant) {
	l.Presences = append(l.Presences, Presence{ThingID: thingID, OrganizationID: organizationID, StartAt: at})
	l.StartAt = min(l.StartAt, at)
}

// Depart ends a stay; the incident closes with its last asset.
func (l *Location) Depart(thingID string, at Instant) {
	present := false
	for i := range l.Presences {
		p := &l.Presences[i]
		if p.EndAt == 0 && p.ThingID == thingID {
			p.EndAt = max(at, p.StartAt)
		}
		present = present || p.EndAt == 0
	}
	if !present && l.IsActive {
		l.IsActive, l.EndAt = false, max(at, l.StartAt)
	}
}

// Learn notes when the server found out that the incident began, or began again, and that it ended.
func (l *Location) Learn(now Instant) {
	if l.LearnedAt == 0 || l.IsActive && l.LearnedEndAt != 0 {
		l.LearnedAt, l.LearnedEndAt = now, 0
	}
	if !l.IsActive && l.LearnedEndAt == 0 {
		l.LearnedEndAt = now
	}
}

// ExpireAt is when the incident ends whatever happens.
func (l *Location) ExpireAt() Instant {
	if l.ExpiresAt != 0 {
		return l.ExpiresAt
	}
	return l.StartAt.Add(incidentExpire.Duration())
}

// LocationEdit has the fields that somebody sent for an incident; nil leaves a field as it is.
type LocationEdit struct {
	Lat, Lng       *float64 // degrees
	RoadwayHeading *float64 // degrees clockwise from north
}

// Edit changes the marker and its direction as requested. The marker stays within 100 m of where the incident opened, however often
// it is moved. Refusals: location_not_active, location_not_editable, validation_failed (Fields).
func (l *Location) Edit(said LocationEdit) error {
	if !l.IsActive {
		return Refuse("location_not_active", "", "Location no longer active")
	}
	if l.IsGeoMarker {
		return Refuse("location_not_editable", "", "Unable to update Location: only its sender can change it.")
	}
	fields := map[string]string{}
	if h := said.RoadwayHeading; h != nil {
		if *h >= 0 && *h <= 360 {
			l.HasHeading, l.RoadwayHeading = true, math.Round(*h*10)/10
		} else {
			fields["roadway_heading"] = "Must be a number from 0 to 360"
		}
	}
	l.editMarker(said, fields)
	if len(fields) > 0 {
		return RefuseFields(fields)
	}
	return nil
}

func (l *Location) editMarker(said LocationEdit, fields map[string]string) {
	switch {
	case said.Lat == nil && said.Lng == nil:
		return
	case said.Lat == nil:
		fields["lat"] = "Required"
	case said.Lng == nil:
		fields["lng"] = "Required"
	case !(*said.Lat >= -90 && *said.Lat <= 90):
		fields["lat"] = "Must be from -90 to 90"
	case !(*said.Lng >= -180 && *said.Lng <= 180):
		fields["lng"] = "Must be from -180 to 180"
	}
	if len(fields) > 0 {
		return
	}
	lat, lng := FromFixed(ToFixed(*said.Lat)), FromFixed(ToFixed(*said.Lng))
	if DistanceM(lat, lng, l.OriginLat, l.OriginLng) > locationEditWithinM+roundingM {
		fields["lat"] = fmt.Sprintf("Move the marker no more than %g meters from where it began.", locationEditWithinM)
		return
	}
	l.Lat, l.Lng = lat, lng
}

// Follow measures an asset at the incident from the incident's new place. One that is farther from there than where stays end is
// measured from the old place as before: an edit of the marker ends no stay.
func Follow(s *State, l *Location) (o Outcome) {
	if s.LocationID == l.ID && l.Joins(s.Lat, s.Lng) {
		s.LocationLat, s.LocationLng = l.Lat, l.Lng
		o.Changes |= ChangeIncident
	}
	return o
}

// Joins reports whether an asset standing at a position belongs to the incident:
// within 150 m of it. Events that a sender reports have no assets.
func (l *Location) Joins(lat, lng float64) bool {
	return l.IsActive && !l.IsGeoMarker && DistanceM(lat, lng, l.Lat, l.Lng) <= incidentLeaveBeyondM.Float()
}

// Clone copies the incident with its stays.
func (l *Location) Clone() *Location {
	c := *l
	c.Presences = append([]Presence(nil), l.Presences...)
	return &c
}
