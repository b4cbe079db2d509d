package authz_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

var update = flag.Bool("update", false, "write the golden table anew")

var (
	roles     = []string{"nobody", "viewer", "operator", "manager", "administrator", "super", "engineer"}
	relations = []string{"own", "managed", "accessed", "foreign"}
	fireType  = catalog.AllEnums().ThingTypes[0].ID
)

// fixture is one organization with something of everything in it. Its texts
// carry a mark that no other organization's have.
type fixture struct {
	mark                                          string
	organization, thing, user, key, session, role string
	imported                                      string // the import that registered the asset
	importedAreas, importedHazards                string // an import of an area, and one of a hazard
	importedUsers                                 string // an import of people, none of whom is there anymore
	offer                                         string // to the organization
	legalHold                                     string
	export, exportFile                            string
	made                                          map[string]string // of the resources
	report                                        string            // of October
	location, hazard                              string            // location is an event
}

type operation struct {
	id, method, path string
	secured          bool
}

// operations reads the OpenAPI document that the server answers.
func operations(t *testing.T, w *testkit.World) (out []operation) {
	t.Helper()
	var document struct {
		Paths map[string]map[string]struct {
			OperationID string `json:"operationId"`
			Security    []any  `json:"security"`
		} `json:"paths"`
	}
	r := w.Do(testkit.Request{Path: "/api/openapi.json"})
	if err := json.Unmarshal([]byte(r.Text), &document); err != nil {
		t.Fatal(err)
	}
	for path, methods := range document.Paths {
		for method, o := range methods {
			out = append(out, operation{o.OperationID, strings.ToUpper(method), path, len(o.Security) > 0})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].id < out[j].id })
	return out
}

// walk is the server and who walks.
type walk struct {
	*testkit.World
	t         *testing.T
	tokens    map[string]string
	lasting   map[string]*fixture
	made      *int              // fixtures so far
	before    map[string]string // rows of resources whose place the next one takes
	counted   int               // audit rows of changes so far
	countedTo string            // the id of the newest
}

func newWalk(t *testing.T, options ...testkit.Option) *walk {
	w := &walk{World: testkit.New(t, options...), t: t, tokens: map[string]string{}, lasting: map[string]*fixture{}, made: new(int), before: map[string]string{}}
	w.App.Outbound.Lookup = func(context.Context, string) ([]netip.Addr, error) {
		return nil, errors.New("no server has a name here") // no walk asks a provider
	}
	spare, err := w.App.CreateOrganization(t.Context(), access.System(), fleet.Organization{Name: "Spare"})
	w.must(err)
	w.lasting["spare"] = &fixture{organization: spare.ID}
	for _, relation := range relations {
		w.lasting[relation] = w.fixture(relation)
	}
	return w
}

func (w *walk) token(role string) string {
	if role == "nobody" {
		return ""
	}
	if w.tokens[role] == "" {
		w.tokens[role] = w.SignIn(role).AccessToken
	}
	return w.tokens[role]
}

func (w *walk) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *walk) organizationOf(relation string) string {
	return map[string]string{"own": w.Own.ID, "managed": w.Managed.ID, "accessed": w.Accessed.ID, "foreign": w.Foreign.ID}[relation]
}

// export puts an export into an organization: one that waits, after which none before it does, or one that has its file.
func (w *walk) export(organization, status string) string {
	now := fleet.InstantOf(w.Clock.Now())
	x := fleet.Export{ID: w.App.NewID(), OrganizationID: organization, Kind: fleet.ExportAssets, Title: "Walk", StartAt: now.Add(-24 * time.Hour), EndAt: now,
		TimeZone: "UTC", Formats: []string{"csv"}, Status: status, RequestedAt: now, Version: 1, UpdatedAt: now}
	if status == fleet.ExportCompleted {
		x.CompletedAt, x.Files = now, []fleet.ExportFile{{Format: "csv", FileID: x.ID + ".csv", Name: "assets.zip"}}
		w.must(os.MkdirAll(w.App.ExportFolder, 0o700))
		w.must(os.WriteFile(filepath.Join(w.App.ExportFolder, x.Files[0].FileID), nil, 0o600))
	}
	w.must(w.App.Store.Write(w.t.Context(), func(tx *store.Tx) error {
		if _, err := tx.ExecContext(w.t.Context(), "UPDATE export SET status = 'errored', completed_at = 1 WHERE completed_at = 0 AND organization_id = $1", organization); err != nil {
			return err
		}
		_, err := store.Exports.Insert(w.t.Context(), tx, &x)
		return err
	}))
	return x.ID
}

// monthly puts the report of a month into an organization that has none.
func (w *walk) monthly(organization string) string {
	m, err := store.MonthlyReportOf(w.t.Context(), w.App.Store.Reader(), organization, 2026, 10)
	if err == nil {
		return m.ID
	}
	at := fleet.MonthIn(2026, 10, time.UTC)
	m = store.MonthlyReport{MonthlyReport: fleet.MonthlyReport{ID: w.App.NewID(), OrganizationID: organization, Year: 2026, Month: 10, TimeZone: "UTC",
		StartAt: at.Start, EndAt: at.End, Version: 1, Figures: fleet.NewMonthlySums(at).Figures()}}
	w.must(w.App.Store.Write(w.t.Context(), func(tx *store.Tx) error {
		return tx.SaveMonthlyReport(w.t.Context(), &m, map[string][]json.RawMessage{})
	}))
	return m.ID
}

// fixture puts a new asset, user, session and key into an organization.
func (w *walk) fixture(relation string) *fixture {
	*w.made++
	ctx, system := w.t.Context(), access.System()
	f := &fixture{mark: "zq" + relation + "qz", organization: w.organizationOf(relation), made: map[string]string{}}
	name := fmt.Sprintf("%s-%d", f.mark, *w.made)
	in := app.ThingImport{OrganizationID: f.organization, CSV: "haas_id,nickname,thing_type,device_type\r\n" + name + "," + name + ",fire,ha5\r\n"}
	preview, err := w.App.ImportThings(ctx, system, in)
	w.must(err)
	in.Digest = preview.Digest
	made, err := w.App.ImportThings(ctx, system, in)
	w.must(err)
	no, _ := w.App.Live.Find(f.organization, name)
	f.thing, _ = w.App.Live.ThingByNo(no)
	f.imported = made.ImportID
	areas, err := w.App.ImportAreas(ctx, system, wire.AreasImport{OrganizationID: wire.ID(f.organization), Format: "geojson",
		Content: `{"type":"Feature","properties":{"name":"` + name + `","ez_type":"poi"},"geometry":{"type":"Point","coordinates":[-75.5,39.7]}}`})
	w.must(err)
	hazards, err := w.App.ImportHazards(ctx, system, wire.HazardImport{OrganizationID: wire.ID(f.organization), Format: "csv", Name: name,
		Content: "id,lat,lng\n" + name + ",39.7,-75.5\n"})
	w.must(err)
	f.importedAreas, f.importedHazards, f.importedUsers = areas.ImportID, hazards.ImportID, w.App.NewID()
	w.must(w.App.Store.Write(ctx, func(tx *store.Tx) error {
		return w.App.Audit.Write(ctx, tx, system, audit.Row{ID: f.importedUsers, Verb: "import", Noun: "user_import", NounID: f.importedUsers,
			OrganizationID: f.organization, After: object{"begun_at": fleet.InstantOf(w.Clock.Now())}})
	}))
	u := w.AddUser(name+"@walk.example", f.organization, "viewer")
	f.user, f.role = u.ID, u.RoleID
	now := fleet.InstantOf(w.Clock.Now())
	s := fleet.Session{ID: w.App.NewID(), UserID: u.ID, OrganizationID: f.organization, CreatedAt: now, LastUsedAt: now, AbsoluteAt: now.Add(1e15), Generation: 1, Method: "password", UserAgent: f.mark}
	w.must(w.App.Store.Write(ctx, func(tx *store.Tx) error { return tx.InsertSession(ctx, s) }))
	f.session = s.ID
	k, _, err := w.App.CreateKey(ctx, system, wire.KeyCreate{OrganizationID: wire.ID(f.organization), Description: name})
	w.must(err)
	f.key, f.offer = k.ID, w.App.NewID()
	hold := fleet.LegalHold{ID: w.App.NewID(), OrganizationID: f.organization, Reason: name, PlacedAt: now, EndsAt: now} // ended, but not lifted
	w.must(w.App.Store.Write(ctx, func(tx *store.Tx) error { return tx.InsertLegalHold(ctx, hold) }))
	f.legalHold = hold.ID
	for i := range resources {
		resources[i].make(w, f, name, relation)
	}
	f.exportFile = w.export(f.organization, fleet.ExportCompleted) + ".csv"
	f.export = w.export(f.organization, fleet.ExportRequested)
	f.report = w.monthly(f.organization)
	o := fleet.OrganizationOffer{ID: f.offer, OrganizationID: w.lasting["spare"].organization, OtherID: f.organization, Kind: "accessor", CreatedAt: now, ExpiresAt: now.Add(1e15)}
	w.must(w.App.Store.Write(ctx, func(tx *store.Tx) error { return tx.PutOffer(ctx, o) }))
	f.location, f.hazard = w.event(f, name+"-E"), w.hazard(f, name+"-H")
	return f
}

// event lets another asset say that it is on scene, apart from all others.
func (w *walk) event(f *fixture, name string) string {
	w.t.Helper()
	made, err := w.App.RegisterThing(w.t.Context(), access.System(), app.NewThing{OrganizationID: f.organization, SystemName: name, Type: "fire"})
	w.must(err)
	device := &access.Actor{KeyID: f.key, KeyScopes: access.AllScopes(), OrganizationID: f.organization}
	at := fleet.InstantOf(w.Clock.Now())
	here := fleet.Report{Asset: name, At: at, Lat: 40 + float64(*w.made)/100, Lng: -75, HasLat: true, HasLng: true, HasAccuracy: true}
	arrived := fleet.Report{Kind: fleet.ReportOnScene, Asset: name, At: at}
	_, err = w.App.RecordPoints(w.t.Context(), device, app.ReportBatch{Reports: []fleet.Report{here, arrived}})
	w.must(err)
	_, state, _, _ := w.App.Live.Thing(made.ID)
	return state.LocationID
}

// hazard lets the organization's sender report one.
func (w *walk) hazard(f *fixture, name string) string {
	w.t.Helper()
	sender := &access.Actor{KeyID: f.key, KeyScopes: access.AllScopes(), OrganizationID: f.organization}
	_, err := w.App.RecordPoints(w.t.Context(), sender, app.ReportBatch{Hazards: []fleet.HazardReport{{MarkReport: fleet.MarkReport{
		ID: name, At: fleet.InstantOf(w.Clock.Now()), Lat: 40, Lng: -75, HasLat: true, HasLng: true}}}})
	w.must(err)
	h, err := store.HazardByExternalID(w.t.Context(), w.App.Store.Reader(), f.organization, "", name)
	w.must(err)
	return h.ID
}

// call makes one request with the fixtures in their positions.
func (w *walk) call(o operation, r rule, role string, at func(string) *fixture) testkit.Response {
	in := request(o, r, at)
	if r.reach == "asked" {
		in.Path = strings.ReplaceAll(in.Path, "{id}", w.Own.ID)
	}
	in.Token = w.token(role)
	if r.ends && role != "nobody" {
		in.Token = w.SignIn(role).AccessToken
		defer delete(w.tokens, role)
	}
	return w.Do(in)
}

// request is an operation's request with the fixtures in their positions.
func request(o operation, r rule, at func(string) *fixture) testkit.Request {
	path := strings.NewReplacer("{year}", "2026", "{month}", "10").Replace("/api" + o.path)
	query := ""
	if strings.HasSuffix(path, "/rows") {
		query = "?of=assets"
	}
	for _, position := range r.at {
		switch {
		case strings.Contains(path, "{"+position+"}"):
			path = strings.ReplaceAll(path, "{"+position+"}", r.path(at(position)))
		case position == "org" && (strings.HasPrefix(o.path, "/audit") || strings.HasSuffix(o.path, "/watchdog")):
			query = "?organization_id=" + at(position).organization
		case position == "org":
			query = "?org_ids[]=" + at(position).organization
		case position == "thing_ids[]":
			query = "?thing_ids[]=" + at(position).thing
		case position == "filename":
			query = "?filename=" + at(position).exportFile
		case position == "report":
			query = "?filename=" + at(position).report
		}
	}
	in := testkit.Request{Method: o.method, Path: path + query}
	if r.body != nil {
		in.Body = r.body(at)
	}
	return in
}

// allowed says what the table wants of a role with ids of relations.
func allowed(r rule, role string, relation string) string {
	switch {
	case r.needs == anyone:
		return "open"
	case role == "nobody":
		return "401"
	}
	super := role == "super"
	if r.needs != signedIn {
		actor := access.Actor{UserID: "u", Permissions: permissionsOf(role)}
		if !actor.Meets(r.needs) {
			return "403"
		}
	}
	switch {
	case len(r.at) == 0, r.reach == "asked":
		return "yes"
	case r.reach == "self":
		return "hidden" // the fixtures' sessions belong to others
	case super, relation == "own", relation == "managed":
		return "yes"
	case relation == "accessed" && r.reach == "read":
		return "yes"
	}
	return "hidden"
}

func permissionsOf(role string) map[string]bool {
	out := map[string]bool{}
	r, _ := catalog.RoleByName(role)
	for _, p := range catalog.Granted(r) {
		out[p] = true
		if resource, ok := strings.CutSuffix(p, ":manage"); ok {
			for _, action := range []string{"read", "create", "update", "delete"} {
				if slices.Contains(catalog.AllPermissions().Permissions, resource+":"+action) {
					out[resource+":"+action] = true
				}
			}
		}
	}
	return out
}

// outcome sorts an answer. What the request itself lacks (a wrong code, an
// organization in use) comes after the permission, so it counts as yes.
func outcome(lacks string, r testkit.Response) string {
	code := ""
	var failure struct{ Error string }
	if r.Status >= 400 && json.Unmarshal([]byte(r.Text), &failure) == nil {
		code = failure.Error
	}
	switch {
	case r.Status < 300, slices.Contains([]string{"step_up_failed", "mfa_failed", "mfa_challenge_expired", "password_wrong", "organization_in_use", "own_account"}, code),
		lacks != "" && code == lacks:
		return "yes"
	case r.Status == http.StatusUnauthorized:
		return "401"
	case r.Status == http.StatusForbidden:
		return "403"
	case r.Status == http.StatusNotFound, r.Status == http.StatusUnprocessableEntity && strings.HasSuffix(code, "_not_found"),
		code == "location_no_access": // to who may read it
		return "hidden"
	}
	return fmt.Sprintf("%d %s", r.Status, code)
}

// changes counts the audit rows of all organizations but those of looking and signing in. What was counted is not
// counted again: ids only grow here, and counting thousands of rows at each of thousands of requests takes minutes.
func (w *walk) changes() int {
	more := 0
	w.must(w.App.Store.Reader().QueryRowContext(w.t.Context(), `SELECT COALESCE(MAX(id), $1),
		COALESCE(SUM(CASE WHEN verb IN ('look', 'sign_in', 'sign_in_refused') THEN 0 ELSE 1 END), 0) FROM audit WHERE id > $1`,
		w.countedTo).Scan(&w.countedTo, &more))
	w.counted += more
	return w.counted
}

// Every operation × every role × (own, managed, accessed, foreign), every id
// position included: who may, may; who may not, changes nothing; and no answer
// carries a byte of an organization that is out of reach.
// spec: 6.model.03 6.model.04 6.model.05
func TestWalk(t *testing.T) {
	if testing.Short() {
		t.Skip("the walk makes some thousand requests: it runs without the race detector")
	}
	w := newWalk(t)
	var table strings.Builder
	fmt.Fprintf(&table, "%-28s %-10s %-15s", "operation", "relation", "position")
	for _, role := range roles {
		fmt.Fprintf(&table, " %-13s", role)
	}
	table.WriteString("\n")
	seen := map[string]bool{}
	for _, o := range operations(t, w.World) {
		r, ok := rules[o.id]
		seen[o.id] = true
		if !ok {
			t.Errorf("%s %s (%s) has no row in the table", o.method, o.path, o.id)
			continue
		}
		if r.needs == deviceKey {
			w.device(o)
			continue
		}
		if o.secured != (r.needs != anyone) {
			t.Errorf("%s: the document says secured=%v, the table needs %s", o.id, o.secured, r.needs)
		}
		if r.needs == anyone {
			continue
		}
		for r := &r; r != nil; r = r.also {
			w.operation(&table, o, *r)
		}
	}
	for id := range rules {
		if !seen[id] {
			t.Errorf("the table has a row %s that the document does not", id)
		}
	}
	golden := filepath.Join("testdata", "authz.golden")
	if *update {
		w.must(os.MkdirAll("testdata", 0o755))
		w.must(os.WriteFile(golden, []byte(table.String()), 0o644))
	}
	if want, err := os.ReadFile(golden); err != nil || string(want) != table.String() {
		t.Errorf("the table has changed (%v); if that is meant, run go test ./internal/testkit/authz -update", err)
	}
	t.Logf("\n%s", table.String())
}

// device checks that a person's token, however mighty, is no device's key.
func (w *walk) device(o operation) {
	for _, role := range roles {
		if r := w.Do(testkit.Request{Method: o.method, Path: "/api" + o.path, Token: w.token(role)}); r.Status < 400 {
			w.t.Errorf("%s opens to %s's token: %d %s", o.id, role, r.Status, cut(r.Text))
		}
	}
}

// operation walks one operation and writes its lines.
func (w *walk) operation(table *strings.Builder, o operation, r rule) {
	positions := r.at
	if len(positions) == 0 {
		positions = []string{"-"}
	}
	for _, position := range positions {
		for _, relation := range relations {
			if len(r.at) == 0 && relation != "own" {
				continue
			}
			fmt.Fprintf(table, "%-28s %-10s %-15s", o.id, relation, position)
			for _, role := range roles {
				fmt.Fprintf(table, " %-13s", w.step(o, r, role, position, relation))
			}
			table.WriteString("\n")
		}
	}
}

// step makes one call and checks it against the table.
func (w *walk) step(o operation, r rule, role, position, relation string) string {
	fresh := map[string]*fixture{}
	at := func(p string) *fixture {
		which := "own"
		switch p {
		case position:
			which = relation
		case "spare":
			return w.lasting[p]
		}
		if r.quiet {
			return w.lasting[which]
		}
		if fresh[which] == nil {
			fresh[which] = w.fixture(which)
		}
		return fresh[which]
	}
	for _, p := range r.at {
		at(p) // fixtures leave audit rows of their own
	}
	want := allowed(r, role, relation)
	before := w.changes()
	answer := w.call(o, r, role, at)
	got := outcome(r.lacks, answer)
	label := fmt.Sprintf("%s as %s with %s of %s", o.id, role, position, relation)
	if got != want {
		w.t.Errorf("%s: %s, want %s (%d %s)", label, got, want, answer.Status, cut(answer.Text))
	}
	if after := w.changes(); want == "yes" && !r.quiet && after == before && answer.Status < 300 {
		w.t.Errorf("%s: changed something and left no audit row", label)
	} else if want != "yes" && after != before {
		w.t.Errorf("%s: refused, but an audit row tells of a change", label)
	}
	if asked := at(position).organization; r.reach == "asked" && asked != w.Own.ID { // what super did at once would act on what comes later
		w.must(w.App.RelateOrganizations(w.t.Context(), access.System(), w.Own.ID, asked, "delete"))
	}
	for _, which := range relations {
		reachable := role == "super" || which == "own" || which == "managed" || which == "accessed"
		if role != "nobody" && reachable && !(want == "hidden" && which == relation && relation != "own") {
			continue
		}
		if mark := "zq" + which + "qz"; strings.Contains(answer.Text, mark) || which == "foreign" && strings.Contains(answer.Text, w.Foreign.Name) {
			w.t.Errorf("%s: the answer carries %s's data: %s", label, which, cut(answer.Text))
		}
	}
	return got
}

func cut(s string) string {
	if len(s) > 300 {
		return s[:300] + "…"
	}
	return s
}
