package fleet

import "slices"

// Ownership is a period in which an organization owned an asset: From included, Until excluded, 0 = still. What was reported in it
// (by effective instants, Point.EffectiveAt) stays visible only to that organization.
type Ownership struct {
	ThingID        string
	OrganizationID string
	From, Until    Instant
	// Doc is the asset as it was when the period ended, so that the owner's history keeps the names it knew; nil while it lasts.
	Doc *Thing
}

// Covers reports whether an instant lies in the stretch.
func (o Ownership) Covers(at Instant) bool { return at >= o.From && (o.Until == 0 || at < o.Until) }

// HandOver is the state of an asset when its ownership ends at an instant, for the next owner: what was known about it belongs to
// the previous one, so there is no position, no sign of life, no run and no incident until it reports again. Only what the device
// does not repeat stays: its last report about its lights and its own closure.
func HandOver(s State, at Instant) State {
	return State{ThingID: s.ThingID, No: s.No, Status: StatusOffline, StatusAt: at,
		Alerting: s.Alerting, AlertingAt: s.AlertingAt, EverAlerting: s.EverAlerting, FirstOnAt: s.FirstOnAt, Skewed: s.Skewed,
		BoardActive: s.BoardActive, BoardAt: s.BoardAt, BoardPattern: s.BoardPattern}
}

// Stayed reports whether an asset is or was at the incident.
func (l *Location) Stayed(thingID string) bool {
	return slices.ContainsFunc(l.Presences, func(p Presence) bool { return p.ThingID == thingID })
}
