package app_test

import (
	"testing"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/wire"
)

// An incident follows an asset's reports in their order, whatever the order in which its provider has them.
func TestReportsOfAPageAreTakenInTheOrderOfTheirInstants(t *testing.T) {
	c := connected(t, storetest.SQLite(t))
	c.poll()
	for range 5 {
		r, err := c.RecordPoints(t.Context(), c.Device(c.o.ID), app.ReportBatch{Reports: []fleet.Report{point(c.At(), 0, true)}})
		if err != nil || r.Accepted != 1 {
			t.Fatal(r, err)
		}
		c.Pass(30 * time.Second)
	}
	_, state, _, _ := c.Live.Thing(c.thing)
	if state.LocationID == "" {
		t.Fatalf("no incident: %+v", state)
	}
	left := c.At()
	for i := range 5 {
		c.GPS(truckID, left.Add(time.Duration(i)*10*time.Second).Time(), 41+float64(i)/100, -75.5, 90, 30)
	}
	c.Pass(time.Minute)
	c.Disorder(true)
	if row := c.poll(); row.Kept != 5 || row.Repeated != 0 {
		t.Fatalf("%+v", row)
	}
	if _, state, _, _ = c.Live.Thing(c.thing); state.LocationID != "" || state.LeftAt != left || state.Lat != 41.04 {
		t.Errorf("it left at %s, not %s: %+v", state.LeftAt, left, state)
	}
}

// Where a feed went on is of its account: another server's cursor means nothing, and another token's means the same.
func TestAnotherAccountBeginsItsFeedAnew(t *testing.T) {
	c := connected(t, storetest.SQLite(t))
	c.poll()
	cursor := func() string {
		x, err := store.Integrations.ByID(t.Context(), c.Store.Reader(), c.id)
		must(t, err)
		return x.FeedCursor
	}
	was := cursor()
	c.edit(wire.IntegrationWrite{Name: ptr("Plows 2"), Secret: ptr("another")})
	if was == "" || cursor() != was {
		t.Errorf("a new token of the same account: %q, before %q", cursor(), was)
	}
	c.edit(wire.IntegrationWrite{Server: ptr("api.eu.samsara.com"), Secret: ptr("another")})
	if cursor() != "" {
		t.Errorf("another server goes on at %q", cursor())
	}
}

// A secret that is not known anymore does not come back as one for another server.
func TestAnUndoWithoutTheSecretIsRefused(t *testing.T) {
	c := connected(t, storetest.SQLite(t))
	c.edit(wire.IntegrationWrite{Server: ptr("api.eu.samsara.com"), Secret: ptr("another")})
	must(t, c.Store.Write(t.Context(), func(tx *store.Tx) error { // as a rotation of the server key does
		_, err := tx.ExecContext(t.Context(), "UPDATE integration SET secret_before = ''")
		return err
	}))
	version := c.row().Version
	refusal := refusalOf(t, second(c.Integrations.Undo(t.Context(), c.admin, c.id, version)))
	if row := c.row(); refusal.Fields["secret"] == "" || row.Version != version || row.Server != "api.eu.samsara.com" {
		t.Errorf("%+v: %+v", refusal, row)
	}
}
