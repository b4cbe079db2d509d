package demo_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/demo"
	"lightbar/internal/fleet"
	"lightbar/internal/people"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

const url = "http://localhost:8080"

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// signIn is the actor of one of the demo's accounts, with its password.
func signIn(t *testing.T, k *apptest.Kit, email, password string) (*access.Actor, error) {
	t.Helper()
	g, err := k.SignIn(t.Context(), people.SignIn{Email: email, Password: password})
	if err != nil {
		return nil, err
	}
	return k.Authenticate(t.Context(), g.Access, "")
}

// Seven accounts sign in with one password; six belong to the demo's
// organization, which has every feature and two organizations that it manages,
// and one to an organization that nobody of the demo reaches.
//
// spec: D.demo.01 D.demo.02 D.demo.03
func TestSeed(t *testing.T) {
	k, dir := apptest.New(t, storetest.SQLite(t)), t.TempDir()
	f, err := demo.Seed(t.Context(), k.App, demo.NewClock(time.Now(), 0), dir, url, "", nil, demo.Cast(nil))
	must(t, err)
	roles := map[string]string{"viewer@demo.example": "viewer", "operator@demo.example": "operator", "manager@demo.example": "manager", "admin@demo.example": "administrator",
		"super@demo.example": "super", "engineer@demo.example": "engineer", "outsider@demo.example": "administrator"}
	if len(f.Users) != len(roles) {
		t.Errorf("accounts %v", f.Users)
	}
	for _, u := range f.Users {
		actor, err := signIn(t, k, u.Email, f.Password)
		must(t, err)
		outside := u.Email == "outsider@demo.example"
		if roles[u.Email] != u.Role || (actor.OrganizationID == f.OrganizationID) == outside || outside && actor.Reach(f.OrganizationID) != access.None {
			t.Errorf("%s, %s, of %s", u.Email, u.Role, actor.OrganizationID)
		}
	}
	admin, err := signIn(t, k, "admin@demo.example", f.Password)
	must(t, err)
	p, err := k.Profile(t.Context(), admin)
	must(t, err)
	if o := p.Organization; !o.IsWZDxOrg || !o.ShowInfiniteTimeoutOption || !o.OrganizationType.ACS || !p.User.HasAwarenessModeAccess || len(p.ManagedOrganizations) != 2 {
		t.Errorf("%+v", p)
	}
	things, meta, err := k.ListThings(t.Context(), admin, app.ThingQuery{OrganizationIDs: []string{f.OrganizationID, p.ManagedOrganizations[0].ID, p.ManagedOrganizations[1].ID}})
	must(t, err)
	r2r := 0
	for _, one := range things {
		if one.Features.R2R {
			r2r++
		}
	}
	if meta.Total != 60 || r2r != 57 { // all but the three with a telematics box
		t.Errorf("%d assets, %d of them for test alerts", meta.Total, r2r)
	}
	// What the department drew itself is in its feeds: no rule of theirs withholds it.
	drawn, _, err := k.Closures.List(t.Context(), admin, app.Rows{OrganizationIDs: []string{f.OrganizationID}})
	must(t, err)
	for _, c := range drawn {
		if !c.IsWZDxCompliant || len(c.PublishProblems) > 0 {
			t.Errorf("%s is not published: %+v", c.Description, c.PublishProblems)
		}
	}
	if len(drawn) != 2 {
		t.Errorf("%d closures, want 2", len(drawn))
	}
	var onDisk demo.File
	path := filepath.Join(dir, demo.FileName)
	body, err := os.ReadFile(path)
	must(t, err)
	must(t, json.Unmarshal(body, &onDisk))
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 || onDisk.Password != f.Password || onDisk.URL != url || onDisk.APIKey == "" {
		t.Errorf("%+v %v", onDisk, err)
	}
}

// A later start goes on where the first one was; another password is everybody's.
func TestSeedAgain(t *testing.T) {
	k, dir := apptest.New(t, storetest.SQLite(t)), t.TempDir()
	first, err := demo.Seed(t.Context(), k.App, demo.NewClock(time.Now(), 0), dir, url, "", nil, nil)
	must(t, err)
	kept, err := demo.Seed(t.Context(), k.App, demo.NewClock(time.Now(), 0), dir, "http://localhost:9090", "", nil, nil)
	must(t, err)
	if kept.Password != first.Password || kept.OrganizationID != first.OrganizationID || kept.URL != "http://localhost:9090" {
		t.Errorf("%+v\n%+v", first, kept)
	}
	const password = "Quiet+Marsh#4 otter"
	changed, err := demo.Seed(t.Context(), k.App, demo.NewClock(time.Now(), 0), dir, url, password, nil, nil)
	must(t, err)
	for _, u := range changed.Users {
		if _, err := signIn(t, k, u.Email, password); err != nil {
			t.Errorf("%s: %v", u.Email, err)
		}
	}
	if _, err := signIn(t, k, "admin@demo.example", first.Password); err == nil {
		t.Error("the earlier password still works")
	}
	must(t, os.WriteFile(filepath.Join(dir, demo.FileName), []byte("{"), 0o600))
	if _, err := demo.Seed(t.Context(), k.App, demo.NewClock(time.Now(), 0), dir, url, "", nil, nil); err == nil {
		t.Error("a damaged demo.json was taken")
	}
}

// A signal during the first half second does not leave half a demo.
func TestSeedIsNotInterrupted(t *testing.T) {
	k, dir := apptest.New(t, storetest.SQLite(t)), t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	first, err := demo.Seed(ctx, k.App, demo.NewClock(time.Now(), 0), dir, url, "", nil, demo.Cast(nil))
	must(t, err)
	again, err := demo.Seed(t.Context(), k.App, demo.NewClock(time.Now(), 0), dir, url, "", nil, demo.Cast(nil))
	if err != nil || again.OrganizationID != first.OrganizationID || len(again.Keys) != 3 {
		t.Errorf("%+v %v", again, err)
	}
	_, err = signIn(t, k, "super@demo.example", first.Password)
	must(t, err)
}

// What a crash cut off is said to be that, and is not prepared a second time.
func TestSeedCutOff(t *testing.T) {
	k, dir := apptest.New(t, storetest.SQLite(t)), t.TempDir()
	path := filepath.Join(dir, demo.FileName)
	must(t, os.Mkdir(path+".new", 0o700)) // demo.json cannot be written
	if _, err := demo.Seed(t.Context(), k.App, demo.NewClock(time.Now(), 0), dir, url, "", nil, nil); err == nil {
		t.Fatal("demo.json was written")
	}
	must(t, os.Remove(path+".new"))
	if _, err := demo.Seed(t.Context(), k.App, demo.NewClock(time.Now(), 0), dir, url, "", nil, nil); !errors.Is(err, demo.ErrUnfinished) {
		t.Errorf("got %v", err)
	}
	all, err := store.ListOrganizations(t.Context(), k.App.Store.Reader())
	if err != nil || len(all) != 4 {
		t.Errorf("%d organizations %v", len(all), err)
	}
}

// The demo's accounts, whose passwords many know, do not come into an installation that is not the demo.
func TestSeedBesideAnInstallation(t *testing.T) {
	k, dir := apptest.New(t, storetest.SQLite(t)), t.TempDir()
	_, err := k.App.CreateOrganization(t.Context(), access.System(), fleet.Organization{Name: "Town", Timezone: "America/New_York", CountryCode: "US"})
	must(t, err)
	if _, err := demo.Seed(t.Context(), k.App, demo.NewClock(time.Now(), 0), dir, url, "", nil, nil); !errors.Is(err, demo.ErrOther) {
		t.Errorf("got %v", err)
	}
	all, err := store.ListOrganizations(t.Context(), k.App.Store.Reader())
	if err != nil || len(all) != 1 {
		t.Errorf("%d organizations %v", len(all), err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left %v %v", left, err)
	}
}

// A password that one of the accounts could not have is refused before anything is made.
func TestSeedWithAPasswordThatDoesNotDo(t *testing.T) {
	for _, password := range []string{"x", "Grant#2026"} {
		k, dir := apptest.New(t, storetest.SQLite(t)), t.TempDir()
		var refusal *fleet.Refusal
		if _, err := demo.Seed(t.Context(), k.App, demo.NewClock(time.Now(), 0), dir, url, password, nil, nil); !errors.As(err, &refusal) || refusal.Field != "password" {
			t.Errorf("%s: got %v", password, err)
		}
		if found, err := store.AnyOrganization(t.Context(), k.App.Store.Reader()); err != nil || found {
			t.Errorf("%s: an organization was made (%v)", password, err)
		}
	}
}

// The demo's places: a dozen stations, exclusion zones, polygons among them, and an event of its sender; units that
// report from their stations are matched with them.
func TestPlaces(t *testing.T) {
	k, dir := apptest.New(t, storetest.SQLite(t)), t.TempDir()
	f, err := demo.Seed(t.Context(), k.App, demo.NewClock(time.Now(), 0), dir, url, "", nil, demo.Cast(nil))
	must(t, err)
	admin, err := signIn(t, k, "admin@demo.example", f.Password)
	must(t, err)
	rows, _, err := k.Areas.List(t.Context(), admin, app.Rows{})
	must(t, err)
	kinds, polygons := map[string]int{}, 0
	for _, row := range rows {
		kinds[row.EZType.DBName]++
		if !row.AreaGeom.IsNull() {
			polygons++
		}
	}
	if kinds["station"] != 12 || kinds["no_enter"] == 0 || kinds["slow_zone"] == 0 || kinds["poi"] < 2 || polygons < 2 {
		t.Errorf("%v, %d polygons", kinds, polygons)
	}
	var reports []fleet.Report
	atStation := map[string]bool{}
	for _, m := range demo.Cast(nil) {
		if m.Station < 0 {
			continue
		}
		atStation[m.Vehicle.HaasID] = true
		reports = append(reports, fleet.Report{Kind: fleet.ReportPoint, Asset: m.Vehicle.HaasID, At: k.At(), HasLat: true, HasLng: true,
			Lat: m.Vehicle.Home.Lat, Lng: m.Vehicle.Home.Lng})
	}
	_, err = k.RecordPoints(t.Context(), k.Device(f.OrganizationID), app.ReportBatch{Reports: reports})
	must(t, err)
	things, _, err := k.ListThings(t.Context(), admin, app.ThingQuery{})
	must(t, err)
	home := map[string]bool{}
	for _, thing := range things {
		if atStation[thing.HaasID] != (thing.StationID != "") {
			t.Errorf("%s is at station %q", thing.Nickname, thing.StationID)
		}
		home[thing.StationID] = true
	}
	if len(home) != 13 { // those at none are the 13th
		t.Errorf("units at %d stations", len(home)-1)
	}
}
