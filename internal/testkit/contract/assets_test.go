package contract_test

import (
	"context"
	"net/url"
	"strings"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// fleet makes assets in every state that a page shows, and answers their ids by name.
func (s *stage) fleet(admin string) map[string]string {
	s.t.Helper()
	ids := map[string]string{}
	make := func(name, kind, device string, organization string) {
		s.t.Helper()
		ids[name] = s.ok("POST", "/api/things", admin, object{"haas_id": name, "thing_type_id": kind, "device_type": device, "organization_id": organization,
			"nickname": "The " + name, "external_id": map[bool]string{true: "EXT-" + name}[device == "api"], "vin_number": "VIN" + name, "license_plate_number": "FD 1", "registry_number": "R-1"})["id"].(string)
	}
	for _, name := range []string{"OFFLINE", "PENDING", "STANDBY", "MOVING", "ALERTING", "ONSCENE", "OUT"} {
		make(name, "fire", "ha7", s.Own.ID)
	}
	make("APP", "tow", "api", s.Own.ID)
	make("MANAGED", "tow", "ha5", s.Managed.ID)
	s.ok("PUT", "/api/things/"+ids["OUT"], admin, edited(object{"in_service": false, "external_identifiers": []object{{"identifier_id": "F-1", "system_name": "geotab"}}}))
	s.ok("PUT", "/api/things/"+ids["MOVING"]+"/associations", s.SignIn("super").AccessToken, object{"organization_relationships": []object{
		{"organization_uuid": s.Managed.ID, "relationship_type": "manager"}, {"organization_uuid": s.Accessed.ID, "relationship_type": "accessor"}}})
	s.report(object{"type": "point", "asset": "PENDING", "lat": 39.70, "lng": -75.50})
	s.Clock.Advance(9 * time.Hour)
	return ids
}

// reportFleet lets the fleet report: now.
func (s *stage) reportFleet() {
	s.t.Helper()
	s.report(object{"type": "heartbeat", "asset": "STANDBY"},
		object{"type": "point", "asset": "MOVING", "lat": 39.71, "lng": -75.51, "course": 38, "speed": 15.25, "accuracy": 4},
		object{"type": "point", "asset": "ALERTING", "lat": 39.72, "lng": -75.52, "course": 90, "speed": 20, "accuracy": 5, "alerting": true},
		object{"type": "point", "asset": "ONSCENE", "lat": 39.7447, "lng": -75.5484, "accuracy": 4, "speed": 0, "alerting": true},
		object{"type": "point", "asset": "OUT", "lat": 39.74, "lng": -75.54, "accuracy": 4})
	s.Clock.Advance(time.Second)
	s.report(object{"type": "on_scene", "asset": "ONSCENE"})
}

func playAssets(r *recorder, s *stage) {
	admin := s.SignIn("administrator").AccessToken
	r.call(s, "empty", "GET", "/api/organization/things", admin, nil)
	r.call(s, "empty", "GET", "/api/organization/things/snapshot", admin, nil)
	r.call(s, "", "GET", "/api/thing_types", admin, nil)
	r.call(s, "", "GET", "/api/thing_subtypes", admin, nil)
	ids := s.fleet(admin)
	admin = s.SignIn("administrator").AccessToken
	s.reportFleet()
	r.call(s, "", "GET", "/api/organization/things", admin, nil)
	r.call(s, "", "GET", "/api/organization/things/snapshot", admin, nil)
	r.call(s, "", "GET", "/api/organization/things_count", admin, nil)
	r.call(s, "managed", "GET", "/api/organization/things?org_ids[]="+s.Managed.ID, admin, nil)
	r.call(s, "", "GET", "/api/organization/things/export", admin, nil)
	since := s.Clock.Now().Add(-time.Minute).Format("2006-01-02T15:04:05.000Z")
	moving := "/api/things/" + ids["MOVING"]
	r.call(s, "", "GET", moving, admin, nil)
	r.call(s, "onscene", "GET", "/api/things/"+ids["ONSCENE"], admin, nil)
	r.call(s, "offline", "GET", "/api/things/"+ids["OFFLINE"], admin, nil)
	r.call(s, "", "GET", "/api/things/"+nowhere, admin, nil)
	r.call(s, "", "POST", "/api/things", admin, object{"haas_id": "NEW", "thing_type_id": "fire"})
	r.call(s, "validation_failed", "POST", "/api/things", admin, object{"haas_id": "NEW", "thing_type_id": "fire"})
	r.call(s, "organization_not_found", "POST", "/api/things", admin, object{"haas_id": "NEW", "thing_type_id": "fire", "organization_id": nowhere})
	r.call(s, "", "PUT", moving, admin, edited(object{"nickname": "Engine 4"}))
	r.http(s, "", testkit.Request{Method: "PUT", Path: moving, Token: admin, Body: edited(object{"nickname": "X"}), Headers: map[string]string{"If-Match": `"1"`}})
	r.call(s, "", "PUT", "/api/things/"+nowhere, admin, edited(object{"nickname": "X"}))
	r.call(s, "validation_failed", "PUT", moving, admin, edited(object{"nickname": 7, "color": "red"}))
	r.call(s, "validation_failed.nickname", "PUT", moving, admin, edited(object{"nickname": " "}))
	r.call(s, "validation_failed.plate", "PUT", moving, admin, edited(object{"license_plate_number": strings.Repeat("P", 51)}))
	r.call(s, "", "PUT", moving+"/associations", admin, object{"organization_relationships": []object{{"organization_uuid": s.Managed.ID, "relationship_type": "delete"}}})
	config := object{"model": "HA7-N", "platform": "esp32", "file_name": "ha7.bin", "heartbeat_interval": 60, "warning_light_pin": 4, "indicator_pin": 5, "location_type": "gps"}
	r.call(s, "none", "GET", moving+"/device_config", admin, nil)
	r.call(s, "", "PUT", moving+"/device_config", admin, config)
	r.call(s, "", "GET", moving+"/device_config", admin, nil)
	r.http(s, "conflict", testkit.Request{Method: "PUT", Path: moving + "/device_config", Token: admin, Body: config, Headers: map[string]string{"If-Match": `"7"`}})
	r.call(s, "", "PUT", "/api/things/"+ids["APP"]+"/organization", admin, object{"organization_id": s.Managed.ID})
	r.call(s, "", "DELETE", "/api/things/"+ids["OFFLINE"], admin, nil)
	r.call(s, "since", "GET", "/api/organization/things?last_updated_timestamp="+url.QueryEscape(since), admin, nil)
	r.call(s, "forbidden", "PUT", moving, s.SignIn("viewer").AccessToken, edited(object{"nickname": "X"}))
	r.call(s, "not_found", "GET", "/api/organization/things?org_ids[]="+s.Foreign.ID, admin, nil)
}

// playAreas makes an area of each shape, edits and deletes.
func playAreas(r *recorder, s *stage) {
	const path = "/api/organization/exclusion_zone"
	admin := s.SignIn("administrator").AccessToken
	types := map[string]string{}
	for _, t := range catalog.AllEnums().AreaTypes {
		types[t.Name] = t.ID
	}
	r.call(s, "", "GET", "/api/ez_types", admin, nil)
	r.call(s, "empty", "GET", path, admin, nil)
	station := object{"id": "01900000-0000-7000-8000-00000000a001", "name": "Station 9", "desc": "Engine 9, Rescue 9", "ez_type_id": types["station"],
		"point_geom": object{"lat": 39.7447, "lon": -75.5484}, "radius_dist": 120,
		"address1": "22 W 2nd St", "city": "Wilmington", "state": "DE", "postal_code": "19801", "country_code": "US"}
	made := testkit.Decode[object](r.t, r.call(s, "", "POST", path, admin, station))["data"].(object)["id"].(string)
	r.call(s, "again", "POST", path, admin, station)
	station["name"] = "Station 10"
	r.call(s, "conflict", "POST", path, admin, station)
	r.call(s, "polygon", "POST", path, admin, object{"name": "Yard gate", "ez_type_id": types["no_enter"], "point_geom": object{"lat": 39.7405, "lon": -75.5495},
		"area_geom": object{"type": "Polygon", "coordinates": [][][2]float64{{{-75.55, 39.74}, {-75.549, 39.74}, {-75.549, 39.741}, {-75.55, 39.741}, {-75.55, 39.74}}}}})
	thing := s.ok("POST", "/api/things", admin, object{"haas_id": "TRAILER", "thing_type_id": "fire"})["id"]
	r.call(s, "poi", "POST", path, admin, object{"name": "Fuel depot", "thing_id": thing, "ez_type_id": types["poi"], "point_geom": object{"lat": 39.75, "lon": -75.56}, "is_active": false})
	r.call(s, "", "POST", path, admin, object{"name": " ", "desc": strings.Repeat("x", 101), "radius_dist": 5, "area_geom": nil})
	r.call(s, "organization_not_found", "POST", path, admin, object{"name": "X", "ez_type_id": types["poi"], "point_geom": object{"lat": 1, "lon": 1}, "organization_id": nowhere})
	r.call(s, "forbidden.av", "POST", path, admin, object{"name": "X", "ez_type_id": types["av_no_stop"], "point_geom": object{"lat": 1, "lon": 1}})
	r.call(s, "", "GET", path, admin, nil)
	since := s.Clock.Now().Format("2006-01-02T15:04:05.000Z")
	s.Clock.Advance(time.Second)
	r.call(s, "", "GET", path+"/"+made, admin, nil)
	r.call(s, "", "GET", path+"/"+nowhere, admin, nil)
	r.call(s, "", "PUT", path+"/"+made, admin, object{"name": "Station 9", "radius_dist": 150})
	r.http(s, "", testkit.Request{Method: "PUT", Path: path + "/" + made, Token: admin, Body: object{"name": "X"}, Headers: map[string]string{"If-Match": `"1"`}})
	r.call(s, "", "PUT", path+"/"+nowhere, admin, object{"name": "X"})
	playSavedAreas(r, s, admin, made)
	r.call(s, "", "DELETE", path+"/"+made, admin, nil)
	r.call(s, "", "DELETE", path+"/"+made, admin, nil)
	r.call(s, "since", "GET", path+"?last_updated_timestamp="+url.QueryEscape(since), admin, nil)
	r.call(s, "forbidden", "POST", path, s.SignIn("viewer").AccessToken, station)
	playUndo(r, s, path, made)
	playAreaFiles(r, s, path)
}

// playAreaFiles exports areas and imports them again, with features that are new and such that cannot be taken.
func playAreaFiles(r *recorder, s *stage, path string) {
	admin := s.SignIn("administrator").AccessToken
	for _, format := range []string{"geojson", "kml"} {
		r.call(s, format, "GET", path+"/export?format="+format, admin, nil)
	}
	file := `{"type":"FeatureCollection","features":[
{"type":"Feature","geometry":{"type":"Point","coordinates":[-75.55,39.74]},"properties":{"id":"01900000-0000-7000-8000-00000000a002","name":"Hydrant 7","ez_type":"poi","radius_dist":20}},
{"type":"Feature","geometry":{"type":"LineString","coordinates":[[-75.55,39.74],[-75.551,39.74]]},"properties":{"name":"Detour"}},
{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[0.002,0.002],[0.002,0],[0,0.002],[0,0]]]},"properties":{"name":"Bow tie","ez_type":"no_enter"}},
{"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[]},"properties":{}}]}`
	load := func(name string, body object) {
		r.call(s, name, "POST", path+"/import", admin, body)
	}
	load("preview", object{"format": "geojson", "content": file, "preview": true, "ez_type_id": "01900000-0000-7000-8000-500000000001"})
	load("", object{"format": "geojson", "content": file, "ez_type_id": "01900000-0000-7000-8000-500000000001"})
	playAreaImportUndo(r, s, path, file)
	load("again", object{"format": "geojson", "content": strings.Replace(file, "Hydrant 7", "Hydrant 8", 1), "preview": true})
	load("validation_failed.not_kml", object{"format": "kml", "content": file})
	load("validation_failed", object{"format": "shapefile", "content": ""})
	load("organization_not_found", object{"format": "kml", "content": "", "organization_id": nowhere})
}

// playAreaImportUndo sends a file again, changes one of its areas, and takes the import back: once.
func playAreaImportUndo(r *recorder, s *stage, path, file string) {
	admin := s.SignIn("administrator").AccessToken
	done := s.ok("POST", path+"/import", admin, object{"format": "geojson", "content": file, "ez_type_id": "01900000-0000-7000-8000-500000000001"})
	id, _ := done["import_id"].(string)
	r.call(s, "imported", "GET", "/api/organization/undo", admin, nil)
	s.ok("PUT", path+"/01900000-0000-7000-8000-00000000a002", admin, object{"name": "Hydrant 7, north"})
	undo := func(name, id string) { r.call(s, name, "POST", path+"/import/"+id+"/undo", admin, nil) }
	undo("", id)
	undo("import_undone", id)
	undo("", nowhere)
}

// playUndo takes back the deletion of an area, and deletes it again by taking that back; what cannot be undone is refused.
func playUndo(r *recorder, s *stage, path, id string) {
	admin := s.SignIn("administrator").AccessToken
	undo := func(name string, version int) {
		r.call(s, name, "POST", path+"/"+id+"/undo", admin, object{"version": version})
	}
	const list = "/api/organization/undo"
	r.call(s, "empty", "GET", list+"?org_ids[]="+s.Managed.ID, admin, nil)
	r.call(s, "deleted", "GET", list, admin, nil)
	undo("", 3)
	r.call(s, "restored", "GET", list, admin, nil)
	r.call(s, "restored", "PUT", path+"/"+id, admin, object{"name": "Station 9, moved"})
	r.call(s, "edited", "GET", list, admin, nil)
	undo("conflict", 4)
	undo("edit", 5)
	r.call(s, "", "POST", path+"/"+nowhere+"/undo", admin, object{"version": 1})
	undo("validation_failed", 0)
	s.must(s.App.Areas.Remove(s.t.Context(), access.System(), id))
	undo("conflict.deleted", 6)
	undo("again", 7)
	undo("deleted", 8)
	s.Clock.Advance(25 * time.Hour)
	admin = s.SignIn("administrator").AccessToken
	undo("undo_expired", 9)
	made := s.ok("POST", path, admin, object{"name": "New", "ez_type_id": "01900000-0000-7000-8000-500000000001", "point_geom": object{"lat": 39.7, "lon": -75.5}})
	id = made["id"].(string)
	undo("undo_nothing", 1)
}

// playSavedAreas bookmarks an area.
func playSavedAreas(r *recorder, s *stage, admin, made string) {
	const path = "/api/user/saved_areas"
	r.call(s, "empty", "GET", path, admin, nil)
	r.call(s, "", "PUT", path, admin, object{"area_ids": []string{made}})
	r.call(s, "", "GET", path, admin, nil)
	r.call(s, "", "PUT", path, admin, object{"area_ids": []string{nowhere}})
}

// playStations lets a unit come to a station and leave it, and tells who asked when nobody is there.
func playStations(r *recorder, s *stage) {
	const path = "/api/organization/exclusion_zone"
	admin := s.SignIn("administrator").AccessToken
	s.ok("POST", "/api/things", admin, object{"haas_id": "E-9", "nickname": "Engine 9", "thing_type_id": "fire"})
	types := map[string]string{}
	for _, t := range catalog.AllEnums().AreaTypes {
		types[t.Name] = t.ID
	}
	made := func(name, kind string) string {
		return path + "/" + s.ok("POST", path, admin, object{"name": name, "ez_type_id": types[kind], "point_geom": object{"lat": 39.7447, "lon": -75.5484}})["id"].(string)
	}
	station, place := made("Station 9", "station"), made("Depot", "poi")
	fire := catalog.AllEnums().ThingTypes[0].ID
	r.call(s, "", "GET", station+"/cover", admin, nil)
	r.call(s, "empty", "GET", "/api/user/covers", admin, nil)
	r.call(s, "empty", "GET", station+"/visits", admin, nil)
	r.call(s, "any", "PUT", station+"/cover", admin, object{})
	r.call(s, "missing", "PUT", station+"/cover", admin, object{"thing_type_ids": []string{fire}})
	standing := func(lat float64) {
		s.report(object{"type": "point", "asset": "E-9", "at": s.Clock.Now().Format("2006-01-02T15:04:05.000Z"), "lat": lat, "lng": -75.5484, "accuracy": 4, "alerting": false})
	}
	standing(39.7447)
	r.call(s, "covered", "GET", station+"/cover", admin, nil)
	s.Clock.Advance(2 * time.Minute)
	standing(39.8)
	s.Clock.Advance(time.Minute)
	standing(39.7447)
	s.Clock.Advance(time.Minute)
	r.call(s, "", "GET", station+"/visits", admin, nil)
	r.call(s, "", "GET", "/api/user/covers", admin, nil)
	standing(39.8)
	r.call(s, "", "GET", station+"/cover", admin, nil)
	r.call(s, "missing", "GET", "/api/user/covers", admin, nil)
	r.call(s, "inactive", "PUT", station, admin, object{"is_active": false})
	r.call(s, "inactive", "GET", station+"/cover", admin, nil)
	r.call(s, "validation_failed.station", "PUT", place+"/cover", admin, object{"after_minutes": 1441, "thing_type_ids": []string{nowhere}})
	r.call(s, "", "DELETE", station+"/cover", admin, nil)
	r.call(s, "", "DELETE", station+"/cover", admin, nil)
	r.call(s, "", "GET", path+"/"+nowhere+"/visits", admin, nil)
}

func playImports(r *recorder, s *stage) {
	admin := s.SignIn("administrator").AccessToken
	load := func(name, csv, digest string) map[string]any {
		r.t.Helper()
		body := object{"csv": csv}
		if digest != "" {
			body["digest"] = digest
		}
		answer := r.call(s, name, "POST", "/api/organization/things/import", admin, body)
		data, _ := testkit.Decode[object](r.t, answer)["data"].(object)
		return data
	}
	file := "haas_id,nickname,thing_type\nI-1,Engine 1,fire\nI-2,,fire\n"
	digest := load("", file, "")["digest"].(string)
	made := load("applied", file, digest)["import_id"].(string)
	load("import_changed", file, digest)
	wrong := "haas_id,thing_type\nI-3,dragon\n"
	load("import_refused", wrong, load("wrong", wrong, "")["digest"].(string))
	load("doubted", "haas_id,nickname,thing_type\nI-5,4-Jan,fire\n", "")
	s.report(object{"type": "heartbeat", "asset": "I-1"})
	undo := func(name, id string) {
		r.t.Helper()
		r.call(s, name, "POST", "/api/organization/things/import/"+id+"/undo", admin, nil)
	}
	undo("", made)
	undo("", made)
	undo("", nowhere)
	file = "haas_id,nickname,thing_type\nI-4,Engine 4,fire\n"
	done := s.ok("POST", "/api/organization/things/import", admin, object{"csv": file, "digest": s.ok("POST", "/api/organization/things/import", admin, object{"csv": file})["digest"]})
	s.Clock.Advance(16 * time.Minute)
	admin = s.SignIn("administrator").AccessToken
	undo("import_final", done["import_id"].(string))
}

func playIngest(r *recorder, s *stage) {
	admin := s.SignIn("administrator").AccessToken
	s.ok("POST", "/api/things", admin, object{"haas_id": "U-1", "thing_type_id": "fire", "device_type": "ha7"})
	now := s.Clock.Now().Format("2006-01-02T15:04:05.000Z")
	point := func(with object) object {
		item := object{"type": "point", "asset": "U-1", "at": now, "lat": 39.7, "lng": -75.5}
		for name, v := range with {
			item[name] = v
			if v == nil {
				delete(item, name)
			}
		}
		return item
	}
	r.call(s, "", "POST", "/api/ingest", s.Key, object{"items": []object{point(nil), point(nil)}})
	r.call(s, "refused", "POST", "/api/ingest", s.Key, object{"items": []any{
		point(object{"lat": nil}), point(object{"lng": nil}), point(object{"lat": 100}), point(object{"lng": 200}), point(object{"course": 400}),
		point(object{"speed": 2000}), point(object{"accuracy": 2e7}), point(object{"at": nil}), point(object{"at": "2020-01-01T00:00:00Z"}),
		point(object{"at": "2027-01-01T00:00:00Z"}), point(object{"asset": "X"}), point(object{"asset": nil}), point(object{"lat": 0, "lng": 0}), point(object{"lat": "north"}),
		object{"type": "alert", "asset": "U-1", "at": now}, object{"type": "closure", "asset": "U-1", "at": now},
		object{"type": "closure", "asset": "U-1", "at": now, "active": true, "pattern": "zigzag"}, "text", object{"asset": "U-1"}, point(object{"type": "trip"})}})
	r.call(s, "ignored", "POST", "/api/ingest", s.Key, object{"items": []object{{"type": "point", "asset": "U-1", "at": now, "lat": 39.7, "lng": -75.5, "speed": -1, "accuracy": 0}}})
	r.call(s, "", "POST", "/api/ingest", "lb_key_x", object{"items": []object{}})
	r.call(s, "", "POST", "/api/ingest", s.Key, "{")
	r.call(s, "too_many_items", "POST", "/api/ingest", s.Key, object{"items": make([]object, 10001)})
	r.call(s, "", "POST", "/api/ingest/assets", s.Key, object{"things": []object{{"haas_id": "U-1"}, {"haas_id": "U-2", "thing_type": "fire"}}})
	r.call(s, "validation_failed", "POST", "/api/ingest/assets", s.Key, object{"things": []object{{"haas_id": ""}}})
	_, ingest, err := s.App.CreateKey(s.t.Context(), access.System(), wire.KeyCreate{OrganizationID: wire.ID(s.Own.ID), Description: "ingest", Scopes: []string{"ingest"}})
	s.must(err)
	_, register, err := s.App.CreateKey(s.t.Context(), access.System(), wire.KeyCreate{OrganizationID: wire.ID(s.Own.ID), Description: "register", Scopes: []string{"register"}})
	s.must(err)
	r.call(s, "scope_ingest_missing", "POST", "/api/ingest", register, object{"items": []object{point(nil)}})
	r.call(s, "scope_register_missing", "POST", "/api/ingest/assets", ingest, object{"things": []object{{"haas_id": "U-3"}}})
	config := "/api/ingest/device_config?asset=U-1"
	r.call(s, "", "GET", config, s.Key, nil)
	no, _ := s.App.Live.Find(s.Own.ID, "U-1")
	id, _ := s.App.Live.ThingByNo(no)
	s.ok("PUT", "/api/things/"+id+"/device_config", admin, object{"model": "HA7-N", "platform": "esp32", "file_name": "ha7.bin", "heartbeat_interval": 60,
		"warning_light_pin": 4, "indicator_pin": 5, "location_type": "gps"})
	r.call(s, "", "GET", config, s.Key, nil)
	r.call(s, "asset_unknown", "GET", "/api/ingest/device_config?asset=X", s.Key, nil)
	_, secret, err := s.App.CreateKey(s.t.Context(), access.System(), wire.KeyCreate{OrganizationID: wire.ID(s.Own.ID), Description: "phone", ThingID: wire.ID(id)})
	s.must(err)
	phone := func(name, query string) {
		r.t.Helper()
		r.call(s, name, "GET", "/api/ingest/osmand?id="+secret+query, "", nil)
	}
	phone("", "&lat=39.7&lon=-75.5")
	phone("refused", "&lat=139.7&lon=-75.5")
	r.call(s, "refused", "GET", "/api/things/"+id, admin, nil)
	r.call(s, "", "POST", "/api/ingest/osmand", "", object{"device_id": secret, "location": object{"timestamp": now, "coords": object{"latitude": 39.71, "longitude": -75.5}}})
	r.call(s, "list", "POST", "/api/ingest/osmand", "", object{"device_id": secret, "locations": []object{{"latitude": 39.72, "longitude": -75.5}, {"latitude": 39.73, "longitude": -75.5, "valid": false}}})
	r.call(s, "invalid_request", "POST", "/api/ingest/osmand", "", object{"device_id": secret, "location": 5})
	r.call(s, "invalid_key", "GET", "/api/ingest/osmand?id=lb_key_x&lat=1&lon=1", "", nil)
}

// shown lets an app that follows the alerts of the own organization tell that it shows them to its driver.
func (s *stage) shown() {
	publishes := true
	_, err := s.App.UpdateOrganization(s.t.Context(), access.System(), s.Own.ID, wire.OrganizationWrite{IsWZDxOrg: &publishes})
	s.must(err)
	_, secret, err := s.App.CreateKey(s.t.Context(), access.System(), wire.KeyCreate{OrganizationID: wire.ID(s.Own.ID), Description: "Navigation",
		Scopes: []string{"alerts"}})
	s.must(err)
	if told := s.Do(testkit.Request{Method: "POST", Path: "/feeds/" + s.Own.ID + "/alerts/impressions", Token: secret,
		Body: object{"consumer": "a car", "alerts": []string{}}}); told.Status != 202 {
		s.t.Fatalf("%d %s", told.Status, told.Text)
	}
	s.must(s.App.CountDrivers(context.Background()))
}

func playIncidents(r *recorder, s *stage) {
	admin := s.SignIn("administrator").AccessToken
	r.call(s, "empty", "GET", "/api/locations/active", admin, nil)
	ids := s.fleet(admin)
	admin = s.SignIn("administrator").AccessToken
	s.reportFleet()
	s.shown()
	r.call(s, "", "GET", "/api/locations/active", admin, nil)
	since := s.Clock.Now().Add(-time.Minute).Format("2006-01-02T15:04:05.000Z")
	s.Clock.Advance(time.Second)
	s.report(object{"type": "point", "asset": "MOVING", "lat": 39.7447, "lng": -75.5484, "course": 38, "speed": 0, "accuracy": 4, "alerting": true})
	s.report(object{"type": "on_scene", "asset": "MOVING"})
	s.Clock.Advance(time.Second)
	s.report(object{"type": "point", "asset": "ONSCENE", "lat": 39.80, "lng": -75.60, "course": 38, "speed": 12, "accuracy": 4, "alerting": false})
	s.Clock.Advance(10 * time.Minute)
	admin = s.SignIn("administrator").AccessToken
	s.must(s.App.AgeDue(s.t.Context()))
	r.call(s, "", "GET", "/api/locations", admin, nil)
	r.call(s, "left", "GET", "/api/things/"+ids["ONSCENE"], admin, nil)
	managed := "?org_ids[]=" + s.Managed.ID + "&last_updated_timestamp=" + url.QueryEscape(since)
	s.ok("PUT", "/api/things/"+ids["MOVING"]+"/associations", admin, object{"organization_relationships": []object{{"organization_uuid": s.Managed.ID, "relationship_type": "delete"}}})
	r.call(s, "since", "GET", "/api/locations"+managed, admin, nil)
	s.report(object{"type": "point", "asset": "MOVING", "lat": 39.81, "lng": -75.61, "course": 38, "speed": 12, "accuracy": 4, "alerting": false})
	s.Clock.Advance(10 * time.Minute)
	s.must(s.App.AgeDue(s.t.Context()))
	r.call(s, "ended", "GET", "/api/locations", s.SignIn("administrator").AccessToken, nil)
	r.call(s, "not_found", "GET", "/api/locations?org_ids[]="+s.Foreign.ID, admin, nil)
	r.call(s, "validation_failed", "GET", "/api/locations?start_date=2026", admin, nil)
}
