package app_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// openTime is a span of the slow model.
type openTime struct{ from, to fleet.Instant }

// modeled is a closure of the simulated year: the row's id and when it stands.
type modeled struct {
	id    string
	spans []openTime
}

func (m *modeled) opens(at fleet.Instant) bool {
	for _, s := range m.spans {
		if s.from <= at && at < s.to {
			return true
		}
	}
	return false
}

// published is a closure that every feed takes.
func published(n int) wire.ClosureWrite {
	in := newClosure(fmt.Sprintf("Work %d", n))
	in.IsWZDxCompliant, in.ExternalID, in.RoadName, in.Direction = ref(true), ref(fmt.Sprintf("DE-%d", n)), ref("I-95"), ref("N")
	in.LocationMethod, in.VehicleImpact = ref("unknown"), ref("flagging")
	return in
}

// nightly is a pattern, and the slow model of its nights.
func nightly(start time.Time, zone string, hour, minutes int, days ...int) (wire.Pattern, []openTime) {
	place, _ := time.LoadLocation(zone)
	first, last := start.AddDate(0, 0, -2), start.AddDate(0, 11, 0)
	text, _ := json.Marshal(fleet.Recurrence{Days: days, Start: fmt.Sprintf("%02d:15", hour), Minutes: minutes, From: first.Format("2006-01-02"),
		Until: last.Format("2006-01-02"), Except: []string{start.AddDate(0, 1, 0).Format("2006-01-02")}, Timezone: zone})
	var spans []openTime
	for day := first; !day.After(last); day = day.AddDate(0, 0, 1) {
		weekday := (int(day.Weekday())+6)%7 + 1
		for _, d := range days {
			if d == weekday && day.Format("2006-01-02") != start.AddDate(0, 1, 0).Format("2006-01-02") {
				from := fleet.InstantOf(time.Date(day.Year(), day.Month(), day.Day(), hour, 15, 0, 0, place))
				spans = append(spans, openTime{from, from.Add(time.Duration(minutes) * time.Minute)})
			}
		}
	}
	return text, spans
}

// A year by the clock of the tests, in which the clock's job hardly ever runs: no
// list, no row and no document says of a closure that it is open when it is not, or the reverse.
func TestNoAnswerOutlivesAClosure(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a := k.Organization("A")
	if _, err := k.UpdateOrganization(t.Context(), access.System(), a.ID, wire.OrganizationWrite{IsWZDxOrg: ref(true)}); err != nil {
		t.Fatal(err)
	}
	admin, start, random := k.User(a.ID, "administrator"), k.Now(), rand.New(rand.NewPCG(1, 2))
	var all []*modeled
	add := func(in wire.ClosureWrite, spans ...openTime) *modeled {
		t.Helper()
		row, _, err := k.Closures.Create(t.Context(), admin, in)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, &modeled{row.ID, spans})
		return all[len(all)-1]
	}
	now := k.At()
	for n := range 12 { // one time each, begun or to come
		in := published(n)
		from := now.Add(time.Duration(random.IntN(300*24*60)) * time.Minute)
		to := from.Add(time.Duration(1+random.IntN(60*24*60)) * time.Minute)
		if n%3 == 0 {
			from, in.IsActive, in.EndTime = now, ref(true), ref(now.Add(to.Sub(from)))
			add(in, openTime{now, *in.EndTime})
			continue
		}
		in.StartTime, in.EndTime = &from, &to
		add(in, openTime{from, to})
	}
	for n, zone := range []string{"America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "UTC"} {
		in := published(100 + n)
		pattern, spans := nightly(start, zone, []int{21, 5, 12, 0}[n], []int{480, 60, 1440, 600}[n], []int{1, 2, 3, 4, 5}[n:]...)
		in.Recurrence = pattern
		add(in, spans...)
	}
	byHand := add(published(200))
	feeds, asked := k.Device(a.ID), 0
	for step := 0; k.Now().Before(start.AddDate(1, 0, 0)); step++ {
		now := k.At()
		switch step % 40 { // a hand begins one, and ends it long before its end
		case 7:
			end := now.Add(30 * 24 * time.Hour)
			second(k.Closures.Edit(t.Context(), admin, byHand.id, 0, wire.ClosureWrite{IsActive: ref(true), EndTime: &end}))
			byHand.spans = append(byHand.spans, openTime{now, end})
		case 11:
			second(k.Closures.Edit(t.Context(), admin, byHand.id, 0, wire.ClosureWrite{IsActive: ref(false)}))
			byHand.spans[len(byHand.spans)-1].to = now
		}
		if step%50 == 20 { // some are asked about, and nobody answers
			if err := k.RunClosures(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, m := range all {
				if row := second2(k.Closures.Read(t.Context(), admin, m.id)); row.AskedAt == now {
					m.shorten(now)
					asked++
				}
			}
		}
		judge(t, k, admin, feeds, a.ID, all)
		if t.Failed() {
			t.Fatalf("at %v", k.Now())
		}
		if step%3 == 0 { // at the very end of something
			end := all[random.IntN(len(all))].next(now)
			k.Pass(time.Duration(end-now) * time.Millisecond)
		} else {
			k.Pass(time.Duration(1+random.IntN(20*60)) * time.Minute)
		}
	}
	if asked < 5 {
		t.Errorf("only %d were asked about", asked)
	}
}

// shorten ends what stands 90 minutes after a question.
func (m *modeled) shorten(asked fleet.Instant) {
	for i, s := range m.spans {
		if s.from <= asked && asked < s.to {
			m.spans[i].to = min(s.to, asked.Add(90*time.Minute))
		}
	}
}

// next is the next start or end after an instant; the instant itself when there is none.
func (m *modeled) next(now fleet.Instant) fleet.Instant {
	out := now
	for _, s := range m.spans {
		for _, at := range []fleet.Instant{s.from, s.to} {
			if at > now && (out == now || at < out) {
				out = at
			}
		}
	}
	return out
}

// judge holds every answer about closures against the model.
func judge(t *testing.T, k *apptest.Kit, admin, feeds *access.Actor, organizationID string, all []*modeled) {
	t.Helper()
	now, opens := k.At(), map[string]bool{}
	for i, m := range all {
		opens[m.id] = m.opens(now)
		if i%5 != int(now)%5 {
			continue
		}
		if row, err := k.Closures.Read(t.Context(), admin, m.id); err != nil || row.IsActive != opens[m.id] {
			t.Errorf("%s: alone it is active: %v %v", row.Description, row.IsActive, err)
		}
	}
	rows, _, err := k.Closures.List(t.Context(), admin, app.Rows{})
	if err != nil || len(rows) != len(all) {
		t.Fatal(len(rows), err)
	}
	names := map[string]bool{}
	for _, row := range rows {
		names[row.ExternalID] = opens[row.ID]
		stands := row.StartTime != 0 && row.StartTime <= now && now < row.EndTime
		if row.IsActive != opens[row.ID] || stands != row.IsActive || (row.Status == "active") != row.IsActive || row.IsActive == (row.EndedAt != 0) && row.LastStartTime != 0 {
			t.Errorf("%s: it is open: %v, and says %+v", row.Description, opens[row.ID], row)
		}
	}
	seen := map[string]bool{}
	doc, err := k.Feed(t.Context(), feeds, organizationID, "wzdx-4.2.geojson")
	var body struct {
		Features []struct {
			ID         string
			Properties struct {
				Start    time.Time `json:"start_date"`
				End      time.Time `json:"end_date"`
				Verified bool      `json:"is_end_date_verified"`
			}
		}
	}
	if err != nil || json.Unmarshal(doc.Body, &body) != nil {
		t.Fatal(err, string(doc.Body))
	}
	for _, f := range body.Features {
		seen[f.ID] = true
		from, to := f.Properties.Start, f.Properties.End
		stands := !from.After(k.Now()) && k.Now().Before(to)
		if stands != names[f.ID] || !from.Before(to) || !to.After(k.Now()) != f.Properties.Verified {
			t.Errorf("%s: it is open: %v, and the feed says %v to %v, verified %v", f.ID, names[f.ID], from, to, f.Properties.Verified)
		}
	}
	for name, isOpen := range names {
		if isOpen && !seen[name] {
			t.Errorf("%s stands and is not in the feed", name)
		}
	}
	for _, path := range []string{"cwz-1.0.geojson", "cifs.json", "cifs.xml", "closures.geojson"} {
		if _, err := k.Feed(t.Context(), feeds, organizationID, path); err != nil {
			t.Error(path, err)
		}
	}
	var plain struct {
		Features []struct {
			Properties struct {
				ExternalID string `json:"external_id"`
				Status     string
			}
		}
	}
	if doc, err := k.Feed(t.Context(), feeds, organizationID, "closures.geojson"); err != nil || json.Unmarshal(doc.Body, &plain) != nil {
		t.Fatal(err)
	}
	for _, f := range plain.Features {
		if (f.Properties.Status == "active") != names[f.Properties.ExternalID] {
			t.Errorf("%s: %s", f.Properties.ExternalID, f.Properties.Status)
		}
	}
}

// The server is down for two hours in which a closure ends and another's question
// is not answered: the first answers tell the truth, and the first round of the
// clock tells the stream.
func TestAServerThatWasDownTellsTheTruthAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a := k.Organization("A")
		admin := k.User(a.ID, "administrator")
		until := func(d time.Duration) wire.ClosureWrite {
			in := newClosure("Paving")
			in.IsActive, in.EndTime = ref(true), ref(k.At().Add(d))
			return in
		}
		short := second2(first(k.Closures.Create(t.Context(), admin, until(5*time.Hour))))
		long := second2(first(k.Closures.Create(t.Context(), admin, until(48*time.Hour))))
		k.Pass(4 * time.Hour)
		if err := k.RunClosures(t.Context()); err != nil {
			t.Fatal(err)
		}
		if row := second2(k.Closures.Read(t.Context(), admin, long.ID)); row.AskedAt != k.At() || row.Version != 1 || *row.ResponsibleUserID != admin.UserID {
			t.Fatalf("nobody was asked: %+v", row)
		}
		asked := k.At()
		k.Pass(2 * time.Hour)
		k.Open(s, live.Options{})
		for id, want := range map[string]struct {
			end    fleet.Instant
			reason string
		}{short.ID: {short.EndTime, ""}, long.ID: {asked.Add(90 * time.Minute), "unanswered"}} {
			row := second2(k.Closures.Read(t.Context(), admin, id))
			if row.IsActive || row.Status != "standby" || row.EndedAt != want.end || row.EndReason != want.reason || row.AskedAt != 0 {
				t.Errorf("the first answer: %+v", row)
			}
		}
		before := second2(k.Closures.Read(t.Context(), admin, short.ID)).UpdatedAt
		for range 2 { // the second round has nothing to tell
			if err := k.RunClosures(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		row := second2(k.Closures.Read(t.Context(), admin, short.ID))
		if row.UpdatedAt <= before || row.Version != 1 {
			t.Errorf("the clock told nobody: %+v", row)
		}
		k.Pass(time.Hour)
		if err := k.RunClosures(t.Context()); err != nil {
			t.Fatal(err)
		}
		if again := second2(k.Closures.Read(t.Context(), admin, short.ID)); again.UpdatedAt != row.UpdatedAt {
			t.Error("what has been told is told again")
		}
	})
}

func first[T any](v T, _ bool, err error) (T, error) { return v, err }

// Who answers for a closure, and what their answers do.
func TestWhoAnswersForAClosure(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a, b := k.Organization("A"), k.Organization("B")
		admin, colleague, stranger := k.User(a.ID, "administrator"), k.User(a.ID, "operator"), k.User(b.ID, "administrator")
		in := newClosure("Paving")
		in.UUID = ref(wire.ID("01900000-0000-7000-8000-0000000c0001"))
		in.IsActive, in.EndTime = ref(true), ref(k.At().Add(24*time.Hour))
		row := second2(first(k.Closures.Create(t.Context(), admin, in)))
		if row.VerifiedAt != k.At() || row.VerifiedBy == nil || row.VerifiedBy.ID != admin.UserID || row.VerifiedBy.Name == "" {
			t.Errorf("who makes it has seen it: %+v", row)
		}
		k.Pass(time.Minute)
		if again, was, err := k.Closures.Create(t.Context(), admin, in); err != nil || !was || again.StartTime != row.StartTime {
			t.Errorf("sent again a minute later: %v %v", was, err)
		}
		charge := func(id string) error {
			return second(k.Closures.Edit(t.Context(), admin, row.ID, 0, wire.ClosureWrite{ResponsibleUserID: ref(wire.ID(id))}))
		}
		for _, id := range []string{stranger.UserID, k.NewID()} {
			if refusal := refusalOf(t, charge(id)); refusal.Fields["responsible_user_id"] != "User not found" {
				t.Errorf("%+v", refusal)
			}
		}
		if err := charge(colleague.UserID); err != nil {
			t.Fatal(err)
		}
		k.Pass(5 * time.Hour)
		if err := k.RunClosures(t.Context()); err != nil {
			t.Fatal(err)
		}
		answer := func(by *access.Actor, in wire.ClosureConfirm) (wire.Closure, error) {
			return k.ConfirmClosure(t.Context(), by, row.ID, in)
		}
		if refusal := refusalOf(t, second(answer(stranger, wire.ClosureConfirm{Answer: "moved"}))); refusal.Code != "not_found" {
			t.Errorf("a stranger's answer: %+v", refusal)
		}
		if refusal := refusalOf(t, second(answer(k.User(a.ID, "viewer"), wire.ClosureConfirm{Answer: "moved"}))); refusal.Code != "forbidden" {
			t.Errorf("a viewer's answer: %+v", refusal)
		}
		k.Pass(45 * time.Minute)
		if now := second2(k.Closures.Read(t.Context(), admin, row.ID)); !now.EndIsEstimated || now.EndTime >= row.EndTime || now.AskedAt == 0 {
			t.Errorf("unanswered: %+v", now)
		}
		later := k.At().Add(30 * time.Hour)
		if now, err := answer(colleague, wire.ClosureConfirm{Answer: "still", EndTime: later}); err != nil || now.EndTime != later || now.EndIsEstimated ||
			now.VerifiedAt != k.At() || now.VerifiedBy.ID != colleague.UserID || now.AskedAt != 0 || now.StartTime != row.StartTime {
			t.Errorf("still there: %+v %v", now, err)
		}
		if now, err := answer(colleague, wire.ClosureConfirm{Answer: "moved"}); err != nil || now.IsActive || now.EndReason != "moved" || now.EndedAt != k.At() {
			t.Errorf("moved: %+v %v", now, err)
		}
	})
}
