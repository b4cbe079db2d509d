package fleet

import (
	"slices"
	"time"

	"lightbar/catalog"
)

// HazardByHand is the source of a hazard that a person reported.
const HazardByHand = "Reported by hand"

// HazardLife is how long a hazard of a type lasts if a person reports it without an end.
func HazardLife(kind string) time.Duration {
	types := catalog.AllEnums().HazardTypes
	if i := slices.IndexFunc(types, func(t catalog.HazardType) bool { return t.Name == kind }); i >= 0 {
		return time.Duration(types[i].Hours) * time.Hour
	}
	return hazardLife
}

// HazardInput has the fields that a person sent for a hazard; nil = not sent.
type HazardInput struct {
	Kind      *string
	Lat, Lng  *float64
	ExpiresAt *Instant
}

// ReportByHand makes a hazard that a person sees now.
func (h *Hazard) ReportByHand(wrong map[string]string, in HazardInput, by HazardHand, now Instant) {
	for field, is := range map[string]bool{"type": in.Kind != nil, "lat": in.Lat != nil, "lng": in.Lng != nil} {
		if !is {
			wrong[field] = "Required"
		}
	}
	h.ExternalID, h.Source, h.ReportedBy, h.StartAt, h.ReportedAt = h.ID, HazardByHand, &by, now, now
	h.Amend(wrong, in, now)
}

// Amend writes the fields that a person sent over a hazard that was reported by hand, and notes what is wrong by the names of the
// wire.
func (h *Hazard) Amend(wrong map[string]string, in HazardInput, now Instant) {
	note := func(field, sentence string, is bool) {
		if is && wrong[field] == "" {
			wrong[field] = sentence
		}
	}
	if in.Kind != nil {
		note("type", "Unknown type", HazardKind(*in.Kind) != *in.Kind)
		h.Kind = *in.Kind
	}
	if in.Lat != nil {
		note("lat", "Must be from -90 to 90", !(*in.Lat >= -90 && *in.Lat <= 90))
		h.Lat = FromFixed(ToFixed(*in.Lat))
	}
	if in.Lng != nil {
		note("lng", "Must be from -180 to 180", !(*in.Lng >= -180 && *in.Lng <= 180))
		h.Lng = FromFixed(ToFixed(*in.Lng))
	}
	note("lat", "lat and lng are 0: that is no position", in.Lat != nil && in.Lng != nil && h.Lat == 0 && h.Lng == 0)
	switch {
	case in.ExpiresAt != nil && *in.ExpiresAt != 0:
		note("expires_at", "Must be in the future", *in.ExpiresAt <= now)
		note("expires_at", "Must be within 7 days", *in.ExpiresAt > now.Add(markAhead))
		h.ExpiresAt = *in.ExpiresAt
	case h.ExpiresAt == 0:
		h.ExpiresAt = now.Add(HazardLife(h.Kind))
	}
	h.settle()
}

// SameReport reports whether a person's report is the one that a hazard was made by: when it was sent is no matter.
func (h *Hazard) SameReport(again *Hazard) bool {
	return h.ReportedBy != nil && h.ReportedBy.ID == again.ReportedBy.ID && h.Kind == again.Kind && h.Lat == again.Lat && h.Lng == again.Lng &&
		h.Description == again.Description
}

// MustBeByHand refuses a hazard that a sender reported: the sender reports it again.
func (h *Hazard) MustBeByHand() error {
	if h.ReportedBy == nil {
		return Refuse("hazard_of_sender", "", "Only hazards that were reported by hand can be edited or deleted.")
	}
	return nil
}

// MayAmend refuses edits of a hazard that a sender reported, or that has ended.
func (h *Hazard) MayAmend(now Instant) error {
	if err := h.MustBeByHand(); err != nil {
		return err
	}
	if is := h.At(now); is.EndedAt != 0 {
		return Refuse("hazard_ended", "", "This hazard has ended. Confirm it first.")
	}
	return nil
}
