package app_test

import (
	"encoding/json"
	"testing"

	"lightbar/internal/wire"

	"lightbar/catalog"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

// Which types and subtypes an asset may take: the same vectors as the web's.
// spec: 5.asset.07
func TestSubtypeVectors(t *testing.T) {
	raw, err := catalog.Files.ReadFile("vectors/subtype.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Changes []struct{ From, To string }
		Cases   []struct {
			Type, Subtype string
			Offered       bool
		}
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	types, subtypes := map[string]string{}, map[string]string{}
	for _, one := range catalog.AllEnums().ThingTypes {
		types[one.Name] = one.ID
	}
	for _, one := range catalog.AllEnums().ThingSubtypes {
		subtypes[one.Name] = one.ID
	}
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("Sample Fire")
	id := k.Things(o.ID, "U", 1)[0].ID
	user := k.User(o.ID, "manager")
	for _, c := range file.Cases {
		_, err := k.UpdateThing(t.Context(), user, id, wire.ThingWrite{ThingTypeID: idOf(types[c.Type]), ThingSubtypeID: idOf(subtypes[c.Subtype])})
		if (err == nil) != c.Offered {
			t.Errorf("%s as a subtype of %s: %v, want taken %v", c.Subtype, c.Type, err, c.Offered)
		}
	}
	for _, c := range file.Changes {
		for _, sub := range catalog.AllEnums().ThingSubtypes {
			if sub.ThingType != c.From {
				continue
			}
			if _, err := k.UpdateThing(t.Context(), user, id, wire.ThingWrite{ThingTypeID: idOf(types[c.From]), ThingSubtypeID: idOf(sub.ID)}); err != nil {
				t.Fatal(err)
			}
		}
		got, err := k.UpdateThing(t.Context(), user, id, wire.ThingWrite{ThingTypeID: idOf(types[c.To])})
		if err != nil || got.ThingTypeID != types[c.To] || got.ThingSubtypeID != "" {
			t.Errorf("%s becomes %s: %+v %v, want the type without a subtype", c.From, c.To, got, err)
		}
	}
}
