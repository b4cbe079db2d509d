package people_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/people"
	"lightbar/internal/wire"

	"lightbar/catalog"
	"lightbar/internal/app"
	"lightbar/internal/bus"
	"lightbar/internal/fleet"
	"lightbar/internal/sso"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit"
)

func TestListOrganizations(t *testing.T) {
	w := testkit.New(t)
	ctx := t.Context()
	_, err := w.App.RegisterThing(ctx, access.System(), app.NewThing{OrganizationID: w.Managed.ID, SystemName: "T-1", Type: "tow"})
	must(t, err)
	rows, meta, err := w.App.ListOrganizations(ctx, w.Actor("administrator"))
	must(t, err)
	var got []string
	for _, o := range rows {
		got = append(got, fmt.Sprint(o.Name, " ", o.Relation, " ", o.UsersCount, " ", *o.ThingsCount))
	}
	if want := []string{"Harbor County own 6 0", "Managed Towing managed 0 1", "Accessed Waste accessed 0 0"}; !slices.Equal(got, want) || meta.Total != 3 {
		t.Errorf("%v %+v", got, meta)
	}
	if all, _, err := w.App.ListOrganizations(ctx, w.Actor("super")); err != nil || len(all) != 4 {
		t.Errorf("super: %d %v", len(all), err)
	}
	blind := w.Actor("administrator") // spec: 6.link.02
	delete(blind.Permissions, "thing:read")
	delete(blind.Permissions, "thing:manage")
	if rows, _, err := w.App.ListOrganizations(ctx, blind); err != nil || rows[0].ThingsCount != nil {
		t.Errorf("%+v %v", rows, err)
	}
	o, err := w.App.Organization(ctx, w.Actor("administrator"), w.Managed.ID)
	if err != nil || o.UsersCount != 0 || *o.ThingsCount != 1 || len(o.OrganizationManagers) != 1 || o.OrganizationManagers[0].Name != w.Own.Name {
		t.Errorf("%+v %v", o, err)
	}
	for _, id := range []string{w.Foreign.ID, "x", ""} { // spec: 8.org.03
		_, err := w.App.Organization(ctx, w.Actor("administrator"), id)
		if r := refused(t, err, "not_found"); r.Message != "Organization not found" {
			t.Errorf("%q", r.Message)
		}
	}
	for _, name := range []string{"viewer", "manager"} {
		_, err := w.App.Organization(ctx, w.Actor(name), w.Own.ID)
		refused(t, err, "forbidden")
	}
}

// spec: 6.profile.02 1.word.05 D.auth.06
func TestUpdateOrganization(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		b, err := bus.Open(bus.Options{})
		must(t, err)
		w := testkit.New(t, testkit.WithStore(s), testkit.WithBus(b))
		changed := make(chan string, 8)
		defer b.OnAccessChanged(func(_, organizationID string) { changed <- organizationID })()
		ctx, administrator := t.Context(), w.Actor("administrator")
		_, err = w.App.UpdateOrganization(ctx, administrator, w.Own.ID, wire.OrganizationWrite{SSOOnly: new(true)})
		if r := refused(t, err, "validation_failed"); r.Fields["sso_only"] == "" {
			t.Errorf("without a provider nobody could sign in: %+v", r)
		}
		w.App.Providers = []*sso.Client{{}}
		towing := catalog.AllEnums().OrganizationTypes[7]
		o, err := w.App.UpdateOrganization(ctx, administrator, w.Own.ID, wire.OrganizationWrite{Name: new(" Harbor "), Email: new("office@harbor.example"), PhoneNumber: new("1"),
			CellPhoneNumber: new("2"), ContactName: new("Ada"), Address1: new("1 Main St"), City: new("Elsmere"), State: new("de"), PostalCode: new("19805"), OrganizationTypeID: idOf(towing.ID),
			Timezone: new("America/Chicago"), EventWording: new("incidents"), VehicleIconActive: new("fire"), VehicleIconDefault: new("waste"), LockScreenMs: new(int64(1_800_000)), MFARequired: new(true), SSOOnly: new(true), IfMatch: 1})
		must(t, err)
		if o.Name != "Harbor" || o.Email != "office@harbor.example" || o.PhoneNumber != "1" || o.CellPhoneNumber != "2" || o.ContactName != "Ada" || o.State != "DE" ||
			o.OrganizationType.Name != towing.Name || o.OrganizationType.ID != towing.ID || o.Timezone != "America/Chicago" || o.EventWording != "incidents" || o.VehicleIconActive != "fire" || o.VehicleIconDefault != "waste" ||
			o.LockScreenMs != 1_800_000 || !o.MFARequired || !o.SSOOnly || o.Version != 2 || !o.OrganizationType.ACS || !o.ShowInfiniteTimeoutOption {
			t.Errorf("%+v", o)
		}
		if got := <-changed; got != w.Own.ID {
			t.Errorf("sockets of %s look again", got)
		}
		if name, ok := w.App.Live.Organization(w.Own.ID); !ok || name.Name != "Harbor" {
			t.Errorf("the live picture says %+v", name)
		}
		if again, err := w.App.UpdateOrganization(ctx, administrator, w.Own.ID, wire.OrganizationWrite{Name: new("Harbor")}); err != nil || again.Version != 2 || len(changed) != 0 {
			t.Errorf("the same again: %+v %v", again, err)
		}
		if m, err := w.App.UpdateOrganization(ctx, administrator, w.Managed.ID, wire.OrganizationWrite{Email: new("")}); err != nil || m.ID != w.Managed.ID {
			t.Errorf("managed: %+v %v", m, err)
		}
		_, err = w.App.UpdateOrganization(ctx, administrator, w.Own.ID, wire.OrganizationWrite{Name: new("X"), IfMatch: 1})
		refused(t, err, "conflict")
		for field, edit := range map[string]wire.OrganizationWrite{"name": {Name: new(" ")}, "email": {Email: new("a b")}, "state": {State: new("")}, "postal_code": {PostalCode: new("1980")},
			"country_code": {CountryCode: new("USA")}, "organization_type_id": {OrganizationTypeID: idOf("x")}, "timezone": {Timezone: new("Local")}, "event_wording": {EventWording: new("x")}, "vehicle_icon_active": {VehicleIconActive: new("x")}, "vehicle_icon_default": {VehicleIconDefault: new("ems")},
			"lock_screen_ms": {LockScreenMs: new(int64(1))}, "contact_name": {ContactName: new(strings.Repeat("x", 101))},
			"show_infinite_timeout_option": {ShowInfiniteTimeoutOption: new(true)}, "is_wzdx_org": {IsWZDxOrg: new(true)}, "is_large_org": {IsLargeOrg: new(true)}, "acs": {ACS: new(true)}} {
			_, err := w.App.UpdateOrganization(ctx, administrator, w.Own.ID, edit)
			if r := refused(t, err, "validation_failed"); r.Fields[field] == "" {
				t.Errorf("%s: %+v", field, r)
			}
		}
		for _, id := range []string{w.Foreign.ID, w.Accessed.ID, "x", ""} { // spec: 8.org.02
			_, err := w.App.UpdateOrganization(ctx, administrator, id, wire.OrganizationWrite{Name: new("X")})
			if r := refused(t, err, "organization_not_found"); !strings.Contains(r.Message, "found") {
				t.Errorf("%q", r.Message)
			}
		}
		_, err = w.App.UpdateOrganization(ctx, administrator, w.Own.ID, wire.OrganizationWrite{SSOOnly: new(false), MFARequired: new(false)})
		must(t, err)
		_, err = w.App.UpdateOrganization(ctx, w.Actor("manager"), w.Own.ID, wire.OrganizationWrite{Name: new("X")})
		refused(t, err, "forbidden")
		full, err := w.App.UpdateOrganization(ctx, w.Actor("super"), w.Foreign.ID, wire.OrganizationWrite{ShowInfiniteTimeoutOption: new(true), IsWZDxOrg: new(true), IsLargeOrg: new(true), ACS: new(true)})
		if err != nil || !full.ShowInfiniteTimeoutOption || !full.IsWZDxOrg || !full.IsLargeOrg || !full.OrganizationType.ACS {
			t.Errorf("%+v %v", full, err)
		}
	})
}

// What an edit refuses, a new organization is refused too, and by the same words.
func TestNewAndEditedOrganizationsHaveOneLaw(t *testing.T) {
	w := testkit.New(t)
	for _, c := range []struct {
		field, says string
		made        fleet.Organization
		edit        wire.OrganizationWrite
	}{
		{"name", "Required", fleet.Organization{Name: " "}, wire.OrganizationWrite{Name: new(" ")}},
		{"name", "Must be 100 or fewer characters", fleet.Organization{Name: strings.Repeat("ö", 101)}, wire.OrganizationWrite{Name: new(strings.Repeat("ö", 101))}},
		{"name", "Please use printable characters", fleet.Organization{Name: "a\u202eb"}, wire.OrganizationWrite{Name: new("a\u202eb")}},
		{"timezone", "Unknown time zone.", fleet.Organization{Timezone: "Local"}, wire.OrganizationWrite{Timezone: new("Local")}},
		{"email", "Must be a valid email", fleet.Organization{Email: "office@harbor"}, wire.OrganizationWrite{Email: new("office@harbor")}},
		{"organization_type_id", "Unknown type.", fleet.Organization{TypeName: "zoo"}, wire.OrganizationWrite{OrganizationTypeID: idOf("zoo")}},
		{"event_wording", "The wording must be default, events, or incidents.", fleet.Organization{EventWording: "x"}, wire.OrganizationWrite{EventWording: new("x")}},
		{"country_code", "2 Max Characters", fleet.Organization{CountryCode: "USA"}, wire.OrganizationWrite{CountryCode: new("USA")}},
		{"state", "Required", fleet.Organization{City: "Elsmere"}, wire.OrganizationWrite{City: new("Elsmere")}},
		{"contact_name", "Must be 100 or fewer characters", fleet.Organization{ContactName: strings.Repeat("x", 101)}, wire.OrganizationWrite{ContactName: new(strings.Repeat("x", 101))}},
	} {
		if c.field != "name" {
			c.made.Name = "New"
		}
		_, made := w.App.CreateOrganization(t.Context(), access.System(), c.made)
		_, edited := w.App.UpdateOrganization(t.Context(), w.Actor("administrator"), w.Own.ID, c.edit)
		for how, err := range map[string]error{"made": made, "edited": edited} {
			r := refused(t, err, "validation_failed")
			if said := r.Fields[c.field]; said != c.says && !(r.Field == c.field && r.Message == c.says) {
				t.Errorf("%s, %s: %+v", c.field, how, r)
			}
		}
	}
}

func TestDeleteOrganization(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := testkit.New(t, testkit.WithStore(s))
		ctx, administrator := t.Context(), w.Actor("administrator")
		before := w.SignIn("viewer").AccessToken
		_, secret, err := w.App.CreateKey(ctx, access.System(), wire.KeyCreate{OrganizationID: wire.ID(w.Managed.ID), Description: "x"})
		must(t, err)
		refused(t, w.App.DeleteOrganization(ctx, administrator, w.Own.ID), "own_account")
		for _, id := range []string{w.Foreign.ID, w.Accessed.ID, "x"} {
			refused(t, w.App.DeleteOrganization(ctx, administrator, id), "not_found")
		}
		refused(t, w.App.DeleteOrganization(ctx, w.Actor("manager"), w.Managed.ID), "forbidden")
		u := w.AddUser("tow@demo.example", w.Managed.ID, "viewer")
		refused(t, w.App.DeleteOrganization(ctx, administrator, w.Managed.ID), "organization_in_use")
		must(t, w.App.DeleteUser(ctx, administrator, u.ID))
		w.Clock.Advance(10 * time.Minute)
		refused(t, w.App.DeleteOrganization(ctx, administrator, w.Managed.ID), "step_up_required")
		administrator = w.Actor("administrator")
		must(t, w.App.DeleteOrganization(ctx, administrator, w.Managed.ID))
		refused(t, w.App.DeleteOrganization(ctx, administrator, w.Managed.ID), "not_found")
		actor, err := w.App.Authenticate(ctx, before, "")
		if err != nil || actor.Reach(w.Managed.ID) != access.None {
			t.Errorf("reach after it: %+v %v", actor, err)
		}
		_, err = w.App.AuthenticateKey(ctx, secret, "")
		refused(t, err, "invalid_key")
		_, err = w.App.CreateUser(ctx, w.Actor("super"), wire.UserCreate{OrganizationID: wire.ID(w.Managed.ID), FirstName: "A", LastName: "B", Email: "x@demo.example", RoleID: wire.ID(role(t, "viewer"))})
		refused(t, err, "organization_not_found")
		if audits(t, w, w.Managed.ID, "delete", "organization", w.Managed.ID) != 1 {
			t.Error("not audited")
		}
	})
}

func TestOrganizationInUseByAssets(t *testing.T) {
	w := testkit.New(t)
	_, err := w.App.RegisterThing(t.Context(), access.System(), app.NewThing{OrganizationID: w.Managed.ID, SystemName: "T-1", Type: "tow"})
	must(t, err)
	refused(t, w.App.DeleteOrganization(t.Context(), w.Actor("administrator"), w.Managed.ID), "organization_in_use")
}

// spec: 3.org.03
func TestRelationsActOnBothSides(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		b, err := bus.Open(bus.Options{})
		must(t, err)
		w := testkit.New(t, testkit.WithStore(s), testkit.WithBus(b))
		ctx := t.Context()
		changed := make(chan string, 8)
		defer b.OnAccessChanged(func(_, organizationID string) { changed <- organizationID })()
		administrator, outsider := w.Actor("administrator"), w.SignIn("outsider").AccessToken
		super := w.Actor("super") // reaches both: nobody needs to be asked
		reach := func() access.Reach {
			actor, err := w.App.Authenticate(ctx, outsider, "") // within the seconds in which look-ups are trusted
			must(t, err)
			return actor.Reach(w.Own.ID)
		}
		if reach() != access.None {
			t.Error("reach before")
		}
		for _, step := range []struct {
			kind                string
			want                access.Reach
			managers, accessors int
		}{{"accessor", access.Read, 0, 1}, {"manager", access.Full, 1, 0}, {"accessor", access.Read, 0, 1}, {"delete", access.None, 0, 0}} {
			o, err := w.App.SetOrganizationRelation(ctx, super, w.Own.ID, w.Foreign.ID, step.kind)
			must(t, err)
			if got := reach(); got != step.want || len(o.Data.OrganizationManagers) != step.managers || len(o.Data.OrganizationAccessors) != step.accessors {
				t.Errorf("%s: reach %d, %+v", step.kind, got, o)
			}
			both := []string{<-changed, <-changed}
			slices.Sort(both)
			want := []string{w.Own.ID, w.Foreign.ID}
			slices.Sort(want)
			if !slices.Equal(both, want) {
				t.Errorf("%s: sockets of %v look again", step.kind, both)
			}
		}
		for _, row := range []struct{ id, other, kind, code string }{
			{w.Own.ID, "x", "manager", "validation_failed"}, {w.Own.ID, w.Own.ID, "manager", "validation_failed"}, {w.Own.ID, w.Foreign.ID, "owner", "validation_failed"},
			{w.Foreign.ID, w.Own.ID, "manager", "organization_not_found"}, {w.Accessed.ID, w.Own.ID, "manager", "organization_not_found"}, {"x", w.Own.ID, "manager", "organization_not_found"},
		} {
			_, err := w.App.SetOrganizationRelation(ctx, administrator, row.id, row.other, row.kind)
			refused(t, err, row.code)
		}
		_, err = w.App.SetOrganizationRelation(ctx, w.Actor("manager"), w.Own.ID, w.Foreign.ID, "manager")
		refused(t, err, "forbidden")
		_, err = w.App.SetOrganizationRelation(ctx, super, w.Own.ID, w.App.NewID(), "manager")
		refused(t, err, "organization_not_found")
		for _, id := range []string{w.Own.ID, w.Foreign.ID} {
			if audits(t, w, id, "relate", "organization", w.Own.ID) != 4 {
				t.Error("not audited")
			}
		}
	})
}

// The situational-awareness mode that an organization loses ends by the ordinary absolute end.
func TestWithdrawnAwarenessActsOnLiveSessions(t *testing.T) {
	w := testkit.New(t)
	ctx := t.Context()
	super := w.Actor("super")
	g, err := w.App.SignIn(ctx, people.SignIn{Email: "viewer@demo.example", Password: testkit.Password, Awareness: true})
	must(t, err)
	w.Clock.Advance(25 * time.Hour)
	if _, err = w.App.Authenticate(ctx, g.Access, ""); err != nil {
		t.Fatal(err)
	}
	_, err = w.App.UpdateOrganization(ctx, super, w.Own.ID, wire.OrganizationWrite{ShowInfiniteTimeoutOption: new(false)})
	must(t, err)
	_, err = w.App.Authenticate(ctx, g.Access, "")
	refused(t, err, "invalid_token")
}

func TestNewOrganizationsKeepTheRules(t *testing.T) {
	w := testkit.New(t)
	for field, o := range map[string]fleet.Organization{
		"name":                 {Name: " "},
		"timezone":             {Name: "A", Timezone: "Mars/Base"},
		"organization_type_id": {Name: "A", TypeName: "circus"},
		"event_wording":        {Name: "A", EventWording: "things"},
		"lat":                  {Name: "A", HasPosition: true, Lat: 91},
	} {
		_, err := w.App.CreateOrganization(t.Context(), access.System(), o)
		if r := refused(t, err, "validation_failed"); r.Fields[field] == "" && r.Field != field {
			t.Errorf("%s: %+v", field, r)
		}
	}
}
