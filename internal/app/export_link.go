package app

import (
	"context"
	"errors"
	"os"
	"strings"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

var fileLink = catalog.LimitMs("export", "linkMs")

const fileLinkPurpose = "lightbar export link 1"

// fileTicket is the sealed content of a link to a file: anyone who has the link can get the file, for a few minutes.
type fileTicket struct {
	FileID string        `json:"f"`
	Until  fleet.Instant `json:"u"`
}

// The alphabet of sealed texts in addresses.
var (
	toAddress   = strings.NewReplacer("+", "-", "/", "_")
	fromAddress = strings.NewReplacer("-", "+", "_", "/")
)

func refuseFile() error { return fleet.Refuse("not_found", "filename", "File not found") }

// ExportFileLink returns the address from which a file of an export can be downloaded for five minutes. The download is audited.
// Requires VIEW_EXPORTS, what the rows need elsewhere, and full reach. Refusals: not_found.
func (a *App) ExportFileLink(ctx context.Context, actor *access.Actor, fileID string) (wire.FileLink, error) {
	if err := actor.Must("VIEW_EXPORTS"); err != nil {
		return wire.FileLink{}, err
	}
	x, err := a.exportOfFile(ctx, fileID)
	if err != nil {
		return wire.FileLink{}, err
	}
	if actor.Reach(x.OrganizationID) != access.Full {
		return wire.FileLink{}, refuseFile()
	}
	if err := mayExport(actor, x.Kind); err != nil {
		return wire.FileLink{}, err
	}
	link, err := a.sealLink(fileID)
	if err != nil {
		return wire.FileLink{}, err
	}
	a.NoteRead(ctx, actor, "export", x.ID, x.OrganizationID, fileID)
	return link, nil
}

// exportOfFile finds the export with a file that still exists.
func (a *App) exportOfFile(ctx context.Context, fileID string) (fleet.Export, error) {
	id, _, _ := strings.Cut(fileID, ".")
	x, err := store.Exports.ByID(ctx, a.Store.Reader(), id)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return x, err
	}
	if err == nil && x.DeletedAt == 0 {
		for _, f := range x.Files {
			if f.FileID != fileID {
				continue
			}
			if _, err := os.Stat(a.exportFile(fileID)); err == nil {
				return x, nil
			}
		}
	}
	return fleet.Export{}, refuseFile()
}
