package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/file"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// OpenedFile is a file that a link opens.
type OpenedFile struct {
	io.ReadSeekCloser
	Name   string // as it is saved
	MadeAt time.Time
}

// FileLink returns the address from which a file can be downloaded for five minutes: a file of an export, or the PDF of a monthly
// report. The download is audited. Requires what the file needs, and full reach. Refusals: not_found.
func (a *App) FileLink(ctx context.Context, actor *access.Actor, fileID string) (wire.FileLink, error) {
	m, err := store.MonthlyReportByID(ctx, a.Store.Reader(), fileID)
	if errors.Is(err, store.ErrNotFound) {
		return a.ExportFileLink(ctx, actor, fileID)
	}
	if err != nil {
		return wire.FileLink{}, err
	}
	if err := actor.Must("VIEW_REPORTS"); err != nil {
		return wire.FileLink{}, err
	}
	if actor.Reach(m.OrganizationID) != access.Full {
		return wire.FileLink{}, refuseFile()
	}
	link, err := a.sealLink(fileID)
	if err == nil {
		a.NoteRead(ctx, actor, "monthly_report", m.ID, m.OrganizationID, m.Version)
	}
	return link, err
}

// sealLink makes the address of a file that is valid for the next minutes.
func (a *App) sealLink(fileID string) (wire.FileLink, error) {
	text, err := json.Marshal(fileTicket{fileID, a.now().Add(fileLink)})
	if err != nil {
		return wire.FileLink{}, err
	}
	sealed, err := a.ServerKey.Seal(fileLinkPurpose, "", text)
	return wire.FileLink{FileURL: "/files/" + toAddress.Replace(sealed)}, err
}

// OpenFile opens the file of a link. Refusals: not_found.
func (a *App) OpenFile(ctx context.Context, link string) (*OpenedFile, error) {
	var ticket fileTicket
	text, err := a.ServerKey.Open(fileLinkPurpose, "", fromAddress.Replace(link))
	if err != nil || json.Unmarshal(text, &ticket) != nil || ticket.Until < a.now() {
		return nil, fleet.Refuse("not_found", "", "This link is too old. Download the file again.")
	}
	m, err := store.MonthlyReportByID(ctx, a.Store.Reader(), ticket.FileID)
	if errors.Is(err, store.ErrNotFound) {
		return a.openExportFile(ctx, ticket.FileID)
	}
	if err != nil {
		return nil, err
	}
	return a.monthlyPDF(ctx, &m.MonthlyReport)
}

// inMemory is a file that was made for one reader.
type inMemory struct{ *bytes.Reader }

func (inMemory) Close() error { return nil }

// pdfRows is how many rows of a kind a PDF lists at most: the API returns all of them.
var pdfRows = int(catalog.LimitInt("monthly", "pdfRows"))

// monthlyPDF makes the PDF of a report: one at a time, and organizations take turns. The same report gives the same bytes.
func (a *App) monthlyPDF(ctx context.Context, m *fleet.MonthlyReport) (*OpenedFile, error) {
	var doc file.MonthlyDocument
	var out bytes.Buffer
	err := a.looking.alone(ctx, m.OrganizationID, func() error {
		err := a.Store.Read(ctx, func(r store.Reader) (err error) {
			if doc.Report, err = a.wholeMonthly(ctx, r, m); err != nil {
				return err
			}
			var failed [3]error
			doc.Assets, _, failed[0] = store.MonthlyRows[fleet.MonthlyAssetRow](ctx, r, m.ID, fleet.MonthlyRowsAssets, 0, pdfRows)
			doc.Incidents, _, failed[1] = store.MonthlyRows[fleet.MonthlyIncidentRow](ctx, r, m.ID, fleet.MonthlyRowsIncidents, 0, pdfRows)
			doc.Closures, _, failed[2] = store.MonthlyRows[fleet.MonthlyClosureRow](ctx, r, m.ID, fleet.MonthlyRowsClosures, 0, pdfRows)
			if err := errors.Join(failed[:]...); err != nil {
				return err
			}
			of, err := store.OrganizationByID(ctx, r, m.OrganizationID)
			doc.Miles = inMiles(&of)
			return err
		})
		if err != nil {
			return err
		}
		doc.Brand = a.BrandName(ctx)
		return file.WriteMonthlyPDF(&out, doc)
	})
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("monthly-report_%d-%02d_%s.pdf", m.Year, m.Month, inName(doc.Report.OrganizationName))
	return &OpenedFile{inMemory{bytes.NewReader(out.Bytes())}, name, doc.Report.MadeAt.Time()}, nil
}

// openExportFile opens a file of an export.
func (a *App) openExportFile(ctx context.Context, fileID string) (*OpenedFile, error) {
	x, err := a.exportOfFile(ctx, fileID)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(a.exportFile(fileID))
	if err != nil {
		return nil, refuseFile()
	}
	info, err := f.Stat()
	for _, file := range x.Files {
		if file.FileID == fileID && err == nil {
			return &OpenedFile{f, file.Name, info.ModTime()}, nil
		}
	}
	_ = f.Close()
	return nil, refuseFile()
}
