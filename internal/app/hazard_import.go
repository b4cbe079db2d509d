package app

import (
	"context"
	"slices"
	"time"

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
	// importedPerCommit: an import leaves an audit row in each of its transactions.
	importedPerCommit = 500
)

var hazardFileName = int(catalog.LimitInt("text", "name"))

// ImportHazards takes the hazards of a file, or with Preview shows what would be
// taken. Rows are judged one by one; kept and refused are all rows. The same
// file again changes nothing. Requires EDIT_ORGANIZATION and full reach of the
// organization. Refusals: organization_not_found, validation_failed (format,
// name, content, columns.…, types, timezone, time_format).
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
	n := importCount{out: &out}
	var rows []file.HazardRow
	if err := file.ReadHazards(ctx, how, a.now(), func(row *file.HazardRow) {
		if out.Total++; row.Reason != "" {
			n.refuse(row, row.Reason, row.Message)
		} else {
			rows = append(rows, *row)
		}
	}); err != nil {
		return out, err
	}
	if in.Preview {
		err = a.previewHazards(ctx, by, rows, &n)
	} else {
		err = a.importHazards(ctx, actor, by, rows, &n)
	}
	slices.SortFunc(out.Problems, func(x, y wire.HazardProblem) int { return x.Row - y.Row })
	return out, err
}

// hazardFile judges how a file is to be read, and says whose word it is.
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
	how = file.HazardFile{Format: in.Format, Content: in.Content, Columns: fleet.HazardColumns(in.Columns), Types: in.Types,
		Zone: location, TimeFormat: in.TimeFormat}
	return how, fleet.HazardHand{Kind: "user", ID: actor.UserID, Name: "import: " + name, OrganizationID: in.OrganizationID.String()}, nil
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

// judged counts what the law made of rows: what the organization has no room for is too_many.
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

// importHazards takes the rows, so many in a transaction: reports of positions do not wait for a long file.
func (a *App) importHazards(ctx context.Context, actor *access.Actor, by fleet.HazardHand, rows []file.HazardRow, n *importCount) error {
	actor = actor.AsOneRequest(a.NewID)
	for rows := range slices.Chunk(rows, importedPerCommit) {
		var g *markGroup[*fleet.HazardReport]
		err := a.Change(ctx, func(c *live.Change, tx *store.Tx) error {
			g = groupOf(rows)
			if err := a.takeHazards(ctx, tx, c, by, g); err != nil || g.accepted == 0 {
				return err
			}
			return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "import", Noun: hazards.Name, OrganizationID: by.OrganizationID,
				After: map[string]any{"source": by.Name, "changed": g.accepted}})
		})
		if err != nil {
			return err
		}
		n.judged(rows, g)
	}
	return nil
}
