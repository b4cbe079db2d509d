package app_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

// piece is how many assets a key makes in one transaction.
const piece = 100

// atCommits makes an app whose commits call a function first, once it is set.
func atCommits(t *testing.T) (k *apptest.Kit, set func(func())) {
	t.Helper()
	var mu sync.Mutex
	var hook func()
	s, err := store.Open(t.Context(), store.Options{Path: storetest.SQLitePath(t), BeforeCommit: func() {
		mu.Lock()
		call := hook
		mu.Unlock()
		if call != nil {
			call()
		}
	}})
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return apptest.New(t, s), func(f func()) {
		mu.Lock()
		defer mu.Unlock()
		hook = f
	}
}

// gatewayList is what a gateway says of n assets.
func gatewayList(prefix string, n int) []app.NewThing {
	list := make([]app.NewThing, n)
	for i := range list {
		list[i] = app.NewThing{SystemName: fmt.Sprintf("%s-%d", prefix, i), Type: "fire"}
	}
	return list
}

// While one key registers many assets, another tenant's report and another
// tenant's registering wait for one piece, counted in commits.
func TestOthersGetTheirTurnWhileAKeyRegisters(t *testing.T) {
	k, set := atCommits(t)
	a, b, c := k.Organization("A"), k.Organization("B"), k.Organization("C")
	k.Things(b.ID, "U", 1)
	var others sync.WaitGroup
	var made []int // assets of the first tenant when each commit is about to be
	waiting := func(n int) {
		t.Helper()
		for end := time.Now().Add(time.Minute); k.Live.Waiting()+k.TurnsWaiting() < n; runtime.Gosched() {
			if time.Now().After(end) {
				t.Fatal("nobody waits")
			}
		}
	}
	set(func() {
		made = append(made, k.Live.CountOwned(a.ID))
		if len(made) != 1 {
			return
		}
		others.Go(func() {
			r, err := k.RecordPoints(t.Context(), k.Device(b.ID), app.ReportBatch{Reports: []fleet.Report{point(k.At(), 0, false)}})
			if err != nil || r.Accepted != 1 {
				t.Errorf("%+v %v", r, err)
			}
		})
		waiting(1)
		others.Go(func() {
			if _, err := k.RegisterByKey(t.Context(), k.Device(c.ID), gatewayList("C", 1)); err != nil {
				t.Error(err)
			}
		})
		waiting(2)
	})
	r, err := k.RegisterByKey(t.Context(), k.Device(a.ID), gatewayList("A", 6*piece))
	must(t, err)
	others.Wait()
	set(nil)
	if r.Created != 6*piece || k.Live.CountOwned(c.ID) != 1 {
		t.Errorf("%+v", r)
	}
	// The first piece, then the report, then the other tenant's asset, then the rest.
	want := []int{0, piece, piece, piece, 2 * piece, 3 * piece, 4 * piece, 5 * piece}
	if !slices.Equal(made, want) {
		t.Errorf("commits at %v assets of the first tenant, want %v", made, want)
	}
}

// Of a list that is broken off, what was made stays and is told, and so is what
// was not; the same list again makes the rest.
func TestARegistrationBrokenOffSaysWhatWasMade(t *testing.T) {
	k, set := atCommits(t)
	o := k.Organization("A")
	k.Things(o.ID, "A", 1) // A-0 is known
	list := slices.Insert(gatewayList("A", 3*piece), 5, app.NewThing{SystemName: "a-4", Type: "fire"})
	ctx, cancel := context.WithCancel(t.Context())
	commits := 0
	set(func() {
		if commits++; commits == 2 {
			cancel()
		}
	})
	made, err := k.RegisterByKey(ctx, k.Device(o.ID), list)
	set(nil)
	r := refused(t, err, "busy")
	want := app.Registered{Created: 2 * piece, Known: 2}
	for i := 2*piece + 2; i < len(list); i++ {
		want.Missing = append(want.Missing, i)
	}
	for what, got := range map[string]any{"answer": made, "refusal": r.Current} {
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	if r.RetryAfterS == 0 || !strings.HasPrefix(r.Message, fmt.Sprintf("%d of %d assets were created. The others were not", 2*piece, 3*piece-1)) || k.Live.CountOwned(o.ID) != 2*piece+1 {
		t.Errorf("%+v, %d assets", r, k.Live.CountOwned(o.ID))
	}
	again, err := k.RegisterByKey(t.Context(), k.Device(o.ID), list)
	if err != nil || again.Created != piece-1 || again.Known != 2*piece+2 || len(again.Missing) != 0 {
		t.Errorf("again: %+v %v", again, err)
	}
}

// An organization has at most as many assets as the operator allows, by
// whichever way they come; the refusal counts them, and nothing is made.
func TestAnOrganizationHasOnlySoManyAssets(t *testing.T) {
	t.Cleanup(func() { must(t, catalog.SetLimits(nil)) })
	must(t, catalog.SetLimits(map[string]float64{"assets.perOrganization": 3}))
	s := storetest.SQLite(t)
	k := apptest.New(t, s)
	o, other := k.Organization("A"), k.Organization("B")
	k.Things(o.ID, "U", 2)
	elsewhere := k.Things(other.ID, "V", 1)
	admin, key := k.User(o.ID, "administrator"), k.Device(o.ID)
	admin.Organizations[other.ID] = access.Full
	full := func(err error, more int) {
		t.Helper()
		want := fmt.Sprintf("This organization has %d assets and can have 3. These are %d more.", k.Live.CountOwned(o.ID), more)
		if r := refused(t, err, "asset_limit"); !strings.Contains(r.Message, want) {
			t.Errorf("%q, want %q", r.Message, want)
		}
	}
	csv := "haas_id,thing_type\nI-1,fire\nI-2,fire\nU-0,fire\n"
	_, err := k.RegisterByKey(t.Context(), key, gatewayList("G", 2))
	full(err, 2)
	_, err = k.RegisterThings(t.Context(), access.System(), []app.NewThing{{OrganizationID: o.ID, SystemName: "S-1", Type: "fire"}, {OrganizationID: o.ID, SystemName: "S-2", Type: "fire"}})
	full(err, 2)
	_, err = k.ImportThings(t.Context(), admin, app.ThingImport{OrganizationID: o.ID, CSV: csv})
	full(err, 2)
	if n := k.Live.CountOwned(o.ID); n != 2 {
		t.Fatalf("%d assets", n)
	}
	if r, err := k.RegisterByKey(t.Context(), key, append(gatewayList("U", 2), gatewayList("G", 1)...)); err != nil || r.Created != 1 || r.Known != 2 {
		t.Errorf("to the limit: %+v %v", r, err)
	}
	_, err = k.TransferThing(t.Context(), admin, elsewhere[0].ID, o.ID, 0)
	full(err, 1)
	if _, err := k.RegisterByKey(t.Context(), key, gatewayList("U", 2)); err != nil {
		t.Errorf("nothing new: %v", err)
	}
	// Room comes back with an asset that goes, and stays counted over a restart.
	u := byName(t, k, o.ID, "U-0")
	_, err = k.TransferThing(t.Context(), admin, u.ID, other.ID, 0)
	must(t, err)
	must(t, k.DeleteThing(t.Context(), access.System(), byName(t, k, o.ID, "U-1").ID))
	for range 2 {
		if n, m := k.Live.CountOwned(o.ID), k.Live.CountOwned(other.ID); n != 1 || m != 2 {
			t.Errorf("%d and %d assets", n, m)
		}
		k.Open(s, live.Options{})
	}
}

// Who registered an asset, and as what, is found under the asset's id, though
// one audit row stands for many.
func TestRegistrationsAreAuditedAPieceAtATime(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		list := gatewayList("A", piece+1)
		list[7].Nickname, list[7].ExternalID = "Engine 7", "x\"7"
		_, err := k.RegisterByKey(t.Context(), k.Device(o.ID), list)
		must(t, err)
		q := store.AuditQuery{OrganizationID: o.ID, Verb: "register", To: k.At() + 1, Limit: 100}
		rows, err := store.SearchAudit(t.Context(), s.Reader(), q)
		if err != nil || len(rows) != 2 || rows[0].ActorKeyID != "key" {
			t.Fatalf("%d rows %v", len(rows), err)
		}
		id := byName(t, k, o.ID, "A-7").ID
		for noun, want := range map[string]int{id: 1, k.NewID(): 0, `","haas_id":"A-7`: 0, "": 2} {
			q.NounID = noun
			rows, err := store.SearchAudit(t.Context(), s.Reader(), q)
			n, err2 := store.CountAudit(t.Context(), s.Reader(), q)
			if err != nil || err2 != nil || len(rows) != want || n != want {
				t.Errorf("%q: %d rows, %d counted, want %d (%v %v)", noun, len(rows), n, want, err, err2)
			}
			if noun == id && !strings.Contains(string(rows[0].After), `{"id":"`+id+`","haas_id":"A-7","external_id":"x\"7","nickname":"Engine 7","type_id":`) {
				t.Errorf("%s", rows[0].After)
			}
		}
	})
}
