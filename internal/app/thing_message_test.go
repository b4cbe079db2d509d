package app_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/bus"
	"lightbar/internal/fleet"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// Of an asset that is shared with several organizations each accessor learns of
// itself alone, by every door; the owner and a manager learn of all.
func TestWhoSharesAnAssetIsToldToWhoReachesItInFull(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	owner, manager, first, second := k.Organization("Owner"), k.Organization("Manager"), k.Organization("First"), k.Organization("Second")
	id := k.Things(owner.ID, "U", 1)[0].ID
	relate := func(edits ...wire.RelationshipWrite) {
		t.Helper()
		_, err := k.SetThingAssociations(t.Context(), access.System(), id, edits)
		must(t, err)
	}
	secrets := func(text string) (out []string) {
		for name, org := range map[string]fleet.Organization{"Manager": manager, "First": first, "Second": second} {
			if strings.Contains(text, `"`+name+`"`) || strings.Contains(text, `"`+org.ID+`"`) {
				out = append(out, name)
			}
		}
		slices.Sort(out)
		return out
	}
	share := func() {
		relate(wire.RelationshipWrite{OrganizationUUID: wire.ID(manager.ID), RelationshipType: "manager"}, wire.RelationshipWrite{OrganizationUUID: wire.ID(first.ID), RelationshipType: "accessor"},
			wire.RelationshipWrite{OrganizationUUID: wire.ID(second.ID), RelationshipType: "accessor"})
	}
	check := func(what string, items map[string][]bus.Item) {
		t.Helper()
		for org, want := range map[string]struct{ full, part []string }{
			owner.ID: {[]string{"First", "Manager", "Second"}, nil}, manager.ID: {[]string{"First", "Manager", "Second"}, []string{"Manager"}},
			first.ID: {[]string{"First"}, []string{"First"}}, second.ID: {[]string{"Second"}, []string{"Second"}},
		} {
			for _, item := range items[org] {
				full := !strings.HasSuffix(string(item.Type), "/part")
				part := !strings.HasSuffix(string(item.Type), "/full")
				got := secrets(string(item.Body))
				if full && !slices.Equal(got, want.full) || part && !slices.Equal(got, want.part) {
					t.Errorf("%s: the stream of %s tells %s %v: %s", what, org, item.Type, got, item.Body)
				}
			}
			if len(items[org]) == 0 {
				t.Errorf("%s: %s hears nothing", what, org)
			}
		}
	}
	check("shared", itemsOnTheStream(t, k, 4, share))
	check("renamed", itemsOnTheStream(t, k, 4, func() {
		_, err := k.UpdateThing(t.Context(), k.User(owner.ID, "manager"), id, wire.ThingWrite{Nickname: text("Renamed")})
		must(t, err)
	}))
	reader := func(org string, reach access.Reach) *access.Actor {
		a := k.User(k.Organization("Reader").ID, "manager")
		a.Organizations[org] = reach
		return a
	}
	for what, row := range map[string]struct {
		actor *access.Actor
		ask   string
		want  []string
	}{
		"the owner": {k.User(owner.ID, "viewer"), owner.ID, []string{"First", "Manager", "Second"}}, "a manager": {k.User(manager.ID, "viewer"), manager.ID, []string{"First", "Manager", "Second"}},
		"an accessor": {k.User(first.ID, "manager"), first.ID, []string{"First"}}, "a reader of the owner": {reader(owner.ID, access.Read), owner.ID, nil},
		"a reader of a manager": {reader(manager.ID, access.Read), manager.ID, []string{"Manager"}}, "who manages the owner": {reader(owner.ID, access.Full), owner.ID, []string{"First", "Manager", "Second"}},
	} {
		one, err := k.Thing(t.Context(), row.actor, id)
		must(t, err)
		list, _, err := k.ListThings(t.Context(), row.actor, app.ThingQuery{OrganizationIDs: []string{row.ask}})
		must(t, err)
		snapshot, err := k.ThingsSnapshot(t.Context(), row.actor, []string{row.ask}, 0)
		must(t, err)
		for door, answer := range map[string]any{"read": one, "list": list, "snapshot": snapshot} {
			text, err := json.Marshal(answer)
			must(t, err)
			if got := secrets(string(text)); !slices.Equal(got, row.want) {
				t.Errorf("%s of %s tells %v: %s", door, what, got, text)
			}
			if hidden := strings.Count(string(text), fmt.Sprintf("%q", wire.AnotherOrganization)); (len(row.want) == 3) != (hidden == 0) {
				t.Errorf("%s of %s: %d others: %s", door, what, hidden, text)
			}
		}
	}
}
