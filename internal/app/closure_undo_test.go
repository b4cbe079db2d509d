package app_test

import (
	"encoding/json"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/wire"
)

// closureSaid is what people say of a closure, whatever its version and who saw it last.
func closureSaid(t *testing.T, row wire.Closure) string {
	t.Helper()
	row.Version, row.UpdatedAt, row.VerifiedAt, row.VerifiedBy = 0, 0, 0, nil
	text, err := json.Marshal(row)
	must(t, err)
	return string(text)
}

func (s *site) edit(row wire.Closure, in wire.ClosureWrite) wire.Closure {
	s.t.Helper()
	out, err := s.Closures.Edit(s.t.Context(), s.admin, row.ID, row.Version, in)
	s.must(err)
	return out
}

func (s *site) undo(row wire.Closure) wire.Closure {
	s.t.Helper()
	out, err := s.Closures.Undo(s.t.Context(), s.admin, row.ID, row.Version)
	s.must(err)
	return out
}

func eachSite(t *testing.T, run func(*testing.T, *site)) {
	storetest.Each(t, func(t *testing.T, s *store.Store) { run(t, newSite(t, s, live.Options{})) })
}

func TestEveryEditOfAClosureIsUndone(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		_, err := s.UpdateOrganization(t.Context(), access.System(), s.org, wire.OrganizationWrite{IsWZDxOrg: ref(true)})
		must(t, err)
		other := s.User(s.org, "operator")
		in := published(1)
		in.IsActive, in.EndTime, in.TotalLanes, in.ImpactedLanes = ref(true), ref(s.At().Add(8*time.Hour)), ref(3), &[]int{1}
		row := s.make(in)
		pattern, _ := nightly(s.Now(), "America/New_York", 21, 60, 1, 2, 3, 4, 5, 6, 7)
		for what, edit := range map[string]wire.ClosureWrite{
			"its words":      {Description: ref("Bridge work"), AlertMessage: ref("Slow down"), GroupID: ref("G-1")},
			"its lanes":      {TotalLanes: ref(0), ImpactedLanes: &[]int{}},
			"its line":       {UserRoute: &[]fleet.LatLng{{Lat: 39.8, Lng: -75.5}, {Lat: 39.82, Lng: -75.5}}, RoadName: ref("DE 52"), Direction: ref("S")},
			"its publishing": {IsWZDxCompliant: ref(false), ExternalID: ref(""), LocationMethod: ref(""), VehicleImpact: ref("")},
			"its service":    {IsInService: ref(false)},
			"its user":       {ResponsibleUserID: ref(wire.ID(other.UserID))},
			"its end":        {IsActive: ref(true), EndTime: ref(s.At().Add(20 * time.Hour))},
			"its ending":     {IsActive: ref(false)},
			"its pattern":    {Recurrence: pattern},
		} {
			s.Pass(time.Minute)
			changed := s.edit(row, edit)
			if closureSaid(t, changed) == closureSaid(t, row) {
				t.Fatalf("%s: the edit changes nothing", what)
			}
			s.Pass(time.Minute)
			back := s.undo(changed)
			if closureSaid(t, back) != closureSaid(t, row) {
				t.Fatalf("%s: undone\n%s\nof\n%s\nnot\n%s", what, closureSaid(t, back), closureSaid(t, changed), closureSaid(t, row))
			}
			row = back
		}
	})
}

// What an undo says of the present is so: it neither opens a closure whose time has passed nor forgets that one stood.
func TestUndoneTimesOfAClosureAreTrue(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		in := newClosure("Paving")
		in.IsActive, in.EndTime = ref(true), ref(s.At().Add(time.Hour))
		row := s.make(in)

		longer := s.edit(row, wire.ClosureWrite{IsActive: ref(true), EndTime: ref(s.At().Add(5 * time.Hour))})
		s.Pass(2 * time.Hour)
		if back := s.undo(longer); back.IsActive || back.EndedAt != s.At() || back.EndReason != fleet.ClosureEnded {
			t.Errorf("it stood past its earlier end, and now is %+v", back)
		}

		row = s.edit(s.closure(row.ID), wire.ClosureWrite{IsActive: ref(true), EndTime: ref(s.At().Add(time.Hour))})
		off := s.edit(row, wire.ClosureWrite{IsActive: ref(false)})
		s.Pass(10 * time.Minute)
		back := s.undo(off)
		if !back.IsActive || back.EndTime != row.EndTime || back.VerifiedAt != s.At() || back.VerifiedBy.ID != s.admin.UserID {
			t.Errorf("ended by mistake, it is back as %+v", back)
		}
		off = s.edit(back, wire.ClosureWrite{IsActive: ref(false)})
		s.Pass(2 * time.Hour)
		if _, err := s.Closures.Undo(t.Context(), s.admin, row.ID, off.Version); refusalOf(t, err).Code != "undo_nothing" {
			t.Errorf("its end has passed, and the undo says %v", err)
		}

		begins, ends := s.At().Add(24*time.Hour), s.At().Add(26*time.Hour)
		planned := s.edit(off, wire.ClosureWrite{IsActive: ref(false), StartTime: &begins, EndTime: &ends})
		now := s.edit(planned, wire.ClosureWrite{IsActive: ref(true), EndTime: &ends})
		s.Pass(time.Minute)
		if back := s.undo(now); back.IsActive || back.StartTime != begins || back.EndTime != ends || back.LastStartTime != now.StartTime {
			t.Errorf("begun too early, it is back as %+v", back)
		}
	})
}

// A night that was ended by hand stays ended when the pattern comes back, and is open again when that end is undone.
func TestUndoneNightsOfAClosure(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		in := newClosure("Nights")
		in.Recurrence, _ = nightly(s.Now(), "UTC", s.Now().UTC().Hour(), 120, 1, 2, 3, 4, 5, 6, 7)
		row := s.make(in)
		for !s.closure(row.ID).IsActive {
			s.Pass(10 * time.Minute)
		}
		row = s.closure(row.ID)
		off := s.edit(row, wire.ClosureWrite{IsActive: ref(false)})
		s.Pass(time.Minute)
		back := s.undo(off)
		if !back.IsActive || back.EndTime != row.EndTime {
			t.Errorf("the night is back as %+v", back)
		}
		off = s.edit(back, wire.ClosureWrite{IsActive: ref(false)})
		s.Pass(time.Minute)
		without := s.edit(off, wire.ClosureWrite{Recurrence: wire.Pattern("null")})
		s.Pass(time.Minute)
		if back := s.undo(without); back.IsActive || back.Recurrence == nil || back.StartTime <= s.At() || back.EndedAt != off.EndedAt {
			t.Errorf("the pattern is back as %+v, the night ended at %v", back, off.EndedAt)
		}
	})
}

func TestADeletedClosureComesBack(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		in := newClosure("Paving")
		in.IsActive, in.EndTime, in.ExternalID = ref(true), ref(s.At().Add(3*time.Hour)), ref("DE-1")
		row := s.make(in)
		remove := func(row wire.Closure) wire.Closure {
			must(t, s.Closures.Remove(t.Context(), s.admin, row.ID))
			row.Version++
			return row
		}
		s.Pass(time.Minute)
		back := s.undo(remove(row))
		if closureSaid(t, back) != closureSaid(t, row) || back.VerifiedAt != s.At() || !s.closure(row.ID).IsActive {
			t.Errorf("it is back as %+v", back)
		}
		list, _, err := s.ListUndo(t.Context(), s.User(s.org, "administrator"), nil)
		if err != nil || len(list) != 1 || list[0].Noun != "closure" || list[0].Verb != "restore" || list[0].Name != "Paving" {
			t.Errorf("it is listed as %+v, %v", list, err)
		}
		if gone := s.undo(back); !gone.IsDeleted {
			t.Errorf("deleted again, it is %+v", gone)
		}
		back.Version++
		back = s.undo(back)

		gone := remove(back)
		s.Pass(4 * time.Hour)
		late := s.undo(gone)
		if late.IsActive || late.EndedAt != row.EndTime {
			t.Errorf("back after its end it is %+v", late)
		}
		gone = remove(late)
		second := newClosure("Other")
		second.ExternalID = ref("DE-1")
		s.make(second)
		if _, err := s.Closures.Undo(t.Context(), s.admin, row.ID, gone.Version); refusalOf(t, err).Fields["external_id"] == "" {
			t.Errorf("another has its id, and the undo says %v", err)
		}
		viewer := s.User(s.org, "viewer")
		if _, err := s.Closures.Undo(t.Context(), viewer, row.ID, gone.Version); refusalOf(t, err).Code != "forbidden" {
			t.Errorf("by a viewer: %v", err)
		}
		operator := s.User(s.org, "operator") // edits, but does not delete
		if _, err := s.Closures.Undo(t.Context(), operator, row.ID, gone.Version); refusalOf(t, err).Code != "forbidden" {
			t.Errorf("by an operator: %v", err)
		}
		s.Pass(25 * time.Hour)
		if _, err := s.Closures.Undo(t.Context(), s.admin, row.ID, gone.Version); refusalOf(t, err).Code != "undo_expired" {
			t.Errorf("after a day: %v", err)
		}
	})
}

// The asset of an automated closure is put back, too; its times stay the board's.
func TestAnEditOfAnAutomatedClosureIsUndone(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		row := s.make(automated(s.boards[0].ID))
		s.report(board(true))
		row = s.closure(row.ID)
		other := s.edit(row, wire.ClosureWrite{ThingID: ref(wire.ID(s.boards[1].ID)), Description: ref("Other board")})
		if other.IsActive || other.Thing.ID != s.boards[1].ID {
			t.Fatalf("with the other board it is %+v", other)
		}
		s.Pass(time.Minute)
		s.report(board(true))
		if back := s.undo(other); !back.IsActive || back.Thing.ID != s.boards[0].ID || back.Description != row.Description {
			t.Errorf("it is back as %+v", back)
		}
		gone := s.closure(row.ID)
		must(t, s.Closures.Remove(t.Context(), s.admin, row.ID))
		s.make(automated(s.boards[0].ID))
		gone.Version++
		if _, err := s.Closures.Undo(t.Context(), s.admin, row.ID, gone.Version); refusalOf(t, err).Fields["thing_id"] == "" {
			t.Errorf("another has its board, and the undo says %v", err)
		}
	})
}
