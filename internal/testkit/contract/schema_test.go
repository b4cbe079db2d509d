package contract_test

import (
	"strings"
	"testing"

	"lightbar/internal/testkit/contract"
)

const sample = `{"components": {"schemas": {
	"Asset": {"type": "object", "additionalProperties": false, "required": ["id", "lat", "at", "kind", "place"], "properties": {
		"id": {"type": "string"}, "lat": {"type": ["number", "null"], "maximum": 90}, "n": {"type": "integer", "minimum": 0},
		"at": {"type": ["string", "null"], "format": "date-time"}, "kind": {"type": "string", "enum": ["a", "b"]},
		"place": {"oneOf": [{"$ref": "#/components/schemas/Place"}, {"type": "null"}]},
		"list": {"type": "array", "items": {"$ref": "#/components/schemas/Place"}}, "by": {"type": "object", "additionalProperties": {"type": "string"}}}},
	"Place": {"type": "object", "additionalProperties": false, "required": ["id"], "properties": {"id": {"type": "string"}, "name": {"type": "string"}}}}}}`

// A check that lets everything through would make every other test of the contract worthless.
func TestWhatIsNotInTheSchemaIsNamed(t *testing.T) {
	whole := `{"id": "x", "lat": null, "at": "2026-11-21T10:00:00.000Z", "kind": "a", "place": {"id": "p"}, "n": 1, "list": [{"id": "q"}], "by": {"z": "y"}}`
	for _, row := range []struct{ from, to, wrong string }{
		{"", "", ""},
		{`"id": "x"`, `"id": 7`, ".id: is number, not string"},
		{`"id": "x", `, ``, ".id: is missing"},
		{`"id": "x"`, `"id": null`, ".id: is null, not string"},
		{`"id": "x"`, `"id": "x", "more": 1`, ".more: the schema does not know it"},
		{`"lat": null`, `"lat": "1"`, ".lat: is string"},
		{`"lat": null`, `"lat": 91`, ".lat: 91 is above 90"},
		{`"n": 1`, `"n": 1.5`, ".n: is number, not integer"},
		{`"n": 1`, `"n": -1`, ".n: -1 is below 0"},
		{`10:00:00.000Z`, `10:00:00Z`, ".at: "},
		{`"kind": "a"`, `"kind": "c"`, ".kind: c is none of"},
		{`{"id": "p"}`, `{"id": "p", "x": 1}`, ".place: fits 0 of 2"},
		{`{"id": "p"}`, `null`, ""},
		{`[{"id": "q"}]`, `[{"id": "q"}, {}]`, ".list[1].id: is missing"},
		{`"z": "y"`, `"z": 1`, ".by.z: is number"},
		{`"x"`, `"x`, "not JSON"},
	} {
		wrong := strings.Join(contract.Read(t, []byte(sample)).CheckShape("Asset", []byte(strings.Replace(whole, row.from, row.to, 1))), "\n")
		if (wrong == "") != (row.wrong == "") || !strings.Contains(wrong, row.wrong) {
			t.Errorf("%s as %s: %q, want %q", row.from, row.to, wrong, row.wrong)
		}
	}
}

func TestWhatWasSeenIsRemembered(t *testing.T) {
	d := contract.Read(t, []byte(sample))
	for _, body := range []string{`{"id": "p"}`, `{"id": "p", "name": "x"}`, `{"id": 5, "name": null}`} {
		d.CheckShape("Place", []byte(body))
	}
	if s := d.Seen["Place.name"]; s != (contract.Seen{Present: true, Absent: true, Value: true}) {
		t.Errorf("%+v", s)
	}
}
