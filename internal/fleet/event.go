package fleet

import "lightbar/catalog"

var (
	alertTextMax  = int(catalog.LimitInt("text", "alertMessage"))
	eventVertices = int(catalog.LimitInt("event", "vertices"))
)

// EventReport is an event as a sender reports it.
type EventReport struct {
	MarkReport
	HasAlt       bool
	Alt          float64 // meters
	HasMessage   bool
	AlertMessage string
}

// Check judges a report of an event by itself and trims its texts.
func (r *EventReport) Check(now Instant) *Refusal {
	var wrong string
	if r.AlertMessage, wrong = CheckText(r.AlertMessage, alertTextMax); wrong != "" {
		return Refuse("alert_message_invalid", "alert_message", "alert_message: "+wrong)
	}
	if r.HasAlt && !(r.Alt >= -1000 && r.Alt <= 20_000) { // such as -9999: not known
		r.HasAlt, r.Alt, r.Ignored = false, 0, r.Ignored|FieldAlt
	}
	return r.checkMark(now)
}

// NewEvent opens the event of a checked report, which must have a position; Report then applies the rest.
func NewEvent(id, organizationID string, r *EventReport, now Instant) *Location {
	l := NewLocation(id, organizationID, "", r.Lat, r.Lng, r.EffectiveAt(now))
	l.IsGeoMarker, l.ExternalID = true, r.ID
	return l
}

// Report takes a checked report into the event. It reports whether that changed
// anything: reports older than the newest one and repeats do not. A later report
// extends the event, and opens it again when it had ended.
func (l *Location) Report(r *EventReport, now Instant) (changed bool) {
	at := r.EffectiveAt(now)
	if at < l.ReportedAt {
		return false
	}
	before := *l
	l.ReportedAt = at
	if r.HasLat {
		l.Lat, l.Lng = r.Lat, r.Lng
	}
	if r.HasAlt {
		l.HasAlt, l.Alt = true, r.Alt
	}
	if r.HasFeatures && !l.Features.Equal(r.Features) {
		l.Features = r.Features
	}
	if r.HasMessage {
		l.AlertMessage = r.AlertMessage
	}
	if r.ExpiresAt != 0 {
		l.ExpiresAt = r.ExpiresAt
	} else {
		l.ExpiresAt = max(l.ExpiresAt, at.Add(incidentExpire.Duration()))
	}
	l.IsActive, l.EndAt = true, 0
	switch {
	case r.HasActive && !r.Active:
		l.IsActive, l.EndAt = false, max(l.StartAt, at)
	case l.ExpiresAt <= now:
		l.IsActive, l.EndAt = false, max(l.StartAt, l.ExpiresAt)
	}
	return !sameEvent(&before, l)
}

// sameEvent compares what a report may change.
func sameEvent(a, b *Location) bool {
	return a.ReportedAt == b.ReportedAt && a.Lat == b.Lat && a.Lng == b.Lng && a.HasAlt == b.HasAlt && a.Alt == b.Alt &&
		a.Features == b.Features &&
		a.AlertMessage == b.AlertMessage && a.ExpiresAt == b.ExpiresAt && a.IsActive == b.IsActive && a.EndAt == b.EndAt
}

// Weight is how much of its organization's allowance an event takes: itself and its vertices.
func (l *Location) Weight() int { return weightOf(l.Features) }

// EventQuota is how many events an organization has, as senders report them.
type EventQuota struct{ Active, Weight int }

var (
	eventsActive = int(catalog.LimitInt("event", "active"))
	eventsWeight = int(catalog.LimitInt("event", "keptVertices"))
)

// Count adds an event to the quota, or (-1) takes it out.
func (q *EventQuota) Count(l *Location, by int) {
	if l == nil {
		return
	}
	q.Weight += by * l.Weight()
	if l.IsActive {
		q.Active += by
	}
}

// Exceeded refuses the event that was counted last (event_limit).
func (q *EventQuota) Exceeded() *Refusal {
	if q.Active <= eventsActive && q.Weight <= eventsWeight {
		return nil
	}
	return Refuse("event_limit", "id", "The organization has reached its event limit. End some events, or send simpler shapes.")
}
