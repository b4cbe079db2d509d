package people_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// spec: 8.key.01
func TestTheKeyLimit(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := testkit.New(t, testkit.WithStore(s))
		ctx, administrator := t.Context(), w.Actor("administrator")
		create := func() (wire.Key, error) {
			k, _, err := w.App.CreateKey(ctx, administrator, wire.KeyCreate{Description: "k"})
			return k, err
		}
		for range 7 {
			_, err := create()
			must(t, err)
		}
		var group sync.WaitGroup
		errs := make([]error, 8)
		for i := range errs { // the last three places
			group.Go(func() { _, errs[i] = create() })
		}
		group.Wait()
		made := 0
		for _, err := range errs {
			if codeOf(t, err) == "" {
				made++
			}
		}
		_, err := create()
		if r := refused(t, err, "key_limit"); made != 3 || r.Message != "Your User has reached the API Key limit" {
			t.Errorf("%d of 8 were made, then %q", made, r.Message)
		}
		keys, _, err := w.App.ListKeys(ctx, administrator, nil)
		must(t, err)
		must(t, w.App.RevokeKey(ctx, administrator, keys[0].ID))
		_, err = create() // a revoked key leaves its place
		must(t, err)
		if _, _, err := w.App.CreateKey(ctx, access.System(), wire.KeyCreate{OrganizationID: wire.ID(w.Own.ID), Description: "server"}); err != nil {
			t.Errorf("the server itself has no limit: %v", err)
		}
		w.Clock.Advance(366 * 24 * time.Hour) // expired keys leave theirs
		w.Users["next"] = w.AddUser("next@demo.example", w.Own.ID, "administrator")
		if n, err := store.CountKeysOf(ctx, s.Reader(), w.Users["administrator"].ID, fleet.InstantOf(w.Clock.Now())); n != 0 || err != nil {
			t.Errorf("%d %v", n, err)
		}
	})
}

func TestKeysExpire(t *testing.T) {
	w := testkit.New(t)
	ctx, administrator, now := t.Context(), w.Actor("administrator"), fleet.InstantOf(w.Clock.Now())
	const year = 365 * 24 * time.Hour
	for name, row := range map[string]struct {
		actor *access.Actor
		in    fleet.Instant
		never bool
		want  fleet.Instant
		code  string
	}{
		"a user's without a word": {administrator, 0, false, now.Add(year), ""},
		"a user's for longer":     {administrator, now.Add(9 * year), false, now.Add(9 * year), ""},
		"a user's for ever":       {administrator, 0, true, 0, ""},
		"an end and none":         {administrator, now.Add(year), true, 0, "validation_failed"},
		"now":                     {administrator, now, false, 0, "validation_failed"},
		"yesterday":               {administrator, now.Add(-24 * time.Hour), false, 0, "validation_failed"},
		"the server's":            {access.System(), 0, false, 0, ""},
		"the server's for ever":   {access.System(), 0, true, 0, ""},
		"the server's for longer": {access.System(), now.Add(9 * year), false, now.Add(9 * year), ""},
	} {
		k, _, err := w.App.CreateKey(ctx, row.actor, wire.KeyCreate{OrganizationID: wire.ID(w.Own.ID), Description: "k",
			ExpiresAt: new(row.in.String()), NeverEnds: row.never})
		if codeOf(t, err) != row.code || (err == nil && k.ExpiresAt != row.want) {
			t.Errorf("%s: %v %v", name, k.ExpiresAt, err)
		}
	}
	w.Clock.Advance(10 * time.Minute)
	_, _, err := w.App.CreateKey(ctx, administrator, wire.KeyCreate{Description: "k"})
	refused(t, err, "step_up_required")
	refused(t, w.App.RevokeKey(ctx, administrator, "x"), "step_up_required")
	for _, description := range []string{"", " ", strings.Repeat("x", 101), "a\nb"} {
		_, _, err := w.App.CreateKey(ctx, w.Actor("administrator"), wire.KeyCreate{Description: description})
		if r := refused(t, err, "validation_failed"); r.Fields["description"] == "" {
			t.Errorf("%+v", r)
		}
	}
}

// A key lives by its maker: without the permission, or without reach, it is dead at its next use.
func TestKeysDieWithTheirMakersStanding(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := testkit.New(t, testkit.WithStore(s))
		ctx := t.Context()
		maker := w.AddUser("maker@demo.example", w.Own.ID, "administrator")
		w.Users["maker"] = maker
		create := func(organizationID string) string {
			_, secret, err := w.App.CreateKey(ctx, w.Actor("maker"), wire.KeyCreate{OrganizationID: wire.ID(organizationID), Description: "k"})
			must(t, err)
			_, err = w.App.AuthenticateKey(ctx, secret, "")
			must(t, err)
			return secret
		}
		own, managed := create(w.Own.ID), create(w.Managed.ID)
		dead := func(secret string, want bool) {
			t.Helper()
			_, err := w.App.AuthenticateKey(ctx, secret, "")
			if dead := codeOf(t, err) == "invalid_key"; dead != want {
				t.Errorf("dead %v, want %v: %v", dead, want, err)
			}
		}
		administrator := w.Actor("administrator")
		for _, step := range []struct {
			role         string
			own, managed bool
		}{{"manager", true, true}, {"administrator", false, false}} {
			_, err := w.App.UpdateUser(ctx, administrator, maker.ID, wire.UserWrite{RoleID: idOf(role(t, step.role))})
			must(t, err)
			dead(own, step.own)
			dead(managed, step.managed)
		}
		must(t, w.App.RelateOrganizations(ctx, access.System(), w.Managed.ID, w.Own.ID, "accessor"))
		dead(own, false)
		dead(managed, true)
		rows, _, err := w.App.ListKeys(ctx, w.Actor("super"), []string{w.Managed.ID})
		must(t, err)
		if len(rows) != 1 || rows[0].Works || rows[0].RevokedAt != 0 {
			t.Errorf("%+v", rows)
		}
		must(t, w.App.RelateOrganizations(ctx, access.System(), w.Managed.ID, w.Own.ID, "manager"))
		_, err = w.App.UpdateUser(ctx, administrator, maker.ID, wire.UserWrite{OrganizationID: idOf(w.Managed.ID)})
		must(t, err)
		dead(own, true)
		dead(managed, false)
	})
}

// spec: 3.key.01
func TestListKeys(t *testing.T) {
	w := testkit.New(t)
	ctx, administrator := t.Context(), w.Actor("administrator")
	thing, err := w.App.RegisterThing(ctx, administrator, app.NewThing{OrganizationID: w.Managed.ID, SystemName: "T-1", Type: "tow"})
	must(t, err)
	made, token, err := w.App.CreateKey(ctx, administrator, wire.KeyCreate{Description: " Phone ", ThingID: wire.ID(thing.ID)})
	must(t, err)
	if made.Description != "Phone" || made.OrganizationID != w.Managed.ID || made.ThingID == nil || *made.ThingID != thing.ID || made.ThingName != "T-1" ||
		made.UserName != "Test administrator" || !strings.HasPrefix(token, made.Prefix) || len(made.Prefix) >= len(token)/2 || made.CreatedDate == 0 || !made.Works || made.LastUsedAt != 0 {
		t.Errorf("%+v", made)
	}
	w.Clock.Advance(time.Minute)
	actor, err := w.App.AuthenticateKey(ctx, token, "")
	if err != nil || actor.KeyThingID != thing.ID || actor.OrganizationID != w.Managed.ID {
		t.Errorf("%+v %v", actor, err)
	}
	list := func(ids ...string) []wire.Key {
		t.Helper()
		rows, _, err := w.App.ListKeys(ctx, administrator, ids)
		must(t, err)
		return rows
	}
	if rows := list(w.Managed.ID, w.Managed.ID); len(rows) != 1 || rows[0].LastUsedAt != fleet.InstantOf(w.Clock.Now()) {
		t.Errorf("%+v", rows)
	}
	writes := func() (stored fleet.Instant) {
		row, err := store.KeyRowByID(ctx, w.App.Store.Reader(), made.ID)
		must(t, err)
		return row.LastUsedAt
	}
	for first := writes(); ; { // in use: the list keeps up, the row is left alone
		w.Clock.Advance(time.Minute)
		if _, err := w.App.AuthenticateKey(ctx, token, ""); err != nil {
			t.Fatal(err)
		}
		now := fleet.InstantOf(w.Clock.Now())
		if rows := list(w.Managed.ID); rows[0].LastUsedAt != now || writes() != first {
			t.Errorf("used at %v, listed %v, stored %v", now, rows[0].LastUsedAt, writes())
		}
		if now.Sub(first) >= 8*time.Minute {
			break
		}
	}
	if rows := list(); len(rows) != 1 || rows[0].UserID != nil || rows[0].Description != "fleet" || rows[0].ExpiresAt != 0 {
		t.Errorf("own: %+v", rows)
	}
	_, _, err = w.App.CreateKey(ctx, administrator, wire.KeyCreate{Description: "later"})
	must(t, err)
	if rows := list(w.Own.ID, w.Managed.ID); !slices.Equal([]string{rows[0].Description, rows[1].Description, rows[2].Description}, []string{"later", "Phone", "fleet"}) {
		t.Errorf("newest first: %+v", rows)
	}
	must(t, w.App.RevokeKey(ctx, administrator, made.ID))
	if rows := list(w.Managed.ID); len(rows) != 1 || rows[0].RevokedAt == 0 || rows[0].Works {
		t.Errorf("revoked: %+v", rows)
	}
	w.Clock.Advance(31 * 24 * time.Hour)
	administrator = w.Actor("administrator")
	if rows := list(w.Managed.ID); len(rows) != 0 {
		t.Errorf("a month later: %+v", rows)
	}
	_, _, err = w.App.ListKeys(ctx, administrator, []string{w.Foreign.ID})
	refused(t, err, "not_found")
	_, _, err = w.App.ListKeys(ctx, w.Actor("manager"), nil)
	refused(t, err, "forbidden")
}

func TestKeysOfOneAssetAreForAssetsInFullReach(t *testing.T) {
	w := testkit.New(t)
	ctx, administrator := t.Context(), w.Actor("administrator")
	register := func(organizationID string, relations ...fleet.Relation) string {
		thing, err := w.App.RegisterThing(ctx, access.System(), app.NewThing{OrganizationID: organizationID, SystemName: "T-1", Type: "tow", Relations: relations})
		must(t, err)
		return thing.ID
	}
	accessed, foreign := register(w.Accessed.ID), register(w.Foreign.ID, fleet.Relation{OrganizationID: w.Own.ID, Kind: "accessor"})
	for _, in := range []wire.KeyCreate{{ThingID: wire.ID(accessed)}, {ThingID: wire.ID(foreign)}, {ThingID: "x"}, {ThingID: wire.ID(foreign), OrganizationID: wire.ID(w.Own.ID)}} {
		in.Description = "k"
		_, _, err := w.App.CreateKey(ctx, administrator, in)
		refused(t, err, "thing_not_found")
	}
	for _, id := range []string{w.Accessed.ID, w.Foreign.ID} {
		_, _, err := w.App.CreateKey(ctx, administrator, wire.KeyCreate{Description: "k", ThingID: wire.ID(foreign), OrganizationID: wire.ID(id)})
		refused(t, err, "organization_not_found")
	}
}

// What repeats a request is told as much of the key as its user may know now;
// keys made on the server itself are no user's to repeat.
func TestARepeatTellsOfAKeyInReachAlone(t *testing.T) {
	w := testkit.New(t)
	ctx, administrator := t.Context(), w.Actor("administrator")
	in := wire.KeyCreate{OrganizationID: wire.ID(w.Managed.ID), Description: "Gateway", Once: "k"}
	made, _, err := w.App.CreateKey(ctx, administrator, in)
	must(t, err)
	repeat := func(actor *access.Actor) any {
		t.Helper()
		_, _, err := w.App.CreateKey(ctx, actor, in)
		return refused(t, err, "key_made").Current
	}
	if key, ok := repeat(administrator).(wire.Key); !ok || key.ID != made.ID {
		t.Errorf("%+v", key)
	}
	must(t, w.App.RelateOrganizations(ctx, access.System(), w.Managed.ID, w.Own.ID, "accessor"))
	if current := repeat(w.Actor("administrator")); current != nil {
		t.Errorf("a key of an organization that may only be read: %+v", current)
	}
	for range 2 {
		_, _, err = w.App.CreateKey(ctx, access.System(), in)
		must(t, err)
	}
}
