package authz_test

import (
	"fmt"
	"maps"

	"lightbar/internal/fleet"
	"lightbar/internal/testkit"
)

// rule says who may call an operation. The walk fails on an operation of the
// OpenAPI document without one.
type rule struct {
	needs string // requirement of catalog/permissions.json; signedIn; anyone
	reach string // what the ids must be: full (own, managed), read (accessed too), self (the caller's own), none; asked: anybody's, answered alike
	// at are the id positions: path parameters by their name, org = org_ids[] or organization_id in the query, body fields by name.
	at []string
	// body is made of the fixtures in each position.
	body func(at func(position string) *fixture) any
	// path gives the id in a path parameter.
	path func(f *fixture) string
	// ends marks operations that end the caller's session: each call gets a new one.
	ends bool
	// quiet marks what leaves no audit row: reads, and changes that this body does not make.
	quiet bool
	// lacks is a refusal that comes after the permission because this body proves nothing.
	lacks string
	// also is the operation with another body.
	also *rule
}

const (
	signedIn = "signed in"
	anyone   = "anyone"
	// deviceKey needs an API key; no session opens it.
	deviceKey = "a device's key"
)

type object = map[string]any

func thing(f *fixture) string          { return f.thing }
func user(f *fixture) string           { return f.user }
func organization(f *fixture) string   { return f.organization }
func key(f *fixture) string            { return f.key }
func legalHold(f *fixture) string      { return f.legalHold }
func imported(f *fixture) string       { return f.imported }
func importOfArea(f *fixture) string   { return f.importedAreas }
func importOfUsers(f *fixture) string  { return f.importedUsers }
func importOfHazard(f *fixture) string { return f.importedHazards }
func session(f *fixture) string        { return f.session }
func offer(f *fixture) string          { return f.offer }
func exported(f *fixture) string       { return f.export }
func location(f *fixture) string       { return f.location }
func hazard(f *fixture) string         { return f.hazard }

// walked is the line of a closure.
var walked = []fleet.LatLng{{Lat: 39.7, Lng: -75.5}, {Lat: 39.71, Lng: -75.5}}

// said is a body that names no id.
func said(body any) func(func(string) *fixture) any {
	return func(func(string) *fixture) any { return body }
}

// newArea is the body of a new area with what else it says.
func newArea(with object) object {
	body := object{"name": "Walk", "ez_type_id": poiType, "point_geom": object{"lat": 39.7, "lon": -75.5}}
	maps.Copy(body, with)
	return body
}

const zoneShape = `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"radius_dist":50},` +
	`"geometry":{"type":"Point","coordinates":[-75.5,39.7]}}]}`

// walkedFiles counts the files of hazards.
var walkedFiles int

// walkedWatchdog is an edit of a watchdog that changes it each time.
func walkedWatchdog(func(string) *fixture) any {
	walkedFiles++
	return object{"quiet_from": "00:00", "quiet_to": fmt.Sprintf("%02d:%02d", 1+walkedFiles/60%22, walkedFiles%60)}
}

// hazardFile is the body of an import of one hazard with what else it says.
func hazardFile(with object) object {
	walkedFiles++ // a file that says nothing new changes nothing
	body := object{"format": "csv", "name": "walk.csv", "content": fmt.Sprintf("id,lat,lng\nWALK-%d,39.7,-75.5\n", walkedFiles)}
	maps.Copy(body, with)
	return body
}

const (
	poiType     = "01900000-0000-7000-8000-500000000001"
	stationType = "01900000-0000-7000-8000-500000000002"
)

var deviceConfig = object{"model": "HA5", "platform": "linux", "file_name": "a.bin", "heartbeat_interval": 60, "warning_light_pin": 4, "indicator_pin": 5, "location_type": "gps"}

// rules is the table: an operation, who may, and whose.
var rules = andResources(map[string]rule{
	// Nobody needs to be signed in.
	"createUserToken": {needs: anyone}, "verifyToken": {needs: anyone}, "revokeToken": {needs: anyone}, "getVersion": {needs: anyone}, "getBrand": {needs: anyone},
	"getSignInMethods": {needs: anyone}, "forgotPassword": {needs: anyone}, "resetPassword": {needs: anyone}, "unlockAccount": {needs: anyone}, "acceptInvitation": {needs: anyone},
	"lookUpSignInLink": {needs: anyone}, "discardSignInLink": {needs: anyone},
	"lookUpClosureQuestion": {needs: anyone}, "answerClosureQuestion": {needs: anyone},

	// Devices have keys, not sessions: a user's token is no key. internal/device tests what keys may do.
	"ingest": {needs: deviceKey}, "ingest-assets": {needs: deviceKey}, "ingest-device-config": {needs: deviceKey},
	"ingest-commands": {needs: deviceKey}, "ingest-command-word": {needs: deviceKey},
	"ingest-samsara": {needs: deviceKey}, // signed with the integration's own secret
	"ingest-osmand":  {needs: deviceKey}, "ingest-osmand-post": {needs: deviceKey},

	// One's own.
	"getProfile": {needs: signedIn, reach: "none", quiet: true}, "getMapConfig": {needs: signedIn, reach: "none", quiet: true},
	"searchPlaces": {needs: signedIn, reach: "none", quiet: true, lacks: "validation_failed"},
	"getWords":     {needs: signedIn, reach: "none", quiet: true, lacks: "validation_failed"},
	"listRoles":    {needs: signedIn, reach: "none", quiet: true}, "listAssignableOrganizations": {needs: "VIEW_ACCOUNTS", reach: "none", quiet: true},
	"listThingTypes": {needs: "VIEW_THINGS", reach: "none", quiet: true}, "listThingSubtypes": {needs: "VIEW_THINGS", reach: "none", quiet: true},
	"listSessions": {needs: signedIn, reach: "none", quiet: true}, "endOtherSessions": {needs: signedIn, reach: "none", quiet: true, ends: true},
	"endSession":          {needs: signedIn, reach: "self", at: []string{"id"}, path: session, quiet: true},
	"getSecondFactor":     {needs: signedIn, reach: "none", quiet: true},
	"stepUp":              {needs: signedIn, reach: "none", quiet: true, body: said(object{"password": testkit.Password})},
	"beginStepUpProvider": {needs: signedIn, reach: "none", quiet: true, body: said(object{})},
	"beginStepUpPasskey":  {needs: signedIn, reach: "none", lacks: "validation_failed", quiet: true}, "beginPasskey": {needs: signedIn, reach: "none", lacks: "validation_failed", quiet: true},
	"addPasskey":    {needs: signedIn, reach: "none", lacks: "validation_failed", quiet: true, body: said(object{"challenge": "x", "name": "x", "credential": object{}})},
	"removePasskey": {needs: signedIn, reach: "self", at: []string{"id"}, path: session, quiet: true},
	"beginTOTP":     {needs: signedIn, reach: "none", quiet: true}, "confirmTOTP": {needs: signedIn, reach: "none", lacks: "validation_failed", quiet: true, body: said(object{"code": "000000"})},
	"removeTOTP": {needs: signedIn, lacks: "not_found", reach: "none", quiet: true}, "newRecoveryCodes": {needs: signedIn, reach: "none", lacks: "validation_failed", quiet: true},
	"createSignInLink": {needs: signedIn, reach: "none", quiet: true},
	"changePassword":   {needs: signedIn, reach: "none", quiet: true, ends: true, body: said(object{"current_password": "wrong", "password": "An0ther&Password"})},

	// Assets.
	"listThings": {needs: "VIEW_THINGS", reach: "read", at: []string{"org"}, quiet: true}, "countThings": {needs: "VIEW_THINGS", reach: "read", at: []string{"org"}, quiet: true},
	"snapshotThings": {needs: "VIEW_THINGS", reach: "read", at: []string{"org"}, quiet: true},
	"getThing":       {needs: "VIEW_THINGS", reach: "read", at: []string{"id"}, path: thing, quiet: true},
	"getTrips":       {needs: "VIEW_TRIPS", lacks: "validation_failed", reach: "read", at: []string{"thingId"}, path: thing, quiet: true},
	"exportTrips":    {needs: "VIEW_TRIPS", lacks: "validation_failed", reach: "read", at: []string{"thing_ids[]"}, quiet: true},
	"listCoverage":   {needs: "VIEW_TRIPS", reach: "read", at: []string{"thing_ids[]"}, quiet: true},
	"updateThing":    {needs: "EDIT_THING", reach: "full", at: []string{"id"}, path: thing, body: said(object{"nickname": "Renamed", "in_service": true, "is_publicly_alerting": true})},
	"setThingAssociations": {needs: "EDIT_THING", reach: "full", at: []string{"thingId"}, path: thing, body: func(at func(string) *fixture) any {
		return object{"organization_relationships": []any{}}
	}, quiet: true},
	"createThing": {needs: "MANAGE_THINGS", reach: "full", at: []string{"organization_id"}, body: func(at func(string) *fixture) any {
		return object{"organization_id": at("organization_id").organization, "haas_id": "NEW-" + at("organization_id").thing[24:], "thing_type_id": fireType}
	}},
	"deleteThing": {needs: "MANAGE_THINGS", reach: "full", at: []string{"id"}, path: thing},
	"transferThing": {needs: "MANAGE_THINGS", lacks: "validation_failed", reach: "full", at: []string{"id", "organization_id"}, path: thing, body: func(at func(string) *fixture) any {
		return object{"organization_id": at("organization_id").organization}
	}},
	"exportThings": {needs: "MANAGE_THINGS", reach: "read", at: []string{"org"}, quiet: true},
	"importThings": {needs: "MANAGE_THINGS", reach: "full", at: []string{"organization_id"}, quiet: true, body: func(at func(string) *fixture) any {
		return object{"organization_id": at("organization_id").organization, "csv": "system_name,type\nIMPORTED,fire\n"}
	}},
	"undoImport":        {needs: "MANAGE_THINGS", reach: "full", at: []string{"id"}, path: imported},
	"listThingCommands": {needs: "VIEW_THINGS", reach: "full", at: []string{"id"}, path: thing, quiet: true},
	"toggleTestMode":    {needs: "INVOKE_R2R", lacks: "asset_status_invalid", reach: "full", at: []string{"id"}, path: thing},
	"setLightIntensity": {needs: "CHANGE_LIGHT_INTENSITY", lacks: "asset_status_invalid", reach: "full", at: []string{"thingId"}, path: thing, body: said(object{"light_intensity": "low"})},
	"getDeviceConfig":   {needs: "MANAGE_THINGS", reach: "read", at: []string{"id"}, path: thing, quiet: true},
	"setDeviceConfig":   {needs: "MANAGE_THINGS", reach: "full", at: []string{"id"}, path: thing, body: said(deviceConfig)},

	// Incidents.
	"listLocations":       {needs: "VIEW_EVENTS", reach: "read", at: []string{"org"}, quiet: true},
	"listActiveLocations": {needs: "VIEW_EVENTS", reach: "read", at: []string{"org"}, quiet: true},
	"getLocation":         {needs: "VIEW_EVENTS", reach: "read", at: []string{"id"}, path: location, quiet: true},
	"updateLocation":      {needs: "EDIT_EVENT", reach: "full", at: []string{"id"}, path: location, body: said(object{"roadway_heading": 90})},
	"undoLocation":        {needs: "EDIT_EVENT", lacks: "undo_nothing", reach: "full", at: []string{"id"}, path: location, body: said(object{"version": 1})},

	// What has changed.
	"listChanges": {needs: "VIEW_CHANGES", lacks: "validation_failed", reach: "read", at: []string{"org"}, quiet: true},

	// Areas.
	"listAreaTypes": {needs: "VIEW_AREAS", reach: "none", quiet: true},
	"listVisits":    {needs: "VIEW_AREAS", reach: "read", at: []string{"id"}, path: area, quiet: true},
	"listCovers":    {needs: "VIEW_AREAS", reach: "none", quiet: true},
	"getCover":      {needs: "VIEW_AREAS", lacks: "no_cover", reach: "read", at: []string{"id"}, path: area, quiet: true},
	"setCover":      {needs: "VIEW_AREAS", reach: "read", at: []string{"id"}, path: area, quiet: true, body: said(object{})},
	"deleteCover":   {needs: "VIEW_AREAS", lacks: "no_cover", reach: "read", at: []string{"id"}, path: area, quiet: true},
	// Bookmarks are the caller's own and say nothing of the fleet: no row in the audit.
	"getSavedAreas": {needs: "VIEW_AREAS", reach: "none", quiet: true},
	"saveAreas": {needs: "VIEW_AREAS", reach: "read", at: []string{"area_ids"}, quiet: true, body: func(at func(string) *fixture) any {
		return object{"area_ids": []string{area(at("area_ids"))}}
	}},

	// Which mails one gets is one's own, too.
	"getMails":    {needs: "EDIT_CLOSURE_ANYWHERE", reach: "none", quiet: true},
	"chooseMails": {needs: "EDIT_CLOSURE_ANYWHERE", reach: "none", quiet: true, body: said(object{"own_closures": true, "other_closures": false})},

	// Feeds of others.
	"acceptFeedSubscription": {needs: "EDIT_ORGANIZATION", lacks: "feed_not_held", reach: "full", at: []string{"id"}, path: feed, body: said(object{"missing": 1})},
	"fetchFeedSubscription":  {needs: "EDIT_ORGANIZATION", reach: "full", at: []string{"id"}, path: feed},

	// Accounts at providers.
	"fetchIntegration": {needs: "EDIT_INTEGRATION", reach: "full", at: []string{"id"}, path: integration},
	"checkIntegration": {needs: "ADD_INTEGRATION", lacks: "provider_unavailable", reach: "full", at: []string{"id"}, path: integration},
	"linkIntegration": {needs: "ADD_INTEGRATION", reach: "full", at: []string{"id"}, path: integration, body: func(at func(string) *fixture) any {
		return object{"vehicles": []object{{"external_id": "b1", "thing_id": at("id").thing}}}
	}},

	// The watchdog: its settings are for those who reach the organization in full, what it found for all who see the assets.
	"getWatchdog":        {needs: "VIEW_THINGS", reach: "full", at: []string{"org"}, quiet: true},
	"updateWatchdog":     {needs: "EDIT_ORGANIZATION", reach: "full", at: []string{"org"}, body: walkedWatchdog},
	"chooseWatchdogMail": {needs: "VIEW_THINGS", reach: "none", quiet: true, body: said(object{"mail": true})},
	"listFindings":       {needs: "VIEW_THINGS", reach: "read", at: []string{"org"}, quiet: true},

	// Exports: those who may only read an organization do not see what was exported of it.
	"listExports": {needs: "VIEW_EXPORTS", reach: "full", at: []string{"org"}, quiet: true},
	"getExport":   {needs: "VIEW_EXPORTS", reach: "full", at: []string{"id"}, path: exported, quiet: true},
	"createExport": {needs: "CREATE_EXPORT", reach: "full", at: []string{"organization_id"}, body: func(at func(string) *fixture) any {
		return object{"organization_id": at("organization_id").organization, "export_type": "asset", "title": "Walk",
			"export_start_time": "2026-11-20T10:00:00Z", "export_end_time": "2026-11-21T09:00:00Z"}
	}},
	"estimateExport": {needs: "CREATE_EXPORT", reach: "full", at: []string{"organization_id"}, quiet: true, body: func(at func(string) *fixture) any {
		return object{"organization_id": at("organization_id").organization, "export_type": "asset", "title": "Walk",
			"export_start_time": "2026-11-20T10:00:00Z", "export_end_time": "2026-11-21T09:00:00Z"}
	}},
	"cancelExport": {needs: "CREATE_EXPORT", reach: "full", at: []string{"id"}, path: exported},
	"deleteExport": {needs: "DELETE_EXPORT", lacks: "not_creator", reach: "full", at: []string{"id"}, path: exported},
	"getFileLink": {needs: "VIEW_EXPORTS", reach: "full", at: []string{"filename"},
		also: &rule{needs: "VIEW_REPORTS", reach: "full", at: []string{"report"}}},
	// Monthly reports: those who may only read an organization do not see its figures.
	"listMonthlyReports":    {needs: "VIEW_REPORTS", reach: "full", at: []string{"orgId"}, path: organization, quiet: true},
	"getMonthlyReport":      {needs: "VIEW_REPORTS", reach: "full", at: []string{"orgId"}, path: organization, quiet: true},
	"listMonthlyReportRows": {needs: "VIEW_REPORTS", reach: "full", at: []string{"orgId"}, path: organization, quiet: true},
	"chooseMonthlyMail":     {needs: "VIEW_REPORTS", reach: "full", at: []string{"orgId"}, path: organization, quiet: true, body: said(object{"mail": true})},
	// Alerting zones.
	// Hazards.
	"confirmHazard": {needs: "VIEW_HAZARDS", reach: "full", at: []string{"id"}, path: hazard},
	"clearHazard":   {needs: "VIEW_HAZARDS", reach: "full", at: []string{"id"}, path: hazard},
	"importHazards": {needs: "EDIT_ORGANIZATION", reach: "full", at: []string{"organization_id"}, body: func(at func(string) *fixture) any {
		return hazardFile(object{"organization_id": at("organization_id").organization})
	}},
	"undoHazardImport": {needs: "EDIT_ORGANIZATION", reach: "full", at: []string{"id"}, path: importOfHazard},
	// Files of areas, and the way back.
	"undoAreaImport": {needs: "DELETE_AREA", reach: "full", at: []string{"id"}, path: importOfArea},
	"exportAreas":    {needs: "VIEW_AREAS", reach: "read", at: []string{"org"}, quiet: true},
	"importAreas": {needs: "ADD_AREA", reach: "full", at: []string{"organization_id"}, body: func(at func(string) *fixture) any {
		f := at("organization_id") // another file each time: the same one again would find its area, and change nothing
		return object{"organization_id": f.organization, "format": "geojson", "content": `{"type":"FeatureCollection","features":[{"type":"Feature",
			"geometry":{"type":"Point","coordinates":[-75.5,39.7]},"properties":{"name":"Walk ` + area(f) + `","ez_type":"poi"}}]}`}
	}},
	"listUndo": {needs: "UNDO_ON_MAP", reach: "read", at: []string{"org"}, quiet: true},

	// Closures.
	"getFeeds": {needs: "VIEW_CLOSURES", reach: "full", at: []string{"id"}, path: organization, quiet: true},
	"checkClosure": {needs: "DRAW_CLOSURE", reach: "full", at: []string{"organization_id"}, quiet: true, body: func(at func(string) *fixture) any {
		return object{"description": "Walk", "user_route": walked, "organization_id": at("organization_id").organization}
	}},
	"confirmClosure": {needs: "EDIT_CLOSURE_ANYWHERE", reach: "full", at: []string{"id"}, path: closure, body: func(func(string) *fixture) any {
		return object{"answer": "still", "end_time": testkit.Start.AddDate(0, 2, 0)}
	}},
	"checkFeed":      {needs: "CHECK_FEED", reach: "none", body: said(object{"content": `{"type": "FeatureCollection", "features": []}`}), quiet: true},
	"findDirections": {needs: "DRAW_CLOSURE", reach: "none", body: said(object{"waypoints": walked}), quiet: true},

	// People.
	"listMembers": {needs: "VIEW_USERS", reach: "read", at: []string{"org"}, quiet: true},
	"getUser":     {needs: "VIEW_USERS", reach: "read", at: []string{"id"}, path: user, quiet: true},
	"createUser": {needs: "ADD_USER", reach: "full", at: []string{"organization_id"}, body: func(at func(string) *fixture) any {
		f := at("organization_id")
		return object{"organization_id": f.organization, "firstname": "New", "lastname": "User", "email": "new-" + f.user + "@walk.example", "role_id": f.role}
	}},
	"importUsers": {needs: "ADD_USER", reach: "full", at: []string{"organization_id"}, quiet: true, body: func(at func(string) *fixture) any {
		f := at("organization_id")
		return object{"organization_id": f.organization, "csv": "email,first_name,last_name,role\nlist-" + f.user + "@walk.example,New,User,Viewer\n"}
	}},
	"undoUserImport": {needs: "DELETE_USER", reach: "full", at: []string{"id"}, path: importOfUsers},
	"updateUser": {needs: "EDIT_USER", reach: "full", at: []string{"id", "organization_id"}, path: user, body: func(at func(string) *fixture) any {
		return object{"lastname": "Renamed", "organization_id": at("organization_id").organization}
	}},
	"deleteUser": {needs: "DELETE_USER", reach: "full", at: []string{"id"}, path: user}, "inviteUser": {needs: "ADD_USER", lacks: "validation_failed", reach: "full", at: []string{"id"}, path: user},
	"copyInvitation":   {needs: "ADD_USER", lacks: "validation_failed", reach: "full", at: []string{"id"}, path: user},
	"listUserSessions": {needs: "EDIT_USER", reach: "full", at: []string{"id"}, path: user, quiet: true}, "endUserSessions": {needs: "EDIT_USER", reach: "full", at: []string{"id"}, path: user},
	"resetSecondFactor": {needs: "EDIT_USER", reach: "full", at: []string{"id"}, path: user},

	// Organizations.
	"listOrganizations":     {needs: "VIEW_ORGANIZATION", reach: "none", quiet: true},
	"getOrganization":       {needs: "VIEW_ORGANIZATION", reach: "read", at: []string{"id"}, path: organization, quiet: true},
	"updateOrganization":    {needs: "EDIT_ORGANIZATION", reach: "full", at: []string{"id"}, path: organization, body: func(at func(string) *fixture) any { return object{"contact_name": "Contact " + at("id").thing} }},
	"updateOwnOrganization": {needs: "EDIT_ORGANIZATION", reach: "none", body: said(object{"contact_name": "Own"}), quiet: true},
	"deleteOrganization":    {needs: "DELETE_ORGANIZATION", reach: "full", at: []string{"id"}, path: organization, quiet: true},
	"relateOrganizations": {needs: "EDIT_ORGANIZATION", reach: "full", at: []string{"id"}, path: organization, quiet: true, body: func(at func(string) *fixture) any {
		return object{"organization_id": at("spare").organization, "relationship_type": "accessor"}
	}, also: &rule{needs: "EDIT_ORGANIZATION", lacks: "validation_failed", reach: "asked", at: []string{"organization_id"}, quiet: true, body: func(at func(string) *fixture) any {
		return object{"organization_id": at("organization_id").organization, "relationship_type": "accessor"}
	}}},
	"listRelations": {needs: "VIEW_ORGANIZATION", reach: "full", at: []string{"id"}, path: organization, quiet: true},
	"acceptOffer":   {needs: "EDIT_ORGANIZATION", reach: "full", at: []string{"id"}, path: offer},
	"endOffer":      {needs: "EDIT_ORGANIZATION", reach: "full", at: []string{"id"}, path: offer},

	// Keys.
	"getRetention":    {needs: "VIEW_RETENTION", reach: "full", at: []string{"id"}, path: organization, quiet: true},
	"listLegalHolds":  {needs: "VIEW_RETENTION", reach: "full", at: []string{"org"}, quiet: true},
	"getStorage":      {needs: "MANAGE_PLATFORM", reach: "none", quiet: true},
	"getServerStatus": {needs: "MANAGE_PLATFORM", reach: "none", quiet: true}, "sendTestMail": {needs: "MANAGE_PLATFORM", reach: "none"},
	"getConcerns":      {needs: "EDIT_ORGANIZATION", reach: "full", at: []string{"id"}, path: organization, quiet: true},
	"chooseStatusMail": {needs: "EDIT_ORGANIZATION", reach: "none", quiet: true, body: said(object{"mail": true})},
	"createLegalHold": {needs: "EDIT_LEGAL_HOLDS", reach: "full", at: []string{"organization_id"}, body: func(at func(string) *fixture) any {
		return object{"organization_id": at("organization_id").organization, "reason": "walk"}
	}, also: &rule{needs: "EDIT_LEGAL_HOLDS", reach: "full", at: []string{"thing_id"}, body: func(at func(string) *fixture) any {
		return object{"thing_id": at("thing_id").thing, "reason": "walk"}
	}}},
	"deleteLegalHold": {needs: "EDIT_LEGAL_HOLDS", reach: "full", at: []string{"id"}, path: legalHold},
	"listKeys":        {needs: "VIEW_KEYS", reach: "full", at: []string{"org"}, quiet: true},
	"createKey": {needs: "ADD_KEY", reach: "full", at: []string{"organization_id"}, body: func(at func(string) *fixture) any {
		return object{"organization_id": at("organization_id").organization, "scope": "ingest", "description": "walk"}
	}, also: &rule{needs: "ADD_KEY", reach: "full", at: []string{"thing_id"}, body: func(at func(string) *fixture) any {
		return object{"thing_id": at("thing_id").thing, "scope": "thing", "description": "walk"}
	}}},
	"deleteKey": {needs: "DELETE_KEY", reach: "full", at: []string{"id"}, path: key},

	// Audit.
	"listAudit":    {needs: "VIEW_AUDIT", reach: "full", at: []string{"org"}, quiet: true},
	"exportAudit":  {needs: "VIEW_AUDIT", reach: "full", at: []string{"org"}, quiet: true},
	"listRefusals": {needs: "MANAGE_PLATFORM", reach: "none", quiet: true},
}, (*resource).rules)
