package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/file"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

var (
	exportsWaiting = int(catalog.LimitInt("export", "waiting"))
	exportsKept    = catalog.Setting("export", "keptMs")
)

// exports are files of what happened. Everyone who may read exports of an organization and reaches it in full sees them.
var exports = record.NewResource(resource[fleet.Export, wire.Export, wire.ExportWrite]{
	Name: "export", Missing: "Export not found", Views: "VIEW_EXPORTS", Adds: "CREATE_EXPORT", Edits: "CREATE_EXPORT",
	Deletes: "DELETE_EXPORT",
	Make:    applyExport, Message: fleet.MessageExport, Rows: store.Exports,
	CheckEmpty: func(wrong map[string]string) { (&fleet.Export{Formats: usualFormats}).Check(wrong, 0) },
	Row:        func(_ *App, x *fleet.Export) wire.Export { return wire.ExportOf(x) },
	Of: func(x *fleet.Export) record.Fields {
		return record.Fields{ID: &x.ID, Owner: &x.OrganizationID, Version: &x.Version, UpdatedAt: &x.UpdatedAt, DeletedAt: &x.DeletedAt}
	},
	Alike: func(old, again *fleet.Export) bool {
		return old.Kind == again.Kind && old.Title == again.Title && old.StartAt == again.StartAt && old.EndAt == again.EndAt &&
			old.UseUTC == again.UseUTC && old.WithoutThings == again.WithoutThings && slices.Equal(old.ThingIDs, again.ThingIDs) &&
			slices.Equal(old.ClosureTypes, again.ClosureTypes) && slices.Equal(old.Formats, again.Formats) && old.Mails == again.Mails
	},
	May:       func(actor *access.Actor, x *fleet.Export) error { return mayExport(actor, x.Kind) },
	MayRemove: isCreator, Unshared: true,
	AfterCommit: func(_ context.Context, a *App, x *fleet.Export) error {
		if x.DeletedAt != 0 {
			a.removeExportFiles(x)
		}
		return nil
	},
	Clash: func(ctx context.Context, tx *store.Tx, x *fleet.Export) error {
		waiting, err := store.WaitingExports(ctx, tx)
		if err != nil {
			return err
		}
		n := 0
		for _, w := range waiting {
			if w.OrganizationID == x.OrganizationID && w.ID != x.ID {
				n++
			}
		}
		if n >= exportsWaiting {
			return &fleet.Refusal{Code: "rate_limited", RetryAfterS: 60,
				Message: fmt.Sprintf("%d exports of this organization are in progress. Please wait until one is done.", n)}
		}
		return nil
	},
})

// usualFormats are the formats of an export that names none.
var usualFormats = []string{"csv"}

// exportNeeds is the permission that an export's rows need elsewhere in the product: without it nobody gets a file of them either.
var exportNeeds = map[string]string{fleet.ExportPoints: "VIEW_TRIPS", fleet.ExportIncidents: "VIEW_EVENTS",
	fleet.ExportAssets: "VIEW_THINGS", fleet.ExportClosures: "VIEW_CLOSURES"}

func mayExport(actor *access.Actor, kind string) error {
	if need := exportNeeds[kind]; need != "" {
		return actor.Must(need)
	}
	return nil
}

// applyExport is the law of a new export.
func applyExport(e *record.Editing[*App, fleet.Export], in wire.ExportWrite) error {
	wrong, x, actor := map[string]string{}, &e.Next, e.Actor
	wire.Texts(wrong, x, &in)
	x.OrganizationID, x.RequestedBy, x.RequestedAt, x.Status = actor.OrganizationID, actor.UserID, e.At, fleet.ExportRequested
	in.OrganizationID.ApplyTo(&x.OrganizationID)
	x.Kind, x.UseUTC, x.WithoutThings, x.ClosureTypes, x.Mails = in.Kind, in.UseUTC, in.WithoutThings, in.ClosureTypes, in.Mails
	if x.Formats = in.Formats; len(x.Formats) == 0 {
		x.Formats = slices.Clone(usualFormats)
	}
	if in.StartAt != nil {
		x.StartAt = *in.StartAt
	}
	if in.EndAt != nil {
		x.EndAt = *in.EndAt
	}
	for _, id := range in.ThingIDs {
		if !slices.Contains(x.ThingIDs, id.String()) {
			x.ThingIDs = append(x.ThingIDs, id.String())
		}
	}
	// The name of a person of another organization is for that organization to reveal.
	if of, _ := e.By.Live.Organization(actor.OrganizationID); actor.OrganizationID != x.OrganizationID {
		x.RequestedByName = of.Name
	} else if actor.UserID != "" {
		user, err := store.UserByID(e, e.Reader(), actor.UserID)
		if err != nil {
			return err
		}
		x.RequestedByName = strings.TrimSpace(user.FirstName + " " + user.LastName)
	}
	organization, err := store.OrganizationByID(e, e.Reader(), x.OrganizationID)
	if err != nil && !errors.Is(err, store.ErrNotFound) { // one that does not exist is refused like one out of reach
		return err
	}
	if x.TimeZone = organization.Timezone; x.UseUTC || x.TimeZone == "" {
		x.TimeZone = "UTC"
	}
	x.Check(wrong, e.At)
	if x.Mails && actor.UserID == "" {
		wrong["mail_when_done"] = "Only users get mails"
	}
	if err := checkExported(e, wrong); err != nil {
		return err
	}
	if len(wrong) > 0 {
		return fleet.RefuseFields(wrong)
	}
	return nil
}

// EstimateExport returns how large an export would be, before it is requested. Requires and refuses as a new export.
func (a *App) EstimateExport(ctx context.Context, actor *access.Actor, in wire.ExportWrite) (out wire.ExportEstimate, err error) {
	if err := actor.Must("CREATE_EXPORT"); err != nil {
		return out, err
	}
	e := record.Trial[*App, fleet.Export](ctx, a, actor)
	if err := exports.Lawful(e, func(e *record.Editing[*App, fleet.Export]) error { return applyExport(e, in) }); err != nil {
		return out, err
	}
	x := e.Next
	if x.Kind != fleet.ExportPoints {
		return out, nil
	}
	rows := int64(0)
	err = a.looking.alone(ctx, actor.OrganizationID, func() error {
		m := &exportMaker{App: a, x: x}
		assets, err := m.owned(ctx)
		if err != nil {
			return err
		}
		for _, asset := range assets {
			for _, part := range asset.Owned {
				if err := m.countOf(ctx, asset, part); err != nil {
					return err
				}
			}
			rows += asset.PointCount
		}
		return nil
	})
	if err != nil {
		return out, err
	}
	bytes := int64(0)
	for _, format := range x.Formats {
		bytes += rows * file.ExportFormats[format].PointBytes
	}
	return wire.ExportEstimate{Rows: &rows, Bytes: &bytes}, nil
}

// checkExported refuses assets that were not the organization's in the requested period.
func checkExported(e *record.Editing[*App, fleet.Export], wrong map[string]string) error {
	x := &e.Next
	if len(x.ThingIDs) == 0 || len(wrong) > 0 {
		return nil
	}
	owned, err := store.OwnedBetween(e, e.Reader(), x.OrganizationID, x.StartAt, x.EndAt)
	if err != nil {
		return err
	}
	for _, id := range x.ThingIDs {
		if !slices.ContainsFunc(owned, func(o fleet.Ownership) bool { return o.ThingID == id }) {
			wrong["thing_uuids"] = "Asset not found"
		}
	}
	return nil
}

// isCreator refuses (not_creator) everyone but the person who requested the export.
func isCreator(actor *access.Actor, x *fleet.Export) error {
	if x.RequestedBy != actor.UserID {
		return fleet.Refuse("not_creator", "", "Only the export creator can delete")
	}
	return nil
}

// CancelExport ends an export that is not finished. Requires CREATE_EXPORT and full reach. Refusals: not_found, conflict.
func (a *App) CancelExport(ctx context.Context, actor *access.Actor, id string) (wire.Export, error) {
	if err := actor.Must("CREATE_EXPORT"); err != nil {
		return wire.Export{}, err
	}
	var out wire.Export
	err := a.Change(ctx, func(c *live.Change, tx *store.Tx) error {
		x, err := exports.Load(ctx, tx, actor, id)
		if err != nil {
			return err
		}
		if x.HasEnded() {
			refusal := fleet.Refuse("conflict", "", "This export has already ended.")
			refusal.Current = wire.ExportOf(&x)
			return refusal
		}
		x.Status, x.Error, x.CompletedAt = fleet.ExportErrored, "It was canceled.", a.now()
		if err := a.saveExport(ctx, c, tx, &x); err != nil {
			return err
		}
		out = wire.ExportOf(&x)
		return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "cancel", Noun: "export", NounID: id, OrganizationID: x.OrganizationID})
	})
	return out, err
}

// saveExport writes an export's progress and publishes it. The row is as it was read in the same transaction.
func (a *App) saveExport(ctx context.Context, c *live.Change, tx *store.Tx, x *fleet.Export) error {
	seen := x.Version
	x.Version, x.UpdatedAt = seen+1, a.StampOf(c)
	if _, err := store.Exports.Update(ctx, tx, x, seen); err != nil {
		return err
	}
	exports.Publish(a, c, x)
	return nil
}

// exportFile is the path of a file of an export.
func (a *App) exportFile(fileID string) string { return filepath.Join(a.ExportFolder, fileID) }

func (a *App) removeExportFiles(x *fleet.Export) {
	for _, f := range x.Files {
		if err := os.Remove(a.exportFile(f.FileID)); err != nil && !errors.Is(err, os.ErrNotExist) {
			a.Log.Warn("an export's file stays", "file", f.FileID, "error", err) // the next purge tries again
		}
	}
}

// PurgeExports deletes exports past their retention that no legal hold keeps, and files that belong to no export.
func (a *App) PurgeExports(ctx context.Context) error {
	if a.ExportFolder == "" {
		return nil
	}
	for some := true; some; {
		err := a.Change(ctx, func(c *live.Change, tx *store.Tx) error {
			old, err := store.ExportsEndedBefore(ctx, tx, c.Now().Add(-exportsKept.Duration()), c.Now(), 100)
			some = len(old) > 0
			for i := 0; i < len(old) && err == nil; i++ {
				err = a.forgetExport(ctx, c, tx, &old[i])
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return a.purgeExportFiles(ctx)
}

func (a *App) forgetExport(ctx context.Context, c *live.Change, tx *store.Tx, x *fleet.Export) error {
	seen := x.Version
	x.DeletedAt = a.StampOf(c)
	x.Version, x.UpdatedAt = seen+1, x.DeletedAt
	stored, err := store.Exports.Update(ctx, tx, x, seen)
	if stored {
		exports.PublishGone(c, x)
	}
	return err
}

// purgeExportFiles removes files of deleted exports, and partial files of exports that are not being made.
func (a *App) purgeExportFiles(ctx context.Context) error {
	entries, err := os.ReadDir(a.ExportFolder)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		id, _, _ := strings.Cut(e.Name(), ".")
		if part, is := strings.CutPrefix(e.Name(), exportPart); is {
			id = part[:min(len(part), uuidLength)]
		}
		x, err := store.Exports.ByID(ctx, a.Store.Reader(), id)
		if errors.Is(err, store.ErrUnreadable) {
			continue // whose file it is will be known when the row is repaired
		}
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		isWhole := x.Status == fleet.ExportCompleted && !strings.HasPrefix(e.Name(), exportPart)
		isNeeded := err == nil && x.DeletedAt == 0 && (!x.HasEnded() || isWhole)
		if isNeeded {
			continue
		}
		if err := os.Remove(a.exportFile(e.Name())); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// uuidLength is the length of the ids with which file names begin.
const uuidLength = 36
