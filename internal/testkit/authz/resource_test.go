package authz_test

import (
	"cmp"
	"encoding/json"
	"reflect"

	"lightbar/internal/access"
)

// resource is a noun with the operations that internal/api registers for each such noun (resource, undo): the tables take the rows of
// these from here. What else a noun does has rows of its own in them.
type resource struct {
	one, many string // in the names of operations: getZone, listZones
	verbs     string // the field of app.App; empty: many
	uuid      string // where a body names its row; empty: id
	// Requirements of catalog/permissions.json.
	views, adds, edits, deletes string
	// body is that of a new one without its organization, and edit the text in it that an edit changes.
	body func(name string) object
	edit string
	// undone: its last change can be undone.
	undone bool
	// few: an organization can have so many that those of fixtures take each other's place.
	few bool
	// seen is the one of a fixture that is read; nil: the one that can be edited.
	seen func(f *fixture) string
	// ofThing is the body of a new one for an asset; nil: there is none.
	ofThing func(w *walk, f *fixture) any
	// moves says what the organization of an edit names; nil: one of full reach.
	moves *names
	// ids are the other id fields of its bodies, and fields all of them by why they need no proof.
	ids    map[string]names
	fields map[string]string
}

var resources = []resource{{
	one: "Area", many: "Areas", undone: true,
	views: "VIEW_AREAS", adds: "ADD_AREA", edits: "EDIT_AREA", deletes: "DELETE_AREA", // spec: 6.area.03
	body:    func(name string) object { return newArea(object{"name": name, "ez_type_id": stationType}) },
	edit:    "desc",
	ofThing: areaOfThing,
	ids:     map[string]names{"ez_type_id": inventory, "thing_id": fullThing.with(func(n *names) { n.body = areaOfThing })},
	fields: map[string]string{words: "address1 address2 area_geom city country_code desc name point_geom.lat point_geom.lon postal_code " +
		"radius_dist state", choice: "ez_type_id is_active", whose: "id organization_id thing_id"},
}, {
	one: "Zone", many: "Zones", undone: true,
	views: "VIEW_ZONES", adds: "ADD_ZONE", edits: "EDIT_ZONE", deletes: "DELETE_ZONE",
	body: func(name string) object {
		return object{"description": name, "alerting_zone_type_name": "school", "features": json.RawMessage(zoneShape)}
	},
	edit: "description",
	ids:  map[string]names{"external_id": invented},
	fields: map[string]string{words: "alert_message default_expiry description external_id features", choice: "alerting_zone_type_name",
		whose: "id organization_id"},
}, {
	one: "Closure", many: "Closures", undone: true, uuid: "uuid",
	views: "VIEW_CLOSURES", adds: "ADD_CLOSURE_ANYWHERE", edits: "EDIT_CLOSURE_ANYWHERE", deletes: "DELETE_CLOSURE", // spec: 6.closure.04
	body: func(name string) object { return object{"description": name, "user_route": walked} },
	edit: "alert_message",
	ids: map[string]names{"thing_id": fullThing.with(func(n *names) { n.body, n.lacks = drivenClosure, "validation_failed" }),
		"external_id": invented, "group_id": invented, "responsible_user_id": fullUser},
	fields: map[string]string{words: "alert_message calculated_route.lat calculated_route.lng description end_time external_id " +
		"geocoded_route.lat geocoded_route.lng impacted_lanes recurrence.days recurrence.except recurrence.from recurrence.minutes " +
		"recurrence.start recurrence.timezone recurrence.until road_name start_time street_end street_start total_lanes " +
		"user_route.lat user_route.lng", hidesOne: "is_wzdx_compliant", choice: "closure_type direction is_active is_dashboard_managed " +
		"is_in_service location_method vehicle_impact responsible_user_id", whose: "group_id organization_id thing_id uuid"},
}, {
	one: "Hazard", many: "Hazards", uuid: "uuid", seen: hazard,
	views: "VIEW_HAZARDS", adds: "ADD_HAZARD", edits: "EDIT_HAZARD", deletes: "ADD_HAZARD",
	body: func(name string) object {
		return object{"type": "debris", "lat": 39.7, "lng": -75.5, "description": name}
	},
	edit:   "description",
	moves:  &invented,
	fields: map[string]string{words: "description expires_at lat lng", choice: "type", whose: "organization_id uuid"},
}, {
	one: "FeedSubscription", many: "FeedSubscriptions", verbs: "Subscriptions", undone: true, few: true,
	views: "VIEW_FEED_SUBSCRIPTIONS", adds: "EDIT_ORGANIZATION", edits: "EDIT_ORGANIZATION", deletes: "EDIT_ORGANIZATION",
	body: func(name string) object {
		return object{"name": name, "format": "wzdx", "url": "https://feeds.example.org/" + name}
	},
	edit:  "name",
	moves: &fixedOrganization,
	ids:   map[string]names{"columns.id": invented},
	fields: map[string]string{words: "columns.description columns.id columns.lat columns.lng columns.start columns.type columns.updated " +
		"name time_format timezone url", choice: "format is_active types", whose: "id organization_id"},
}, {
	one: "Integration", many: "Integrations", undone: true, few: true,
	views: "VIEW_INTEGRATIONS", adds: "ADD_INTEGRATION", edits: "EDIT_INTEGRATION", deletes: "DELETE_INTEGRATION",
	body:  func(name string) object { return object{"name": name, "provider": "samsara", "secret": "token"} },
	edit:  "name",
	moves: &fixedOrganization,
	fields: map[string]string{words: "database name user", choice: "is_active lights provider", whose: "id organization_id",
		"what the caller knows already; another server needs the secret anew": "secret server webhook_secret"},
}}

// made is the id of a fixture's row of a resource.
func made(one string) func(*fixture) string { return func(f *fixture) string { return f.made[one] } }

var area, zone, closure, handHazard = made("Area"), made("Zone"), made("Closure"), made("Hazard")
var feed, integration = made("FeedSubscription"), made("Integration")

// andResources is a table with the rows of the resources.
func andResources[R any](table map[string]R, rows func(*resource) map[string]R) map[string]R {
	for i := range resources {
		for id, row := range rows(&resources[i]) {
			if _, twice := table[id]; twice {
				panic(id + " follows from its resource, and has a row of its own")
			}
			table[id] = row
		}
	}
	return table
}

func (r *resource) rules() map[string]rule {
	id := made(r.one)
	read := id
	if r.seen != nil {
		read = r.seen
	}
	creates := rule{needs: r.adds, reach: "full", at: []string{"organization_id"}, body: func(at func(string) *fixture) any {
		f := at("organization_id")
		body := r.body("Walk-" + f.thing[24:])
		body["organization_id"] = f.organization
		return body
	}}
	if r.ofThing != nil {
		creates.also = &rule{needs: r.adds, reach: "full", at: []string{"thing_id"}, body: func(at func(string) *fixture) any {
			return r.ofThing(nil, at("thing_id"))
		}}
	}
	out := map[string]rule{
		"list" + r.many:  {needs: r.views, reach: "read", at: []string{"org"}, quiet: true},
		"get" + r.one:    {needs: r.views, reach: "read", at: []string{"id"}, path: read, quiet: true},
		"create" + r.one: creates,
		"update" + r.one: {needs: r.edits, reach: "full", at: []string{"id"}, path: id, body: func(at func(string) *fixture) any {
			return object{r.edit: "Walked " + id(at("id"))[30:]}
		}},
		"delete" + r.one: {needs: r.deletes, reach: "full", at: []string{"id"}, path: id},
	}
	if r.undone {
		out["undo"+r.one] = rule{needs: r.edits, lacks: "undo_nothing", reach: "full", at: []string{"id"}, path: id,
			body: said(object{"version": 1})}
	}
	return out
}

func (r *resource) proofs() map[string][]asks {
	out := map[string][]asks{}
	for _, verb := range []string{"create", "update", "delete"} {
		out[verb+r.one] = []asks{{free: everyday}}
	}
	if r.undone {
		out["undo"+r.one] = []asks{{ready: r.edited, body: undoes, free: everyday}}
	}
	return out
}

func (r *resource) idRows() map[string]map[string]names {
	read, full, moves := ofKind(made(r.one), "foreign"), ofKind(made(r.one), "foreign", "accessed"), fullOrganization
	if r.seen != nil {
		read = ofKind(r.seen, "foreign")
	}
	if r.moves != nil {
		moves = *r.moves
	}
	body := func(organization names) map[string]names {
		out := map[string]names{"body:" + cmp.Or(r.uuid, "id"): invented, "body:organization_id": organization}
		for field, row := range r.ids {
			out["body:"+field] = row
		}
		return out
	}
	out := map[string]map[string]names{"list" + r.many: {"query:org_ids[]": readOrganization}, "get" + r.one: {"path:id": read},
		"create" + r.one: body(fullOrganization), "update" + r.one: body(moves), "delete" + r.one: {"path:id": full}}
	out["update"+r.one]["path:id"] = full
	if r.undone {
		out["undo"+r.one] = map[string]names{"path:id": full.with(func(n *names) { n.ready, n.body = r.edited, undoes })}
	}
	return out
}

func (r *resource) fieldProofs() map[string]map[string]string {
	return map[string]map[string]string{r.one + "Write": r.fields}
}

func undoes(*walk, *fixture) any { return object{"version": 2} }

// edited changes the fixture's row.
func (r *resource) edited(w *walk, f *fixture) {
	_, err := r.call(w, "Edit", f.made[r.one], int64(0), object{r.edit: "Edited"})
	w.must(err)
}

// make gives the fixture a row of the resource.
func (r *resource) make(w *walk, f *fixture, name, relation string) {
	w.t.Helper()
	body := r.body(name)
	body["organization_id"] = f.organization
	row, err := r.call(w, "Create", body)
	w.must(err)
	f.made[r.one] = row.FieldByName("ID").String()
	if !r.few {
		return
	}
	if before := w.before[r.one+relation]; before != "" {
		_, _ = r.call(w, "Remove", before) // a walk may have deleted it
	}
	if w.lasting[relation] != nil {
		w.before[r.one+relation] = f.made[r.one]
	}
}

// call calls a verb of the resource for the system, and returns what it returns first; a body is as it is sent.
func (r *resource) call(w *walk, verb string, args ...any) (reflect.Value, error) {
	method := reflect.ValueOf(w.App).Elem().FieldByName(cmp.Or(r.verbs, r.many)).MethodByName(verb)
	in := []reflect.Value{reflect.ValueOf(w.t.Context()), reflect.ValueOf(access.System())}
	for _, arg := range args {
		if body, is := arg.(object); is {
			text, err := json.Marshal(body)
			w.must(err)
			sent := reflect.New(method.Type().In(len(in)))
			w.must(json.Unmarshal(text, sent.Interface()))
			in = append(in, sent.Elem())
		} else {
			in = append(in, reflect.ValueOf(arg))
		}
	}
	out := method.Call(in)
	err, _ := out[len(out)-1].Interface().(error)
	return out[0], err
}
