package wire

import (
	"encoding/json"
	"reflect"
	"testing"

	"lightbar/internal/fleet"
)

const (
	ofTheRequest = "says something of the request, not of the noun"
	byItsLaw     = "the verb's law judges it by hand"
)

// Each field of a write shape is put over a field of its noun that can hold it:
// one that pairs with none would be accepted, and nothing would come of it.
func TestEveryFieldOfAWriteShapeHasItsPlace(t *testing.T) {
	for _, row := range []struct {
		write, noun any
		apart       map[string]string // fields that have none, each with its reason
	}{
		{ThingWrite{}, fleet.Thing{}, map[string]string{"IfMatch": ofTheRequest, "ExternalIdentifiers": byItsLaw}},
		{UserWrite{}, fleet.User{}, map[string]string{"IfMatch": ofTheRequest}},
		{UserCreate{}, fleet.User{}, map[string]string{"Password": "is kept as its hash"}},
		{OrganizationWrite{}, fleet.Organization{}, map[string]string{"IfMatch": ofTheRequest, "OrganizationTypeID": byItsLaw, "IsLargeOrg": byItsLaw}},
		{KeyCreate{}, fleet.Key{}, map[string]string{"Once": ofTheRequest, "Scope": "scopes and thing_id say it", "ExpiresAt": byItsLaw, "NeverEnds": byItsLaw}},
	} {
		write, noun := reflect.TypeOf(row.write), reflect.TypeOf(row.noun)
		t.Run(write.Name(), func(t *testing.T) {
			paired := map[string]bool{}
			for _, f := range fieldsOf(write, noun) {
				from, to := write.Field(f.from), noun.Field(f.to)
				said := from.Type
				if said.Kind() == reflect.Pointer {
					said = said.Elem()
				}
				if said != to.Type && (said.Kind() != reflect.String || to.Type.Kind() != reflect.String) {
					continue
				}
				paired[from.Name] = true
			}
			for i := range write.NumField() {
				switch name := write.Field(i).Name; {
				case paired[name] && row.apart[name] != "":
					t.Errorf("%s has a place: it is no exception", name)
				case !paired[name] && row.apart[name] == "":
					t.Errorf("no field of fleet.%s takes %s: name it with a tag at", noun.Name(), name)
				}
				delete(row.apart, write.Field(i).Name)
			}
			for name := range row.apart {
				t.Errorf("there is no field %s", name)
			}
		})
	}
}

// The row of a deleted record has its lists, which are empty, and no document.
func TestTheRowOfADeletedRecord(t *testing.T) {
	for _, row := range []any{Gone[Zone]("z"), Gone[Closure]("z"), Gone[Export]("z"), Gone[Area]("z")} {
		var was map[string]any
		text, err := json.Marshal(row)
		if err != nil || json.Unmarshal(text, &was) != nil {
			t.Fatal(err)
		}
		if was["id"] != "z" || was["is_deleted"] != true {
			t.Errorf("%T: %s", row, text)
		}
		for _, list := range []string{"active_things", "user_route", "consumers", "files", "formats"} {
			if value, is := was[list]; is && !reflect.DeepEqual(value, []any{}) {
				t.Errorf("%T: %s is %v", row, list, value)
			}
		}
		if value, is := was["area_geom"]; is && value != nil {
			t.Errorf("%T: a shape of nothing: %v", row, value)
		}
	}
}
