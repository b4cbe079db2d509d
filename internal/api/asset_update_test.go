package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// An update that says only what each must say keeps the rest; out of service is a flag beside the status, and no status.
//
// spec: 3.thing.20 3.thing.21 4.status.09
func TestAnUpdateKeepsWhatItDoesNotSay(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("administrator").AccessToken
	made := w.Do(send("POST", "/api/things", token, map[string]any{"haas_id": "HA7-9", "thing_type_id": fireType}))
	id := testkit.Decode[wire.One[wire.Thing]](t, made).Data.ID
	put := func(body map[string]any) map[string]any {
		t.Helper()
		r := w.Do(send("PUT", "/api/things/"+id, token, with(with(with(body, "id", id), "in_service", body["in_service"] != false), "is_publicly_alerting", true)))
		return data[map[string]any](t, r)
	}
	filled := map[string]any{"nickname": "Engine 9", "thing_type_id": fireType, "thing_subtype_id": "01900000-0000-7000-8000-200000000001",
		"vin_number": "1FTEW1E5", "license_plate_number": "FD 9", "registry_number": "R9"}
	integrations := []any{map[string]any{"identifier_id": "b9", "system_name": "geotab"}}
	said := put(with(filled, "external_identifiers", integrations))
	sameFields(t, "filled", said, filled)
	sameFields(t, "filled", said, map[string]any{"is_responder": true, "in_service": true})
	off := put(map[string]any{"in_service": false})
	sameFields(t, "the least", off, filled)
	sameFields(t, "the least", off, map[string]any{"in_service": false, "status": said["status"], "external_identifiers": said["external_identifiers"]})
	if integrations, is := off["external_identifiers"].([]any); !is || len(integrations) != 1 {
		t.Errorf("integrations %v", off["external_identifiers"])
	}
}

// spec: 3.type.01 3.type.02 3.area.07
func TestTypesAreListedWhole(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("viewer").AccessToken
	types, kindOf := rowsAt(t, w, "/api/thing_types", token), map[any]any{}
	for _, row := range types {
		kindOf[row["id"]] = row["name"]
		sameFields(t, fmt.Sprint(row["name"]), row, map[string]any{"id": row["id"], "name": row["name"], "is_emergency": row["is_emergency"] == true})
		if name, is := row["display_name"].(string); !is || name == "" {
			t.Errorf("%v has no name for people", row)
		}
	}
	names := []string{}
	for _, row := range rowsAt(t, w, "/api/thing_subtypes", token) {
		names = append(names, fmt.Sprint(row["display_name"]))
		if kindOf[row["thing_type_id"]] == nil || row["id"] == "" {
			t.Errorf("%v is of no type", row)
		}
	}
	first := slices.Index(names, "Other")
	if first < 1 || slices.ContainsFunc(names[first:], func(name string) bool { return name != "Other" }) || types[len(types)-1]["name"] != "other" {
		t.Errorf("others are not last: %v, %v", names, types)
	}
	// What counts as an exclusion is no line.
	line := map[string]any{"type": "LineString", "coordinates": []any{[]any{-75.5, 39.7}, []any{-75.4, 39.7}}}
	admin := w.SignIn("super").AccessToken
	for _, row := range rowsAt(t, w, "/api/ez_types", admin) {
		name := fmt.Sprint(row["db_name"])
		want := 201
		if strings.HasSuffix(name, "no_stop") || strings.HasSuffix(name, "no_enter") {
			want = 422
		}
		r := w.Do(send("POST", "/api/organization/exclusion_zone", admin, map[string]any{"organization_id": w.Own.ID, "name": name, "ez_type_id": row["id"],
			"area_geom": line, "point_geom": map[string]any{"lat": 39.7, "lon": -75.45}}))
		if r.Status != want {
			t.Errorf("a line that is %s: %d %s", name, r.Status, r.Text)
		}
	}
}
