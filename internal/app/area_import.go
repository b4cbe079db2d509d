package app

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/google/uuid"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/budget/call"
	"lightbar/internal/file"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

var (
	areaProblemsMost = int(catalog.LimitInt("areaImport", "problems"))
	areaRowsMost     = int(catalog.LimitInt("areaImport", "rows"))
	// recordsPerCommit is how many records of an import are written before the writer is released: reports do not wait for a file.
	recordsPerCommit = int(catalog.LimitInt("areaImport", "perCommit"))
)

// plannedArea is what an import would do with one feature.
type plannedArea struct {
	feature   file.AreaFeature
	was       *fleet.Area // that has its id, in whatever state it is now
	old       *fleet.Area // nil: a new one, or one that was deleted comes back in version back+1
	back      int64
	next      fleet.Area
	derived   bool // the file names no id: it follows from the file
	unchanged bool
	shortened bool              // its name or description
	leftOut   bool              // its address
	wrong     map[string]string // sentences by field; "" = the feature as a whole
}

// plannedBytes is roughly the memory of a planned area besides what was read from the file.
const plannedBytes = 1 << 10

// areaImport is an import under way.
type areaImport struct {
	*App
	actor        *access.Actor
	organization string
	kind         string         // of features that have none
	seen         map[string]int // features by the ids that they give
	file         uuid.UUID      // the same for the same file
	noted        bool           // the audit has the row of the whole import
}

// ExportAreas returns all areas of organizations in reach as of one instant. Requires VIEW_AREAS.
func (a *App) ExportAreas(ctx context.Context, actor *access.Actor, organizationIDs []string) (out []fleet.Area, err error) {
	if err := actor.Must("VIEW_AREAS"); err != nil {
		return nil, err
	}
	organizations, err := actor.Reachable(organizationIDs)
	if err != nil {
		return nil, err
	}
	const page = 1000
	err = a.Store.Read(ctx, func(r store.Reader) error {
		for n := 1; ; n++ {
			rows, total, err := store.Areas.Page(ctx, r, organizations, 0, n, page)
			if err != nil {
				return err
			}
			if out = append(out, rows...); len(rows) == 0 || len(out) >= total {
				return nil
			}
		}
	})
	return out, err
}

// ImportAreas creates and changes areas of an organization from a file, or with Preview returns what it would do. A feature with
// the id of an area updates that area; a deleted one is restored. A feature without an id gets one that is derived from the file,
// so that the same file finds its areas again, in whatever state they are by then. Every valid feature is imported; the others are
// reported one by one. The work is done in pieces: an import that fails halfway has done the pieces before, and sending it again
// does the rest. Requires ADD_AREA, EDIT_AREA and full reach. Refusals: organization_not_found, too_large, validation_failed
// (content, ez_type_id), rate_limited.
func (a *App) ImportAreas(ctx context.Context, actor *access.Actor, in wire.AreasImport) (wire.AreaImportResult, error) {
	none := wire.AreaImportResult{}
	for _, requirement := range []string{"ADD_AREA", "EDIT_AREA"} {
		if err := actor.Must(requirement); err != nil {
			return none, err
		}
	}
	i := areaImport{App: a, actor: actor, organization: in.OrganizationID.String(), seen: map[string]int{}}
	if i.organization == "" {
		i.organization = actor.OrganizationID
	}
	if err := actor.MustReachFully(i.organization); err != nil {
		return none, err
	}
	if id := in.EZTypeID.String(); id != "" {
		if i.kind = areaTypeByID(id).Name; i.kind == "" {
			return none, fleet.RefuseFields(map[string]string{"ez_type_id": "Unknown type"})
		}
	}
	how := i.kind
	if in.NameFrom != "" {
		how += "\n" + in.NameFrom
	}
	i.file = fileID(i.organization, in.Format, how, in.Content)
	read, err := file.ReadAreas(ctx, in.Format, in.NameFrom, in.Content)
	if err != nil {
		return none, err
	}
	features := read.Features
	if err := call.Take(ctx, int64(len(features))*plannedBytes); err != nil {
		return none, err
	}
	plan, made := make([]plannedArea, len(features)), 0
	for n := range features {
		letOthers(n)
		if err := ctx.Err(); err != nil {
			return none, err
		}
		if plan[n], err = i.plan(ctx, features[n]); err != nil {
			return none, err
		}
		if plan[n].old == nil && len(plan[n].wrong) == 0 {
			made++
		}
	}
	if err := areas.MustHaveRoom(ctx, a.Store.Reader(), i.organization, made); err != nil {
		return none, err
	}
	if !in.Preview {
		if err := i.write(ctx, plan); err != nil {
			return none, err
		}
	}
	out := resultOfAreas(plan, in.Preview)
	out.Properties = append(out.Properties, read.Properties...)
	if !in.Preview {
		out.ImportID, out.UndoUntil, err = areaFiles.offer(ctx, a, i.organization, i.file)
	}
	return out, err
}

// plan checks a feature against the current data. Each shape is prepared again when it is written: keeping the shapes of a whole
// file would take many times its size.
func (i *areaImport) plan(ctx context.Context, f file.AreaFeature) (plannedArea, error) {
	p, err := i.judge(ctx, f)
	p.next.Shape = nil
	return p, err
}

func (i *areaImport) judge(ctx context.Context, f file.AreaFeature) (p plannedArea, err error) {
	p = plannedArea{feature: f, wrong: map[string]string{}}
	p.next.OrganizationID, p.next.Kind = i.organization, i.kind
	if f.Problem != "" {
		p.wrong[f.ProblemField] = f.Problem
		return p, nil
	}
	if id, ok := areaID(f.Properties["id"]); ok {
		p.next.ID = id
		if first := i.seen[id]; first != 0 {
			p.wrong["id"] = "Feature " + itoa(first) + " has the same id."
			return p, nil
		}
		i.seen[id] = f.No
		if err := i.find(ctx, id, &p); err != nil || len(p.wrong) > 0 {
			return p, err
		}
	} else if done, err := i.findDerived(ctx, &p); done || err != nil {
		return p, err
	}
	noteRefusal(p.wrong, i.law(&p))
	if len(p.wrong) > 0 {
		return p, nil
	}
	if p.old != nil && p.old.Geometry != "" && p.next.Geometry != "" && isSameShape(p.old.Geometry, p.next.Geometry) {
		if was, err := fleet.ReadShape([]byte(p.old.Geometry)); err == nil {
			p.next.Geometry, p.next.Shape = p.old.Geometry, was
		}
	}
	if p.unchanged = p.old != nil && store.Areas.Same(p.old, &p.next); !p.unchanged {
		i.may(&p)
	}
	return p, nil
}

// isSameShape reports whether two shapes are the same, even if they are written differently or their rings turn the other way, as
// exports turn them.
func isSameShape(a, b string) bool {
	one, wrong := fleet.ReadShape([]byte(fleet.RightHanded(a)))
	other, also := fleet.ReadShape([]byte(fleet.RightHanded(b)))
	return wrong == nil && also == nil && reflect.DeepEqual(one, other)
}

// may refuses areas that the actor may not change, or may not change to the type that the file gives.
func (i *areaImport) may(p *plannedArea) {
	var refusal *fleet.Refusal
	switch {
	case p.was != nil && errors.As(areas.May(i.actor, p.was), &refusal):
		p.wrong["id"] = refusal.Message
	case errors.As(areas.May(i.actor, &p.next), &refusal):
		p.wrong["ez_type_id"] = refusal.Message
	}
}

// areaUnread is why a feature of a damaged area is left out; the others are imported.
const areaUnread = "The area with this id is damaged and can't be read. Give the feature another id."

// find looks up the area that a feature names. Any area that is not the organization's is refused in the same way, whoever owns it.
func (i *areaImport) find(ctx context.Context, id string, p *plannedArea) error {
	old, err := store.Areas.ByID(ctx, i.Store.Reader(), id)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil
	case errors.Is(err, store.ErrUnreadable):
		p.wrong["id"] = areaUnread
		return nil
	case err != nil:
		return err
	case old.OrganizationID != i.organization:
		p.wrong["id"] = "This id can't be used here. Without it the feature becomes a new area."
		return nil
	}
	p.was = &old
	if old.DeletedAt != 0 {
		p.back = old.Version
	} else {
		p.old, p.next = &old, old
	}
	return nil
}

// findDerived looks up the area that a feature without an id became when the file was sent before. It is left as it is now; if it
// was deleted since, that is reported, unless the import was undone. done: nothing more to check.
func (i *areaImport) findDerived(ctx context.Context, p *plannedArea) (done bool, err error) {
	p.derived, p.next.ID = true, uuid.NewSHA1(i.file, []byte(itoa(p.feature.No))).String()
	old, err := store.Areas.ByID(ctx, i.Store.Reader(), p.next.ID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return false, nil
	case errors.Is(err, store.ErrUnreadable):
		p.wrong["id"] = areaUnread
		return true, nil
	case err != nil:
		return false, err
	case old.OrganizationID != i.organization: // such an id can only be made from the file and the organization
		p.wrong["id"] = "This feature can't be imported again."
		return true, nil
	case old.DeletedAt == 0:
		p.next, p.unchanged = old, true
		return true, nil
	}
	last, err := store.LastVersion(ctx, i.Store.Reader(), areas.Name, old.ID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return false, err
	}
	if err != nil || last.Verb != "undo" {
		p.wrong["id"] = "The area from this feature was deleted after an earlier import. Give the feature an ID to import it again."
		return true, nil
	}
	p.was, p.back = &old, old.Version
	return false, nil
}

// areaID reads a property as one of our ids.
func areaID(said string) (string, bool) {
	id, err := uuid.Parse(strings.TrimSpace(said))
	return id.String(), err == nil && len(strings.TrimSpace(said)) == 36
}

// write creates and changes the areas of a plan, in pieces.
func (i *areaImport) write(ctx context.Context, plan []plannedArea) error {
	todo := make([]*plannedArea, 0, len(plan))
	for n := range plan {
		if p := &plan[n]; len(p.wrong) == 0 && !p.unchanged {
			todo = append(todo, p)
		}
	}
	actor := i.actor.AsOneRequest(i.NewID)
	pieces := slices.Chunk(todo, recordsPerCommit)
	return inPieces(ctx, i.App, i.organization, pieces, func(c *live.Change, tx *store.Tx, piece []*plannedArea) error {
		return i.writeIn(ctx, c, tx, actor, piece, len(todo))
	})
}

func (i *areaImport) writeIn(ctx context.Context, c *live.Change, tx *store.Tx, actor *access.Actor, piece []*plannedArea,
	count int) error {
	if !i.noted {
		i.noted = true // an import ends with its first failing piece
		if err := areaFiles.note(ctx, i.App, tx, actor, i.organization, i.file, areaImportNote{Areas: count}); err != nil {
			return err
		}
	}
	for _, p := range piece {
		row := audit.Row{Verb: "create", Noun: areas.Name, OrganizationID: i.organization}
		p.next.UpdatedAt = i.StampOf(c)
		stored, err := i.store(ctx, tx, p, &row)
		if err != nil {
			return err
		}
		if !stored && p.derived { // the same file is being imported twice
			p.unchanged = true
			continue
		}
		if !stored {
			p.wrong["id"] = "Someone else changed this area in the meantime. Import the file again."
			continue
		}
		row.NounID = p.next.ID
		row.Before, row.After = docsOfAreaFile(p.old, &p.next)
		areas.Publish(i.App, c, &p.next)
		if err := areas.PutInPicture(c, &p.next); err != nil {
			return err
		}
		if err := i.Audit.Write(ctx, tx, actor, row); err != nil {
			return err
		}
	}
	return nil
}

// store writes one area; false when another request was faster.
func (i *areaImport) store(ctx context.Context, tx *store.Tx, p *plannedArea, row *audit.Row) (bool, error) {
	switch {
	case p.old != nil:
		row.Verb = "update"
		p.next.Version = p.old.Version + 1
		return store.Areas.Update(ctx, tx, &p.next, p.old.Version)
	case p.back != 0:
		p.next.Version = p.back + 1
		return store.Areas.Update(ctx, tx, &p.next, p.back)
	}
	p.next.Version = 1
	return store.Areas.Insert(ctx, tx, &p.next)
}

// resultOfAreas reports what happened to the features.
func resultOfAreas(plan []plannedArea, preview bool) wire.AreaImportResult {
	out := wire.AreaImportResult{Total: len(plan), Properties: []string{}, Problems: []wire.AreaProblem{}, Rows: []wire.AreaRow{}}
	for n := range plan {
		p := &plan[n]
		action := "made"
		switch {
		case len(p.wrong) > 0:
			action = "refused"
			out.Refused++
		case p.unchanged:
			action = "unchanged"
			out.Unchanged++
		case p.old != nil:
			action = "changed"
			out.Changed++
		default:
			out.Made++
		}
		if action == "made" || action == "changed" {
			out.Shortened += count(p.shortened)
			out.LeftOut += count(p.leftOut)
		}
		name, _ := p.feature.Line(p.feature.Properties["name"], areaNameMax)
		for _, field := range slices.Sorted(maps.Keys(p.wrong)) {
			if len(out.Problems) < areaProblemsMost {
				out.Problems = append(out.Problems, wire.AreaProblem{Feature: p.feature.No, Name: name, Field: field, Message: p.wrong[field]})
			}
		}
		if preview && n < areaRowsMost {
			out.Rows = append(out.Rows, wire.AreaRow{Feature: p.feature.No, Name: name, EZType: p.next.Kind, Shape: p.shape(), Action: action})
		}
	}
	return out
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

func (p *plannedArea) shape() string {
	switch {
	case p.feature.Problem != "":
		return "none"
	case p.feature.Geometry == "":
		return "circle"
	case strings.Contains(p.feature.Geometry, `"LineString"`):
		return "line"
	}
	return "polygon"
}
