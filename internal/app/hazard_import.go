package app

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/file"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

const (
	importRowsShown     = 20
	importProblemsShown = 100
)

// importedBy precedes the name of the file that last reported a hazard.
const importedBy = "import: "

var hazardFileName = int(catalog.LimitInt("text", "name"))

// ImportHazards imports the hazards of a file, or with Preview shows what would be imported. Rows are judged one by one; kept and
// refused are all rows. The work is done in pieces: an import that fails halfway has done the pieces before, and sending it again
// does the rest. The same file again changes nothing, whatever happened to its hazards since. Requires EDIT_ORGANIZATION and full
// reach of the organization. Refusals: organization_not_found, validation_failed (format, name, content, columns.…, types,
// timezone, time_format), rate_limited.
func (a *App) ImportHazards(ctx context.Context, actor *access.Actor, in wire.HazardImport) (wire.HazardImported, error) {
	out := wire.HazardImported{Reasons: []wire.ReasonCount{}, Problems: []wire.HazardProblem{}, Rows: []wire.Hazard{}}
	if err := actor.Must("EDIT_ORGANIZATION"); err != nil {
		return out, err
	}
	if in.OrganizationID == "" {
		in.OrganizationID = wire.ID(actor.OrganizationID)
	}
	if err := actor.MustReachFully(in.OrganizationID.String()); err != nil {
		return out, err
	}
	how, by, err := a.hazardFile(ctx, actor, in)
	if err != nil {
		return out, err
	}
	if in.Guess {
		if out.Reading, err = guessHazards(ctx, &how, in.Columns); err != nil || in.Preview && cannotBegin(how) {
			return out, err
		}
	}
	i := hazardImport{App: a, actor: actor, by: by, file: fileOfHazards(in.OrganizationID.String(), in.Timezone, how)}
	if err := i.sentBefore(ctx); err != nil {
		return out, err
	}
	n := importCount{out: &out}
	var rows []file.HazardRow
	if err := file.ReadHazards(ctx, how, a.now(), func(row *file.HazardRow) {
		if out.Total++; row.Reason != "" {
			n.refuse(row, row.Reason, row.Message)
		} else {
			row.Report.SentAt = i.sent
			rows = append(rows, *row)
		}
	}); err != nil {
		return out, err
	}
	if in.Preview {
		err = a.previewHazards(ctx, by, rows, &n)
	} else if err = i.take(ctx, rows, &n); err == nil {
		out.ImportID, out.UndoUntil, err = hazardFiles.offer(ctx, a, by.OrganizationID, i.file)
	}
	slices.SortFunc(out.Problems, func(x, y wire.HazardProblem) int { return x.Row - y.Row })
	return out, err
}

// hazardFile checks how a file must be read, and returns the author of its reports.
func (a *App) hazardFile(ctx context.Context, actor *access.Actor, in wire.HazardImport) (
	how file.HazardFile, by fleet.HazardHand, err error) {
	name, wrong := fleet.CheckName(in.Name, hazardFileName)
	if name == "" && wrong == "" {
		wrong = "Required"
	}
	if wrong != "" {
		return how, by, fleet.RefuseFields(map[string]string{"name": wrong})
	}
	zone := in.Timezone
	if zone == "" {
		o, err := store.OrganizationByID(ctx, a.Store.Reader(), in.OrganizationID.String())
		if err != nil {
			return how, by, err
		}
		zone = o.Timezone
	}
	location, err := time.LoadLocation(zone)
	if err != nil || zone == "Local" {
		return how, by, fleet.RefuseFields(map[string]string{"timezone": "Unknown time zone"})
	}
	for text, kind := range in.Types {
		if fleet.HazardKind(kind) != kind {
			return how, by, fleet.RefuseFields(map[string]string{"types." + text: "Unknown type"})
		}
	}
	how = file.HazardFile{Format: in.Format, Content: in.Content, Types: in.Types, Zone: location, TimeFormat: in.TimeFormat}
	if in.Columns != nil {
		how.Columns = fleet.HazardColumns(*in.Columns)
	}
	return how, fleet.HazardHand{Kind: "user", ID: actor.UserID, Name: importedBy + name, OrganizationID: in.OrganizationID.String()}, nil
}

// guessHazards fills in how a file must be read, and returns that.
func guessHazards(ctx context.Context, how *file.HazardFile, said *wire.HazardColumns) (*wire.HazardReading, error) {
	reading, err := file.GuessHazards(ctx, *how, (*fleet.HazardColumns)(said))
	if err != nil {
		return nil, err
	}
	how.Columns, how.OnlyNamed, how.TimeFormat = reading.Columns, true, reading.TimeFormat
	out := &wire.HazardReading{Names: reading.Names, Columns: wire.HazardColumns(reading.Columns), Types: []wire.HazardWord{},
		TimeFormat: reading.TimeFormat}
	types := maps.Clone(how.Types)
	for _, word := range reading.Types {
		if types == nil {
			types = map[string]string{}
		}
		types[word.Word] = word.Kind
		out.Types = append(out.Types, wire.HazardWord{Word: word.Word, Type: word.Kind})
	}
	how.Types = types
	return out, nil
}

// cannotBegin reports whether it is not yet set which columns of a CSV file have what each row needs.
func cannotBegin(how file.HazardFile) bool {
	return how.Format == "csv" && (how.Columns.ID == "" || how.Columns.Lat == "" || how.Columns.Lng == "")
}

// importCount counts what becomes of a file's rows.
type importCount struct{ out *wire.HazardImported }

func (n importCount) refuse(row *file.HazardRow, reason, message string) {
	n.out.Refused++
	at := slices.IndexFunc(n.out.Reasons, func(c wire.ReasonCount) bool { return c.Reason == reason })
	if at < 0 {
		at, n.out.Reasons = len(n.out.Reasons), append(n.out.Reasons, wire.ReasonCount{Reason: reason})
	}
	n.out.Reasons[at].Count++
	if len(n.out.Problems) < importProblemsShown {
		n.out.Problems = append(n.out.Problems, wire.HazardProblem{Row: row.Row, Reason: reason, Message: message})
	}
}

// judged counts what the law decided about rows: those for which the organization has no room are too_many.
func (n importCount) judged(rows []file.HazardRow, g *markGroup[*fleet.HazardReport]) {
	n.out.Kept += len(rows) - len(g.refused)
	for i := range rows {
		if why := g.refused[i]; why != nil {
			n.refuse(&rows[i], fleet.RowTooMany, why.Message)
		}
	}
}

func groupOf(rows []file.HazardRow) *markGroup[*fleet.HazardReport] {
	g := &markGroup[*fleet.HazardReport]{refused: map[int]*fleet.Refusal{}}
	for i := range rows {
		g.reports = append(g.reports, &rows[i].Report)
	}
	return g
}

func (a *App) previewHazards(ctx context.Context, by fleet.HazardHand, rows []file.HazardRow, n *importCount) error {
	g := groupOf(rows)
	return a.Store.Read(ctx, func(r store.Reader) error {
		changes, err := judgeHazards(ctx, r, a.now(), a.NewID, by, g)
		if err != nil {
			return err
		}
		n.judged(rows, g)
		for _, change := range changes[:min(len(changes), importRowsShown)] {
			change.next.Street = a.Live.Street(change.next.Lat, change.next.Lng, -1)
			n.out.Rows = append(n.out.Rows, a.hazardWire(change.next))
		}
		return nil
	})
}

// hazardImport is an import under way.
type hazardImport struct {
	*App
	actor *access.Actor
	by    fleet.HazardHand
	file  uuid.UUID     // the same for the same file
	sent  fleet.Instant // when the file was first sent; 0 = now
	noted bool          // the audit has the row of the whole import
}

// fileOfHazards is the id of a file, whatever its name, together with the way of reading it.
func fileOfHazards(organizationID, timezone string, how file.HazardFile) uuid.UUID {
	read, _ := json.Marshal([]any{wire.HazardColumns(how.Columns), how.Types, timezone, how.TimeFormat}) // texts can always be written
	return fileID(organizationID, how.Format, string(read), how.Content)
}

// sentBefore finds out when the file was first sent.
func (i *hazardImport) sentBefore(ctx context.Context) error {
	notes, err := hazardFiles.notes(ctx, i.App, i.by.OrganizationID, i.file.String())
	if len(notes) > 0 {
		i.sent = notes[len(notes)-1].At
	}
	return err
}

// take imports the rows, in pieces: reports of positions do not wait for a long file.
func (i *hazardImport) take(ctx context.Context, rows []file.HazardRow, n *importCount) error {
	i.actor = i.actor.AsOneRequest(i.NewID)
	pieces := slices.Chunk(rows, recordsPerCommit)
	return inPieces(ctx, i.App, i.by.OrganizationID, pieces, func(c *live.Change, tx *store.Tx, rows []file.HazardRow) error {
		g := groupOf(rows)
		if err := i.takeIn(ctx, c, tx, g); err != nil {
			return err
		}
		n.judged(rows, g)
		return nil
	})
}

func (i *hazardImport) takeIn(ctx context.Context, c *live.Change, tx *store.Tx, g *markGroup[*fleet.HazardReport]) error {
	changes, err := judgeHazardsIn(ctx, tx, c, i.by, g)
	if err != nil || len(changes) == 0 {
		return err
	}
	if !i.noted {
		i.noted = true // an import ends with its first failing piece
		note := hazardImportNote{File: strings.TrimPrefix(i.by.Name, importedBy)}
		if err := hazardFiles.note(ctx, i.App, tx, i.actor, i.by.OrganizationID, i.file, note); err != nil {
			return err
		}
	}
	for _, change := range changes {
		if err := i.saveHazard(ctx, tx, c, change.old, change.next); err != nil {
			return err
		}
		row := audit.Row{Verb: "create", Noun: hazards.Name, NounID: change.next.ID, OrganizationID: i.by.OrganizationID,
			After: docOfHazard(change.next)}
		if old := change.old; old != nil && old.DeletedAt == 0 { // one that had left the lists begins again
			row.Verb, row.Before = "update", docOfHazard(old)
		}
		if err := i.Audit.Write(ctx, tx, i.actor, row); err != nil {
			return err
		}
	}
	return nil
}
