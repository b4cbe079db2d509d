package people_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/people"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

func namesOf(members []wire.Member) []string {
	var out []string
	for _, m := range members {
		out = append(out, fmt.Sprintf("%s %s", m.Relation, m.Email))
	}
	return out
}

// spec: 7.user.05 3.role.02
func TestMembers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := testkit.New(t, testkit.WithStore(s))
		ctx := t.Context()
		w.Users["tow"] = w.AddUser("tow@demo.example", w.Managed.ID, "administrator")
		w.AddUser("waste@demo.example", w.Accessed.ID, "administrator")
		list := func(actor *access.Actor, ids ...string) []wire.Member {
			t.Helper()
			data, meta, err := w.App.ListMembers(ctx, actor, people.MemberQuery{OrganizationIDs: ids})
			must(t, err)
			if meta.Total != len(data) || meta.AsOf == 0 {
				t.Errorf("meta %+v for %d", meta, len(data))
			}
			return data
		}
		manager := w.Actor("manager")
		own := list(manager)
		if want := []string{"own administrator@demo.example", "own engineer@demo.example", "own manager@demo.example", "own operator@demo.example",
			"own super@demo.example", "own viewer@demo.example"}; !slices.Equal(namesOf(own), want) {
			t.Errorf("own: %v", namesOf(own))
		}
		for _, m := range own {
			if m.CanEdit || m.PasswordExpiresAt == 0 || m.OrganizationName != w.Own.Name || m.HasAPIKeys != (m.Email == "administrator@demo.example" || m.Email == "super@demo.example") {
				t.Errorf("%+v", m)
			}
		}
		// The managed organization as its manager sees it: its own user in full, the managers' with the badge.
		managed := list(w.Actor("administrator"), w.Managed.ID)
		if len(managed) != 7 || managed[0].Email != "tow@demo.example" || !managed[0].CanEdit || managed[1].Relation != "manager" || managed[1].CountryCode != "US" {
			t.Errorf("managed: %v", namesOf(managed))
		}
		// The same as the managed organization sees it: names, addresses and roles of the others only.
		theirs := list(w.Actor("tow"))
		if len(theirs) != 7 || theirs[0].CountryCode != "US" || !theirs[0].CanEdit {
			t.Errorf("theirs: %v", namesOf(theirs))
		}
		for _, m := range theirs[1:] {
			bare := wire.Member{ID: m.ID, Email: m.Email, FirstName: m.FirstName, LastName: m.LastName, RoleID: m.RoleID, OrganizationID: w.Own.ID,
				OrganizationName: w.Own.Name, Relation: "manager", Version: m.Version}
			if m != bare || m.Email == "" || m.RoleID == "" {
				t.Errorf("more than a name: %+v", m)
			}
		}
		// Accessed organizations are for reading names: of their own users, not of those of their other partners.
		must(t, w.App.RelateOrganizations(ctx, access.System(), w.Accessed.ID, w.Foreign.ID, "manager"))
		accessed := list(manager, w.Accessed.ID)
		if len(accessed) != 1 || accessed[0].Email != "waste@demo.example" || accessed[0].CountryCode != "" {
			t.Errorf("accessed: %+v", accessed)
		}
		if both := list(manager, w.Managed.ID, w.Own.ID, w.Own.ID); len(both) != 7 || slices.ContainsFunc(both, func(m wire.Member) bool { return m.Relation != "own" }) {
			t.Errorf("both: %v", namesOf(both))
		}
		page, meta, err := w.App.ListMembers(ctx, manager, people.MemberQuery{Page: 2, PerPage: 4})
		if err != nil || len(page) != 2 || meta.Total != 6 || meta.Page != 2 || meta.PerPage != 4 || page[0].ID != own[4].ID {
			t.Errorf("page 2: %v %+v %v", namesOf(page), meta, err)
		}
		if page, _, err = w.App.ListMembers(ctx, manager, people.MemberQuery{Page: 1 << 40, PerPage: 500}); err != nil || len(page) != 0 {
			t.Errorf("far page: %v %v", page, err)
		}
		_, _, err = w.App.ListMembers(ctx, manager, people.MemberQuery{OrganizationIDs: []string{w.Own.ID, w.Foreign.ID}})
		refused(t, err, "not_found")
		for _, name := range []string{"viewer", "operator", "engineer"} {
			_, _, err = w.App.ListMembers(ctx, w.Actor(name), people.MemberQuery{})
			refused(t, err, "forbidden")
		}
	})
}

func TestOneMember(t *testing.T) {
	w := testkit.New(t)
	ctx, manager := t.Context(), w.Actor("manager")
	waste := w.AddUser("waste@demo.example", w.Accessed.ID, "viewer")
	m, err := w.App.Member(ctx, manager, w.Users["viewer"].ID)
	if err != nil || m.Email != "viewer@demo.example" || m.Relation != "own" || m.LastSignInAt != 0 || m.SignInCount != 0 {
		t.Errorf("%+v %v", m, err)
	}
	if m, err = w.App.Member(ctx, manager, waste.ID); err != nil || m.CountryCode != "" || m.Email != waste.Email {
		t.Errorf("%+v %v", m, err)
	}
	for _, id := range []string{"", "x", w.Users["outsider"].ID} {
		_, err = w.App.Member(ctx, manager, id)
		refused(t, err, "not_found")
	}
	_, err = w.App.Member(ctx, w.Actor("viewer"), w.Users["viewer"].ID)
	refused(t, err, "forbidden")
	w.Clock.Advance(time.Hour)
	w.SignIn("viewer")
	if m, err = w.App.Member(ctx, w.Actor("manager"), w.Users["viewer"].ID); err != nil || m.SignInCount != 2 || m.LastSignInAt != fleet.InstantOf(w.Clock.Now()) {
		t.Errorf("%+v %v", m, err)
	}
}

// spec: 3.role.01 7.user.03 7.user.04 D.value.09
func TestRolesAndAssignableOrganizations(t *testing.T) {
	w := testkit.New(t)
	roles, meta := w.App.Roles()
	var labels []string
	for i, r := range roles {
		labels = append(labels, r.Label)
		if r.ID == "" || (i > 0 && roles[i-1].Order >= r.Order) {
			t.Errorf("%+v", roles)
		}
	}
	if want := []string{"Viewer", "Operator", "Manager", "Administrator"}; !slices.Equal(labels, want) || meta.Total != 4 {
		t.Errorf("roles %v %+v", labels, meta)
	}
	assignable := func(name string) []string {
		data, _, err := w.App.AssignableOrganizations(t.Context(), w.Actor(name))
		must(t, err)
		var out []string
		for _, o := range data {
			out = append(out, o.Name)
			if o.ID == "" || o.OrganizationType.Name != "fleet" || o.OrganizationType.ID == "" {
				t.Errorf("%+v", o)
			}
		}
		return out
	}
	if got := assignable("administrator"); !slices.Equal(got, []string{"Harbor County", "Managed Towing"}) {
		t.Errorf("administrator: %v", got)
	}
	if got := assignable("outsider"); !slices.Equal(got, []string{"Foreign Fleet"}) {
		t.Errorf("outsider: %v", got)
	}
	if got := assignable("super"); len(got) != 4 {
		t.Errorf("super: %v", got)
	}
	_, _, err := w.App.AssignableOrganizations(t.Context(), w.Actor("viewer"))
	refused(t, err, "forbidden")
}
