package fleet

import "lightbar/catalog"

var (
	markAhead = catalog.LimitMs("event", "aheadMs")
	markIDMax = int(catalog.LimitInt("event", "idText"))
)

// MarkReport is the common part of reports of events and of hazards: a place on the map that its sender identifies and that needs
// no asset. It is decoded but not yet checked. Fields that were not sent stay as they were.
type MarkReport struct {
	Index          int // in the batch as sent
	ID             string
	At             Instant
	Lat, Lng       float64 // degrees
	HasLat, HasLng bool
	HasFeatures    bool
	Features       *FeatureCollection // nil = none anymore
	ExpiresAt      Instant            // 0 = not given
	HasActive      bool
	Active         bool
	Ignored        Fields // optional values that mean "not known", left out
}

// Mark is the report's common part.
func (r *MarkReport) Mark() *MarkReport { return r }

// checkMark checks the common part and rounds the position for storing.
func (r *MarkReport) checkMark(now Instant) *Refusal {
	var wrong string
	if r.ID, wrong = CheckName(r.ID, markIDMax); wrong != "" {
		return Refuse("id_invalid", "id", "id: "+wrong)
	}
	if refusal := checkAt(r.At, now); refusal != nil {
		return refusal
	}
	switch {
	case r.ID == "":
		return Refuse("id_missing", "id", "id is required: the sender's own name for it")
	case r.HasLat != r.HasLng && !r.HasLat:
		return Refuse("lat_missing", "lat", "lat is required with lng")
	case r.HasLat != r.HasLng:
		return Refuse("lng_missing", "lng", "lng is required with lat")
	case r.HasLat && !(r.Lat >= -90 && r.Lat <= 90):
		return Refuse("lat_out_of_range", "lat", "lat must be from -90 to 90")
	case r.HasLng && !(r.Lng >= -180 && r.Lng <= 180):
		return Refuse("lng_out_of_range", "lng", "lng must be from -180 to 180")
	case r.ExpiresAt > now+Instant(markAhead.Milliseconds()): // not Sub: a Duration wraps after 292 years
		return Refuse("expires_at_too_far_ahead", "expires_at", "expires_at is more than 7 days after the server's time")
	}
	r.Lat, r.Lng = FromFixed(ToFixed(r.Lat)), FromFixed(ToFixed(r.Lng))
	return nil
}

// EffectiveAt is the earlier of the sender's instant and now.
func (r *MarkReport) EffectiveAt(now Instant) Instant { return min(r.At, now) }

// LatestEnd is the latest end that a mark may have.
func (r *MarkReport) LatestEnd(now Instant) Instant { return now.Add(markAhead) }

// weightOf is how much of its organization's allowance a mark takes: itself and its vertices.
func weightOf(features *FeatureCollection) int {
	if features == nil {
		return 1
	}
	return 1 + features.vertices()
}
