package app

import (
	"cmp"
	"context"
	"os"
	"strings"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/feed"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// silentNamed is how many silent assets are listed by name.
var silentNamed = int(catalog.LimitInt("concern", "silentNamed"))

// Surroundings are what the process knows about the place where the server runs.
type Surroundings struct {
	Certificate  func() fleet.Certificate // nil = it has no certificate of its own
	BackupFolder string                   // where backups are written unless another place is given; empty = not known
}

// Concerns returns what needs an administrator in an organization. Requires EDIT_ORGANIZATION and full reach. Refusals: not_found.
func (a *App) Concerns(ctx context.Context, actor *access.Actor, organizationID string) (out wire.Concerns, err error) {
	if err := actor.Must("EDIT_ORGANIZATION"); err != nil {
		return out, err
	}
	if actor.Reach(organizationID) != access.Full {
		return out, fleet.Refuse("not_found", "", "Organization not found")
	}
	of, err := store.OrganizationByID(ctx, a.Store.Reader(), organizationID)
	if err != nil {
		return out, err
	}
	out.AsOf, out.Concerns = a.now(), []wire.Concern{}
	found, err := a.concernsOf(ctx, &of, out.AsOf)
	if err != nil {
		return out, err
	}
	for _, c := range found {
		out.Concerns = append(out.Concerns, concernWire(c))
	}
	if actor.UserID != "" && actor.OrganizationID == organizationID {
		choice, err := store.MailChoiceOf(ctx, a.Store.Reader(), actor.UserID)
		out.Mail = choice.Concerns
		return out, err
	}
	return out, nil
}

// concernsOf returns what needs an administrator in an organization.
func (a *App) concernsOf(ctx context.Context, of *fleet.Organization, now fleet.Instant) (out []fleet.Concern, err error) {
	add := func(c fleet.Concern, is bool) {
		if is {
			out = append(out, c)
		}
	}
	err = a.Store.Read(ctx, func(r store.Reader) error {
		keys, err := store.KeysOf(ctx, r, of.ID, now)
		if err != nil {
			return err
		}
		feeds, err := store.FeedSubscriptionsOf(ctx, r, of.ID)
		if err != nil {
			return err
		}
		accounts, err := store.IntegrationsOf(ctx, r, of.ID)
		if err != nil {
			return err
		}
		for i := range keys {
			add(fleet.KeyConcern(&keys[i].Key, now))
		}
		for i := range feeds {
			add(fleet.FeedConcern(&feeds[i], now))
		}
		for i := range accounts {
			add(fleet.IntegrationConcern(&accounts[i], now))
		}
		if publishes(of) {
			closures, err := a.feeds.of(of.ID).standing(ctx, r, of.ID, now)
			out = append(out, fleet.PublishingConcerns(a.activeClosures(closures, now), now, silentNamed)...)
			return err
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var assets []fleet.ConcernSubject
	a.Live.VisitOwned(of.ID, func(t *fleet.Thing, s *fleet.State) {
		if t.InService { // an asset out of service is silent on purpose
			assets = append(assets, fleet.ConcernSubject{ID: t.ID, Name: cmp.Or(t.Nickname, t.SystemName), At: s.HeartbeatAt})
		}
	})
	return append(out, fleet.SilentConcerns(assets, now, silentNamed)...), nil
}

// activeClosures returns an organization's own closures that are active now, without those out of service: they deliberately
// publish nothing.
func (a *App) activeClosures(closures []*fleet.Closure, now fleet.Instant) (out []fleet.ActiveClosure) {
	for _, stored := range closures {
		c := a.closureAt(stored)
		is := c.SpanAt(now)
		if !is.IsActive || c.OutOfService {
			continue
		}
		out = append(out, fleet.ActiveClosure{
			ConcernSubject: fleet.ConcernSubject{ID: c.ID, Name: cmp.Or(c.Description, c.RoadName), At: max(is.From, c.UpdatedAt)},
			IsPublished:    c.IsPublished, IsRefused: len(feed.Problems(c.At(now))) > 0,
			ConfirmedAt: max(is.From, c.VerifiedAt, c.UpdatedAt)})
	}
	return out
}

func concernWire(c fleet.Concern) wire.Concern {
	out := wire.Concern{Kind: c.Kind, ID: c.ID, Name: c.Name, Count: c.Count, At: c.At, Reason: c.Reason,
		Assets: []wire.Heard{}, Closures: []wire.Heard{}}
	named := &out.Assets
	if c.IsOfClosures() {
		named = &out.Closures
	}
	for _, x := range c.Named {
		*named = append(*named, wire.Heard{ID: x.ID, Name: x.Name, At: x.At})
	}
	return out
}

// ServerStatus returns what needs an administrator in the whole installation. Requires MANAGE_PLATFORM.
func (a *App) ServerStatus(ctx context.Context, actor *access.Actor) (out wire.ServerStatus, err error) {
	if err := actor.Must("MANAGE_PLATFORM"); err != nil {
		return out, err
	}
	now := a.now()
	f, err := a.serverFacts(ctx, now)
	if err != nil {
		return out, err
	}
	out = wire.ServerStatus{AsOf: now, Concerns: []wire.Concern{}, CertificateEndsAt: f.Certificate.EndsAt, MailServer: f.MailServer,
		MailsWaiting: f.MailWaits, BackupAt: f.BackupAt, DiskBytes: f.DiskBytes, DiskFreeBytes: f.DiskFree, DaysUntilFull: f.DaysUntilFull}
	for _, c := range fleet.ServerConcerns(f, now) {
		out.Concerns = append(out.Concerns, concernWire(c))
	}
	return out, nil
}

// serverFacts returns what the server knows about itself.
func (a *App) serverFacts(ctx context.Context, now fleet.Instant) (f fleet.ServerFacts, err error) {
	storage, err := StorageOf(ctx, a.Store, a.ExportFolder, now)
	if err != nil {
		return f, err
	}
	mails, err := a.MailStats(ctx)
	if err != nil {
		return f, err
	}
	f = fleet.ServerFacts{MailWaits: mails.Waiting, MailOldest: mails.Oldest, DiskBytes: storage.DiskBytes, DiskFree: storage.DiskFree,
		DaysUntilFull: storage.DaysUntilFull, BackupAt: newestBackup(a.Around.BackupFolder), MailServer: a.HasMailServer()}
	if a.Around.Certificate != nil {
		f.Certificate = a.Around.Certificate()
	}
	f.MailEnded, err = store.CountMailGivenUp(ctx, a.Store.Reader(), fleet.MailGivenUpSince(now))
	return f, err
}

// newestBackup returns when the newest complete backup in a folder was made, by its name; 0 = there is none, or the folder can't be
// read.
func newestBackup(folder string) (newest fleet.Instant) {
	if folder == "" {
		return 0
	}
	entries, _ := os.ReadDir(folder) // a folder that does not exist has no backup
	for _, e := range entries {
		name, isBackup := strings.CutPrefix(e.Name(), "lightbar-")
		if at, err := time.Parse("20060102T150405Z", name); isBackup && err == nil && e.IsDir() {
			newest = max(newest, fleet.InstantOf(at))
		}
	}
	return newest
}
