package fleet

import (
	"cmp"
	"slices"
	"time"

	"lightbar/catalog"
)

// Concern is something that needs an administrator. Only this file defines what does.
type Concern struct {
	Kind   string
	ID     string // of the key, subscription, integration or asset; empty = it is about none
	Name   string
	Count  int64
	At     Instant          // when it ends; else since when it is so; 0 = never, or it is not known
	Reason string           // its noun's own code for the reason
	Named  []ConcernSubject // some of the assets or closures that are meant
}

// The kinds of concerns: an organization's, then the server's.
const (
	ConcernKeyEnds     = "key_ends"
	ConcernFeed        = "feed"
	ConcernIntegration = "integration"
	ConcernNeverHeard  = "never_heard"
	ConcernSilent      = "silent"
	ConcernUnpublished = "unpublished"
	ConcernHeldBack    = "held_back"
	ConcernUnconfirmed = "unconfirmed"

	ConcernCertificate   = "certificate"
	ConcernNoMailServer  = "no_mail_server"
	ConcernMailWaits     = "mail_waits"
	ConcernMailGivenUp   = "mail_given_up"
	ConcernDisk          = "disk"
	ConcernBackup        = "backup"
	concernFailing       = "failing"
	concernFree          = "free"
	concernRenews        = "renews"
	concernMailGivenUpIn = 7 * 24 * time.Hour
)

var (
	keyEndsSoon     = catalog.LimitMs("session", "keyNoticeMs")
	failingFor      = catalog.LimitMs("concern", "failingMs")
	silentFor       = catalog.LimitMs("concern", "silentMs")
	unconfirmedFor  = catalog.LimitMs("concern", "unconfirmedMs")
	certificateSoon = catalog.LimitMs("concern", "certificateMs")
	mailWaitsFor    = catalog.LimitMs("concern", "mailWaitsMs")
	backupOld       = catalog.LimitMs("concern", "backupMs")
	diskDays        = int(catalog.LimitInt("concern", "diskDays"))
	diskPercent     = catalog.LimitInt("concern", "diskPercent")
)

// IsOfClosures reports whether a concern names closures; the others name assets.
func (c *Concern) IsOfClosures() bool {
	return c.Kind == ConcernUnpublished || c.Kind == ConcernHeldBack || c.Kind == ConcernUnconfirmed
}

// KeyConcern is a key that ends soon: on that day, everything that uses it is refused.
func KeyConcern(k *Key, now Instant) (Concern, bool) {
	soon := k.RevokedAt == 0 && k.ExpiresAt > now && k.ExpiresAt <= now.Add(keyEndsSoon)
	return Concern{Kind: ConcernKeyEnds, ID: k.ID, Name: cmp.Or(k.Description, k.Prefix), At: k.ExpiresAt}, soon
}

// FeedConcern is a feed of somebody else that fails for a while, is held back, or does not change anymore.
func FeedConcern(s *FeedSubscription, now Instant) (Concern, bool) {
	c := Concern{Kind: ConcernFeed, ID: s.ID, Name: s.Name, At: s.State.LastGoodAt, Reason: s.HealthAt(now)}
	switch c.Reason {
	case FeedHeld:
		c.At = s.State.HeldSince
		return c, true
	case FeedFrozen:
		c.At = max(s.State.LastChangedAt, s.State.PublishedAt)
		return c, true
	case FeedFailing:
		since := s.State.LastGoodAt
		if since == 0 && len(s.State.Fetches) > 0 {
			since = s.State.Fetches[len(s.State.Fetches)-1].At
		}
		c.Reason = FeedProblem(s.State.Problem)
		return c, now.Sub(since) >= failingFor
	}
	return c, false
}

// IntegrationConcern is an account whose provider refuses it, or can't be read for a while.
func IntegrationConcern(x *Integration, now Instant) (Concern, bool) {
	c := Concern{Kind: ConcernIntegration, ID: x.ID, Name: x.Name, At: x.State.FailingSince, Reason: cmp.Or(x.State.Problem, concernFailing)}
	if !x.IsActive || x.State.FailingSince == 0 {
		return c, false
	}
	return c, x.State.Problem == ProblemUnauthorized || now.Sub(x.State.FailingSince) >= failingFor
}

// ConcernSubject is an asset, and when it last reported (0 = never); or a closure, and since when it is as it is.
type ConcernSubject struct {
	ID, Name string
	At       Instant
}

// SilentConcerns are the assets of an organization that never reported, and those that have been silent for long: how many, and the
// names of some, those silent longest first.
func SilentConcerns(assets []ConcernSubject, now Instant, named int) []Concern {
	var never, silent []ConcernSubject
	for _, a := range assets {
		switch {
		case a.At == 0:
			never = append(never, a)
		case now.Sub(a.At) >= silentFor:
			silent = append(silent, a)
		}
	}
	out := concernOf(nil, ConcernNeverHeard, "", never, named)
	return concernOf(out, ConcernSilent, "", silent, named)
}

// concernOf appends a concern about some rows, if there are any, the oldest first.
func concernOf(out []Concern, kind, reason string, of []ConcernSubject, named int) []Concern {
	if len(of) == 0 {
		return out
	}
	slices.SortFunc(of, func(a, b ConcernSubject) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	return append(out, Concern{Kind: kind, Reason: reason, Count: int64(len(of)), At: of[0].At, Named: of[:min(len(of), named)]})
}

// ActiveClosure is a closure of an organization that publishes, which is active now.
type ActiveClosure struct {
	ConcernSubject         // At: since when it is active, or is as it is
	IsPublished    bool    // it is meant for the feeds
	IsRefused      bool    // it breaks a rule of theirs, so that they leave it out
	ConfirmedAt    Instant // when somebody or something last saw it, or changed it
}

// PublishingConcerns are closures of an organization that its readers don't see, or see too late: active ones that nobody published
// (empty: nothing in the feeds is active), ones that break a rule of the feeds, and ones that nobody has confirmed for long. After
// drawing one, a person has some time to publish it.
func PublishingConcerns(active []ActiveClosure, now Instant, named int) []Concern {
	var off, refused, old []ConcernSubject
	published := 0
	for _, c := range active {
		if c.IsPublished && !c.IsRefused {
			if published++; now.Sub(c.ConfirmedAt) >= unconfirmedFor {
				old = append(old, ConcernSubject{ID: c.ID, Name: c.Name, At: c.ConfirmedAt})
			}
			continue
		}
		switch {
		case now.Sub(c.At) < failingFor:
		case c.IsPublished:
			refused = append(refused, c.ConcernSubject)
		default:
			off = append(off, c.ConcernSubject)
		}
	}
	reason := ""
	if published == 0 {
		reason = "empty"
	}
	out := concernOf(nil, ConcernUnpublished, reason, off, named)
	out = concernOf(out, ConcernHeldBack, "", refused, named)
	return concernOf(out, ConcernUnconfirmed, "", old, named)
}

// Certificate is what the server knows about its certificate; the zero value = it has none.
type Certificate struct {
	BeginsAt, EndsAt Instant
	Renews           bool // the server orders the next one by itself, when a third of its life is left
}

// IsLate reports whether somebody must see to the next certificate: in the last 30 days, or in the last third of one that is
// made for less than 90; of one that the server renews, only once it has failed to do so for a while.
func (c Certificate) IsLate(now Instant) bool {
	share := c.EndsAt.Sub(c.BeginsAt) / 3
	if c.Renews {
		share = c.EndsAt.Sub(c.BeginsAt) / 4
	}
	return c.EndsAt != 0 && c.EndsAt <= now.Add(min(certificateSoon, share))
}

func (c Certificate) reason() string {
	if c.Renews {
		return concernRenews
	}
	return ""
}

// ServerFacts are what the server knows about itself. Unknown values are 0.
type ServerFacts struct {
	Certificate          Certificate
	MailServer           bool
	MailWaits, MailEnded int64 // those waiting; those given up within a week
	MailOldest           Instant
	DiskBytes, DiskFree  int64
	DaysUntilFull        *int
	BackupAt             Instant
}

// MailGivenUpSince is the instant since when mails that were given up are a concern.
func MailGivenUpSince(now Instant) Instant { return now.Add(-concernMailGivenUpIn) }

// ServerConcerns are the concerns of the whole installation.
func ServerConcerns(f ServerFacts, now Instant) (out []Concern) {
	add := func(is bool, c Concern) {
		if is {
			out = append(out, c)
		}
	}
	add(f.Certificate.IsLate(now), Concern{Kind: ConcernCertificate, At: f.Certificate.EndsAt, Reason: f.Certificate.reason()})
	add(!f.MailServer, Concern{Kind: ConcernNoMailServer})
	add(f.MailWaits > 0 && now.Sub(f.MailOldest) >= mailWaitsFor, Concern{Kind: ConcernMailWaits, Count: f.MailWaits, At: f.MailOldest})
	add(f.MailEnded > 0, Concern{Kind: ConcernMailGivenUp, Count: f.MailEnded})
	switch {
	case f.DaysUntilFull != nil && *f.DaysUntilFull < diskDays:
		add(true, Concern{Kind: ConcernDisk, Count: int64(*f.DaysUntilFull), At: now.Add(time.Duration(*f.DaysUntilFull) * 24 * time.Hour)})
	case f.DiskBytes > 0:
		add(f.DiskFree < f.DiskBytes/100*diskPercent, Concern{Kind: ConcernDisk, Count: f.DiskFree * 100 / f.DiskBytes, Reason: concernFree})
	}
	add(f.BackupAt != 0 && now.Sub(f.BackupAt) >= backupOld, Concern{Kind: ConcernBackup, At: f.BackupAt})
	return out
}
