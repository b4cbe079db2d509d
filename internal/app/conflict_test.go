package app_test

import (
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/wire"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit"
)

// Who was slower learns who was faster and when, for each noun with a form, and
// never the name of a person of an organization out of reach.
func TestConflictsSayWho(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := testkit.New(t, testkit.WithStore(s))
		ctx := t.Context()
		first, second := w.Actor("administrator"), w.AddUser("mary@demo.example", w.Own.ID, "administrator")
		mary := actorOf(t, w, second)
		viewer := w.Users["viewer"]
		made, err := w.App.RegisterThing(ctx, access.System(), app.NewThing{OrganizationID: w.Own.ID, SystemName: "C-1", Type: "fire", DeviceType: "ha7"})
		must(t, err)
		// One change of each noun at another minute, by the given actor; then the loser's try with the version of before.
		nouns := map[string]func(actor *access.Actor, value string, ifMatch int64) error{
			"user": func(actor *access.Actor, value string, ifMatch int64) error {
				_, err := w.App.UpdateUser(ctx, actor, viewer.ID, wire.UserWrite{LastName: &value, IfMatch: ifMatch})
				return err
			},
			"organization": func(actor *access.Actor, value string, ifMatch int64) error {
				_, err := w.App.UpdateOrganization(ctx, actor, w.Own.ID, wire.OrganizationWrite{ContactName: &value, IfMatch: ifMatch})
				return err
			},
			"thing": func(actor *access.Actor, value string, ifMatch int64) error {
				_, err := w.App.UpdateThing(ctx, actor, made.ID, wire.ThingWrite{Nickname: &value, IfMatch: ifMatch})
				return err
			},
		}
		foreign := actorOf(t, w, w.AddUser("chief@foreign.example", w.Foreign.ID, "administrator"))
		foreign.Organizations[w.Own.ID] = access.Full
		accessed := actorOf(t, w, w.AddUser("aid@accessed.example", w.Accessed.ID, "administrator"))
		accessed.Organizations[w.Own.ID] = access.Full
		key := *mary
		key.KeyID = "a key"
		configure := func(model string) {
			_, err := w.App.SetDeviceConfig(ctx, access.System(), made.ID, app.DeviceConfigEdit{DeviceConfig: fleet.DeviceConfig{Model: model, Platform: "p", FileName: "f",
				HeartbeatIntervalS: 60, WarningLightPin: 1, IndicatorPin: 2, LocationType: "gps"}})
			must(t, err)
		}
		configure("as delivered") // its own versions count beside those of the asset
		for noun, change := range nouns {
			for _, c := range []struct {
				who  string
				by   *access.Actor
				want string
			}{
				{"a colleague", mary, second.FirstName + " " + second.LastName},
				{"oneself elsewhere", first, "You"},
				{"an API key", &key, "An API key"},
				{"the server", access.System(), "The system"},
				{"a person out of reach", foreign, ""},
				{"a person of an organization that may be read", accessed, w.Accessed.Name},
			} {
				w.Clock.Advance(time.Minute)
				must(t, change(c.by, c.who, 0))
				at := fleet.InstantOf(w.Clock.Now())
				w.Clock.Advance(2 * time.Minute)
				// What is audited after the change without changing the profile does not hide who did.
				switch noun {
				case "thing":
					configure(c.who)
				case "user":
					w.SignIn("viewer")
				}
				refusal := refused(t, change(first, "late", 1), "conflict")
				if refusal.ChangedBy != c.want || refusal.ChangedAt != at || refusal.Current == nil {
					t.Errorf("%s by %s: %q at %s, want %q at %s", noun, c.who, refusal.ChangedBy, refusal.ChangedAt, c.want, at)
				}
			}
		}
	})
}

// Without the row that says who, a conflict is still one: it names nobody.
func TestAConflictWithoutItsAuditNamesNobody(t *testing.T) {
	w := testkit.New(t)
	ctx, administrator := t.Context(), w.Actor("administrator")
	name := "Chief"
	_, err := w.App.UpdateOrganization(ctx, administrator, w.Own.ID, wire.OrganizationWrite{ContactName: &name})
	must(t, err)
	tamper(t, w.App.Store, `DELETE FROM audit`)
	_, err = w.App.UpdateOrganization(ctx, administrator, w.Own.ID, wire.OrganizationWrite{ContactName: &name, IfMatch: 1})
	if refusal := refused(t, err, "conflict"); refusal.ChangedBy != "" || refusal.ChangedAt != 0 || refusal.Current == nil {
		t.Errorf("%+v", refusal)
	}
}

// actorOf signs a user in that the world does not know by role.
func actorOf(t *testing.T, w *testkit.World, u fleet.User) *access.Actor {
	t.Helper()
	w.Users[u.ID] = u
	return w.Actor(u.ID)
}
