package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"lightbar/catalog"
	"lightbar/internal/durable"
	"lightbar/internal/file"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/people"
	"lightbar/internal/store"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/points"
)

// exporting remembers whose turn it is: the organization that has waited longest for one of its exports.
type exporting struct {
	last map[string]int

	// Of tests: how often marks are made, and who is told of each.
	every  time.Duration
	marked func(next int)
}

// next is the export to make: the oldest one of the organization that has waited longest.
func (e *exporting) next(waiting []fleet.Export) *fleet.Export {
	if len(waiting) == 0 {
		return nil
	}
	next := &waiting[0]
	for i := range waiting {
		if e.last[waiting[i].OrganizationID] < e.last[next.OrganizationID] {
			next = &waiting[i]
		}
	}
	turn := 0
	for _, n := range e.last {
		turn = max(turn, n)
	}
	if e.last == nil {
		e.last = map[string]int{}
	}
	e.last[next.OrganizationID] = turn + 1
	return next
}

// MakeExports makes the exports that wait, one at a time; organizations take turns. One that a stopped server had begun continues
// from its mark (export_resume.go).
func (a *App) MakeExports(ctx context.Context) error {
	for a.ExportFolder != "" && ctx.Err() == nil {
		waiting, err := store.WaitingExports(ctx, a.Store.Reader())
		x := a.exporting.next(waiting)
		if err != nil || x == nil {
			return err
		}
		if err := a.makeExport(ctx, *x); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// exportFree is how much of its disk an export leaves free: reports are stored there, too.
var exportFree = catalog.Setting("export", "freeBytes")

// errExportRoom means that an export would have filled the disk.
var errExportRoom = errors.New("app: no room for the export")

// errExportStopped means that an export was canceled or deleted while it was being made.
var errExportStopped = errors.New("app: the export was stopped")

// makeExport makes one export. It returns only errors of writing its row; a problem with its files is stored in the row.
func (a *App) makeExport(ctx context.Context, x fleet.Export) error {
	err := a.changeExport(ctx, x.ID, func(x *fleet.Export) {
		x.Status, x.Attempts = fleet.ExportInProgress, x.Attempts+1
		if x.Attempts > mostAttempts {
			x.Status, x.Error, x.CompletedAt = fleet.ExportErrored, "The server stopped each time it made this file.", a.now()
		}
	})
	if err != nil || x.Attempts >= mostAttempts {
		return withoutStop(err)
	}
	m := &exportMaker{App: a, x: x, zone: x.Zone()}
	files, err := m.files(ctx)
	switch {
	case errors.Is(err, errExportStopped):
		return nil
	case ctx.Err() != nil:
		a.putBack(x.ID)
		return ctx.Err()
	case err != nil:
		a.Log.Error("an export failed", "export", x.ID, "error", err)
		return withoutStop(a.changeExport(ctx, x.ID, func(x *fleet.Export) {
			x.Status, x.Error, x.CompletedAt = fleet.ExportErrored, sentenceOfExport(err), a.now()
		}))
	}
	err = a.changeExport(ctx, x.ID, func(x *fleet.Export) {
		x.Status, x.Progress, x.RowCount, x.Files, x.CompletedAt = fleet.ExportCompleted, 1, m.rows, files, a.now()
	})
	if err != nil {
		x.Files = files
		a.removeExportFiles(&x)
	}
	return withoutStop(err)
}

// mostAttempts is how often an export is started without progress: an export that crashes its server must not crash every later
// one.
const mostAttempts = 3

// putBack lets an export wait again: the server stops normally, and that is no fault of the export. If the row cannot be written,
// the next server finds the export in progress and continues it.
func (a *App) putBack(id string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	err := a.changeExport(ctx, id, func(x *fleet.Export) { x.Status, x.Attempts = fleet.ExportRequested, x.Attempts-1 })
	if withoutStop(err) != nil {
		a.Log.Warn("an export that waits again was not put back", "export", id, "error", err)
	}
}

func withoutStop(err error) error {
	if errors.Is(err, errExportStopped) {
		return nil
	}
	return err
}

// sentenceOfExport is the message that people see about an export that failed.
func sentenceOfExport(err error) string {
	switch {
	case errors.Is(err, errExportRoom), errors.Is(err, syscall.ENOSPC), errors.Is(err, engine.ErrFull):
		return "The server's disk is full. Ask your administrator to make room, then export again."
	default:
		return "The server could not make the file. Please export again."
	}
}

// changeExport changes the row of an export that is being made and publishes it. The error is errExportStopped when it has ended in
// the meantime.
func (a *App) changeExport(ctx context.Context, id string, change func(*fleet.Export)) error {
	return a.Change(ctx, func(c *live.Change, tx *store.Tx) error {
		x, err := store.Exports.ByID(ctx, tx, id)
		if errors.Is(err, store.ErrNotFound) || err == nil && (x.DeletedAt != 0 || x.HasEnded()) {
			return errExportStopped
		}
		if err != nil {
			return err
		}
		change(&x)
		if x.Mails && x.HasEnded() {
			if err := a.mailExport(ctx, tx, &x); err != nil {
				return err
			}
		}
		return a.saveExport(ctx, c, tx, &x)
	})
}

// mailExport notifies the person who requested an export that it is done. The mail has no link to a file: its reader must still
// have permission later.
func (a *App) mailExport(ctx context.Context, tx *store.Tx, x *fleet.Export) error {
	u, err := store.UserByID(ctx, tx, x.RequestedBy)
	if errors.Is(err, store.ErrNotFound) || err == nil && (u.Suspended || u.DeletedAt != 0) {
		return nil
	}
	if err != nil {
		return err
	}
	return a.QueueMail(ctx, tx, people.Mail{Kind: "export_done", UserID: u.ID, To: u.Email, Link: a.PublicURL + "/dashboard/data/exports",
		Data: map[string]string{"what": x.Title, "error": x.Error}})
}

// exportMaker makes the files of one export: one table at a time, each row for all of them.
type exportMaker struct {
	*App
	x        fleet.Export
	zone     *time.Location
	exported []*file.ExportAsset // whose rows are exported; none for closures
	open     []*os.File
	writers  []file.ExportWriter
	reading  points.Reading
	rows     int64
	lacks    []string // sentences about what could not be read
	told     time.Time
	begin    int        // this many days of assets are done
	mark     exportMark // the newest one
	kept     time.Time  // when it was made
	rested   time.Time
}

// files makes all files, or none. What a stopping server has made is left for the next one, if it can continue with it.
func (m *exportMaker) files(ctx context.Context) (made []fleet.ExportFile, err error) {
	if err := durable.MakeFolder(m.ExportFolder); err != nil {
		return nil, err
	}
	if m.x.Kind != fleet.ExportClosures {
		if m.exported, err = m.owned(ctx); err != nil {
			return nil, err
		}
	}
	defer func() {
		if err == nil || ctx.Err() == nil || m.mark.Next == 0 {
			m.dropParts()
		}
	}()
	if err := m.openParts(); err != nil {
		return nil, err
	}
	m.kept = m.Now()
	if err := m.content(ctx); err != nil {
		return nil, err
	}
	for i, format := range m.x.Formats {
		if err := m.writers[i].Close(m.about()); err != nil {
			return nil, err
		}
		if err := errors.Join(m.open[i].Sync(), m.open[i].Close()); err != nil {
			return nil, err
		}
		info, err := os.Stat(m.open[i].Name())
		if err != nil {
			return nil, err
		}
		made = append(made, fleet.ExportFile{Format: format, FileID: m.x.ID + "." + format, Bytes: info.Size(),
			Name: m.name() + "." + file.ExportFormats[format].Ending})
	}
	for i, f := range made {
		if err := durable.Rename(m.open[i].Name(), m.exportFile(f.FileID)); err != nil {
			m.removeExportFiles(&fleet.Export{Files: made[:i]})
			return nil, err
		}
	}
	return made, nil
}

// exportPart begins the names of incomplete files.
const exportPart = ".part-"

func (m *exportMaker) content(ctx context.Context) error {
	switch m.x.Kind {
	case fleet.ExportPoints:
		return m.points(ctx)
	case fleet.ExportIncidents:
		return m.incidents(ctx)
	case fleet.ExportClosures:
		return m.closures(ctx)
	default:
		return m.assets(ctx)
	}
}

// name is the name of the files: content, period, and time zone.
func (m *exportMaker) name() string {
	day := func(at fleet.Instant) string { return at.Time().In(m.zone).Format("2006-01-02") }
	return strings.Join([]string{m.x.Kind + "s", day(m.x.StartAt), day(m.x.EndAt - 1), inName(m.x.TimeZone)}, "_")
}

// inName reduces a text to what all file systems and archives accept.
func inName(text string) string {
	return strings.Trim(strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '-' || c == '+' {
			return c
		}
		return '-'
	}, text), "-")
}

// about is the description that is written into the file.
func (m *exportMaker) about() []string {
	at := func(i fleet.Instant) string { return i.Time().In(m.zone).Format("2006-01-02T15:04:05Z07:00") }
	of, _ := m.Live.Organization(m.x.OrganizationID)
	return append([]string{m.x.Title, "Organization: " + of.Name, "From " + at(m.x.StartAt) + " to " + at(m.x.EndAt) + " (excluded)",
		"Time zone: " + m.x.TimeZone, "Made: " + at(m.now()), fmt.Sprintf("Rows: %d", m.rows),
		"Speeds are in meters per second, distances in meters, durations in seconds, positions in degrees (WGS 84). Empty: not known."},
		m.lacks...)
}

func (m *exportMaker) table(name string, columns []string) error {
	for _, w := range m.writers {
		if err := w.Table(file.ExportTable{Name: name, Columns: columns}); err != nil {
			return err
		}
	}
	return nil
}

func (m *exportMaker) row(cells []any, geometry any) error {
	m.count()
	for _, w := range m.writers {
		if err := w.Row(cells, geometry); err != nil {
			return err
		}
	}
	return nil
}

// count counts a row that will be written next.
func (m *exportMaker) count() {
	if m.rows++; m.rows%64 == 0 {
		m.pace()
	}
}

// lacking notes what the export lacks. A thousand sentences say enough.
func (m *exportMaker) lacking(sentence string) {
	switch n := len(m.lacks); {
	case n < mostLacks:
		m.lacks = append(m.lacks, sentence)
	case n == mostLacks:
		m.lacks = append(m.lacks, "More is missing.")
	}
}

const mostLacks = 1000

// tell publishes the export's progress, once a second, and stops the export when nobody wants it anymore, or before it fills the
// disk. It is called between tables, so that a mark can be made.
func (m *exportMaker) tell(ctx context.Context, done, of int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	now := m.Now()
	marks := m.resumes() && done > m.mark.Next && now.Sub(m.kept) >= cmp.Or(m.exporting.every, exportMarkEvery)
	if marks {
		if err := m.keep(done); err != nil {
			return err
		}
		m.kept = now
	}
	if marks || m.told.IsZero() || now.Sub(m.told) >= time.Second {
		m.told = now
		if disk, err := engine.DiskOf(m.ExportFolder); err == nil && disk.Free < int64(exportFree.Int()) {
			return errExportRoom
		}
		return m.changeExport(ctx, m.x.ID, func(x *fleet.Export) {
			if x.Progress, x.RowCount = float64(done)/float64(max(of, 1)), m.rows; marks {
				x.Attempts = 1 // attempts that others interrupted before this mark do not count
			}
		})
	}
	return nil
}

// owned are the assets of an export, by name, that were the organization's for some of its period.
func (m *exportMaker) owned(ctx context.Context) ([]*file.ExportAsset, error) {
	stretches, err := store.OwnedBetween(ctx, m.Store.Reader(), m.x.OrganizationID, m.x.StartAt, m.x.EndAt)
	if err != nil {
		return nil, err
	}
	byID := map[string]*file.ExportAsset{}
	var out []*file.ExportAsset
	for _, o := range stretches {
		if len(m.x.ThingIDs) > 0 && !slices.Contains(m.x.ThingIDs, o.ThingID) {
			continue
		}
		x := byID[o.ThingID]
		if x == nil {
			x = &file.ExportAsset{}
			byID[o.ThingID], out = x, append(out, x)
		}
		if o.Doc != nil {
			x.Thing = *o.Doc
		}
		if t, _, _, there := m.Live.Thing(o.ThingID); there && o.Until == 0 {
			x.Thing = t
		}
		owned := fleet.Stretch{Start: max(o.From, m.x.StartAt), End: m.x.EndAt}
		if o.Until != 0 {
			owned.End = min(o.Until, m.x.EndAt)
		}
		x.Owned = append(x.Owned, owned)
	}
	out = slices.DeleteFunc(out, func(x *file.ExportAsset) bool { return x.ID == "" }) // removed at this moment
	slices.SortStableFunc(out, func(x, y *file.ExportAsset) int {
		return strings.Compare(strings.ToLower(x.Name()), strings.ToLower(y.Name()))
	})
	return out, nil
}
