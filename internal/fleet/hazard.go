package fleet

import (
	"slices"

	"lightbar/catalog"
)

var (
	hazardLife    = catalog.LimitMs("hazard", "lifeMs")
	hazardKept    = catalog.LimitMs("hazard", "keptMs")
	hazardPress   = catalog.LimitMs("hazard", "pressMs")
	hazardsActive = int(catalog.LimitInt("hazard", "active"))
	hazardsWeight = int(catalog.LimitInt("hazard", "keptVertices"))
	hazardTextMax = int(catalog.LimitInt("text", "description"))
)

// Why a hazard ended.
const (
	HazardExpired   = "expired"
	HazardCleared   = "cleared"   // someone on shift saw that it is gone
	HazardWithdrawn = "withdrawn" // a unit drove through
	HazardOver      = "source"    // its sender ended it
)

// hazardOther is the type of a hazard whose sender's type is not in the catalog.
const hazardOther = "other"

// Hazard is something dangerous on a road, as a sender reports it. It lives
// until ExpiresAt unless someone ends it; a day after its end it leaves the lists.
type Hazard struct {
	ID             string
	OrganizationID string
	ExternalID     string // the sender's own name of it
	Kind           string // catalog/enums.json, hazardTypes
	Lat, Lng       float64
	Street         string
	Description    string
	Source         string // who reported it last, in words
	StartAt        Instant
	ExpiresAt      Instant
	Features       *FeatureCollection // never changed in place; nil = none
	ConfirmedAt    Instant
	ConfirmedBy    *HazardHand // never changed in place
	EndedAt        Instant     // 0 = not yet
	EndReason      string
	EndedBy        *HazardHand // never changed in place; nil: nobody did
	ReportedAt     Instant     // the effective instant of the sender's newest report
	DueAt          Instant     // when the clock does something with it; 0 = never more
	Weight         int         // of its organization's allowance
	ReportedBy     *HazardHand // who reported it by hand; never changed in place; nil: a sender, a file, or a feed did
	// FeedSubscriptionID is the feed that brought it; empty: a sender did.
	FeedSubscriptionID string
	Version            int64
	UpdatedAt          Instant
	DeletedAt          Instant // when it left the lists; 0 = it is in them
}

// HazardHand is the person who confirmed or ended a hazard, with the name at that time.
type HazardHand struct {
	Kind           string  `json:"kind"` // user, thing, key or feed
	ID             string  `json:"id"`
	Name           string  `json:"name"`
	OrganizationID string  `json:"organization_id"` // whose user, asset or key
	SpeedMS        float64 `json:"speed,omitempty"` // of an asset that drove through
}

// FeedID is the subscription of a feed; empty: another hand.
func (b *HazardHand) FeedID() string {
	if b.Kind == "feed" {
		return b.ID
	}
	return ""
}

// HazardReport is a hazard as a sender reports it.
type HazardReport struct {
	MarkReport
	HasKind        bool
	Kind           string // a type that is not in the catalog becomes other
	HasDescription bool
	Description    string
	StartAt        Instant // 0 = when its sender first reported it
	Timeless       bool    // from a file without times: content that was known before is nothing new
	SentAt         Instant // for a file that was sent before: when that was first; later reports take precedence
}

// Check judges a report of a hazard by itself and trims its texts.
func (r *HazardReport) Check(now Instant) *Refusal {
	var wrong string
	if r.Description, wrong = CheckText(r.Description, hazardTextMax); wrong != "" {
		return Refuse("description_invalid", "description", "description: "+wrong)
	}
	if refusal := r.checkMark(now); refusal != nil {
		return refusal
	}
	if r.HasLat && ToFixed(r.Lat) == 0 && ToFixed(r.Lng) == 0 {
		return Refuse(NoFix, "lat", "lat and lng are 0: that is no position")
	}
	if r.HasKind {
		r.Kind = HazardKind(r.Kind)
	}
	return nil
}

// HazardKind is a type of the catalog: name itself, or other.
func HazardKind(name string) string {
	if slices.ContainsFunc(catalog.AllEnums().HazardTypes, func(t catalog.HazardType) bool { return t.Name == name }) {
		return name
	}
	return hazardOther
}

// NewHazard begins the hazard of a checked report, which must have a position.
func NewHazard(id, organizationID string, r *HazardReport, by HazardHand, now Instant) *Hazard {
	h := &Hazard{ID: id, OrganizationID: organizationID, FeedSubscriptionID: by.FeedID(), ExternalID: r.ID, Kind: hazardOther,
		StartAt: r.EffectiveAt(now), Version: 1}
	if r.StartAt != 0 {
		h.StartAt = min(h.StartAt, r.StartAt)
	}
	h.Report(r, by, now)
	return h
}

// Report takes a checked report into the hazard. It reports whether that changed
// anything: a repeat does not, nor a report older than the newest one, nor one
// from before the moment when someone ended the hazard. A later report extends
// it, and opens it again; one that had left the lists begins again.
func (h *Hazard) Report(r *HazardReport, by HazardHand, now Instant) (changed bool) {
	at := r.EffectiveAt(now)
	before := h.At(now)
	isKnown := r.Timeless && h.says(r) || r.SentAt != 0 && min(at, r.SentAt) <= h.ReportedAt
	if isKnown || at < h.ReportedAt || before.EndedBy != nil && before.EndReason != HazardOver && at <= before.EndedAt {
		return false
	}
	*h = before
	if h.DeletedAt != 0 {
		h.StartAt, h.ExpiresAt, h.DeletedAt, h.ConfirmedAt, h.ConfirmedBy = at, 0, 0, 0, nil
	}
	h.ReportedAt, h.Source = at, by.Name
	if r.HasLat {
		h.Lat, h.Lng = r.Lat, r.Lng
	}
	if r.HasFeatures && !h.Features.Equal(r.Features) {
		h.Features = r.Features
	}
	if r.HasKind {
		h.Kind = r.Kind
	}
	if r.HasDescription {
		h.Description = r.Description
	}
	if r.ExpiresAt != 0 {
		h.ExpiresAt = r.ExpiresAt
	} else {
		h.ExpiresAt = max(h.ExpiresAt, at.Add(hazardLife))
	}
	if r.HasActive && !r.Active {
		if h.EndedAt == 0 || h.EndReason == HazardExpired {
			h.end(max(h.StartAt, at), HazardOver, &by)
		}
	} else {
		h.open()
	}
	*h = h.At(now)
	return !before.Same(h)
}

// says reports whether the hazard already has the content of a file's row.
func (h *Hazard) says(r *HazardReport) bool {
	return h.ReportedAt != 0 && h.Lat == r.Lat && h.Lng == r.Lng && h.Kind == r.Kind && h.Description == r.Description
}

// At is the hazard as it is at an instant: whatever is stored, it is over when it has expired.
func (h *Hazard) At(now Instant) Hazard {
	out := *h
	if out.EndedAt == 0 && out.ExpiresAt <= now {
		out.end(max(out.StartAt, out.ExpiresAt), HazardExpired, nil)
	}
	out.settle()
	return out
}

// Age is At for the clock, which also removes from the lists the hazards that ended a day ago.
func (h *Hazard) Age(now Instant) Hazard {
	out := h.At(now)
	if out.EndedAt != 0 && out.DeletedAt == 0 && now.Sub(out.EndedAt) >= hazardKept {
		out.DeletedAt = now
		out.settle()
	}
	return out
}

// Confirm notes that someone sees it now: it lives for at least another hour, and is open again if it ended less than a day ago.
// The same person's second press within a minute changes nothing. Refusals: hazard_over.
func (h *Hazard) Confirm(by HazardHand, now Instant) error {
	is := h.At(now)
	if is.EndedAt != 0 && now.Sub(is.EndedAt) >= hazardKept {
		return Refuse("hazard_over", "", "This hazard ended more than 24 hours ago.")
	}
	if is.EndedAt == 0 && h.ConfirmedBy != nil && h.ConfirmedBy.ID == by.ID && now.Sub(h.ConfirmedAt) < hazardPress {
		return nil
	}
	h.ConfirmedAt, h.ConfirmedBy = now, &by
	h.ExpiresAt = min(max(h.ExpiresAt, now.Add(hazardLife)), now.Add(markAhead))
	h.open()
	return nil
}

// Clear notes that someone sees that it is gone. A hazard that has ended stays as it is.
func (h *Hazard) Clear(by HazardHand, now Instant) {
	if is := h.At(now); is.EndedAt == 0 {
		h.end(now, HazardCleared, &by)
	}
}

// Unsay takes back the report that made it: it leaves the lists, and any report of it begins it again.
func (h *Hazard) Unsay(by HazardHand, now Instant) {
	if is := h.At(now); is.EndedAt == 0 {
		h.end(now, HazardOver, &by)
	} else {
		*h = is
	}
	h.ReportedAt, h.DeletedAt = 0, now
	h.settle()
}

// TouchedSince returns what happened to a hazard since the version in made, other than by time alone: empty = nothing.
func (h *Hazard) TouchedSince(made *Hazard, now Instant) string {
	is, was := h.At(now), made.At(now)
	switch {
	case is.DeletedAt != 0:
		return "deleted"
	case is.EndReason != was.EndReason && (is.EndReason == HazardCleared || is.EndReason == HazardWithdrawn):
		return is.EndReason
	case is.ConfirmedAt != was.ConfirmedAt:
		return "confirmed"
	case is.ReportedAt != was.ReportedAt || is.Source != was.Source || is.EndedAt != was.EndedAt || is.ExpiresAt != was.ExpiresAt:
		return "changed"
	}
	return ""
}

func (h *Hazard) open() {
	h.EndedAt, h.EndReason, h.EndedBy, h.DeletedAt = 0, "", nil, 0
	h.settle()
}

func (h *Hazard) end(at Instant, reason string, by *HazardHand) {
	h.EndedAt, h.EndReason, h.EndedBy = at, reason, by
	h.settle()
}

// settle sets what follows from the rest.
func (h *Hazard) settle() {
	h.Weight = weightOf(h.Features)
	switch {
	case h.EndedAt == 0:
		h.DueAt = h.ExpiresAt
	case h.DeletedAt == 0:
		h.DueAt = h.EndedAt.Add(hazardKept)
	default:
		h.DueAt = 0
	}
}

// Same reports whether two are alike but for version and updated_at.
func (h *Hazard) Same(o *Hazard) bool {
	a := *h
	a.Version, a.UpdatedAt = o.Version, o.UpdatedAt
	return a == *o
}

// HazardQuota is how many hazards an organization has in its lists.
type HazardQuota struct{ Active, Weight int }

// Count adds a hazard to the quota, or (-1) takes it out.
func (q *HazardQuota) Count(h *Hazard, by int) {
	if h == nil || h.DeletedAt != 0 {
		return
	}
	q.Weight += by * h.Weight
	if h.EndedAt == 0 {
		q.Active += by
	}
}

// Exceeded refuses the hazard that was counted last (hazard_limit).
func (q *HazardQuota) Exceeded() *Refusal {
	if q.Active <= hazardsActive && q.Weight <= hazardsWeight {
		return nil
	}
	return Refuse("hazard_limit", "id", "The organization has reached its hazard limit. End some hazards, or send simpler shapes.")
}
