package app

import (
	"cmp"
	"context"
	"os"
	"strings"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// silentNamed is how many silent assets are named.
var silentNamed = int(catalog.LimitInt("concern", "silentNamed"))

// Surroundings are what the process knows of the server's place.
type Surroundings struct {
	CertificateEnds func() fleet.Instant // nil = it serves without one of its own
	BackupFolder    string               // where backups lie unless they are told another place; empty = not known
}

// Concerns tells what of an organization needs an administrator. Requires EDIT_ORGANIZATION and full reach. Refusals:
// not_found.
func (a *App) Concerns(ctx context.Context, actor *access.Actor, organizationID string) (out wire.Concerns, err error) {
	if err := actor.Must("EDIT_ORGANIZATION"); err != nil {
		return out, err
	}
	if actor.Reach(organizationID) != access.Full {
		return out, fleet.Refuse("not_found", "", "Organization not found")
	}
	out.AsOf, out.Concerns = a.now(), []wire.Concern{}
	add := func(c fleet.Concern, is bool, assets ...fleet.Heard) {
		if is {
			out.Concerns = append(out.Concerns, concernWire(c, assets))
		}
	}
	err = a.Store.Read(ctx, func(r store.Reader) error {
		keys, err := store.KeysOf(ctx, r, organizationID, out.AsOf)
		if err != nil {
			return err
		}
		feeds, err := store.FeedSubscriptionsOf(ctx, r, organizationID)
		if err != nil {
			return err
		}
		accounts, err := store.IntegrationsOf(ctx, r, organizationID)
		if err != nil {
			return err
		}
		for i := range keys {
			c, is := fleet.KeyConcern(&keys[i].Key, out.AsOf)
			add(c, is)
		}
		for i := range feeds {
			c, is := fleet.FeedConcern(&feeds[i], out.AsOf)
			add(c, is)
		}
		for i := range accounts {
			c, is := fleet.IntegrationConcern(&accounts[i], out.AsOf)
			add(c, is)
		}
		return nil
	})
	if err != nil {
		return out, err
	}
	var assets []fleet.Heard
	a.Live.VisitOwned(organizationID, func(t *fleet.Thing, s *fleet.State) {
		if t.InService { // what is out of service is silent because somebody said so
			assets = append(assets, fleet.Heard{ID: t.ID, Name: cmp.Or(t.Nickname, t.SystemName), At: s.HeartbeatAt})
		}
	})
	found, never, silent := fleet.SilentConcerns(assets, out.AsOf, silentNamed)
	for _, c := range found {
		if c.Kind == fleet.ConcernNeverHeard {
			add(c, true, never...)
		} else {
			add(c, true, silent...)
		}
	}
	return out, nil
}

func concernWire(c fleet.Concern, assets []fleet.Heard) wire.Concern {
	out := wire.Concern{Kind: c.Kind, ID: c.ID, Name: c.Name, Count: c.Count, At: c.At, Reason: c.Reason, Assets: []wire.Heard{}}
	for _, x := range assets {
		out.Assets = append(out.Assets, wire.Heard{ID: x.ID, Name: x.Name, At: x.At})
	}
	return out
}

// ServerStatus tells what of the whole installation needs an administrator. Requires MANAGE_PLATFORM.
func (a *App) ServerStatus(ctx context.Context, actor *access.Actor) (out wire.ServerStatus, err error) {
	if err := actor.Must("MANAGE_PLATFORM"); err != nil {
		return out, err
	}
	now := a.now()
	storage, err := StorageOf(ctx, a.Store, a.ExportFolder, now)
	if err != nil {
		return out, err
	}
	mails, err := a.MailStats(ctx)
	if err != nil {
		return out, err
	}
	f := fleet.ServerFacts{MailWaits: mails.Waiting, MailOldest: mails.Oldest, DiskBytes: storage.DiskBytes, DiskFree: storage.DiskFree,
		DaysUntilFull: storage.DaysUntilFull, BackupAt: newestBackup(a.Around.BackupFolder), MailServer: a.HasMailServer()}
	if f.MailEnded, err = store.CountMailGivenUp(ctx, a.Store.Reader(), fleet.MailGivenUpSince(now)); err != nil {
		return out, err
	}
	if a.Around.CertificateEnds != nil {
		f.CertificateEnds = a.Around.CertificateEnds()
	}
	out = wire.ServerStatus{AsOf: now, Concerns: []wire.Concern{}, CertificateEndsAt: f.CertificateEnds, MailServer: f.MailServer,
		MailsWaiting: f.MailWaits, BackupAt: f.BackupAt, DiskBytes: f.DiskBytes, DiskFreeBytes: f.DiskFree, DaysUntilFull: f.DaysUntilFull}
	for _, c := range fleet.ServerConcerns(f, now) {
		out.Concerns = append(out.Concerns, concernWire(c, nil))
	}
	return out, nil
}

// newestBackup is when the newest whole backup of a folder was made, by its name; 0 = there is none, or it can't be read.
func newestBackup(folder string) (newest fleet.Instant) {
	if folder == "" {
		return 0
	}
	entries, _ := os.ReadDir(folder) // one that is not there has no backup
	for _, e := range entries {
		name, isBackup := strings.CutPrefix(e.Name(), "lightbar-")
		if at, err := time.Parse("20060102T150405Z", name); isBackup && err == nil && e.IsDir() {
			newest = max(newest, fleet.InstantOf(at))
		}
	}
	return newest
}
