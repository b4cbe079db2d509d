package fleet

import (
	"slices"
	"time"

	"lightbar/catalog"
)

// StatusMail is what a person was last mailed about their concerns.
type StatusMail struct {
	UserID   string
	MailedAt Instant // 0 = there was no mail yet
	Concerns []MailedConcern
}

// MailedConcern is a concern as it was in a mail.
type MailedConcern struct {
	Kind  string `json:"kind"`
	ID    string `json:"id,omitempty"`
	Stage int64  `json:"stage,omitempty"`
}

var (
	statusMailHour  = int(catalog.LimitInt("concern", "mailHour"))
	statusMailAgain = catalog.LimitMs("concern", "mailAgainMs")
)

// Stage is how bad a concern is by now, among those of its kind: one that has become worse is mailed again. Concerns that come and
// go by themselves, or would grow because of our own mails, have no stages.
func (c *Concern) Stage(now Instant) int64 {
	const day = 24 * time.Hour
	left := c.At.Sub(now)
	switch c.Kind {
	case ConcernNeverHeard, ConcernSilent, ConcernUnpublished, ConcernHeldBack, ConcernUnconfirmed:
		return c.Count
	case ConcernFeed:
		return stage(c.Reason == FeedHeld) // what is missing there ends soon
	case ConcernIntegration:
		return stage(c.Reason == ProblemUnauthorized)
	case ConcernCertificate:
		return stage(left < 14*day, left < 7*day, left < 3*day, left < day, left < 0)
	case ConcernDisk:
		if c.Reason == concernFree {
			return stage(c.Count < diskPercent/2, c.Count < diskPercent/5)
		}
		return stage(left < 30*day, left < 7*day, left < day)
	case ConcernBackup:
		return stage(-left >= 7*day)
	}
	return 0
}

// stage counts what is so.
func stage(is ...bool) (n int64) {
	for _, one := range is {
		if one {
			n++
		}
	}
	return n
}

// isMailed reports whether a concern is worth a mail. Keys that end have mails of their own, and without a mail server nobody gets
// one.
func (c *Concern) isMailed() bool { return c.Kind != ConcernKeyEnds && c.Kind != ConcernNoMailServer }

// IsNew reports whether a concern was not mailed before, or has become worse since.
func (m *StatusMail) IsNew(c *Concern, now Instant) bool {
	return !slices.ContainsFunc(m.Concerns, func(t MailedConcern) bool {
		return t.Kind == c.Kind && t.ID == c.ID && t.Stage >= c.Stage(now)
	})
}

// MayBeDue reports whether a person could be mailed now, whatever the content: once a day at most, and not before the morning of
// their time zone.
func (m *StatusMail) MayBeDue(now Instant, zone *time.Location) bool {
	at, last := now.Time().In(zone), m.MailedAt.Time().In(zone)
	return at.Hour() >= statusMailHour && (m.MailedAt == 0 || at.Format(time.DateOnly) != last.Format(time.DateOnly))
}

// IsDue reports whether a person is mailed now: if they may be, and there is something new, or something of the last mail has been
// open for a week. What was resolved for only a few days is not new, so that a feed which comes and goes is not mailed each day.
func (m *StatusMail) IsDue(concerns []Concern, now Instant, zone *time.Location) bool {
	if !m.MayBeDue(now, zone) {
		return false
	}
	isAgain := now.Sub(m.MailedAt) >= statusMailAgain
	return slices.ContainsFunc(concerns, func(c Concern) bool { return c.isMailed() && (isAgain || m.IsNew(&c, now)) })
}

// NoteMailed notes the content of a mail.
func (m *StatusMail) NoteMailed(concerns []Concern, now Instant) {
	m.MailedAt, m.Concerns = now, make([]MailedConcern, len(concerns))
	for i := range concerns {
		c := &concerns[i]
		m.Concerns[i] = MailedConcern{Kind: c.Kind, ID: c.ID, Stage: c.Stage(now)}
	}
}
