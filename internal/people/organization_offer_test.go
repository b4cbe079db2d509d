package people_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/people"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// offersOf are the open offers that somebody sees on an organization's page.
func offersOf(t *testing.T, w *testkit.World, actor *access.Actor, organizationID string) []wire.Offer {
	t.Helper()
	r, err := w.App.Relations(t.Context(), actor, organizationID)
	must(t, err)
	return r.Offers
}

// Naming an organization out of reach gives nothing and tells nothing: it is
// asked, and an id that is nobody's is asked alike.
func TestARelationOutOfReachIsAnOffer(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := testkit.New(t, testkit.WithStore(s))
		ctx, administrator := t.Context(), w.Actor("administrator")
		nobody := w.App.NewID()
		// What the actor sees before and after, whichever id was named, and what the other side's people see.
		view := func() string {
			t.Helper()
			profile, err := w.App.Profile(ctx, administrator)
			must(t, err)
			members, _, err := w.App.ListMembers(ctx, administrator, people.MemberQuery{})
			must(t, err)
			theirs, err := w.App.Profile(ctx, w.Actor("outsider"))
			must(t, err)
			return fmt.Sprint(profile.Organization, profile.ManagedOrganizations, profile.AccessedOrganizations, members, theirs.ManagedOrganizations, theirs.AccessedOrganizations)
		}
		before := view()
		for _, kind := range []string{"manager", "accessor"} {
			there, err := w.App.SetOrganizationRelation(ctx, administrator, w.Own.ID, w.Foreign.ID, kind)
			must(t, err)
			none, err := w.App.SetOrganizationRelation(ctx, administrator, w.Own.ID, nobody, kind)
			must(t, err)
			one, err := json.Marshal(there)
			must(t, err)
			other, err := json.Marshal(none)
			must(t, err)
			if there.Relation.State != "offered" || string(one) != string(other) {
				t.Errorf("%s\n%s", one, other)
			}
		}
		if after := view(); after != before || strings.Contains(after, "Foreign") {
			t.Errorf("an offer is seen:\n%s\n%s", before, after)
		}
		made := offersOf(t, w, administrator, w.Own.ID)
		if len(made) != 2 || made[0].Direction != "made" || made[0].OrganizationName != "" || made[1].OrganizationName != "" ||
			made[0].ExpiresAt.Sub(made[0].CreatedAt) != 30*24*time.Hour {
			t.Errorf("%+v", made)
		}
		outsider := w.Actor("outsider")
		if outsider.Reach(w.Own.ID) != access.None {
			t.Error("an offer gives reach")
		}
		received := offersOf(t, w, outsider, w.Foreign.ID)
		if len(received) != 1 || received[0].Direction != "received" || received[0].OrganizationName != w.Own.Name || received[0].RelationshipType != "accessor" {
			t.Fatalf("%+v", received)
		}
		// Only who administers the organization that was asked accepts, and nobody else sees it.
		for name, code := range map[string]string{"administrator": "not_found", "manager": "forbidden"} {
			_, err := w.App.AcceptOffer(ctx, w.Actor(name), received[0].ID)
			refused(t, err, code)
		}
		stale := w.Actor("outsider")
		w.Clock.Advance(20 * time.Minute)
		_, err := w.App.AcceptOffer(ctx, stale, received[0].ID)
		refused(t, err, "step_up_required")
		_, err = w.App.SetOrganizationRelation(ctx, administrator, w.Own.ID, w.Accessed.ID, "manager")
		refused(t, err, "step_up_required")
		outcome, err := w.App.AcceptOffer(ctx, w.Actor("outsider"), received[0].ID)
		if err != nil || outcome.State != "in_force" {
			t.Errorf("%+v %v", outcome, err)
		}
		if w.Actor("outsider").Reach(w.Own.ID) != access.Read || len(offersOf(t, w, w.Actor("outsider"), w.Foreign.ID)) != 0 {
			t.Error("accepted and not in force")
		}
		if after := view(); !strings.Contains(after, "Foreign Fleet") || !strings.Contains(after, "outsider@demo.example") {
			t.Errorf("partners do not see each other: %s", after)
		}
		_, err = w.App.AcceptOffer(ctx, w.Actor("outsider"), received[0].ID)
		refused(t, err, "not_found")
		refused(t, w.App.EndOffer(ctx, w.Actor("outsider"), received[0].ID), "not_found")
		// The other side's person and network stay out of this side's audit.
		for org, mine := range map[string]string{w.Own.ID: w.Users["administrator"].ID, w.Foreign.ID: w.Users["outsider"].ID} {
			rows, err := store.ListAudit(ctx, s.Reader(), org, 0, 1000)
			must(t, err)
			for _, r := range rows {
				if (r.Verb == "offer" || r.Verb == "relate") && r.NounID == w.Own.ID && r.ActorUserID != mine && r.ActorUserID+r.Network != "" {
					t.Errorf("%s reads %+v", org, r)
				}
			}
			if audits(t, w, org, "offer", "organization", w.Own.ID) < 2 || audits(t, w, org, "relate", "organization", w.Own.ID) != 1 {
				t.Errorf("%s: not audited", org)
			}
		}
		// Raising it needs their word again, lowering and ending it does not; an ex-partner is asked anew.
		administrator = w.Actor("administrator")
		for _, step := range []struct{ kind, state string }{{"accessor", "in_force"}, {"manager", "offered"}, {"delete", "ended"}, {"delete", "ended"}, {"accessor", "offered"}} {
			if got, err := w.App.SetOrganizationRelation(ctx, administrator, w.Own.ID, w.Foreign.ID, step.kind); err != nil || got.Relation.State != step.state {
				t.Errorf("%+v: %+v %v", step, got.Relation, err)
			}
		}
		if w.Actor("outsider").Reach(w.Own.ID) != access.None {
			t.Error("the ex-partner has reach")
		}
	})
}

func TestOffersEnd(t *testing.T) {
	w := testkit.New(t)
	ctx := t.Context()
	offer := func() wire.Offer {
		t.Helper()
		must(t, w.App.RelateOrganizations(ctx, w.Actor("administrator"), w.Own.ID, w.Foreign.ID, "manager"))
		return offersOf(t, w, w.Actor("outsider"), w.Foreign.ID)[0]
	}
	for name, by := range map[string]func() *access.Actor{"declined": func() *access.Actor { return w.Actor("outsider") }, "withdrawn": func() *access.Actor { return w.Actor("administrator") }} {
		o := offer()
		refused(t, w.App.EndOffer(ctx, w.Actor("viewer"), o.ID), "forbidden")
		must(t, w.App.EndOffer(ctx, by(), o.ID))
		_, err := w.App.AcceptOffer(ctx, w.Actor("outsider"), o.ID)
		if refused(t, err, "not_found"); len(offersOf(t, w, w.Actor("administrator"), w.Own.ID))+len(offersOf(t, w, w.Actor("outsider"), w.Foreign.ID)) != 0 {
			t.Errorf("%s and still there", name)
		}
	}
	if audits(t, w, w.Own.ID, "decline_offer", "organization", w.Own.ID) != 1 || audits(t, w, w.Foreign.ID, "withdraw_offer", "organization", w.Own.ID) != 1 {
		t.Error("not told to the other side")
	}
	o := offer()
	w.Clock.Advance(30 * 24 * time.Hour)
	_, err := w.App.AcceptOffer(ctx, w.Actor("outsider"), o.ID)
	if refused(t, err, "not_found"); len(offersOf(t, w, w.Actor("outsider"), w.Foreign.ID)) != 0 {
		t.Error("an offer never expires")
	}
	// An organization that is removed asks nobody any more.
	o = offer()
	must(t, w.App.Store.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE app_user SET deleted_at = 1 WHERE organization_id = '`+w.Own.ID+`'`)
		return err
	}))
	must(t, w.App.DeleteOrganization(ctx, access.System(), w.Own.ID))
	_, err = w.App.AcceptOffer(ctx, w.Actor("outsider"), o.ID)
	refused(t, err, "not_found")
}

// Nobody floods the administrators of others: one letter about an organization
// in a day, 50 organizations in 30 days.
func TestOffersAreLimited(t *testing.T) {
	p := newPosted(t)
	ctx, administrator := t.Context(), p.Actor("administrator")
	p.AddUser("viewer@foreign.example", p.Foreign.ID, "viewer")
	relate := func(id, kind string) error {
		return p.App.RelateOrganizations(ctx, administrator, p.Own.ID, id, kind)
	}
	for range 5 {
		for _, kind := range []string{"manager", "accessor", "delete"} {
			must(t, relate(p.Foreign.ID, kind))
		}
	}
	got := p.letters(t)
	if len(got) != 1 || got[0].To != "outsider@demo.example" || !strings.Contains(got[0].Text, p.Own.Name) || !strings.Contains(got[0].Text, "/dashboard/accounts/organization/"+p.Foreign.ID) ||
		strings.Contains(got[0].Text, "administrator@demo.example") {
		t.Errorf("%+v", got)
	}
	p.Clock.Advance(24 * time.Hour)
	administrator = p.Actor("administrator")
	must(t, relate(p.Foreign.ID, "manager"))
	if got := p.letters(t); len(got) != 1 {
		t.Errorf("the day after: %+v", got)
	}
	for range 49 {
		must(t, relate(p.App.NewID(), "accessor"))
	}
	refused(t, relate(p.App.NewID(), "accessor"), "too_many_offers")
	must(t, relate(p.Foreign.ID, "accessor")) // an earlier one is not one more
	if got := p.letters(t); len(got) != 0 {
		t.Errorf("letters to nobody: %+v", got)
	}
	p.Clock.Advance(30 * 24 * time.Hour)
	administrator = p.Actor("administrator")
	must(t, relate(p.App.NewID(), "accessor"))
}

// Who was let in may leave without asking; it cannot touch what the other gives to others.
func TestAPartnerMayLeave(t *testing.T) {
	w := testkit.New(t)
	ctx := t.Context()
	must(t, w.App.RelateOrganizations(ctx, access.System(), w.Accessed.ID, w.Foreign.ID, "manager"))
	administrator := w.Actor("administrator")
	refused(t, w.App.RelateOrganizations(ctx, administrator, w.Accessed.ID, w.Foreign.ID, "delete"), "organization_not_found")
	must(t, w.App.RelateOrganizations(ctx, administrator, w.Accessed.ID, w.Own.ID, "delete"))
	if w.Actor("administrator").Reach(w.Accessed.ID) != access.None {
		t.Error("still in")
	}
	refused(t, w.App.RelateOrganizations(ctx, w.Actor("administrator"), w.Accessed.ID, w.Own.ID, "delete"), "organization_not_found")
}

// A partner of a partner is "another organization", wherever it would be named.
func TestPartnersOfPartnersHaveNoName(t *testing.T) {
	w := testkit.New(t)
	ctx := t.Context()
	for _, kind := range []string{"manager", "accessor"} {
		must(t, w.App.RelateOrganizations(ctx, access.System(), w.Accessed.ID, w.Foreign.ID, kind))
		administrator := w.Actor("administrator")
		profile, err := w.App.Profile(ctx, administrator)
		must(t, err)
		one, err := w.App.Organization(ctx, administrator, w.Accessed.ID)
		must(t, err)
		all, _, err := w.App.ListOrganizations(ctx, administrator)
		must(t, err)
		text := fmt.Sprint(profile, one, all)
		if strings.Contains(text, w.Foreign.ID) || strings.Contains(text, "Foreign Fleet") || strings.Count(text, wire.AnotherOrganization) != 3 {
			t.Errorf("%s: %s", kind, text)
		}
		// Oneself is no secret, and who runs the organization sees all.
		if len(one.OrganizationAccessors) == 0 || one.OrganizationAccessors[len(one.OrganizationAccessors)-1].ID != w.Own.ID && one.OrganizationAccessors[0].ID != w.Own.ID {
			t.Errorf("%s: %+v", kind, one.OrganizationAccessors)
		}
		if full, err := w.App.Organization(ctx, w.Actor("outsider"), w.Accessed.ID); err != nil || kind == "manager" && (len(full.OrganizationManagers) != 1 || full.OrganizationManagers[0].Name != "Foreign Fleet") {
			t.Errorf("%s: %+v %v", kind, full, err)
		}
	}
}

// Sharing shows what it promised: whoever is let in can look at the other organization, without a platform administrator's help.
func TestWhoIsLetInCanSwitch(t *testing.T) {
	w := testkit.New(t)
	ctx := t.Context()
	sees := func() (may bool, others int) {
		t.Helper()
		p, err := w.App.Profile(ctx, w.Actor("outsider"))
		must(t, err)
		return p.Organization.OrganizationType.ACS, len(p.AccessedOrganizations) + len(p.ManagedOrganizations)
	}
	must(t, w.App.RelateOrganizations(ctx, w.Actor("administrator"), w.Own.ID, w.Foreign.ID, "accessor"))
	if may, others := sees(); may || others != 0 {
		t.Fatalf("an offer gives something: %v %d", may, others)
	}
	_, err := w.App.AcceptOffer(ctx, w.Actor("outsider"), offersOf(t, w, w.Actor("outsider"), w.Foreign.ID)[0].ID)
	must(t, err)
	if may, others := sees(); !may || others != 1 {
		t.Errorf("accepted: may switch %v, to %d", may, others)
	}
	if n := audits(t, w, w.Foreign.ID, "update", "organization", w.Foreign.ID); n != 1 {
		t.Errorf("%d rows of the audit say so", n)
	}
	must(t, w.App.RelateOrganizations(ctx, access.System(), w.Accessed.ID, w.Foreign.ID, "manager")) // may already: nothing to note
	if n := audits(t, w, w.Foreign.ID, "update", "organization", w.Foreign.ID); n != 1 {
		t.Errorf("%d rows of the audit after a second relation", n)
	}
}
