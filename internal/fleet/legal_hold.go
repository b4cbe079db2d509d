package fleet

import "time"

// LegalHold protects what an organization must not lose, for a period and for all of its data or that of one asset, whatever the
// retention. It is in force until someone lifts it or until its own end.
type LegalHold struct {
	ID, OrganizationID string
	ThingID            string  // empty = all of the organization
	FromAt             Instant // 0 = from the beginning
	ToAt               Instant // included; 0 = without end
	Reason             string
	EndsAt             Instant // 0 = when it is lifted
	PlacedAt           Instant
	PlacedBy           string
	LiftedAt           Instant // 0 = it was not
	LiftedBy           string
}

// HoldMargin is how far a hold reaches beyond its stretch on both sides: devices' clocks may be wrong by that much.
const HoldMargin = 24 * time.Hour

// IsInForce reports whether the hold counts at an instant.
func (h *LegalHold) IsInForce(now Instant) bool {
	return h.LiftedAt == 0 && (h.EndsAt == 0 || h.EndsAt > now)
}

// Covers reports whether the hold protects a row of a kind of data: of an organization, of an asset (empty = of none), and of a
// period. The statements that delete have the same condition (points.Held).
func (h *LegalHold) Covers(k *DataKind, organizationID, thingID string, from, to, now Instant) bool {
	return h.IsInForce(now) && k.IsHeld && h.OrganizationID == organizationID && (h.ThingID == "" || h.ThingID == thingID) &&
		h.FromAt.Add(-HoldMargin) <= to && (h.ToAt == 0 || h.ToAt.Add(HoldMargin) >= from)
}

// Concerns reports whether the hold protects rows of a kind at all: one of an asset protects data of assets.
func (h *LegalHold) Concerns(k *DataKind, now Instant) bool {
	return h.IsInForce(now) && k.IsHeld && (h.ThingID == "" || k.IsOfThing)
}

// Check checks a new hold by its law and notes what is wrong by the names of the wire.
func (h *LegalHold) Check(wrong map[string]string, now Instant) {
	if h.ToAt != 0 && h.ToAt < h.FromAt {
		wrong["to"] = "The end of the span must not come before its start."
	}
	if h.FromAt > now {
		wrong["from"] = "Can't be in the future"
	}
	if h.EndsAt != 0 && h.EndsAt <= now {
		wrong["ends_at"] = "Must be in the future"
	}
}
