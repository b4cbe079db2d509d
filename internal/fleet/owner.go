package fleet

import "slices"

// Ownership is a stretch of time in which an organization owned an asset: From
// included, Until excluded, 0 = still. What was reported in it (by effective
// instants, Point.EffectiveAt) stays visible to that organization alone.
type Ownership struct {
	ThingID        string
	OrganizationID string
	From, Until    Instant
	// Doc is the asset as it was when the stretch ended, so that the owner's
	// history keeps the names it knew; nil while it lasts.
	Doc *Thing
}

// Covers reports whether an instant lies in the stretch.
func (o Ownership) Covers(at Instant) bool { return at >= o.From && (o.Until == 0 || at < o.Until) }

// HandOver is the state of an asset when its ownership ends at an instant, for
// the next owner: what was seen of it belongs to the one before, so there is no
// position, no sign of life, no run and no incident until it reports again. Only
// what the device does not repeat stays: its last word about its lights and its
// own closure.
func HandOver(s State, at Instant) State {
	return State{ThingID: s.ThingID, No: s.No, Status: StatusOffline, StatusAt: at,
		Alerting: s.Alerting, AlertingAt: s.AlertingAt, EverAlerting: s.EverAlerting, FirstOnAt: s.FirstOnAt, Skewed: s.Skewed,
		BoardActive: s.BoardActive, BoardAt: s.BoardAt, BoardPattern: s.BoardPattern}
}

// Stayed reports whether an asset is or was at the incident.
func (l *Location) Stayed(thingID string) bool {
	return slices.ContainsFunc(l.Presences, func(p Presence) bool { return p.ThingID == thingID })
}
