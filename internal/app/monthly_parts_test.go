package app_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/feed"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

func rowsOf(t testing.TB, k *apptest.Kit, organizationID, of string) wire.MonthlyRows {
	t.Helper()
	out, err := k.MonthlyReportRows(context.Background(), access.System(), november0(organizationID, of))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Of an asset that changed hands in the month each owner has its own part; one that was deleted is its owner's still.
func TestEachOwnerHasItsPartOfTheMonth(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k, a := monthlyKit(t, s, inNewYork(10, 20, 0))
		b := k.Organization("Dover")
		zone := newYork.String()
		if _, err := k.UpdateOrganization(t.Context(), access.System(), b.ID, wire.OrganizationWrite{Timezone: &zone}); err != nil {
			t.Fatal(err)
		}
		things := k.Things(a.ID, "U", 2)
		moveTo(k, inNewYork(11, 10, 12))
		report(t, k, a.ID, drove("U-0", k.At().Add(-time.Hour), 31, true)...)
		report(t, k, a.ID, drove("U-1", k.At().Add(-time.Hour), 61, false)...)
		if _, err := k.TransferThing(t.Context(), access.System(), things[0].ID, b.ID, 0); err != nil {
			t.Fatal(err)
		}
		k.Pass(5 * 24 * time.Hour)
		report(t, k, b.ID, drove("U-0", k.At().Add(-time.Hour), 91, true)...)
		if err := k.DeleteThing(t.Context(), access.System(), things[1].ID); err != nil {
			t.Fatal(err)
		}
		moveTo(k, inNewYork(12, 1, 3))
		if rows := monthlies(t, k, a.ID); len(rows) != 1 {
			t.Fatalf("%+v", rows)
		}
		monthlies(t, k, b.ID)
		of := november(t, k, a.ID).Figures
		if of.Assets.Total != 2 || of.Assets.InService != 0 || of.Driving.Runs != 1 || of.Data.Points != 92 || int(of.Driving.RunDistanceM) != 4200 ||
			of.Data.OfMs != int64(inNewYork(11, 10, 12)-inNewYork(11, 1, 0)+inNewYork(11, 15, 12)-inNewYork(11, 1, 0)) || of.Data.SilentDays != 9+13 {
			t.Errorf("%+v %+v %+v", of.Assets, of.Driving, of.Data)
		}
		of = november(t, k, b.ID).Figures
		if of.Assets.Total != 1 || of.Assets.InService != 1 || of.Assets.ByType[0] != (fleet.MonthlyType{Type: "fire", Total: 1, InService: 1}) ||
			of.Driving.Runs != 1 || of.Data.Points != 91 || of.Data.OfMs != int64(inNewYork(12, 1, 0)-inNewYork(11, 10, 12)) {
			t.Errorf("%+v %+v %+v", of.Assets, of.Driving, of.Data)
		}
	})
}

// A closure is told of by what it was then: one that was ended or changed later, and one that a board makes stand.
func TestClosuresOfAMonth(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		x := newSite(t, s, live.Options{})
		if _, err := x.UpdateOrganization(t.Context(), access.System(), x.org, wire.OrganizationWrite{IsWZDxOrg: ref(true)}); err != nil {
			t.Fatal(err)
		}
		active := func(name string, hours int, with func(*wire.ClosureWrite)) wire.Closure {
			in := newClosure(name)
			in.IsActive, in.EndTime, in.Direction = ref(true), ref(x.At().Add(time.Duration(hours)*time.Hour)), ref("N")
			if with != nil {
				with(&in)
			}
			return x.make(in)
		}
		published := func(in *wire.ClosureWrite) {
			in.RoadName, in.IsWZDxCompliant, in.ExternalID = ref("I-95"), ref(true), ref("DE-"+*in.Description)
			in.LocationMethod, in.VehicleImpact = ref("sign-method"), ref("flagging")
		}
		expires := active("Expires", 8, published)
		ended := active("Ended", 48, nil)
		moved := active("Comes again", 2, nil)
		standing := active("Stands", 24*20, published)
		driven := automated(x.boards[0].ID)
		driven.Direction = ref("N")
		made := x.make(driven)
		x.report(board(true))
		x.Pass(3 * time.Hour)
		x.report(board(false))
		x.Pass(time.Hour)
		x.report(board(true))
		x.Pass(time.Hour)
		x.report(board(false))
		if _, err := x.ConfirmClosure(t.Context(), x.admin, ended.ID, wire.ClosureConfirm{Answer: "still"}); err != nil {
			t.Fatal(err)
		}
		x.Pass(time.Hour)
		if _, err := x.ConfirmClosure(t.Context(), x.admin, ended.ID, wire.ClosureConfirm{Answer: "finished"}); err != nil {
			t.Fatal(err)
		}
		moveTo(x.Kit, fleet.InstantOf(time.Date(2026, 12, 2, 0, 0, 0, 0, time.UTC)))
		if _, err := x.Closures.Edit(t.Context(), x.admin, moved.ID, 0, wire.ClosureWrite{IsActive: ref(true), EndTime: ref(x.At().Add(time.Hour))}); err != nil {
			t.Fatal(err)
		}
		if err := x.Closures.Remove(t.Context(), x.admin, standing.ID); err != nil {
			t.Fatal(err)
		}
		monthlies(t, x.Kit, x.org)
		hour := time.Hour.Milliseconds()
		till := int64(fleet.InstantOf(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)) - apptest.Noon)
		of := november(t, x.Kit, x.org).Figures.Closures
		want := map[string]fleet.MonthlyClosureRow{
			expires.ID:  {ActiveMs: 8 * hour, PublishedMs: 8 * hour, Impact: "flagging", Expired: true},
			ended.ID:    {ActiveMs: 6 * hour, Impact: "unknown", Confirmed: true},
			moved.ID:    {ActiveMs: 2 * hour, Impact: "unknown", Expired: true},
			standing.ID: {ActiveMs: till, PublishedMs: till, Impact: "flagging"},
			made.ID:     {ActiveMs: 4 * hour, Impact: "unknown"},
		}
		rows := rowsOf(t, x.Kit, x.org, "closures").Closures
		for _, row := range rows {
			w := want[row.ClosureID]
			if row.ActiveMs != w.ActiveMs || row.PublishedMs != w.PublishedMs || row.Impact != w.Impact || row.Confirmed != w.Confirmed || row.Expired != w.Expired ||
				row.StartAt != apptest.Noon || (row.EndAt == 0) != (row.ClosureID == standing.ID) {
				t.Errorf("%+v instead of %+v", row, w)
			}
		}
		if len(rows) != 5 || of.Total != 5 || of.Confirmed != 1 || of.Expired != 2 || of.PublishedMs != 8*hour+till || len(of.ByImpact) != 2 ||
			of.ByImpact[0] != (fleet.MonthlyImpact{Impact: "flagging", Total: 2, ActiveMs: 8*hour + till}) {
			t.Errorf("%d rows, %+v", len(rows), of)
		}
	})
}

// Incidents with the time to them, cover of stations, refused reports, and readers of feeds.
func TestWhatElseAMonthTells(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k, o := monthlyKit(t, s, inNewYork(10, 31, 12))
		if _, err := k.UpdateOrganization(t.Context(), access.System(), o.ID, wire.OrganizationWrite{IsWZDxOrg: ref(true)}); err != nil {
			t.Fatal(err)
		}
		if err := k.MakeMonthlyReports(t.Context()); err != nil { // it counts from now on
			t.Fatal(err)
		}
		k.Things(o.ID, "U", 1)
		station := stationAt(t, k, o.ID, "Station 1", 40.5)
		moveTo(k, inNewYork(11, 11, 12))
		respond(t, k, o.ID, "U-0")
		k.Pass(20 * time.Minute)
		report(t, k, o.ID, lit("U-0", k.At(), 39.9))
		k.Pass(time.Hour)
		heardFrom(t, k, o.ID, standing("U-0", k.At(), 40.5, false))
		for range 12 {
			k.Pass(5 * time.Minute)
			heardFrom(t, k, o.ID, standing("U-0", k.At(), 40.5, false))
		}
		k.Pass(time.Minute)
		heardFrom(t, k, o.ID, standing("U-0", k.At(), 40.9, false))
		if r := report(t, k, o.ID, lit("U-0", k.At().Add(-90*24*time.Hour), 39.9)); len(r.Refused) != 1 {
			t.Fatalf("%+v", r)
		}
		waze := consumer(t, k, o.ID, "Waze")
		moveTo(k, inNewYork(12, 1, 0)-1) // November in New York, not in Greenwich
		for range 3 {
			if _, err := k.Feed(t.Context(), waze, o.ID, feed.Formats()[0].Path); err != nil {
				t.Fatal(err)
			}
		}
		k.Pass(time.Hour)
		if _, err := k.Feed(t.Context(), waze, o.ID, feed.Formats()[0].Path); err != nil {
			t.Fatal(err)
		}
		if err := k.FlushFeedLedger(t.Context()); err != nil {
			t.Fatal(err)
		}
		moveTo(k, inNewYork(12, 1, 3))
		monthlies(t, k, o.ID)
		of := november(t, k, o.ID).Figures
		if i := of.Incidents; i.Total != 1 || i.ToScene.Count != 1 || i.OnScene.Count != 1 || *i.ToScene.MedianMs != 80_000 || *i.OnScene.LongestMs < 1_000_000 {
			t.Errorf("%+v %v %v", i, rowsOf(t, k, o.ID, "incidents").Incidents, rowsOf(t, k, o.ID, "runs").Runs)
		}
		if of.Days[10].Incidents != 1 || of.Data.Refused == nil || *of.Data.Refused != 1 {
			t.Errorf("%+v %+v", of.Days[10], of.Data)
		}
		want := fleet.MonthlyStation{AreaID: station.ID, Name: "Station 1", CoveredMs: 61 * 60_000, OfMs: int64(inNewYork(12, 1, 0) - inNewYork(11, 1, 0)), Visits: 1}
		if st := of.Stations; st.Total != 1 || st.Rows[0] != want || st.CoveredMs != want.CoveredMs {
			t.Errorf("%+v", st)
		}
		if f := of.Feeds; !f.IsCounted || f.Requests != 3 || len(f.Consumers) != 1 || f.Consumers[0] != (fleet.MonthlyConsumer{Name: "Waze", Requests: 3, Days: 1}) ||
			f.DriversAlerted != nil {
			t.Errorf("%+v", f)
		}
	})
}

// A month of silent assets is reported, one of an organization without any is not; months before are made where there is something.
func TestAMonthWithoutData(t *testing.T) {
	k, o := monthlyKit(t, storetest.SQLite(t), inNewYork(10, 31, 12))
	empty := k.Organization("Empty")
	k.Things(o.ID, "U", 2)
	moveTo(k, inNewYork(11, 2, 3))
	monthlies(t, k, o.ID)
	moveTo(k, inNewYork(12, 1, 3))
	if rows := monthlies(t, k, empty.ID); len(rows) != 0 {
		t.Errorf("%+v", rows)
	}
	if rows := monthlies(t, k, o.ID); len(rows) != 2 || rows[0].Month != 11 || rows[1].Month != 10 {
		t.Fatalf("%+v", rows)
	}
	of := november(t, k, o.ID)
	if of.Figures.Data.SilentDays != 60 || of.Figures.Data.Points != 0 || of.Figures.Assets.Total != 2 || of.PreviousMonth == nil || of.PreviousYear != nil ||
		of.Figures.Data.Refused != nil || of.Figures.Feeds.IsCounted {
		t.Errorf("%+v", of)
	}
}

// A fleet that has just joined has nothing in earlier months, and may have a hundred thousand assets: little is asked of
// each of them.
func TestMonthsBeforeAnAssetAreCheap(t *testing.T) {
	asked := map[int]int64{}
	for _, n := range []int{2, 20} {
		s := storetest.SQLite(t)
		k, o := monthlyKit(t, s, inNewYork(12, 20, 12))
		k.Things(o.ID, "U", n)
		first := s.Queries()
		monthlies(t, k, o.ID)
		asked[n] = s.Queries() - first
	}
	months := catalog.LimitInt("monthly", "backMonths")
	if each := float64(asked[20]-asked[2]) / float64(18*months); each > 3 {
		t.Errorf("%.1f queries for each asset and month", each)
	}
}

// Reports are listed by month, then by the name of the organization, of those that it manages too, and of no others.
// spec: 7.report.02 9.limits.22
func TestMonthlyReportsAreListed(t *testing.T) {
	k, o := monthlyKit(t, storetest.SQLite(t), inNewYork(10, 15, 0))
	managed, foreign := k.Organization("abc"), k.Organization("Foreign")
	err := k.Store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.PutOrganizationRelation(t.Context(), fleet.OrganizationRelation{OrganizationID: managed.ID, OtherID: o.ID, Kind: fleet.RelationManager})
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{o.ID, managed.ID, foreign.ID} {
		k.Things(id, "U-"+id, 1)
	}
	for _, month := range []time.Month{11, 12} {
		moveTo(k, inNewYork(month, 2, 3))
		monthlies(t, k, o.ID)
	}
	actor := k.User(o.ID, "manager")
	actor.Organizations[managed.ID] = access.Full
	list := func(change func(*app.MonthlyQuery)) string {
		t.Helper()
		q := app.MonthlyQuery{OrganizationID: o.ID}
		change(&q)
		found, err := k.ListMonthlyReports(t.Context(), actor, q)
		if err != nil {
			return refusal(err)
		}
		out := []string{}
		for _, row := range found.Data {
			out = append(out, fmt.Sprintf("%s %d", row.OrganizationName, row.Month))
		}
		return fmt.Sprint(strings.Join(out, ", "), " of ", found.Meta.Total)
	}
	for _, x := range []struct {
		with func(*app.MonthlyQuery)
		want string
	}{
		{func(*app.MonthlyQuery) {}, "abc 11, Wilmington 11, abc 10, Wilmington 10 of 4"},
		{func(q *app.MonthlyQuery) { q.Page, q.PerPage = 2, 3 }, "Wilmington 10 of 4"},
		{func(q *app.MonthlyQuery) { q.Month = 10 }, "abc 10, Wilmington 10 of 2"},
		{func(q *app.MonthlyQuery) { q.Year = 2014 }, " of 0"},
		{func(q *app.MonthlyQuery) { q.OrganizationIDs = []string{managed.ID, managed.ID} }, "abc 11, abc 10 of 2"},
		{func(q *app.MonthlyQuery) { q.OrganizationIDs = []string{foreign.ID} }, "not_found"},
		{func(q *app.MonthlyQuery) { q.OrganizationID = foreign.ID }, "not_found"},
		{func(q *app.MonthlyQuery) { q.Month = 13 }, "validation_failed"},
		{func(q *app.MonthlyQuery) { q.Year = 2013 }, "validation_failed"},
		{func(q *app.MonthlyQuery) { q.Year = 2027 }, "validation_failed"},
	} {
		if got := list(x.with); got != x.want && strings.Fields(got)[0] != x.want {
			t.Errorf("%q instead of %q", got, x.want)
		}
	}
	if _, err := k.ListMonthlyReports(t.Context(), k.User(o.ID, "operator"), app.MonthlyQuery{OrganizationID: o.ID}); !strings.HasPrefix(refusal(err), "forbidden") {
		t.Error(err)
	}
	if !slices.ContainsFunc(app.StreamedTypes(), func(s app.Streamed) bool {
		return s.Type == fleet.MessageReport && s.Requires == "VIEW_REPORTS" && s.By == access.Full
	}) {
		t.Error("the stream does not tell of reports")
	}
}
