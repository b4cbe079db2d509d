package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/engine"
	"lightbar/internal/wire"
)

// Retention returns when which data of an organization is deleted. Requires VIEW_RETENTION and full reach. Refusals: not_found.
func (a *App) Retention(ctx context.Context, actor *access.Actor, organizationID string) (out wire.Retention, err error) {
	if err := actor.Must("VIEW_RETENTION"); err != nil {
		return out, err
	}
	if actor.Reach(organizationID) != access.Full {
		return out, fleet.Refuse("not_found", "", "Organization not found")
	}
	now := a.now()
	out.NextTurn, _ = a.purged.last(now)
	out.HoldsMost, out.Kinds = int(holdsMost), []wire.KeptData{}
	var oldest map[string]fleet.Instant
	var rows []store.LegalHoldRow
	if err := a.Store.Read(ctx, func(r store.Reader) (err error) {
		if oldest, err = store.OldestOfOrganization(ctx, r, organizationID); err != nil {
			return err
		}
		rows, err = store.LegalHoldsOf(ctx, r, organizationID)
		return err
	}); err != nil {
		return out, err
	}
	holds := make([]fleet.LegalHold, len(rows))
	for i := range rows {
		holds[i] = rows[i].LegalHold
	}
	for _, k := range fleet.DataKinds() {
		if k.IsOfOrganization {
			out.Kinds = append(out.Kinds, keptData(&k, oldest[k.Name], out.NextTurn, now, holds))
		}
	}
	return out, nil
}

func keptData(k *fleet.DataKind, oldest, nextTurn, now fleet.Instant, holds []fleet.LegalHold) wire.KeptData {
	row := wire.KeptData{Kind: k.Name, KeptDays: k.RetentionDays(), OldestAt: oldest, NextPurge: k.NextPurge(oldest, nextTurn)}
	for i := range holds {
		if holds[i].Concerns(k, now) {
			row.Holds++
		}
		if oldest != 0 && holds[i].Covers(k, holds[i].OrganizationID, "", oldest, oldest, now) {
			row.IsHeld = true
		}
	}
	return row
}

// Storage returns how much of the disk all data takes, how fast it grows and when the disk will be full. Requires MANAGE_PLATFORM:
// the figures cover all organizations together.
func (a *App) Storage(ctx context.Context, actor *access.Actor) (wire.Storage, error) {
	if err := actor.Must("MANAGE_PLATFORM"); err != nil {
		return wire.Storage{}, err
	}
	out, err := StorageOf(ctx, a.Store, a.ExportFolder, a.now())
	if err != nil {
		return out, err
	}
	var did map[string]engine.Swept
	out.NextTurn, did = a.purged.last(a.now())
	for i := range out.Kinds {
		k := &out.Kinds[i]
		k.Purged, k.Held = did[k.Kind].Gone, did[k.Kind].Held
		k.NextPurge = fleet.KindOfData(k.Kind).NextPurge(k.OldestAt, out.NextTurn)
	}
	return out, nil
}

// StorageOf estimates how much all data takes; the doctor command uses it, too.
func StorageOf(ctx context.Context, s *store.Store, exportFolder string, now fleet.Instant) (out wire.Storage, err error) {
	facts, err := s.Facts(ctx)
	if err != nil {
		return out, err
	}
	out.Bytes, out.JournalBytes, out.ExportBytes = facts.Bytes, facts.WALBytes, bytesIn(exportFolder)
	r := s.Reader()
	sizes, err := s.Sizes(ctx, r, now)
	if err != nil {
		return out, err
	}
	holds, err := store.HoldsInForce(ctx, r, now)
	if err != nil {
		return out, err
	}
	var grow []fleet.Growth
	for _, k := range fleet.DataKinds() {
		size := sizes[k.Name]
		grow = append(grow, k.GrowthOf(size.PerDay, size.Oldest, now))
		out.PerDay += size.PerDay
		out.Kinds = append(out.Kinds, wire.StoredKind{KeptData: keptData(&k, size.Oldest, now, now, holds), Rows: size.Rows, Bytes: size.Bytes,
			PerDay: size.PerDay})
	}
	if s.Engine() == engine.SQLite {
		disk, err := engine.DiskOf(filepath.Dir(s.Path()))
		if err != nil {
			return out, err
		}
		out.DiskBytes, out.DiskFree = disk.Total, disk.Free
		if days := fleet.DaysUntilFull(disk.Free, grow); days >= 0 {
			out.DaysUntilFull = &days
		}
	}
	return out, nil
}

// bytesIn is the size of the files in a folder; unreadable files do not count.
func bytesIn(folder string) (sum int64) {
	if folder == "" {
		return 0
	}
	_ = filepath.WalkDir(folder, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if errors.Is(err, os.ErrNotExist) {
				return nil
			}
			return err
		}
		if info, err := d.Info(); err == nil {
			sum += info.Size()
		}
		return nil
	})
	return sum
}
