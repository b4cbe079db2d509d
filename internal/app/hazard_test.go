package app_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/bus"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// danger is a report of a hazard at the base, now.
func danger(k *apptest.Kit, id, kind string) fleet.HazardReport {
	return fleet.HazardReport{HasKind: true, Kind: kind,
		MarkReport: fleet.MarkReport{ID: id, At: k.At(), Lat: 39.7, Lng: -75.5, HasLat: true, HasLng: true}}
}

func tellHazards(t testing.TB, k *apptest.Kit, organizationID string, hazards ...fleet.HazardReport) app.ReportResult {
	t.Helper()
	for i := range hazards {
		hazards[i].Index = i
	}
	result, err := k.RecordPoints(t.Context(), k.Device(organizationID), app.ReportBatch{Hazards: hazards})
	must(t, err)
	return result
}

func hazardsOf(t testing.TB, k *apptest.Kit, user *access.Actor, organizations ...string) []wire.Hazard {
	t.Helper()
	rows, meta, err := k.Hazards.List(t.Context(), user, app.Rows{OrganizationIDs: organizations})
	if must(t, err); meta.Total != len(rows) {
		t.Errorf("%d rows, %d in all", len(rows), meta.Total)
	}
	return rows
}

func onlyHazard(t testing.TB, k *apptest.Kit, user *access.Actor) wire.Hazard {
	t.Helper()
	rows := hazardsOf(t, k, user)
	if len(rows) != 1 {
		t.Fatalf("%+v", rows)
	}
	return rows[0]
}

func reasonOf(h wire.Hazard) string {
	if h.EndReason == nil {
		return ""
	}
	return *h.EndReason
}

// A hazard lives until its time is over, its sender ends it or says it anew;
// whatever the job does, no answer shows it active after its end. A day later
// it leaves the lists, and who knows its id can still read it.
func TestAHazardOfASenderFromBeginToEnd(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.NewWith(t, s, live.Options{Street: func(lat, _, _ float64) string { return fmt.Sprintf("Street %.1f", lat) }})
		o, other := k.Organization("A"), k.Organization("B")
		user := k.User(o.ID, "viewer")
		first := danger(k, "Q-1", "moose")
		first.HasDescription, first.Description = true, "On the left lane"
		took(t, "new", tellHazards(t, k, o.ID, first), 1, 0)
		took(t, "again", tellHazards(t, k, o.ID, first), 0, 1)
		took(t, "another's", tellHazards(t, k, other.ID, first), 1, 0)
		begun := onlyHazard(t, k, user)
		if begun.Type != "other" || begun.Street != "Street 39.7" || begun.OrganizationName != "A" || begun.StartTime != first.At ||
			begun.ExpiresAt != first.At.Add(time.Hour) || !begun.IsActive || begun.Version != 1 || begun.Description != "On the left lane" {
			t.Errorf("begun: %+v", begun)
		}
		theirs := onlyHazard(t, k, k.User(other.ID, "viewer"))
		_, err := k.Hazards.Read(t.Context(), user, theirs.ID)
		refused(t, err, "not_found")
		_, err = k.ClearHazard(t.Context(), user, theirs.ID)
		refused(t, err, "not_found")

		k.Pass(50 * time.Minute)
		took(t, "extended", tellHazards(t, k, o.ID, fleet.HazardReport{MarkReport: fleet.MarkReport{ID: "Q-1", At: k.At()}}), 1, 0)
		took(t, "late", tellHazards(t, k, o.ID, first), 0, 1)
		extended := onlyHazard(t, k, user)
		if extended.ExpiresAt != k.At().Add(time.Hour) || extended.Type != "other" || extended.Version != 2 {
			t.Errorf("extended: %+v", extended)
		}
		k.Pass(time.Hour - time.Millisecond)
		must(t, k.AgeDue(t.Context()))
		if h := onlyHazard(t, k, user); !h.IsActive {
			t.Errorf("before its end: %+v", h)
		}
		k.Pass(2 * time.Hour) // the server is down, or its clock's job stands
		k.Open(s, live.Options{})
		over := onlyHazard(t, k, user)
		if over.IsActive || reasonOf(over) != "expired" || over.EndedAt != extended.ExpiresAt || over.EndedBy != nil || over.Version != 2 {
			t.Errorf("after its end, before the job: %+v", over)
		}
		if h, err := k.Hazards.Read(t.Context(), user, over.ID); err != nil || h.IsActive {
			t.Errorf("read: %+v %v", h, err)
		}
		must(t, k.AgeDue(t.Context()))
		if h := onlyHazard(t, k, user); h.IsActive || h.Version != 3 || h.EndedAt != over.EndedAt {
			t.Errorf("after the job: %+v", h)
		}
		took(t, "anew", tellHazards(t, k, o.ID, danger(k, "Q-1", "debris")), 1, 0)
		if h := onlyHazard(t, k, user); !h.IsActive || h.ID != begun.ID || h.StartTime != begun.StartTime || h.Type != "debris" {
			t.Errorf("anew: %+v", h)
		}
		k.Pass(time.Second)
		end := fleet.HazardReport{MarkReport: fleet.MarkReport{ID: "Q-1", At: k.At(), HasActive: true}}
		took(t, "ended", tellHazards(t, k, o.ID, end), 1, 0)
		if h := onlyHazard(t, k, user); h.IsActive || reasonOf(h) != "source" || h.EndedBy.Kind != "key" || h.EndedAt != end.At {
			t.Errorf("ended: %+v", h)
		}
		_, asOf, err := k.Hazards.List(t.Context(), user, app.Rows{})
		must(t, err)
		k.Pass(24 * time.Hour)
		must(t, k.AgeDue(t.Context()))
		if rows := hazardsOf(t, k, user); len(rows) != 0 {
			t.Errorf("a day after its end: %+v", rows)
		}
		gone, _, err := k.Hazards.List(t.Context(), user, app.Rows{Since: asOf.AsOf})
		if err != nil || len(gone) != 1 || !gone[0].IsDeleted || gone[0].ID != begun.ID {
			t.Errorf("since: %+v %v", gone, err)
		}
		if h, err := k.Hazards.Read(t.Context(), user, begun.ID); err != nil || h.IsDeleted || reasonOf(h) != "source" {
			t.Errorf("read a day after: %+v %v", h, err)
		}
		_, err = k.ConfirmHazard(t.Context(), user, begun.ID)
		refused(t, err, "hazard_over")
		took(t, "next week", tellHazards(t, k, o.ID, danger(k, "Q-1", "ice")), 1, 0)
		if h := onlyHazard(t, k, user); h.ID != begun.ID || h.StartTime != k.At() || !h.IsActive {
			t.Errorf("next week: %+v", h)
		}
	})
}

// What a sender may not say is refused by name, one by one, and an organization has a bounded number of hazards.
func TestReportsOfHazardsAreRefusedOneByOne(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	things := k.Things(o.ID, "U", 1)
	change := func(with func(*fleet.HazardReport)) fleet.HazardReport {
		r := danger(k, "H", "ice")
		with(&r)
		return r
	}
	took(t, "hostile", tellHazards(t, k, o.ID,
		change(func(r *fleet.HazardReport) { r.ID = " " }),
		change(func(r *fleet.HazardReport) { r.ID = "a\x00" }),
		change(func(r *fleet.HazardReport) { r.Description = "a\x00" }),
		change(func(r *fleet.HazardReport) { r.Description = fmt.Sprintf("%0101d", 1) }),
		change(func(r *fleet.HazardReport) { r.Lat, r.Lng = 0, 0 }),
		change(func(r *fleet.HazardReport) { r.HasLat, r.HasLng = false, false }),
		change(func(r *fleet.HazardReport) { r.ExpiresAt = k.At().Add(7*24*time.Hour + time.Millisecond) }),
		change(func(r *fleet.HazardReport) { r.At = k.At().Add(-31 * 24 * time.Hour) }),
	), 0, 0, "id_missing", "id_invalid", "description_invalid", "description_invalid", "no_fix", "expires_at_too_far_ahead", "at_too_old", "lat_missing")
	ofOne := k.Device(o.ID)
	ofOne.KeyThingID = things[0].ID
	result, err := k.RecordPoints(t.Context(), ofOne, app.ReportBatch{Hazards: []fleet.HazardReport{danger(k, "H", "ice")}})
	must(t, err)
	took(t, "a key of one asset", result, 0, 0, "hazard_key")
	many := make([]fleet.HazardReport, 2001)
	for i := range many {
		many[i] = danger(k, fmt.Sprint("M-", i), "ice")
	}
	took(t, "one too many", tellHazards(t, k, o.ID, many...), 2000, 0, "hazard_limit")
	k.Pass(time.Second)
	end := fleet.HazardReport{MarkReport: fleet.MarkReport{ID: "M-0", At: k.At(), HasActive: true}}
	took(t, "one ends, one begins", tellHazards(t, k, o.ID, end, danger(k, "N", "ice")), 2, 0)
}

// Everybody on shift may say that a hazard is there or gone: many at once leave
// it as one press does, a clear can be taken back, and the audit has who did it.
func TestHazardsAreConfirmedAndCleared(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		user, second := k.User(o.ID, "viewer"), k.User(o.ID, "viewer")
		took(t, "new", tellHazards(t, k, o.ID, danger(k, "H", "ice")), 1, 0)
		id := onlyHazard(t, k, user).ID
		k.Pass(30 * time.Minute)
		confirmed, err := k.ConfirmHazard(t.Context(), user, id)
		if err != nil || confirmed.ExpiresAt != k.At().Add(time.Hour) || confirmed.ConfirmedAt != k.At() || *confirmed.ConfirmedBy != "Kit viewer" {
			t.Fatalf("confirmed: %+v %v", confirmed, err)
		}
		k.Pass(time.Second)
		if again, err := k.ConfirmHazard(t.Context(), user, id); err != nil || again.Version != confirmed.Version {
			t.Errorf("pressed twice: %+v %v", again, err)
		}
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if h, err := k.ClearHazard(t.Context(), second, id); err != nil || h.IsActive || reasonOf(h) != "cleared" {
					t.Errorf("cleared: %+v %v", h, err)
				}
			})
		}
		all.Wait()
		cleared, err := k.ClearHazard(t.Context(), user, id)
		if err != nil || cleared.Version != confirmed.Version+1 || cleared.EndedBy.ID != second.UserID || cleared.EndedAt != k.At() {
			t.Errorf("cleared by eight: %+v %v", cleared, err)
		}
		before := danger(k, "H", "ice")
		before.At = k.At().Add(-time.Millisecond)
		took(t, "said before it was cleared", tellHazards(t, k, o.ID, before), 0, 1)
		k.Pass(24*time.Hour - time.Millisecond)
		undone, err := k.ConfirmHazard(t.Context(), user, id)
		if err != nil || !undone.IsActive || undone.EndedBy != nil || undone.ExpiresAt != k.At().Add(time.Hour) {
			t.Errorf("undone: %+v %v", undone, err)
		}
		k.Pass(2 * time.Hour)
		if late, err := k.ClearHazard(t.Context(), user, id); err != nil || reasonOf(late) != "expired" || late.Version != undone.Version {
			t.Errorf("cleared after it had expired: %+v %v", late, err)
		}
		var verbs []string
		rows, err := store.SearchAudit(t.Context(), s.Reader(), store.AuditQuery{OrganizationID: o.ID, To: 1 << 60, Noun: "hazard", NounID: id, Limit: 10})
		must(t, err)
		for _, row := range rows {
			verbs = append(verbs, row.Verb)
		}
		if fmt.Sprint(verbs) != "[confirm clear confirm]" {
			t.Errorf("the audit has %v", verbs)
		}
		without := k.User(o.ID, "viewer")
		without.Permissions = map[string]bool{"thing:read": true}
		_, err = k.ClearHazard(t.Context(), without, id)
		refused(t, err, "forbidden")
	})
}

// Who may only read an organization learns that it cleared a hazard, not who in it; and may not press.
func TestReadersOfAnOrganizationLearnNoNames(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o, reader := k.Organization("County"), k.Organization("Reader")
	told := listenTo(t, k)
	user, guest := k.User(o.ID, "viewer"), k.User(reader.ID, "viewer")
	guest.Organizations[o.ID] = access.Read
	manager := k.User(reader.ID, "viewer")
	manager.Organizations[o.ID] = access.Full
	took(t, "new", tellHazards(t, k, o.ID, danger(k, "H", "ice")), 1, 0)
	id := onlyHazard(t, k, user).ID
	k.Pass(time.Minute)
	second(k.ConfirmHazard(t.Context(), manager, id))
	if h := onlyHazard(t, k, user); *h.ConfirmedBy != "Reader" {
		t.Errorf("confirmed by %s", *h.ConfirmedBy)
	}
	must(t, second(k.ClearHazard(t.Context(), user, id)))
	_, err := k.ConfirmHazard(t.Context(), guest, id)
	refused(t, err, "not_found")
	if h := hazardsOf(t, k, guest, o.ID)[0]; h.EndedBy.Name != "County" || h.EndedBy.ID != "" {
		t.Errorf("listed: %+v", h.EndedBy)
	}
	h, err := k.Hazards.Read(t.Context(), guest, id)
	if err != nil || h.EndedBy.Name != "County" {
		t.Errorf("read: %+v %v", h.EndedBy, err)
	}
	names := map[fleet.MessageType]string{}
	for _, item := range told(o.ID)[o.ID] {
		if h := hazardIn(t, item); h.EndedBy != nil {
			names[item.Type] = h.EndedBy.Name
		}
	}
	if len(names) != 2 || names[fleet.MessageHazardFull] != "Kit viewer" || names[fleet.MessageHazardPart] != "County" {
		t.Errorf("heard: %v", names)
	}
	if !app.Sees(guest, o.ID).Has(fleet.MessageHazardPart) || app.Sees(guest, o.ID).Has(fleet.MessageHazardFull) {
		t.Error("a reader hears the names")
	}
}

func hazardIn(t testing.TB, item bus.Item) wire.Hazard {
	t.Helper()
	var said struct{ Hazard wire.Hazard }
	must(t, json.Unmarshal(item.Body, &said))
	return said.Hazard
}

// Listeners hear of a hazard's begin, its end by the clock, and that it has left the lists.
func TestListenersHearOfHazards(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	told := listenTo(t, k)
	took(t, "new", tellHazards(t, k, o.ID, danger(k, "H", "ice")), 1, 0)
	last := func() wire.Hazard {
		items := told(o.ID)[o.ID]
		return hazardIn(t, items[len(items)-2]) // before the word that ends the wait
	}
	if h := last(); !h.IsActive || h.ExternalID != "H" {
		t.Errorf("begun: %+v", h)
	}
	k.Pass(time.Hour)
	must(t, k.AgeDue(t.Context()))
	if h := last(); h.IsActive || reasonOf(h) != "expired" {
		t.Errorf("expired: %+v", h)
	}
	k.Pass(24 * time.Hour)
	must(t, k.AgeDue(t.Context()))
	if h := last(); !h.IsDeleted {
		t.Errorf("a day later: %+v", h)
	}
}

// drive reports a point of an asset: so far east of the base, so fast.
func drive(t testing.TB, k *apptest.Kit, organizationID, asset string, eastM, mph float64) {
	t.Helper()
	k.Pass(time.Second)
	p := point(k.At(), eastM, false)
	p.Asset, p.HasSpeed, p.SpeedMS = asset, true, mph*0.44704
	took(t, "point", sendPoints(t, k, organizationID, p), 1, 0)
}

func sendPoints(t testing.TB, k *apptest.Kit, organizationID string, reports ...fleet.Report) app.ReportResult {
	t.Helper()
	result, err := k.RecordPoints(t.Context(), k.Device(organizationID), app.ReportBatch{Reports: reports})
	must(t, err)
	return result
}

// A unit that drives through stopped traffic withdraws it: two points within
// 50 m at 20 mph or more, or the way between two in a row, later than the last
// word that it is there. Nothing else does.
func TestAUnitThatDrivesThroughStoppedTrafficWithdrawsIt(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o, other := k.Organization("A"), k.Organization("B")
		things := k.Things(o.ID, "E", 2)
		k.Things(other.ID, "X", 1)
		user := k.User(o.ID, "viewer")
		tellHazards(t, k, o.ID, danger(k, "QUEUE", "stopped_traffic"), danger(k, "ICE", "ice"))
		active := func() (names []string) {
			for _, h := range hazardsOf(t, k, user) {
				if h.IsActive {
					names = append(names, h.ExternalID)
				}
			}
			return names
		}
		stands := func(what string) {
			t.Helper()
			if got := active(); len(got) != 2 {
				t.Errorf("%s: active are %v", what, got)
			}
		}
		drive(t, k, o.ID, "E-0", -40, 48)
		drive(t, k, o.ID, "E-1", 0, 48)
		stands("one point of each of two")
		drive(t, k, o.ID, "E-0", 0, 10)
		drive(t, k, o.ID, "E-0", 20, 48)
		drive(t, k, o.ID, "E-0", 60, 48)
		stands("one of them slow, one of them beyond")
		drive(t, k, other.ID, "X-0", 0, 48)
		drive(t, k, other.ID, "X-0", 20, 48)
		stands("of a stranger")
		drive(t, k, o.ID, "E-0", 0, 19.9)
		drive(t, k, o.ID, "E-0", 0, 48)
		k.Pass(time.Minute)
		must(t, second(k.ConfirmHazard(t.Context(), user, hazardsOf(t, k, user)[0].ID)))
		drive(t, k, o.ID, "E-0", 20, 48)
		stands("one before and one after it was confirmed")
		k.Open(s, live.Options{})
		told := listenTo(t, k)
		drive(t, k, o.ID, "E-0", -20, 48)
		drive(t, k, o.ID, "E-0", 20, 30)
		if got := active(); fmt.Sprint(got) != "[ICE]" {
			t.Fatalf("driven through: active are %v", got)
		}
		h := hazardsOf(t, k, user)[0]
		if reasonOf(h) != "withdrawn" || h.EndedBy.Kind != "thing" || h.EndedBy.ID != things[0].ID || h.EndedBy.Name != "E-0" ||
			h.EndedBy.Speed == nil || int(*h.EndedBy.Speed/0.44704+0.5) != 30 {
			t.Errorf("withdrawn: %+v %+v", h, h.EndedBy)
		}
		heard := false
		for _, item := range told(o.ID)[o.ID] {
			heard = heard || item.Type == fleet.MessageHazardFull && reasonOf(hazardIn(t, item)) == "withdrawn"
		}
		if !heard {
			t.Error("nobody heard of it")
		}
		k.Pass(time.Second)
		took(t, "said again", tellHazards(t, k, o.ID, danger(k, "QUEUE", "stopped_traffic")), 1, 0)
		stands("said again")
		late := point(k.At().Add(-10*time.Second), 0, false)
		later := point(k.At().Add(-9*time.Second), 0, false)
		for _, p := range []*fleet.Report{&late, &later} {
			p.Asset, p.HasSpeed, p.SpeedMS = "E-1", true, 20
		}
		took(t, "late", sendPoints(t, k, o.ID, late, later), 2, 0)
		stands("points from before it was said")

		drive(t, k, o.ID, "E-1", -80, 48)
		k.Pass(10 * time.Second)
		drive(t, k, o.ID, "E-1", 80, 48)
		stands("a way of eleven seconds, which may lead round it")
		drive(t, k, o.ID, "E-1", 80, 19.9)
		drive(t, k, o.ID, "E-1", -80, 48)
		stands("a way that began slowly")
		drive(t, k, o.ID, "E-1", 20, 48)
		if got := active(); fmt.Sprint(got) != "[ICE]" {
			t.Errorf("a device that reports seldom drove through: active are %v", got)
		}
	})
}

// Hazards that left the lists are forgotten 30 days later, however many; those that stand, or ended of late, stay.
func TestHazardsAreForgotten(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.NewWith(t, s, live.Options{})
		o := k.Organization("A")
		user := k.User(o.ID, "viewer")
		var old []fleet.HazardReport
		for i := range 450 {
			old = append(old, danger(k, fmt.Sprint("Q-", i), "debris"))
		}
		took(t, "new", tellHazards(t, k, o.ID, old...), 450, 0)
		first := hazardsOf(t, k, user)[0].ID
		known := func(id string) bool {
			_, err := k.Hazards.Read(t.Context(), user, id)
			if err != nil {
				refused(t, err, "not_found")
			}
			return err == nil
		}
		left := func() (n int) {
			t.Helper()
			must(t, s.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM hazard").Scan(&n))
			return n
		}
		k.Pass(time.Hour)
		must(t, k.AgeDue(t.Context()))
		k.Pass(24 * time.Hour)
		must(t, k.AgeDue(t.Context())) // they leave the lists
		k.Pass(30 * 24 * time.Hour)
		stands := danger(k, "stands", "debris")
		tellHazards(t, k, o.ID, stands)
		must(t, k.Purge(t.Context()))
		if !known(first) || left() != 451 {
			t.Errorf("30 days later: %d left", left())
		}
		k.Pass(time.Minute)
		must(t, k.Purge(t.Context()))
		if known(first) || left() != 1 || !known(onlyHazard(t, k, user).ID) {
			t.Errorf("a minute later: %d left", left())
		}
		took(t, "its sender again", tellHazards(t, k, o.ID, danger(k, "Q-0", "debris")), 1, 0)
	})
}
