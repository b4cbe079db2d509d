package people_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/wire"

	"lightbar/internal/app"
	"lightbar/internal/sso"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit"
)

// told checks that one letter of a subject came to each of some people, and answers its text.
func (p *posted) told(t *testing.T, subject string, to ...string) string {
	t.Helper()
	var got []string
	text := ""
	for _, l := range p.letters(t) {
		if strings.Contains(l.Subject, subject) {
			got, text = append(got, l.To), l.Text
		}
	}
	slices.Sort(got)
	slices.Sort(to)
	if !slices.Equal(got, to) {
		t.Errorf("%s: told to %v, want %v", subject, got, to)
	}
	return text
}

// Who runs an organization hears of everybody who begins to, whichever way.
func TestANewAdministratorIsToldToTheOthers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		p := newPosted(t, testkit.WithStore(s))
		ctx, subject := t.Context(), "New Safety Cloud administrator"
		p.AddUser("second@demo.example", p.Own.ID, "administrator")
		gone := p.AddUser("gone@demo.example", p.Own.ID, "administrator")
		p.AddUser("tow@demo.example", p.Managed.ID, "administrator")
		administrator := p.Actor("administrator")
		_, err := p.App.UpdateUser(ctx, administrator, gone.ID, wire.UserWrite{Suspended: new(true)})
		must(t, err)
		p.letters(t)

		m, err := p.App.CreateUser(ctx, administrator, wire.UserCreate{FirstName: "Eve", LastName: "Gray", Email: "eve@evil.example", RoleID: wire.ID(role(t, "administrator"))})
		must(t, err)
		text := p.told(t, subject, "administrator@demo.example", "second@demo.example")
		if !strings.Contains(text, "eve at evil example was made an administrator of Harbor County on") || !strings.Contains(text, "by Test administrator.") || strings.Contains(text, "eve@") {
			t.Errorf("%s", text)
		}
		viewer := p.Users["viewer"].ID
		for _, step := range []struct {
			edit wire.UserWrite
			to   []string
		}{
			{wire.UserWrite{RoleID: idOf(role(t, "operator"))}, nil},
			{wire.UserWrite{RoleID: idOf(role(t, "administrator"))}, []string{"administrator@demo.example", "eve@evil.example", "second@demo.example"}},
			{wire.UserWrite{LastName: new("Other")}, nil},
			{wire.UserWrite{Suspended: new(true)}, nil},
			{wire.UserWrite{Suspended: new(false)}, []string{"administrator@demo.example", "eve@evil.example", "second@demo.example"}},
			{wire.UserWrite{OrganizationID: idOf(p.Managed.ID)}, []string{"administrator@demo.example", "tow@demo.example"}}, // who did it, too
		} {
			_, err := p.App.UpdateUser(ctx, administrator, viewer, step.edit)
			must(t, err)
			p.told(t, subject, step.to...)
		}
		_, err = p.App.CreateUser(ctx, administrator, wire.UserCreate{FirstName: "A", LastName: "B", Email: "ab@demo.example", RoleID: wire.ID(role(t, "viewer"))})
		must(t, err)
		p.told(t, subject)
		must(t, p.App.DeleteUser(ctx, administrator, m.ID))
	})
}

func TestANewRelationIsTold(t *testing.T) {
	p := newPosted(t)
	ctx, subject := t.Context(), "Another organization has more access on Safety Cloud"
	administrator, super := p.Actor("administrator"), p.Actor("super")
	relate := func(actor *access.Actor, id, other, kind string) {
		t.Helper()
		must(t, p.App.RelateOrganizations(ctx, actor, id, other, kind))
	}
	accept := func() {
		t.Helper()
		outsider := p.Actor("outsider")
		for _, offer := range offersOf(t, p.World, outsider, p.Foreign.ID) {
			_, err := p.App.AcceptOffer(ctx, outsider, offer.ID)
			must(t, err)
		}
	}
	relate(administrator, p.Own.ID, p.Foreign.ID, "accessor")
	p.told(t, subject) // an offer gives nothing
	accept()
	text := p.told(t, subject, "administrator@demo.example", "outsider@demo.example")
	if !strings.Contains(text, p.Foreign.Name+" was given access to view the assets and users of Harbor County on") || strings.Contains(text, ", by ") {
		t.Errorf("who accepts is not named to the other side: %s", text)
	}
	relate(administrator, p.Own.ID, p.Foreign.ID, "manager")
	accept()
	if text := p.told(t, subject, "administrator@demo.example", "outsider@demo.example"); !strings.Contains(text, "to manage the assets") {
		t.Errorf("%s", text)
	}
	relate(administrator, p.Own.ID, p.Foreign.ID, "manager") // the same again
	relate(administrator, p.Own.ID, p.Foreign.ID, "accessor")
	relate(administrator, p.Own.ID, p.Foreign.ID, "delete")
	p.told(t, subject)
	relate(super, p.Foreign.ID, p.Own.ID, "manager")
	if text := p.told(t, subject, "outsider@demo.example", "super@demo.example"); !strings.Contains(text, "Harbor County was given access to manage") {
		t.Errorf("%s", text)
	}
	relate(access.System(), p.Managed.ID, p.Foreign.ID, "manager")
	p.told(t, subject)
}

func TestChangedRulesOfSigningInAreTold(t *testing.T) {
	p := newPosted(t)
	p.App.Providers = []*sso.Client{{}}
	p.AddUser("tow@demo.example", p.Managed.ID, "administrator")
	ctx, subject := t.Context(), "Sign-in rules changed on Safety Cloud"
	minute := time.Minute.Milliseconds()
	for _, step := range []struct {
		edit wire.OrganizationWrite
		says string // empty = nobody is told, and nobody has to prove who they are
	}{
		{wire.OrganizationWrite{MFARequired: new(true)}, ""},
		{wire.OrganizationWrite{MFARequired: new(false)}, "Two-factor authentication is no longer required."},
		{wire.OrganizationWrite{SSOOnly: new(true)}, "Users can only sign in with the sign-in provider"},
		{wire.OrganizationWrite{SSOOnly: new(false)}, "Users can sign in with a password again"},
		{wire.OrganizationWrite{LockScreenMs: new(10 * minute)}, ""},
		{wire.OrganizationWrite{LockScreenMs: new(5 * minute)}, ""},
		{wire.OrganizationWrite{LockScreenMs: new(6 * minute)}, "Screens lock later, or never."},
		{wire.OrganizationWrite{LockScreenMs: new(int64(0))}, "Screens lock later, or never."},
		{wire.OrganizationWrite{ShowInfiniteTimeoutOption: new(true)}, "Sessions can stay open indefinitely."},
		{wire.OrganizationWrite{ShowInfiniteTimeoutOption: new(false)}, ""},
	} {
		actor := p.Actor("super")
		p.Clock.Advance(10 * time.Minute)
		_, err := p.App.UpdateOrganization(ctx, actor, p.Managed.ID, step.edit)
		if step.says == "" {
			must(t, err)
			p.told(t, subject)
			continue
		}
		refused(t, err, "step_up_required")
		p.told(t, subject)
		_, err = p.App.UpdateOrganization(ctx, p.Actor("super"), p.Managed.ID, step.edit)
		must(t, err)
		if text := p.told(t, subject, "super@demo.example", "tow@demo.example"); !strings.Contains(text, step.says) {
			t.Errorf("%s\nwant %s", text, step.says)
		}
	}
}

// Who opens feeds or alerts to everyone proves who they are, and the administrators are told; closing them is free.
func TestMakingFeedsPublicIsTold(t *testing.T) {
	p := newPosted(t)
	p.AddUser("tow@demo.example", p.Managed.ID, "administrator")
	ctx, subject := t.Context(), "Data was made public on Safety Cloud"
	for _, step := range []struct {
		edit wire.OrganizationWrite
		says string // empty = nobody is told, and nobody has to prove who they are
	}{
		{wire.OrganizationWrite{FeedsPublic: new(true)}, ""}, // it publishes nothing yet
		{wire.OrganizationWrite{IsWZDxOrg: new(true)}, "Its feeds are public"},
		{wire.OrganizationWrite{FeedsPublic: new(false)}, ""},
		{wire.OrganizationWrite{FeedsPublic: new(true)}, "Its feeds are public"},
		{wire.OrganizationWrite{FeedsPublic: new(true), IsWZDxOrg: new(true)}, ""},
		{wire.OrganizationWrite{AlertsPublic: new(true)}, "Its alerts to drivers are public"},
		{wire.OrganizationWrite{AlertsPublic: new(false)}, ""},
	} {
		actor := p.Actor("super")
		p.Clock.Advance(10 * time.Minute)
		_, err := p.App.UpdateOrganization(ctx, actor, p.Managed.ID, step.edit)
		if step.says == "" {
			must(t, err)
			p.told(t, subject)
			continue
		}
		refused(t, err, "step_up_required")
		_, err = p.App.UpdateOrganization(ctx, p.Actor("super"), p.Managed.ID, step.edit)
		must(t, err)
		if text := p.told(t, subject, "super@demo.example", "tow@demo.example"); !strings.Contains(text, step.says) {
			t.Errorf("%s\nwant %s", text, step.says)
		}
	}
}

// What is given to another organization of an asset needs a proof; what is taken does not.
func TestMoreOfAnAssetNeedsAProof(t *testing.T) {
	w := testkit.New(t)
	ctx := t.Context()
	made, err := w.App.RegisterThing(ctx, access.System(), app.NewThing{OrganizationID: w.Managed.ID, SystemName: "T-1", Type: "tow"})
	must(t, err)
	administrator := w.Actor("administrator")
	w.Clock.Advance(10 * time.Minute)
	relate := func(actor *access.Actor, kind string) error {
		_, err := w.App.SetThingAssociations(ctx, actor, made.ID, []wire.RelationshipWrite{{OrganizationUUID: wire.ID(w.Own.ID), RelationshipType: kind}})
		return err
	}
	for _, step := range []struct {
		kind  string
		needs bool
	}{{"accessor", true}, {"accessor", false}, {"manager", true}, {"manager", false}, {"accessor", false}, {"delete", false}, {"manager", true}} {
		err := relate(administrator, step.kind)
		if !step.needs {
			must(t, err)
			continue
		}
		refused(t, err, "step_up_required")
		must(t, relate(w.Actor("administrator"), step.kind))
	}
}
