package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"lightbar/internal/access"
	"lightbar/internal/budget/call"
	"lightbar/internal/file"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// ThingImport requests an import of many assets.
type ThingImport struct {
	OrganizationID string // of rows that name none; "" = the actor's own
	CSV            string // file.ReadAssetCSV
	// Digest of a preview applies exactly that; "" = preview.
	Digest string
}

// plannedThing is what an import would do with one row: old is nil for a new asset, next is nil when the row is refused.
type plannedThing struct {
	old, next *fleet.Thing
}

// plannedThingBytes is roughly the memory of one, with its messages.
const plannedThingBytes = 2 << 10

// importPlan is what an import would do, row by row.
type importPlan struct {
	wire.ImportResult
	things []plannedThing // beside Rows
}

// ImportThings shows what a CSV file would change, or does it if given the digest of that preview. A row is about the asset of its
// owner with its system name (ignoring letter case); an empty cell leaves a value as it is. The rules are those of registration and
// of the profile's edit; the type of the device cannot be changed. A file with a refused row is not imported. Other files are, a
// few rows at a time; in between, reports and other tenants get their turn. When somebody changes one of the assets in the
// meantime, the import ends there, what was done stays, and the same file imports the rest. Every changed asset leaves an audit row
// with its earlier state. Requires MANAGE_THINGS, and full reach of every owner named; doing it, for it can change a whole fleet at
// once, a fresh proof. Refusals: step_up_required, organization_not_found, too_large, validation_failed (csv), import_changed (409:
// the file or an asset is no longer what the preview showed), import_refused, asset_limit, rate_limited.
func (a *App) ImportThings(ctx context.Context, actor *access.Actor, in ThingImport) (wire.ImportResult, error) {
	if err := actor.Must("MANAGE_THINGS"); err != nil {
		return wire.ImportResult{}, err
	}
	rows, err := file.ReadAssetCSV(ctx, in.CSV)
	if err != nil {
		return wire.ImportResult{}, err
	}
	if err := call.Take(ctx, int64(len(rows))*plannedThingBytes); err != nil {
		return wire.ImportResult{}, err
	}
	if in.OrganizationID == "" {
		in.OrganizationID = actor.OrganizationID
	}
	if err := actor.MustReachFully(in.OrganizationID); err != nil {
		return wire.ImportResult{}, err
	}
	if in.Digest == "" {
		plan, err := a.planImport(actor, in, rows, a.now())
		return plan.ImportResult, err
	}
	return a.applyImport(ctx, actor, in, rows)
}

// planImport judges every row by the present picture.
func (a *App) planImport(actor *access.Actor, in ThingImport, rows []file.AssetRow, now fleet.Instant) (importPlan, error) {
	plan := importPlan{ImportResult: wire.ImportResult{Rows: make([]wire.ImportRow, len(rows))}}
	more := map[string]int{}
	plan.things = a.planRows(actor, in, rows, now)
	a.noteLostZeros(rows, plan.things)
	for i := range rows {
		plan.Rows[i] = importRowOf(&rows[i], &plan.things[i])
		switch plan.Rows[i].Action {
		case "create":
			plan.Create++
			more[plan.things[i].next.OrganizationID]++
		case "update":
			plan.Update++
		case "unchanged":
			plan.Unchanged++
		default:
			plan.Refused++
		}
	}
	for _, org := range slices.Sorted(maps.Keys(more)) {
		if err := a.mustHaveRoom(org, more[org]); err != nil {
			return plan, err
		}
	}
	digest, err := plan.digest(in)
	plan.Digest = digest
	return plan, err
}

// planRows judges rows by the present picture and by each other; what is wrong goes into their Errors.
func (a *App) planRows(actor *access.Actor, in ThingImport, rows []file.AssetRow, now fleet.Instant) []plannedThing {
	things := make([]plannedThing, len(rows))
	owner := a.ownerNamed(actor)
	lines := map[string]int{}
	for i := range rows {
		letOthers(i)
		row := &rows[i]
		if row.Organization == "" {
			row.Organization = in.OrganizationID
		}
		org := owner(row.Organization)
		if org == "" {
			row.Refuse("organization_id", "Organization not found")
		}
		key := org + "|" + store.SystemKey(row.SystemName)
		if first := lines[key]; first != 0 && row.SystemName != "" {
			row.Refuse("haas_id", fmt.Sprintf("Line %d already has this asset.", first))
		} else {
			lines[key] = row.Line
		}
		if org != "" && row.SystemName != "" {
			things[i] = a.planRow(actor, row, org, now)
		}
	}
	a.judgeNames(rows, things)
	return things
}

// ownerNamed finds organizations in full reach by id or, where only one has it, by name; "" = none.
func (a *App) ownerNamed(actor *access.Actor) func(string) string {
	found := map[string]string{}
	return func(said string) string {
		if id, ok := found[said]; ok {
			return id
		}
		id := ""
		if ref, known := a.Live.Organization(strings.ToLower(said)); known && actor.Reach(ref.ID) == access.Full {
			id = ref.ID
		} else if ids := a.Live.OrganizationsNamed(said); true {
			ids = slices.DeleteFunc(ids, func(id string) bool { return actor.Reach(id) != access.Full })
			if len(ids) == 1 {
				id = ids[0]
			}
		}
		found[said] = id
		return id
	}
}

// planRow judges one row whose owner and system name are known; what is wrong goes into its Errors.
func (a *App) planRow(actor *access.Actor, row *file.AssetRow, org string, now fleet.Instant) plannedThing {
	old, known := a.assetNamed(org, row.SystemName)
	if !known {
		asked := NewThing{OrganizationID: org}
		wire.Same(&asked, row)
		t, err := a.newThing(actor, &asked, now)
		refuseRow(row, err)
		if t != nil && row.InService != "" {
			t.PutInService(row.InService == "true", now)
		}
		return plannedThing{next: t}
	}
	next := old
	next.Relations, next.Integrations = slices.Clone(old.Relations), slices.Clone(old.Integrations)
	refuseRow(row, applyThingEdit(&next, editOfRow(row), now))
	if row.ExternalID != "" && row.ExternalID != old.ExternalID { // an asset may keep a name from before this law
		next.ExternalID = norm.NFC.String(row.ExternalID)
		if sentence := nameProblem(row.ExternalID); sentence != "" {
			row.Refuse("external_id", sentence)
		}
	}
	if row.DeviceType != "" && row.DeviceType != old.DeviceType {
		row.Refuse("device_type", "The type of a device cannot be changed; this one is "+old.DeviceType+".")
	}
	return plannedThing{old: &old, next: &next}
}

// assetNamed finds the asset of an organization with a system name.
func (a *App) assetNamed(org, systemName string) (t fleet.Thing, known bool) {
	for _, id := range a.Live.Named(org, systemName) {
		if t, _, _, known = a.Live.Thing(id); known && store.SystemKey(t.SystemName) == store.SystemKey(systemName) {
			return t, true
		}
	}
	return fleet.Thing{}, false
}

// judgeNames refuses names that another asset has once all rows are applied: rows may pass a tracker on from one asset to another.
// A name that was already used twice, and stays, does not stop a row about something else.
func (a *App) judgeNames(rows []file.AssetRow, things []plannedThing) {
	free, given := map[string]bool{}, newNames{}
	for i := range things {
		if things[i].old != nil {
			free[things[i].old.ID] = true
		}
	}
	for i, p := range things {
		if p.next == nil {
			continue
		}
		field, line := given.take(p.next, i, rows[i].Line)
		wrong := a.namedNow(p.next, free)
		if field != "" {
			wrong[field] = takenByRow(field, "Line", line)
		}
		for field, sentence := range wrong {
			if p.old == nil || field == "external_id" && p.old.ExternalID != p.next.ExternalID {
				rows[i].Refuse(field, sentence)
			}
		}
	}
}

// editOfRow is the profile's edit that a row requests: only filled cells.
func editOfRow(row *file.AssetRow) (e wire.ThingWrite) {
	e = wire.FilledTextsOf[wire.ThingWrite](row)
	if row.Type != "" {
		id := wire.ID(row.Type)
		if kind := typeNamed(row.Type); kind.ID != "" {
			id = wire.ID(kind.ID)
		}
		e.ThingTypeID = &id
	}
	if row.Subtype != "" {
		id := wire.ID(subtypeID(row.Subtype))
		e.ThingSubtypeID = &id
	}
	if row.InService != "" {
		on := row.InService == "true"
		e.InService = &on
	}
	return e
}

// refuseRow adds a law's refusal to a row under the names of the columns.
func refuseRow(row *file.AssetRow, err error) {
	var refusal *fleet.Refusal
	if !errors.As(err, &refusal) {
		return
	}
	if len(refusal.Fields) == 0 {
		row.Refuse(file.RowError, refusal.Message)
	}
	for field, sentence := range refusal.Fields {
		switch field {
		case "thing_type_id":
			field = "thing_type"
		case "thing_subtype_id":
			field = "thing_subtype"
		}
		row.Refuse(field, sentence)
	}
}

// importRowOf returns what would happen to a row.
func importRowOf(row *file.AssetRow, p *plannedThing) wire.ImportRow {
	out := wire.ImportRow{Line: row.Line, HaasID: row.SystemName, Changes: map[string]wire.ImportChange{}, Errors: row.Errors}
	if len(row.Errors) > 0 {
		out.Action, p.next = "refused", nil
		return out
	}
	out.Errors = map[string]string{}
	var before file.AssetRow
	after := rowOfThing(p.next)
	out.Action = "create"
	if p.old != nil {
		before, out.Action, out.HaasID = rowOfThing(p.old), "unchanged", p.old.SystemName
	}
	for _, column := range file.AssetColumns {
		if from, to := before.Value(column), after.Value(column); from != to {
			out.Changes[column] = wire.ImportChange{From: from, To: to}
		}
	}
	if p.old != nil && len(out.Changes) > 0 {
		out.Action = "update"
	}
	for column, sentence := range row.Notes {
		if _, changes := out.Changes[column]; !changes {
			continue
		}
		if out.Notes == nil {
			out.Notes = map[string]string{}
		}
		out.Notes[column] = sentence
	}
	return out
}

// rowOfThing is an asset as a line of a file.
func rowOfThing(t *fleet.Thing) file.AssetRow {
	kind, _ := typeByID(t.TypeID)
	sub, _ := subtypeByID(t.SubtypeID)
	row := file.AssetRow{Organization: t.OrganizationID, Type: kind.Name, Subtype: sub.Name, InService: fmt.Sprint(t.InService)}
	wire.Same(&row, t)
	return row
}

// digest identifies the file and what it would do to which state of which assets.
func (p *importPlan) digest(in ThingImport) (string, error) {
	rows, err := json.Marshal(p.Rows)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "lightbar import 1\x00%d\x00%s%s\x00%s\x00", len(in.CSV), in.CSV, in.OrganizationID, rows)
	for _, t := range p.things {
		if t.old != nil {
			fmt.Fprintf(h, "%s %d\x00", t.old.ID, t.old.Version)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// ExportThings returns the assets that organizations own, as lines that ImportThings accepts unchanged. Requires MANAGE_THINGS.
func (a *App) ExportThings(_ context.Context, actor *access.Actor, organizationIDs []string) ([]file.AssetRow, error) {
	if err := actor.Must("MANAGE_THINGS"); err != nil {
		return nil, err
	}
	organizations, err := actor.Reachable(organizationIDs)
	if err != nil {
		return nil, err
	}
	things := a.Live.Owned(organizations)
	rows := make([]file.AssetRow, len(things))
	for i, t := range things {
		rows[i] = rowOfThing(t)
	}
	return rows, nil
}
