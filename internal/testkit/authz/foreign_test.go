package authz_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// unknownID is well-formed and nobody's.
const unknownID = "019aa5c0-0000-7000-8000-ffffffffffff"

// names says what an id field names; the walk puts one of somebody else's there.
type names struct {
	// whose answers the ids of it that are out of the administrator's reach.
	whose func(w *walk) []string
	// own answers one that is in reach; with it the request must go through.
	own func(w *walk, f *fixture) string
	// none is why the field names nothing of anybody.
	none string
	// open is why the two answers still differ.
	open string
	// body stands for that of the operation's rule.
	body func(w *walk, f *fixture) any
	// ready puts the own fixture into a state from which the request goes through.
	ready func(w *walk, f *fixture)
	// lacks is what the request is refused with when its id is right.
	lacks string
}

func (n names) with(change func(*names)) names {
	change(&n)
	return n
}

// each takes one id of the fixtures out of reach: a stranger's always, an
// accessed organization's too where reading is not enough.
func each(id func(*fixture) string, relations ...string) func(*walk) []string {
	return func(w *walk) (out []string) {
		for _, relation := range relations {
			out = append(out, id(w.lasting[relation]))
		}
		return out
	}
}

func ofKind(id func(*fixture) string, relations ...string) names {
	return names{whose: each(id, relations...), own: func(_ *walk, f *fixture) string { return id(f) }}
}

var (
	// To be read: an accessed organization is in reach. To be changed: it is not.
	readOrganization, fullOrganization = ofKind(organization, "foreign"), ofKind(organization, "foreign", "accessed")
	readThing, fullThing               = ofKind(thing, "foreign"), ofKind(thing, "foreign", "accessed")
	readArea                           = ofKind(area, "foreign")
	fullExport                         = ofKind(exported, "foreign", "accessed")
	fullHazard                         = ofKind(hazard, "foreign", "accessed")
	fullFeed                           = ofKind(feed, "foreign", "accessed")
	fullIntegration                    = ofKind(integration, "foreign", "accessed")
	readUser, fullUser                 = ofKind(user, "foreign"), ofKind(user, "foreign", "accessed")
	fullOffer                          = ofKind(offer, "foreign", "accessed")
	fullKey, fullImport                = ofKind(key, "foreign", "accessed"), ofKind(imported, "foreign", "accessed")
	fullLegalHold                      = ofKind(legalHold, "foreign", "accessed")
	fullAreaImport                     = ofKind(importOfArea, "foreign", "accessed")
	fullUserImport                     = ofKind(importOfUsers, "foreign", "accessed")
	fullHazardImport                   = ofKind(importOfHazard, "foreign", "accessed")
	// who may read an event of an accessed organization is told that it may not change it
	seenLocation = ofKind(location, "foreign")
	// the organization of a subscription never changes, whosever it would be
	fixedOrganization = fullOrganization.with(func(n *names) { n.lacks = "validation_failed" })
	// ownSession: those of colleagues are as far away as those of strangers.
	ownSession = names{whose: each(session, "foreign", "accessed", "managed", "own"), own: func(w *walk, f *fixture) string { elsewhere(w, f); return f.session }}
	ownPasskey = names{whose: func(w *walk) []string { return []string{w.passkeyOf("outsider"), w.passkeyOf("viewer")} },
		own: func(w *walk, _ *fixture) string { return w.passkeyOf("administrator") }}
	// a role that cannot be assigned is to an administrator as if there were none.
	grantedRole = names{whose: func(*walk) []string { return []string{roleNamed("super"), roleNamed("engineer")} }, own: func(*walk, *fixture) string { return roleNamed("operator") }}
	inventory   = names{none: "the catalog's, the same for everybody"}
	invented    = names{none: "the caller's own word for what it makes"}
	ofDevice    = names{none: "a device's own name, found among the assets of its key alone; no session comes here"}
	ofThing     = names{whose: each(thing, "foreign"), own: func(_ *walk, f *fixture) string { return f.thing }}
	ofWebhook   = names{none: "what is sent is signed with the secret of that integration; no session comes here"}
	filtered    = names{whose: each(user, "foreign"), own: func(_ *walk, f *fixture) string { return f.user }}
)

// ids is the table: every id field of every operation.
var ids = andResources(map[string]map[string]names{
	"listAudit":   {"query:organization_id": fullOrganization, "query:noun_id": filtered, "query:actor": filtered},
	"exportAudit": {"query:organization_id": fullOrganization, "query:noun_id": filtered, "query:actor": filtered},

	"ingest": {"body:items.[].asset": ofDevice, "body:items.[].id": invented}, "ingest-assets": {"body:things.[].external_id": ofDevice, "body:things.[].haas_id": ofDevice}, "ingest-device-config": {"query:asset": ofDevice},
	"ingest-commands": {"query:asset": ofDevice}, "ingest-command-word": {"path:id": ofDevice},
	"ingest-samsara": {"path:id": ofWebhook},
	"ingest-osmand":  {"query:id": ofDevice}, "ingest-osmand-post": {"query:id": ofDevice},

	"getRetention": {"path:id": fullOrganization}, "getConcerns": {"path:id": fullOrganization}, "listLegalHolds": {"query:org_ids[]": fullOrganization}, "deleteLegalHold": {"path:id": fullLegalHold},
	"createLegalHold": {"body:organization_id": fullOrganization, "body:thing_id": fullThing},
	"listKeys":        {"query:org_ids[]": fullOrganization},
	"createKey":       {"body:organization_id": fullOrganization, "body:thing_id": fullThing.with(func(n *names) { n.body = scopedKey })},
	"deleteKey":       {"path:id": fullKey},

	"listChanges":  {"query:org_ids[]": readOrganization.with(func(n *names) { n.lacks = "validation_failed" })},
	"listUndo":     {"query:org_ids[]": readOrganization},
	"undoLocation": {"path:id": seenLocation.with(func(n *names) { n.ready, n.body = editedEvent, undoesEvent })},

	"undoAreaImport": {"path:id": fullAreaImport},
	"importAreas":    {"body:organization_id": fullOrganization, "body:ez_type_id": inventory}, "exportAreas": {"query:org_ids[]": readOrganization},

	"listMonthlyReports": {"path:orgId": fullOrganization, "query:org_ids[]": fullOrganization}, "getMonthlyReport": {"path:orgId": fullOrganization},
	"listMonthlyReportRows": {"path:orgId": fullOrganization}, "chooseMonthlyMail": {"path:orgId": fullOrganization},
	"listExports": {"query:org_ids[]": fullOrganization}, "getExport": {"path:id": fullExport}, "cancelExport": {"path:id": fullExport},
	"deleteExport":   {"path:id": fullExport.with(func(n *names) { n.ready = authored })},
	"estimateExport": {"body:id": invented, "body:organization_id": fullOrganization, "body:thing_uuids": fullThing.with(func(n *names) { n.lacks = "validation_failed" })},
	"createExport":   {"body:id": invented, "body:organization_id": fullOrganization, "body:thing_uuids": fullThing.with(func(n *names) { n.lacks = "validation_failed" })},
	"confirmHazard":  {"path:id": fullHazard}, "clearHazard": {"path:id": fullHazard},
	"importHazards": {"body:organization_id": fullOrganization, "body:columns.id": invented}, "undoHazardImport": {"path:id": fullHazardImport},
	"saveAreas": {"body:area_ids": readArea},

	"fetchFeedSubscription":  {"path:id": fullFeed},
	"acceptFeedSubscription": {"path:id": fullFeed.with(func(n *names) { n.ready, n.body = held, accepts })},

	"getWatchdog": {"query:organization_id": fullOrganization}, "updateWatchdog": {"query:organization_id": fullOrganization},
	"listFindings":     {"query:org_ids[]": readOrganization, "query:thing_id": ofThing},
	"fetchIntegration": {"path:id": fullIntegration}, "checkIntegration": {"path:id": fullIntegration.with(func(n *names) { n.lacks = "provider_unavailable" })},
	"linkIntegration": {"path:id": fullIntegration, "body:vehicles.[].external_id": invented,
		"body:vehicles.[].thing_id": {whose: each(thing, "foreign", "accessed", "managed"), own: func(_ *walk, f *fixture) string { return f.thing }}},

	"checkClosure":   {"body:uuid": invented, "body:thing_id": fullThing.with(func(n *names) { n.body, n.lacks = drivenClosure, "validation_failed" }), "body:organization_id": fullOrganization, "body:external_id": invented, "body:group_id": invented, "body:responsible_user_id": fullUser},
	"confirmClosure": {"path:id": ofKind(closure, "foreign", "accessed")},
	"getFeeds":       {"path:id": fullOrganization},
	"listVisits":     {"path:id": readArea}, "getCover": {"path:id": readArea.with(func(n *names) { n.ready = covered })}, "setCover": {"path:id": readArea, "body:thing_type_ids": inventory},
	"deleteCover": {"path:id": readArea.with(func(n *names) { n.ready = covered })},

	"listLocations": {"query:org_ids[]": readOrganization}, "listActiveLocations": {"query:org_ids[]": readOrganization},
	"getLocation": {"path:id": seenLocation}, "updateLocation": {"path:id": seenLocation, "body:organization_id": fullOrganization},
	"listThings": {"query:org_ids[]": readOrganization}, "exportThings": {"query:org_ids[]": readOrganization},
	"snapshotThings": {"query:org_ids[]": readOrganization}, "countThings": {"query:org_ids[]": readOrganization},
	"importThings": {"body:organization_id": fullOrganization}, "undoImport": {"path:id": fullImport},
	"createThing": {"body:organization_id": fullOrganization, "body:haas_id": invented, "body:external_id": invented, "body:thing_type_id": inventory, "body:thing_subtype_id": inventory},
	"getThing":    {"path:id": readThing}, "deleteThing": {"path:id": fullThing},
	"getTrips": {"path:thingId": readThing.with(func(n *names) { n.lacks = "validation_failed" })}, "listCoverage": {"query:thing_ids[]": readThing},
	"exportTrips": {"query:thing_ids[]": readThing.with(func(n *names) { n.lacks = "validation_failed" })},
	"updateThing": {"path:id": fullThing, "body:id": fullThing, "body:thing_type_id": inventory, "body:thing_subtype_id": inventory,
		"body:external_identifiers.[].identifier_id": invented},
	"listThingCommands": {"path:id": fullThing}, "toggleTestMode": {"path:id": fullThing.with(func(n *names) { n.lacks = "asset_status_invalid" })},
	"setLightIntensity": {"path:thingId": fullThing.with(func(n *names) { n.lacks = "asset_status_invalid" })},
	"getDeviceConfig":   {"path:id": readThing}, "setDeviceConfig": {"path:id": fullThing},
	"transferThing": {"path:id": fullThing.with(func(n *names) { n.body = toManaged }), "body:organization_id": fullOrganization.with(func(n *names) { n.own = managedOrganization })},
	"setThingAssociations": {"path:thingId": fullThing, "body:organization_relationships.[].organization_uuid": {whose: each(organization, "foreign", "accessed"),
		own: managedOrganization, ready: managedByManaged, body: associatesOne}},

	"listMembers": {"query:org_ids[]": readOrganization},
	"getUser":     {"path:id": readUser}, "deleteUser": {"path:id": fullUser}, "inviteUser": {"path:id": fullUser.with(func(n *names) { n.ready = invited })},
	"copyInvitation": {"path:id": fullUser.with(func(n *names) { n.ready = invited })},
	"importUsers":    {"body:organization_id": fullOrganization}, "undoUserImport": {"path:id": fullUserImport},
	"createUser":        {"body:organization_id": fullOrganization, "body:role_id": grantedRole},
	"updateUser":        {"path:id": fullUser.with(func(n *names) { n.body = renamed }), "body:organization_id": fullOrganization, "body:role_id": grantedRole.with(func(n *names) { n.body = renamed })},
	"resetSecondFactor": {"path:id": fullUser}, "endUserSessions": {"path:id": fullUser}, "listUserSessions": {"path:id": fullUser},

	"getOrganization":       {"path:id": readOrganization},
	"updateOrganization":    {"path:id": fullOrganization, "body:organization_type_id": inventory, "body:billing_id": invented},
	"updateOwnOrganization": {"body:organization_type_id": inventory, "body:billing_id": invented},
	"deleteOrganization":    {"path:id": fullOrganization.with(func(n *names) { n.ready = emptied })},
	"relateOrganizations":   {"path:id": fullOrganization, "body:organization_id": {none: "who is asked: an offer, answered and kept alike for every id (TestARelationOutOfReachIsAnOffer)"}},
	"listRelations":         {"path:id": fullOrganization}, "acceptOffer": {"path:id": fullOffer}, "endOffer": {"path:id": fullOffer},

	"endSession": {"path:id": ownSession}, "removePasskey": {"path:id": ownPasskey},
}, (*resource).idRows)

func scopedKey(_ *walk, f *fixture) any {
	return object{"thing_id": f.thing, "scope": "thing", "description": "walk"}
}

func areaOfThing(_ *walk, f *fixture) any {
	return newArea(object{"organization_id": f.organization, "thing_id": f.thing})
}

// drivenClosure is a closure of an asset that is found, and is no arrow board.
func drivenClosure(_ *walk, f *fixture) any {
	return object{"organization_id": f.organization, "thing_id": f.thing, "closure_type": "automated", "description": "Walk", "user_route": walked}
}

// editedEvent changes the fixture's event.
func editedEvent(w *walk, f *fixture) {
	heading := 45.0
	_, err := w.App.UpdateLocation(w.t.Context(), access.System(), f.location, 0, wire.LocationWrite{RoadwayHeading: &heading})
	w.must(err)
}

// held lets the fixture's feed have shrunk.
func held(w *walk, f *fixture) {
	w.must(w.App.Store.Write(w.t.Context(), func(tx *store.Tx) error {
		x, err := store.FeedSubscriptions.ByID(w.t.Context(), tx, feed(f))
		if err != nil {
			return err
		}
		x.State.Missing = 1
		return tx.SaveFeedState(w.t.Context(), &x)
	}))
}

func accepts(*walk, *fixture) any { return object{"missing": 1} }

func undoesEvent(w *walk, f *fixture) any {
	l, err := w.App.Location(w.t.Context(), access.System(), f.location)
	w.must(err)
	return object{"version": l.Version}
}

// covered lets the administrator ask to be told of the fixture's station.
// authored makes the fixture's export one that the administrator asked for.
func authored(w *walk, f *fixture) {
	w.must(w.App.Store.Write(w.t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(w.t.Context(), "UPDATE export SET requested_by = $1 WHERE id = $2", w.Users["administrator"].ID, f.export)
		return err
	}))
}

func covered(w *walk, f *fixture) {
	w.must(w.App.Store.Write(w.t.Context(), func(tx *store.Tx) error {
		return tx.PutCover(w.t.Context(), &fleet.Cover{UserID: w.Users["administrator"].ID, AreaID: area(f)})
	}))
}

func renamed(*walk, *fixture) any { return object{"lastname": "Renamed"} }

func toManaged(w *walk, _ *fixture) any { return object{"organization_id": w.Managed.ID} }

func managedOrganization(w *walk, _ *fixture) string { return w.Managed.ID }

func managedByManaged(w *walk, f *fixture) {
	w.must(w.App.RelateOrganizations(w.t.Context(), access.System(), f.organization, w.Managed.ID, "accessor"))
}

func associatesOne(*walk, *fixture) any {
	return object{"organization_relationships": []any{object{"organization_uuid": "", "relationship_type": "accessor"}}}
}

// passkeyOf registers a passkey of a user, as far as a row goes.
func (w *walk) passkeyOf(role string) string {
	w.t.Helper()
	p := store.Passkey{ID: "key-" + w.App.NewID(), UserID: w.Users[role].ID, Name: "key", Credential: "{}", CreatedAt: fleet.InstantOf(w.Clock.Now())}
	w.must(w.App.Store.Write(w.t.Context(), func(tx *store.Tx) error {
		_, err := tx.InsertPasskey(w.t.Context(), p)
		return err
	}))
	return p.ID
}

// idField finds the names under which ids come.
var idField = regexp.MustCompile(`(^|_)(id|ids|uuid|uuids)(\[\])?$|Id$|^(actor|asset)$`)

// node is as much of an OpenAPI schema as a walk to its ids needs.
type node struct {
	Ref        string           `json:"$ref"`
	Properties map[string]*node `json:"properties"`
	Items      *node            `json:"items"`
	Required   []string         `json:"required"`
}

// idFields reads every id field of every operation from the OpenAPI document:
// "path:id", "query:org_ids[]", "body:rows.[].organization_id"; optional are the single ones that a body may leave out.
func idFields(w *walk) (all, optional map[string][]string) {
	w.t.Helper()
	var document struct {
		Paths map[string]map[string]struct {
			OperationID string                      `json:"operationId"`
			Parameters  []struct{ In, Name string } `json:"parameters"`
			RequestBody struct {
				Content map[string]struct{ Schema *node }
			} `json:"requestBody"`
		}
		Components struct{ Schemas map[string]*node }
	}
	w.must(json.Unmarshal([]byte(w.Do(testkit.Request{Path: "/api/openapi.json"}).Text), &document))
	all, optional = map[string][]string{}, map[string][]string{}
	var into func(operation, at string, s *node, depth int)
	into = func(operation, at string, s *node, depth int) {
		if s != nil && s.Ref != "" {
			s = document.Components.Schemas[s.Ref[strings.LastIndex(s.Ref, "/")+1:]]
		}
		if s == nil || depth > 8 {
			return
		}
		for name, p := range s.Properties {
			if idField.MatchString(name) {
				all[operation] = append(all[operation], "body:"+at+name)
				if at == "" && p.Items == nil && !slices.Contains(s.Required, name) {
					optional[operation] = append(optional[operation], name)
				}
			}
			into(operation, at+name+".", p, depth+1)
		}
		into(operation, at+"[].", s.Items, depth+1)
	}
	for _, methods := range document.Paths {
		for _, o := range methods {
			for _, p := range o.Parameters {
				if (p.In == "path" || p.In == "query") && idField.MatchString(p.Name) {
					all[o.OperationID] = append(all[o.OperationID], p.In+":"+p.Name)
				}
			}
			into(o.OperationID, "", o.RequestBody.Content["application/json"].Schema, 0)
		}
	}
	return all, optional
}

// Every id in every path, query and body, of somebody else and of nobody: the
// two answers are alike, so that nothing tells which ids exist, and neither
// changes anything.
func TestForeignIDsAreLikeUnknownOnes(t *testing.T) {
	if testing.Short() {
		t.Skip("a foreign and an unknown id in every field, one after the other: it runs without the race detector")
	}
	w := newWalk(t)
	fields, _ := idFields(w)
	for _, o := range operations(t, w.World) {
		for _, field := range fields[o.id] {
			row, ok := ids[o.id][field]
			if !ok {
				t.Errorf("%s %s (%s): the id %s has no row: what does it name?", o.method, o.path, o.id, field)
				continue
			}
			if row.none == "" {
				t.Run(o.id+" "+field, func(t *testing.T) { w.in(t).foreign(o, field, row) })
			}
		}
	}
	for id, row := range ids {
		for field := range row {
			if !slices.Contains(fields[id], field) {
				t.Errorf("the table has a row %s %s that the document does not", id, field)
			}
		}
	}
}

// foreign walks one id field.
func (w *walk) foreign(o operation, field string, row names) {
	if row.open != "" {
		w.t.Skip("not alike yet: " + row.open)
	}
	w.Clock.Advance(time.Minute) // the brake on token calls is another test's
	f := w.fixture("own")
	if row.ready != nil {
		row.ready(w, f)
	}
	token := w.SignIn("administrator").AccessToken
	ask := func(id string) testkit.Response {
		in := w.naming(o, field, id, row, f)
		in.Token = token
		return w.Do(in)
	}
	unknown := alike(ask(unknownID), unknownID)
	for _, id := range row.whose(w) {
		before := w.state()
		if got := alike(ask(id), id); got != unknown {
			w.t.Errorf("somebody else's: %s\nnobody's:        %s", got, unknown)
		}
		if changed := changedTables(before, w.state()); len(changed) > 0 {
			w.t.Errorf("somebody else's id changed %v", changed)
		}
	}
	if r := ask(row.own(w, f)); r.Status >= 300 && (row.lacks == "" || codeIn(r) != row.lacks) {
		w.t.Errorf("with an id in reach the request must go through, or it shows nothing: %d %s", r.Status, cut(r.Text))
	}
}

// naming is an operation's request with an id in one of its fields, and the own fixture's in all others.
func (w *walk) naming(o operation, field, id string, row names, f *fixture) testkit.Request {
	w.t.Helper()
	r := rules[o.id]
	if row.body != nil {
		r.body = func(func(string) *fixture) any { return row.body(w, f) }
	}
	place, name, _ := strings.Cut(field, ":")
	if place == "path" {
		r.path = func(*fixture) string { return id }
	}
	in := request(o, r, func(position string) *fixture {
		if position == "spare" {
			return w.lasting["spare"]
		}
		return f
	})
	switch place {
	case "query":
		path, _, _ := strings.Cut(in.Path, "?")
		in.Path = path + "?" + url.Values{name: {id}}.Encode()
	case "body":
		var body any = map[string]any{}
		if in.Body != nil {
			text, err := json.Marshal(in.Body)
			w.must(err)
			w.must(json.Unmarshal(text, &body))
		}
		put(body, strings.Split(name, "."), id)
		in.Body = body
	}
	return in
}

// put writes an id into a body, a list of ids where one stands; the lists on its way have one row.
func put(body any, way []string, id string) {
	switch at := body.(type) {
	case []any:
		put(at[0], way[1:], id)
	case map[string]any:
		if len(way) == 1 {
			if _, many := at[way[0]].([]any); many {
				at[way[0]] = []any{id}
			} else {
				at[way[0]] = id
			}
			return
		}
		put(at[way[0]], way[1:], id)
	}
}

var requestIDs = regexp.MustCompile(`"request_id":"[^"]*"`)
var instants = regexp.MustCompile(`"as_of":"[^"]*"`)

// alike is an answer without what differs from call to call.
func alike(r testkit.Response, id string) string {
	text := requestIDs.ReplaceAllString(r.Text, "")
	text = strings.ReplaceAll(instants.ReplaceAllString(text, ""), id, "ID")
	headers := maps.Clone(r.Header)
	for _, name := range []string{"Date", "Content-Length", "X-Request-Id"} {
		delete(headers, http.CanonicalHeaderKey(name))
	}
	var lines []string
	for name, values := range headers {
		lines = append(lines, name+": "+strings.ReplaceAll(strings.Join(values, ", "), id, "ID"))
	}
	slices.Sort(lines)
	return http.StatusText(r.Status) + " " + text + "\n" + strings.Join(lines, "\n")
}
