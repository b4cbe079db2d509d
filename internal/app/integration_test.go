package app_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/provider"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/testkit/providertest"
	"lightbar/internal/wire"
)

// atSamsara is an organization with an account at Samsara, whose truck 281474977 is its asset.
type atSamsara struct {
	*apptest.Kit
	*providertest.Samsara
	t     testing.TB
	o     fleet.Organization
	admin *access.Actor
	id    string // of the integration
	thing string
}

const truckID = "281474977"

func connected(t testing.TB, s *store.Store) *atSamsara {
	t.Helper()
	k, p := apptest.New(t, s), providertest.NewSamsara(t)
	p.SetNow(k.Now)
	k.Outbound = *p.Outbound()
	o := k.Organization("Harbor County")
	c := &atSamsara{Kit: k, Samsara: p, t: t, o: o, admin: k.User(o.ID, "administrator"), thing: k.Things(o.ID, "U", 1)[0].ID}
	p.AddTruck(providertest.Truck{ID: truckID, Name: "Engine 4", VIN: "1FVACWDT39HAJ3496", Serial: "G9AAAAAAAAA1"})
	row, _, err := k.Integrations.Create(t.Context(), c.admin, wire.IntegrationWrite{Provider: ptr("samsara"), Name: ptr("Plows"), Server: ptr(p.Host()),
		Secret: ptr(p.Account().Secret), Lights: ptr([]string{"Beacon"})})
	must(t, err)
	c.id = row.ID
	c.link(truckID, &c.thing)
	return c
}

func (c *atSamsara) link(vehicle string, thing *string) {
	c.t.Helper()
	_, err := c.LinkVehicles(c.t.Context(), c.admin, c.id, wire.IntegrationLinks{Vehicles: []wire.IntegrationLink{{ExternalID: vehicle, ThingID: thing}}})
	must(c.t, err)
}

// poll lets the clock come to when the provider is asked next, and answers how the account is then.
func (c *atSamsara) poll() wire.Integration {
	c.t.Helper()
	if row := c.row(); row.NextFetchAt > c.At() {
		c.Pass(row.NextFetchAt.Sub(c.At()))
	}
	must(c.t, c.PollIntegrations(c.t.Context()))
	return c.row()
}

func (c *atSamsara) row() wire.Integration {
	c.t.Helper()
	row, err := c.Kit.Integrations.Read(c.t.Context(), c.admin, c.id)
	must(c.t, err)
	return row
}

func (c *atSamsara) lat() float64 {
	_, state, _, _ := c.Live.Thing(c.thing)
	return state.Lat
}

func (c *atSamsara) said(lat float64, ago time.Duration) {
	c.GPS(truckID, c.Now().Add(-ago), lat, -75.5, 90, 30)
}

func (c *atSamsara) edit(in wire.IntegrationWrite) {
	c.t.Helper()
	_, err := c.Integrations.Edit(c.t.Context(), c.admin, c.id, 0, in)
	must(c.t, err)
}

// spec: 1.feat.08
func TestReportsOfAProviderAreThoseOfItsAssets(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		c := connected(t, s)
		c.said(39.70, 3*time.Second)
		c.Aux(truckID, 1, "Beacon", c.Now().Add(-2*time.Second), true)
		c.GPS("another", c.Now(), 39.9, -75.5, 90, 30)
		if row := c.poll(); row.Status != "good" || row.Kept != 2 || row.Unlinked != 1 || len(row.Refused) != 0 {
			t.Fatalf("%+v", row)
		}
		if _, state, _, _ := c.Live.Thing(c.thing); state.Lat != 39.70 || !state.Alerting || state.CourseDeg != 90 {
			t.Errorf("%+v", state)
		}
		// What comes two hours late is stored, and moves nothing; the same again is known; what is a month late is refused.
		c.said(39.71, 0)
		c.said(39.60, 2*time.Hour)
		c.said(39.71, 0)
		c.said(39.50, 31*24*time.Hour)
		if row := c.poll(); row.Kept != 4 || row.Repeated != 1 || row.Refused["too_old"] != 1 {
			t.Errorf("%+v", row)
		}
		if c.lat() != 39.71 {
			t.Error("a late report moves the asset to", c.lat())
		}
	})
}

// The cursor is kept after the commit of its reports: what is asked twice is had before, and nothing is lost.
func TestNoReportIsDoubledOrLostWhenTheServerDiesBeforeItKeepsTheCursor(t *testing.T) {
	s := storetest.SQLite(t)
	c := connected(t, s)
	c.poll()
	c.said(39.70, 0)
	exec := func(statement string) {
		must(t, s.Write(t.Context(), func(tx *store.Tx) error { _, err := tx.ExecContext(t.Context(), statement); return err }))
	}
	exec("CREATE TRIGGER dies BEFORE UPDATE OF feed_cursor ON integration BEGIN SELECT RAISE(ABORT, 'the server dies'); END")
	c.Pass(time.Minute)
	if err := c.PollIntegrations(t.Context()); err == nil {
		t.Fatal("it does not die")
	}
	exec("DROP TRIGGER dies")
	if c.lat() != 39.70 || c.row().Kept != 0 {
		t.Fatal("nothing was committed", c.lat())
	}
	if err := c.PollIntegrations(t.Context()); err != nil || c.row().Repeated != 0 {
		t.Error("an account that our store refused does not rest", err)
	}
	c.Pass(time.Minute)
	if row := c.poll(); row.Kept != 0 || row.Repeated != 1 || row.Status != "good" {
		t.Errorf("%+v", row)
	}
}

func TestARefusedAccountIsMailedOnce(t *testing.T) {
	c := connected(t, storetest.SQLite(t))
	viewer := c.User(c.o.ID, "viewer")
	letters := func() (to []string) {
		rows, err := c.Store.Reader().QueryContext(t.Context(), "SELECT user_id FROM mail WHERE kind = 'integration_unauthorized'")
		must(t, err)
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var id string
			must(t, rows.Scan(&id))
			to = append(to, id)
		}
		must(t, rows.Err())
		return to
	}
	c.poll()
	secret := c.Account().Secret
	c.Revoke()
	row := c.poll()
	if row.Status != "unauthorized" || row.Problem == nil || *row.Problem != "unauthorized" || row.NextFetchAt != c.At().Add(time.Hour) {
		t.Fatalf("%+v", row)
	}
	asked := c.Calls(providertest.FeedPath)
	c.Pass(59 * time.Minute)
	must(t, c.PollIntegrations(t.Context()))
	if c.Calls(providertest.FeedPath) != asked {
		t.Error("a refused account is asked within the hour")
	}
	c.poll()
	if to := letters(); !slices.Equal(to, []string{c.admin.UserID}) || to[0] == viewer.UserID {
		t.Error("mailed:", to)
	}
	if c.edit(wire.IntegrationWrite{Secret: ptr(c.Account().Secret)}); c.row().NextFetchAt > c.At() || c.poll().Status != "good" {
		t.Errorf("%+v", c.row())
	}
	if c.edit(wire.IntegrationWrite{Secret: &secret}); c.poll().Status != "unauthorized" || len(letters()) != 2 {
		t.Error("refused anew:", c.row().Status, letters())
	}
}

func TestWhatAProviderSaidWhileItWasDownComesLater(t *testing.T) {
	c := connected(t, storetest.SQLite(t))
	c.poll()
	began, missed := c.At(), int64(0)
	for c.At() < began.Add(24*time.Hour) {
		c.said(39.70, 0)
		missed++
		c.Fail(providertest.FeedPath, providertest.Unavailable)
		if row := c.poll(); row.Status != "failing" || row.FailingSince < began || row.Kept != 0 {
			t.Fatalf("%+v", row)
		}
	}
	c.Page(10) // so that there are pages
	for range 20 {
		c.poll()
	}
	if row := c.row(); row.Status != "good" || row.FailingSince != 0 || row.Kept != missed || row.Repeated != 0 {
		t.Errorf("%d were said: %+v", missed, row)
	}
	c.Fail(providertest.FeedPath, providertest.OverLimit)
	if row := c.poll(); row.Status != "failing" || *row.Problem != "over_limit" || row.NextFetchAt != c.At().Add(5*time.Second) {
		t.Errorf("%+v", row)
	}
	c.ForgetCursors()
	if row := c.poll(); *row.Problem != "cursor_lost" {
		t.Errorf("%+v", row)
	}
	if c.said(39.75, 0); c.poll().Status != "good" || c.lat() != 39.75 {
		t.Errorf("%v %+v", c.lat(), c.row())
	}
}

func TestAVehicleThatGetsAnotherID(t *testing.T) {
	c := connected(t, storetest.SQLite(t))
	must(t, second(c.UpdateThing(t.Context(), c.admin, c.thing, wire.ThingWrite{VINNumber: ptr("1FVACWDT39HAJ3496")})))
	match := func() (out []string) {
		found, err := c.CheckIntegration(t.Context(), c.admin, c.id)
		must(t, err)
		for _, v := range found.Vehicles {
			out = append(out, v.ExternalID+" "+v.Match)
		}
		return out
	}
	if got := match(); !slices.Equal(got, []string{truckID + " linked"}) {
		t.Error(got)
	}
	c.Replace(truckID, "281474978")
	if got := match(); !slices.Equal(got, []string{"281474978 vin"}) {
		t.Error(got)
	}
	c.poll()
	c.GPS("281474978", c.Now(), 39.8, -75.5, 90, 30)
	if c.poll(); c.lat() == 39.8 {
		t.Error("nobody has linked it")
	}
	c.link("281474978", &c.thing)
	c.GPS("281474978", c.Now(), 39.81, -75.5, 90, 30)
	if c.poll(); c.lat() != 39.81 {
		t.Error("it is linked, and where it was", c.lat())
	}
	if th, _, _, _ := c.Live.Thing(c.thing); !slices.Equal(th.Integrations, []fleet.Identifier{{Provider: "samsara", ID: "281474978", Account: c.id}}) {
		t.Errorf("%+v", th.Integrations)
	}
	c.AddTruck(providertest.Truck{ID: "281474979", Name: "Copy", VIN: "1FVACWDT39HAJ3496", Serial: "G9AAAAAAAAA1"})
	if got := match(); !slices.Equal(got, []string{"281474978 linked", "281474979 twice"}) {
		t.Error(got)
	}
}

// The identifiers of another organization's assets, of assets that are only managed, and those that two assets have are nobody's.
func TestAnAccountReachesTheAssetsOfItsOrganizationAlone(t *testing.T) {
	c := connected(t, storetest.SQLite(t))
	c.link(truckID, nil)
	other := c.Organization("Bay County")
	strange := c.Things(other.ID, "B", 1)[0].ID
	typed := wire.ThingWrite{ExternalIdentifiers: []wire.ExternalIdentifierWrite{{IdentifierID: truckID, SystemName: "samsara"}}}
	must(t, second(c.UpdateThing(t.Context(), access.System(), strange, typed)))
	must(t, c.RelateOrganizations(t.Context(), access.System(), other.ID, c.o.ID, "manager"))
	refused(t, second(c.LinkVehicles(t.Context(), c.admin, c.id, wire.IntegrationLinks{Vehicles: []wire.IntegrationLink{{ExternalID: truckID, ThingID: &strange}}})), "validation_failed")
	c.said(39.70, 0)
	if row := c.poll(); row.Kept != 0 || row.Unlinked != 1 {
		t.Errorf("%+v", row)
	}
	if _, state, _, _ := c.Live.Thing(strange); state.HasPosition {
		t.Error("another organization's asset moves")
	}
	// Typed by hand it is the asset's while there is one account, of one asset.
	must(t, second(c.UpdateThing(t.Context(), c.admin, c.thing, typed)))
	if c.said(39.71, 0); c.poll().Kept != 1 || c.lat() != 39.71 {
		t.Errorf("%+v", c.row())
	}
	must(t, second(c.UpdateThing(t.Context(), c.admin, c.Things(c.o.ID, "V", 1)[0].ID, typed)))
	if c.said(39.72, 0); c.poll().Refused["twice"] != 1 || c.lat() != 39.71 {
		t.Errorf("%+v", c.row())
	}
	// After a transfer the new owner's account is not the old one's.
	moved, err := c.TransferThing(t.Context(), access.System(), strange, c.o.ID, 0)
	must(t, err)
	th, _, _, _ := c.Live.Thing(moved.ID)
	if len(th.Integrations) != 1 || th.Integrations[0].Account != other.ID {
		t.Errorf("%+v", th.Integrations)
	}
}

// An asset is a vehicle of one account at a provider, and an organization has so many accounts.
func TestAnAssetIsOneVehicleOfAProvider(t *testing.T) {
	c := connected(t, storetest.SQLite(t))
	first := c.id
	more := func(in wire.IntegrationWrite) error {
		row, _, err := c.Integrations.Create(t.Context(), c.admin, in)
		c.id = row.ID
		return err
	}
	plows := wire.IntegrationWrite{Provider: ptr("samsara"), Name: ptr("More"), Secret: ptr("x")}
	must(t, more(plows))
	links := wire.IntegrationLinks{Vehicles: []wire.IntegrationLink{{ExternalID: "9", ThingID: &c.thing}}}
	refusal := refusalOf(t, second(c.LinkVehicles(t.Context(), c.admin, c.id, links)))
	if refusal.Fields["vehicles.0.thing_id"] != "Provider already used" {
		t.Errorf("%+v", refusal)
	}
	must(t, c.Integrations.Remove(t.Context(), c.admin, first))
	must(t, second(c.LinkVehicles(t.Context(), c.admin, c.id, links)))
	if th, _, _, _ := c.Live.Thing(c.thing); !slices.Equal(th.Integrations, []fleet.Identifier{{Provider: "samsara", ID: "9", Account: c.id}}) {
		t.Errorf("%+v", th.Integrations)
	}
	// The form of an asset sends what it shows: the identifier stays of its account.
	must(t, second(c.UpdateThing(t.Context(), c.admin, c.thing, wire.ThingWrite{Nickname: ptr("Plow 9"),
		ExternalIdentifiers: []wire.ExternalIdentifierWrite{{IdentifierID: "9", SystemName: "samsara"}}})))
	if th, _, _, _ := c.Live.Thing(c.thing); th.Nickname != "Plow 9" || th.Integrations[0].Account != c.id {
		t.Errorf("%+v", th)
	}
	county := wire.IntegrationWrite{Provider: ptr("geotab"), Name: ptr("County"), Database: ptr("county"), User: ptr("u"), Secret: ptr("x")}
	must(t, more(county))
	if refusal := refusalOf(t, more(county)); refusal.Fields["database"] == "" {
		t.Errorf("%+v", refusal)
	}
	for range 8 {
		must(t, more(plows))
	}
	if refusal := refusalOf(t, more(plows)); refusal.Fields["provider"] == "" {
		t.Errorf("%+v", refusal)
	}
}

func TestAPausedAccountIsNotAskedAndBeginsAnew(t *testing.T) {
	c := connected(t, storetest.SQLite(t))
	c.poll()
	c.edit(wire.IntegrationWrite{IsActive: ptr(false)})
	asked := c.Calls(providertest.FeedPath)
	c.said(39.70, 0)
	c.Pass(time.Hour)
	must(t, c.PollIntegrations(t.Context()))
	if row := c.row(); c.Calls(providertest.FeedPath) != asked || row.Status != "off" || row.NextFetchAt != 0 {
		t.Errorf("asked %d times: %+v", c.Calls(providertest.FeedPath)-asked, row)
	}
	refused(t, second(c.FetchIntegration(t.Context(), c.admin, c.id)), "validation_failed")
	c.said(39.71, 0)
	c.edit(wire.IntegrationWrite{IsActive: ptr(true)})
	if row := c.poll(); row.Kept != 1 || c.lat() != 39.71 { // the last known of each vehicle, and not what was said before
		t.Errorf("%+v", row)
	}
}

// hooked is a client that does something before it answers.
type hooked struct {
	provider.Client
	before func(ctx context.Context)
}

func (h hooked) Feed(ctx context.Context, cursor string) (provider.Page, error) {
	h.before(ctx)
	return h.Client.Feed(ctx, cursor)
}

func (c *atSamsara) hook(before func(ctx context.Context, of provider.Account)) {
	make := c.NewProvider
	c.NewProvider = func(kind string, of provider.Account) (provider.Client, error) {
		client, err := make(kind, of)
		return hooked{client, func(ctx context.Context) { before(ctx, of) }}, err
	}
}

func TestAnAccountThatIsEditedOrDeletedMeanwhileKeepsNothing(t *testing.T) {
	for name, change := range map[string]func(c *atSamsara){
		"deleted": func(c *atSamsara) { must(c.t, c.Integrations.Remove(c.t.Context(), c.admin, c.id)) },
		"paused":  func(c *atSamsara) { c.edit(wire.IntegrationWrite{IsActive: ptr(false)}) },
	} {
		c := connected(t, storetest.SQLite(t))
		c.hook(func(context.Context, provider.Account) { change(c) })
		c.said(39.70, 0)
		c.Pass(time.Minute)
		must(t, c.PollIntegrations(t.Context()))
		if c.lat() != 0 {
			t.Errorf("%s while it was asked, it moves its asset to %v", name, c.lat())
		}
	}
}

// A client knows the secret of its account: it goes with it, whether it is deleted or its return is undone.
func TestAnAccountThatIsGoneIsForgotten(t *testing.T) {
	c := connected(t, storetest.SQLite(t))
	known := func(want int) {
		t.Helper()
		c.Pass(time.Minute)
		must(t, c.PollIntegrations(t.Context()))
		if n := c.KnownAccounts(); n != want {
			t.Errorf("%d accounts have a client, want %d", n, want)
		}
	}
	version := func() int64 {
		x, err := store.Integrations.ByID(t.Context(), c.Store.Reader(), c.id)
		must(t, err)
		return x.Version
	}
	known(1)
	must(t, c.Integrations.Remove(t.Context(), c.admin, c.id))
	known(0)
	must(t, second(c.Integrations.Undo(t.Context(), c.admin, c.id, version())))
	known(1)
	must(t, second(c.Integrations.Undo(t.Context(), c.admin, c.id, version())))
	known(0)
}

// An account whose provider hangs is asked by one; the others go on, and a stop ends all.
// Four servers that hang, of four organizations, hold the places for ten seconds; then they wait apart.
func TestSlowProvidersHoldUpNoOther(t *testing.T) {
	c := connected(t, storetest.SQLite(t))
	hangs, ended := make(chan struct{}, 4), make(chan error, 4)
	c.hook(func(ctx context.Context, of provider.Account) {
		if len(of.Lights) == 0 { // an account of the other organizations
			hangs <- struct{}{}
			<-ctx.Done()
		}
	})
	ctx, stop := context.WithCancel(t.Context())
	slow := map[string]*access.Actor{}
	for n := range 4 {
		other := c.User(c.Organization(fmt.Sprint("Bay County ", n)).ID, "administrator")
		row, _, err := c.Integrations.Create(t.Context(), other, wire.IntegrationWrite{Provider: ptr("samsara"), Name: ptr("Slow"), Server: ptr(c.Host()), Secret: ptr("x")})
		must(t, err)
		slow[row.ID] = other
		must(t, c.Store.Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.ExecContext(t.Context(), "UPDATE integration SET next_fetch_at = 1 WHERE id = $1", row.ID)
			return err
		}))
		go func() { ended <- c.PollIntegrations(ctx) }()
		<-hangs
	}
	c.Pass(11 * time.Second)
	c.said(39.70, 0)
	if row := c.poll(); row.Status != "good" || c.lat() != 39.70 {
		t.Errorf("%+v", row)
	}
	stop()
	for id, other := range slow {
		if !errors.Is(<-ended, context.Canceled) {
			t.Error("a stop does not end it")
		}
		if row, err := c.Kit.Integrations.Read(t.Context(), other, id); err != nil || row.Status != "waiting" {
			t.Errorf("a stop is noted as the provider's failure: %+v %v", row, err)
		}
	}
}

// A secret is sealed with its server: nobody can have it sent to another one.
func TestASecretGoesToItsServerAlone(t *testing.T) {
	c := connected(t, storetest.SQLite(t))
	must(t, c.PollIntegrations(t.Context()))
	refusal := refusalOf(t, second(c.Integrations.Edit(t.Context(), c.admin, c.id, 0, wire.IntegrationWrite{Server: ptr("evil.example.org")})))
	if refusal.Fields["secret"] == "" {
		t.Errorf("%+v", refusal)
	}
	must(t, c.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), "UPDATE integration SET server = 'evil.example.org'")
		return err
	}))
	c.App.Outbound.Lookup = func(context.Context, string) ([]netip.Addr, error) {
		t.Error("the other server is looked up")
		return nil, nil
	}
	if row := c.poll(); row.Status != "unauthorized" {
		t.Errorf("%+v", row)
	}
}

func TestADeletedSecretIsForgottenWhenItCannotComeBack(t *testing.T) {
	c := connected(t, storetest.SQLite(t))
	c.poll()
	must(t, c.Integrations.Remove(t.Context(), c.admin, c.id))
	c.Pass(23 * time.Hour)
	must(t, c.PollIntegrations(t.Context()))
	must(t, second(c.Integrations.Undo(t.Context(), c.admin, c.id, 2)))
	if row := c.poll(); row.Status != "good" || !row.HasSecret {
		t.Errorf("%+v", row)
	}
	c.edit(wire.IntegrationWrite{Secret: ptr("wrong")})
	if c.poll().Status != "unauthorized" {
		t.Errorf("%+v", c.row())
	}
	must(t, second(c.Integrations.Undo(t.Context(), c.admin, c.id, c.row().Version)))
	if c.poll().Status != "good" {
		t.Errorf("an undone edit does not bring the secret back: %+v", c.row())
	}
	must(t, c.Integrations.Remove(t.Context(), c.admin, c.id))
	c.Pass(25 * time.Hour)
	must(t, c.PollIntegrations(t.Context()))
	x, err := store.Integrations.ByID(t.Context(), c.Store.Reader(), c.id)
	if err != nil || x.Secret != "" || x.SecretBefore != "" {
		t.Errorf("%+v %v", x, err)
	}
	gone, _, err := c.Integrations.List(t.Context(), c.admin, app.Rows{})
	if err != nil || len(gone) != 0 {
		t.Error(gone, err)
	}
}
