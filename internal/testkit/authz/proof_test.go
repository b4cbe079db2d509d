package authz_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/sso"
	"lightbar/internal/store"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// asks says whether a write wants a proof of the last ten minutes. Where that
// hangs on the body an operation has several rows.
type asks struct {
	// free is why a session that has proved nothing may do it; empty = it needs a proof.
	free string
	what string // which of several rows
	role string // who asks; administrator when empty
	// ready puts the world and the fixture into the state from which the body changes something.
	ready func(w *walk, f *fixture)
	// body and path stand for those of the operation's rule; body is made once for each request.
	body func(w *walk, f *fixture) any
	path func(f *fixture) string
	// pair sends the session's own tokens in the body, not as a bearer.
	pair func(p wire.TokenPair) any
	// lacks is what the same request is refused with once its user has proved who they are: it proves nothing else.
	lacks string
}

// Why nobody has to prove who they are.
const (
	noSession = "there is no session yet: the call itself proves who is there, by a password, a code, or a token of a letter"
	oneself   = "it ends one's own access and gives none"
	proving   = "it is the proof"
	everyday  = "everyday work: it gives nobody access and deletes nothing"
	ofADevice = "a device's key, not a person's session"
	askedInIt = "it asks for the present password itself"
)

func sends(body any) func(*walk, *fixture) any { return func(*walk, *fixture) any { return body } }

// user, thing and organization changes that bring about the state before a row.
func userIs(edit wire.UserWrite) func(*walk, *fixture) {
	return func(w *walk, f *fixture) {
		_, err := w.App.UpdateUser(w.t.Context(), access.System(), f.user, edit)
		w.must(err)
	}
}

func organizationIs(edit wire.OrganizationWrite) func(*walk, *fixture) {
	return func(w *walk, f *fixture) {
		_, err := w.App.UpdateOrganization(w.t.Context(), access.System(), f.organization, edit)
		w.must(err)
	}
}

func related(kind string) func(*walk, *fixture) any {
	return func(w *walk, _ *fixture) any {
		return object{"organization_id": w.lasting["spare"].organization, "relationship_type": kind}
	}
}

func associated(kind string) func(*walk, *fixture) any {
	return func(w *walk, _ *fixture) any {
		return object{"organization_relationships": []object{{"organization_uuid": w.Own.ID, "relationship_type": kind}}}
	}
}

func associatedBefore(kind string) func(*walk, *fixture) {
	return func(w *walk, f *fixture) {
		_, err := w.App.SetThingAssociations(w.t.Context(), access.System(), f.thing, []wire.RelationshipWrite{{OrganizationUUID: wire.ID(w.Own.ID), RelationshipType: kind}})
		w.must(err)
	}
}

func refreshes(awareness bool) func(wire.TokenPair) any {
	return func(p wire.TokenPair) any {
		return object{"grant_type": "refresh_token", "refresh_token": p.RefreshToken, "awareness_mode": awareness}
	}
}

// invited makes the fixture's user one who has not entered yet.
func invited(w *walk, f *fixture) {
	m, err := w.App.CreateUser(w.t.Context(), access.System(), wire.UserCreate{OrganizationID: wire.ID(f.organization), FirstName: "In", LastName: "Vited",
		Email: "invited-" + f.user + "@walk.example", RoleID: wire.ID(f.role)})
	w.must(err)
	f.user = m.ID
}

// emptied makes the fixture's organization one that can be deleted.
func emptied(w *walk, f *fixture) {
	o, err := w.App.CreateOrganization(w.t.Context(), access.System(), fleet.Organization{Name: "Empty " + f.key})
	w.must(err)
	w.must(w.App.RelateOrganizations(w.t.Context(), access.System(), o.ID, w.Own.ID, "manager"))
	f.organization = o.ID
}

// apartIs is organizationIs for an organization of its own: where closures are published, the fixtures' closures lack something.
func apartIs(edit wire.OrganizationWrite) func(*walk, *fixture) {
	return func(w *walk, f *fixture) {
		emptied(w, f)
		organizationIs(edit)(w, f)
	}
}

// elsewhere makes the fixture's session another one of the administrator's.
func elsewhere(w *walk, f *fixture) {
	actor, err := w.App.Authenticate(w.t.Context(), w.SignIn("administrator").AccessToken, "")
	w.must(err)
	f.session = actor.SessionID
}

// imports is a file, and the digest of its preview.
func imports(w *walk, f *fixture) any {
	in := app.ThingImport{OrganizationID: f.organization, CSV: "system_name,type\nIMPORTED-" + f.key + ",fire\n"}
	preview, err := w.App.ImportThings(w.t.Context(), access.System(), in)
	w.must(err)
	return object{"organization_id": in.OrganizationID, "csv": in.CSV, "digest": preview.Digest}
}

func importsUsers(w *walk, f *fixture) any {
	in := wire.UsersImport{OrganizationID: wire.ID(f.organization), CSV: "email,first_name,last_name,role\nmany-" + f.user + "@walk.example,New,User,Viewer\n"}
	preview, err := w.App.ImportUsers(w.t.Context(), access.System(), in)
	w.must(err)
	return object{"organization_id": in.OrganizationID, "csv": in.CSV, "digest": preview.Digest}
}

func roleNamed(name string) string {
	r, _ := catalog.RoleByName(name)
	return r.ID
}

func is[T any](v T) *T { return &v }

var minuteMs = time.Minute.Milliseconds()

// proofs is the table: every operation that writes.
var proofs = andResources(map[string][]asks{
	// Ways in, and out.
	"createUserToken": {{free: noSession}, {what: "awareness mode on", pair: refreshes(true)},
		{what: "a plain refresh", free: "it goes on with the session as it is", pair: refreshes(false)}},
	"verifyToken": {{free: "it changes nothing"}}, "revokeToken": {{free: oneself}},
	"forgotPassword": {{free: noSession}}, "resetPassword": {{free: noSession}}, "unlockAccount": {{free: noSession}}, "acceptInvitation": {{free: noSession}},
	"lookUpSignInLink": {{free: "it changes nothing"}}, "discardSignInLink": {{free: oneself}},
	"lookUpClosureQuestion": {{free: "it changes nothing"}}, "answerClosureQuestion": {{free: noSession}},
	"ingest": {{free: ofADevice}}, "ingest-assets": {{free: ofADevice}}, "ingest-osmand-post": {{free: ofADevice}},
	"ingest-command-word": {{free: ofADevice}}, "ingest-samsara": {{free: ofADevice}},
	"stepUp": {{free: proving}}, "beginStepUpProvider": {{free: proving, lacks: "step_up_failed"}}, "beginStepUpPasskey": {{free: proving, lacks: "step_up_failed"}},
	"endSession": {{free: oneself, ready: elsewhere}}, "endOtherSessions": {{free: oneself}},

	// One's own account.
	"changePassword": {{free: askedInIt, lacks: "password_wrong"}},
	"beginTOTP":      {{}}, "confirmTOTP": {{lacks: "validation_failed"}}, "removeTOTP": {{lacks: "not_found"}}, "newRecoveryCodes": {{lacks: "validation_failed"}},
	"beginPasskey": {{lacks: "validation_failed"}}, "addPasskey": {{lacks: "validation_failed"}}, "removePasskey": {{lacks: "not_found"}},
	"createSignInLink": {{}},

	// People.
	"createUser": {{what: "an administrator", body: func(w *walk, f *fixture) any {
		return object{"organization_id": f.organization, "firstname": "New", "lastname": "User", "email": "chief-" + f.user + "@walk.example", "role_id": roleNamed("administrator")}
	}}, {what: "a viewer"}},
	"sendTestMail": {{free: "it mails the caller alone", lacks: "forbidden"}},
	"importUsers":  {{what: "preview"}, {what: "apply", body: importsUsers}}, "undoUserImport": {{}},
	"inviteUser": {{ready: invited}}, "copyInvitation": {{ready: invited}},
	"updateUser": {
		{what: "role", body: sends(object{"role_id": roleNamed("operator")})},
		{what: "suspended", body: sends(object{"suspended": true})},
		{what: "let in again", ready: userIs(wire.UserWrite{Suspended: is(true)}), body: sends(object{"suspended": false})},
		{what: "moved", body: func(w *walk, _ *fixture) any { return object{"organization_id": w.Own.ID} }},
		{what: "awareness mode", ready: userIs(wire.UserWrite{AwarenessModeAccess: is(false)}), body: sends(object{"awareness_mode_access": true})},
		{what: "awareness mode taken", free: "it takes a right away that lengthens sessions", body: sends(object{"awareness_mode_access": false})},
		{what: "name", free: everyday, body: sends(object{"lastname": "Renamed"})},
	},
	"deleteUser": {{}}, "resetSecondFactor": {{}},
	"endUserSessions": {{free: "the emergency door: whoever sees a thief must act at once, and signing in undoes it"}},

	// Organizations.
	"updateOrganization": {
		{what: "no second factor", ready: organizationIs(wire.OrganizationWrite{MFARequired: is(true)}), body: sends(object{"mfa_required": false})},
		{what: "a second factor", free: "it asks more of everybody and shuts nobody out for a day", body: sends(object{"mfa_required": true})},
		{what: "passwords too", ready: organizationIs(wire.OrganizationWrite{SSOOnly: is(true)}), body: sends(object{"sso_only": false})},
		{what: "the provider alone", ready: organizationIs(wire.OrganizationWrite{SSOOnly: is(false)}), body: sends(object{"sso_only": true})},
		{what: "locks later", ready: organizationIs(wire.OrganizationWrite{LockScreenMs: is(5 * minuteMs)}), body: sends(object{"lock_screen_ms": 6 * minuteMs})},
		{what: "locks never", ready: organizationIs(wire.OrganizationWrite{LockScreenMs: is(5 * minuteMs)}), body: sends(object{"lock_screen_ms": 0})},
		{what: "locks sooner", ready: organizationIs(wire.OrganizationWrite{LockScreenMs: is(5 * minuteMs)}), free: "it protects more than before", body: sends(object{"lock_screen_ms": minuteMs})},
		{what: "sessions without an end", role: "super", body: sends(object{"show_infinite_timeout_option": true})},
		{what: "public alerts", body: sends(object{"alerts_public": true})},
		{what: "public feeds", ready: apartIs(wire.OrganizationWrite{IsWZDxOrg: is(true), FeedsPublic: is(false)}), body: sends(object{"feeds_public": true})},
		{what: "publishes as it is public", role: "super", ready: apartIs(wire.OrganizationWrite{IsWZDxOrg: is(false), FeedsPublic: is(true)}),
			body: sends(object{"is_wzdx_org": true})},
		{what: "private feeds", free: "it takes access away", body: sends(object{"feeds_public": false})},
		{what: "contact", free: everyday},
	},
	"updateOwnOrganization": {
		{what: "locks never", ready: func(w *walk, _ *fixture) {
			organizationIs(wire.OrganizationWrite{LockScreenMs: is(5 * minuteMs)})(w, &fixture{organization: w.Own.ID})
		}, body: sends(object{"lock_screen_ms": 0})},
		{what: "contact", free: everyday},
	},
	"deleteOrganization": {{ready: emptied}},
	"relateOrganizations": {{what: "manager", body: related("manager")}, {what: "accessor", ready: func(w *walk, f *fixture) {
		w.must(w.App.RelateOrganizations(w.t.Context(), access.System(), f.organization, w.lasting["spare"].organization, "delete"))
	}, body: related("accessor")},
		{what: "delete", free: "it takes access away", body: related("delete")}},
	"acceptOffer": {{}}, "endOffer": {{free: "it gives nobody access"}},

	// Assets.
	"createThing": {{free: everyday}}, "updateThing": {{free: everyday}},
	"setThingAssociations": {
		{what: "accessor", body: associated("accessor")},
		{what: "manager", ready: associatedBefore("accessor"), body: associated("manager")},
		{what: "the same", ready: associatedBefore("accessor"), free: "it changes nothing", body: associated("accessor")},
		{what: "less", ready: associatedBefore("manager"), free: "it takes access away", body: associated("accessor")},
		{what: "delete", ready: associatedBefore("manager"), free: "it takes access away", body: associated("delete")},
	},
	"deleteThing":   {{}},
	"transferThing": {{body: func(w *walk, _ *fixture) any { return object{"organization_id": w.Own.ID} }}},
	"importThings":  {{what: "preview", free: "it changes nothing"}, {what: "apply", body: imports}},
	"undoImport":    {{}}, "setDeviceConfig": {{}},
	"toggleTestMode": {{free: everyday, lacks: "asset_status_invalid"}}, "setLightIntensity": {{free: everyday, lacks: "asset_status_invalid"}},

	"updateLocation": {{free: everyday}},
	"createExport":   {{free: everyday}}, "cancelExport": {{free: everyday}}, "estimateExport": {{free: "it changes nothing"}}, "deleteExport": {{ready: authored, free: everyday}},

	"fetchFeedSubscription": {{free: everyday}}, "acceptFeedSubscription": {{ready: held, body: accepts, free: everyday}},

	"fetchIntegration": {{free: everyday}}, "linkIntegration": {{free: everyday}}, "checkIntegration": {{free: "it changes nothing", lacks: "provider_unavailable"}},

	"confirmHazard": {{free: everyday}}, "clearHazard": {{free: everyday}}, "importHazards": {{free: everyday}},
	"undoHazardImport": {{free: everyday}},
	"saveAreas":        {{free: everyday}}, "chooseMails": {{free: everyday}}, "updateWatchdog": {{free: everyday}}, "chooseWatchdogMail": {{free: everyday}}, "chooseStatusMail": {{free: everyday}}, "chooseMonthlyMail": {{free: everyday}},
	"undoLocation": {{ready: editedEvent, body: undoesEvent, free: everyday}},
	"importAreas":  {{free: everyday}}, "undoAreaImport": {{free: everyday}},
	"checkClosure": {{free: "it changes nothing"}}, "confirmClosure": {{free: everyday}}, "findDirections": {{free: "it changes nothing"}}, "checkFeed": {{free: "it changes nothing"}},
	"setCover": {{free: everyday}}, "deleteCover": {{ready: covered, free: everyday}},

	// Keys.
	"createKey": {{what: "of an organization"}, {what: "of an asset", body: func(_ *walk, f *fixture) any {
		return object{"thing_id": f.thing, "scope": "thing", "description": "walk"}
	}}},
	"deleteKey":       {{}},
	"createLegalHold": {{free: "it keeps data and takes nothing from anybody; lifting it asks"}}, "deleteLegalHold": {{}},
}, (*resource).proofs)

// linked is a session that has proved nothing: somebody opened a sign-in link.
func (w *walk) linked(role string) wire.TokenPair {
	w.t.Helper()
	var made struct{ Data struct{ URL string } }
	r := w.Do(testkit.Request{Method: "POST", Path: "/api/session/link", Token: w.SignIn(role).AccessToken})
	w.must(json.Unmarshal([]byte(r.Text), &made))
	address, err := url.Parse(made.Data.URL)
	w.must(err)
	query := address.Query()
	return testkit.Decode[wire.TokenPair](w.t, w.Do(testkit.Request{Method: "POST", Path: "/api/user_token", Body: object{"grant_type": "link",
		"access_token": query.Get("access_token"), "refresh_token": query.Get("refresh_token")}}))
}

// Every operation that writes, with a session that has proved nothing lately:
// what gives access, takes it from others, loosens a rule or deletes is refused
// and changes nothing, and the same request goes through after a proof.
func TestWritesAskWhoIsThere(t *testing.T) {
	if testing.Short() {
		t.Skip("every write, one after the other: it runs without the race detector")
	}
	w := newWalk(t)
	w.App.Providers = []*sso.Client{{}}
	seen := map[string]bool{}
	for _, o := range operations(t, w.World) {
		if o.method == http.MethodGet {
			continue
		}
		seen[o.id] = true
		rows := proofs[o.id]
		if len(rows) == 0 {
			t.Errorf("%s %s (%s) has no row: does it need a proof?", o.method, o.path, o.id)
		}
		for _, row := range rows {
			t.Run(o.id+" "+row.what, func(t *testing.T) { w.in(t).proof(o, row) })
		}
	}
	for id := range proofs {
		if !seen[id] {
			t.Errorf("the table has a row %s that writes nothing or is not in the document", id)
		}
	}
}

func (w *walk) in(t *testing.T) *walk {
	out := *w
	out.t, out.World = t, w.World.In(t)
	return &out
}

// proof walks one row: without a proof, then with one.
func (w *walk) proof(o operation, row asks) {
	r := rules[o.id]
	if (!o.secured || r.needs == deviceKey) && row.pair == nil {
		if row.free == "" {
			w.t.Error("nobody is signed in here: no session can prove anything")
		}
		return // nothing of a session is looked at
	}
	if row.role == "" {
		row.role = "administrator"
	}
	w.Clock.Advance(time.Minute) // the brake on token calls is another test's
	f := w.fixture("managed")
	if row.ready != nil {
		row.ready(w, f)
	}
	if row.path == nil {
		row.path = r.path
	}
	ask := func(p wire.TokenPair) testkit.Response {
		if row.pair != nil {
			return w.Do(testkit.Request{Method: o.method, Path: "/api" + o.path, Body: row.pair(p)})
		}
		with := r
		with.path = row.path
		if row.body != nil {
			with.body = func(func(string) *fixture) any { return row.body(w, f) }
		}
		in := request(o, with, func(position string) *fixture {
			if position == "spare" {
				return w.lasting["spare"]
			}
			return f
		})
		in.Token = p.AccessToken
		return w.Do(in)
	}
	linked, proved := w.linked(row.role), w.SignIn(row.role)
	before := w.state()
	answer := ask(linked)
	if row.free != "" {
		if code := codeIn(answer); answer.Status >= 300 && (code != row.lacks || row.lacks == "") {
			w.t.Errorf("free (%s), and yet %d %s", row.free, answer.Status, cut(answer.Text))
		}
		return
	}
	if answer.Status != http.StatusForbidden || codeIn(answer) != "step_up_required" {
		w.t.Errorf("a session that has proved nothing: %d %s", answer.Status, cut(answer.Text))
	}
	if changed := changedTables(before, w.state()); len(changed) > 0 {
		w.t.Errorf("refused, and yet it changed %v", changed)
	}
	if answer = ask(proved); answer.Status >= 300 && (codeIn(answer) != row.lacks || row.lacks == "") {
		w.t.Errorf("after a proof: %d %s", answer.Status, cut(answer.Text))
	}
}

func codeIn(r testkit.Response) string {
	var failure struct{ Error string }
	if r.Status < 400 || json.Unmarshal([]byte(r.Text), &failure) != nil {
		return ""
	}
	return failure.Error
}

// passing are the tables that every call may touch, who was there, and how often; and those of
// points, which move by themselves from the intake to their table.
var passing = []string{"session_token", "known_device", "sign_in_attempt", "refusal_count", "idempotency", "server_lock", "audit_seal", "goose_db_version",
	"thing_state", "state_late", "point", "point_intake", "sqlite_sequence"}

// state is a digest of each table, but for the audit rows of looking and signing in.
func (w *walk) state() map[string]string {
	w.t.Helper()
	out := map[string]string{}
	w.must(w.App.Store.Read(w.t.Context(), func(r store.Reader) error {
		names, err := textsOf(w, r, `SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`)
		for _, name := range names {
			if slices.Contains(passing, name) {
				continue
			}
			out[name] = w.digest(r, name)
		}
		return err
	}))
	return out
}

func changedTables(before, after map[string]string) (changed []string) {
	for name, digest := range after {
		if before[name] != digest {
			changed = append(changed, name)
		}
	}
	slices.Sort(changed)
	return changed
}

func textsOf(w *walk, r store.Reader, query string) (out []string, err error) {
	rows, err := r.QueryContext(w.t.Context(), query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		out = append(out, text)
	}
	return out, rows.Err()
}

// digest is a table's rows in one text, in the order of their bytes.
func (w *walk) digest(r store.Reader, table string) string {
	w.t.Helper()
	query := `SELECT * FROM "` + table + `"`
	switch table {
	case "session":
		query = `SELECT id, absolute_at, revoked_at, reason, awareness, verified_at FROM session`
	case "audit":
		query += ` WHERE verb NOT IN ('look', 'sign_in', 'sign_in_refused')`
	}
	rows, err := r.QueryContext(w.t.Context(), query)
	w.must(err)
	defer rows.Close()
	columns, err := rows.Columns()
	w.must(err)
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	var all []string
	for rows.Next() {
		w.must(rows.Scan(into...))
		all = append(all, fmt.Sprint(values...))
	}
	w.must(rows.Err())
	slices.Sort(all)
	return strings.Join(all, "\n")
}
