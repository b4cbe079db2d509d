package app_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/geo"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// site is a test of automated closures: an organization that publishes, and its boards B-0 and B-1.
type site struct {
	*apptest.Kit
	t      *testing.T
	org    string
	admin  *access.Actor
	boards []wire.Thing
}

func newSite(t *testing.T, s *store.Store, o live.Options) *site {
	k := apptest.NewWith(t, s, o)
	a := k.Organization("A")
	out := &site{Kit: k, t: t, org: a.ID, admin: k.User(a.ID, "administrator")}
	for _, name := range []string{"B-0", "B-1"} {
		made, err := k.RegisterThings(t.Context(), access.System(), []app.NewThing{{OrganizationID: a.ID, SystemName: name, ExternalID: "ext " + name,
			Type: "arrow_board", DeviceType: "ha5"}})
		out.must(err)
		out.boards = append(out.boards, made[0])
	}
	return out
}

func (s *site) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func automated(thingID string) wire.ClosureWrite {
	in := newClosure("Mobile paving")
	in.ClosureType, in.ThingID, in.ExternalID = ref("automated"), ref(wire.ID(thingID)), ref("DE-"+thingID)
	return in
}

func (s *site) make(in wire.ClosureWrite) wire.Closure {
	s.t.Helper()
	row, _, err := s.Closures.Create(s.t.Context(), s.admin, in)
	s.must(err)
	return row
}

// closure reads a closure alone and in the list, which say the same.
func (s *site) closure(id string) wire.Closure {
	s.t.Helper()
	row, err := s.Closures.Read(s.t.Context(), s.admin, id)
	s.must(err)
	rows, _, err := s.Closures.List(s.t.Context(), s.admin, app.Rows{})
	s.must(err)
	i := slices.IndexFunc(rows, func(r wire.Closure) bool { return r.ID == id })
	if rows[i].IsActive != row.IsActive || rows[i].Status != row.Status || rows[i].EndTime != row.EndTime || rows[i].EndReason != row.EndReason {
		s.t.Fatalf("the list says %+v, the closure %+v", rows[i], row)
	}
	if row.IsActive && row.EndTime <= s.At() {
		s.t.Fatalf("it stands, and ended %v ago", s.At().Sub(row.EndTime))
	}
	return row
}

func (s *site) thing(i int) wire.Thing {
	s.t.Helper()
	_, _, row, _ := s.Live.Thing(s.boards[i].ID)
	return row
}

func (s *site) report(reports ...fleet.Report) {
	s.t.Helper()
	for i := range reports {
		if reports[i].At == 0 {
			reports[i].At = s.At()
		}
		if reports[i].Asset == "" {
			reports[i].Asset = "B-0"
		}
	}
	result, err := s.RecordPoints(s.t.Context(), s.Device(s.org), app.ReportBatch{Reports: reports})
	if err != nil || len(result.Refused) > 0 {
		s.t.Fatalf("%+v %v", result, err)
	}
}

func board(on bool) fleet.Report {
	return fleet.Report{Kind: fleet.ReportClosure, HasAlerting: true, Alerting: on, Pattern: "right-arrow-flashing"}
}

var heartbeat = fleet.Report{Kind: fleet.ReportHeartbeat}

// A board switched on makes its closure stand and shows it on the asset; while it
// is heard the estimated end moves, rarely written; switched off it ends.
//
// spec: 1.feat.02 3.clos.05 3.thing.11 4.closure.01 4.closure.03 4.live.04 D.closure.03
func TestABoardDrivesItsClosure(t *testing.T) {
	storetest.Each(t, func(t *testing.T, st *store.Store) {
		s := newSite(t, st, live.Options{})
		heard := listenTo(t, s.Kit)
		made := s.make(automated(s.boards[0].ID))
		if made.IsActive || made.Status != "offline" || made.ClosureType != "automated" || made.Thing == nil || made.Thing.HaasID != "B-0" || made.Version != 1 {
			t.Fatalf("made %+v", made)
		}
		s.report(board(true))
		on := s.closure(made.ID)
		if !on.IsActive || on.Status != "active" || on.StartTime != s.At() || on.EndTime != s.At().Add(time.Hour) || !on.EndIsEstimated || on.VerifiedAt != s.At() ||
			on.VerifiedBy == nil || on.VerifiedBy.Kind != "thing" || on.VerifiedBy.ID != s.boards[0].ID || on.Version != 1 || on.Thing.HeartbeatDatetime != s.At() {
			t.Fatalf("switched on %+v", on)
		}
		if row := s.thing(0); row.Status != "active" || !slices.Equal(row.Closures, []wire.ClosureRef{{ID: made.ID, ExternalID: *automated(s.boards[0].ID).ExternalID}}) {
			t.Errorf("the asset %+v", row.Live)
		}
		var said struct {
			Closure wire.Closure
			Live    wire.Live
		}
		for _, item := range heard(s.org)[s.org] {
			if item.Key == made.ID || item.Key == s.boards[0].ID {
				s.must(json.Unmarshal(item.Body, &said))
			}
		}
		if !reflect.DeepEqual(said.Closure, on) || len(said.Live.Closures) != 1 || said.Live.Status != "active" {
			t.Errorf("the stream says %+v and %+v", said.Closure, said.Live)
		}
		writes, was := 0, on.UpdatedAt
		for range 180 {
			s.Pass(time.Minute)
			s.report(heartbeat)
			now := s.closure(made.ID)
			if ahead := now.EndTime.Sub(s.At()); !now.IsActive || now.StartTime != on.StartTime || ahead <= 30*time.Minute || ahead > time.Hour || now.VerifiedAt != s.At() {
				t.Fatalf("after %v it ends in %v, verified %v", s.At().Sub(on.StartTime), ahead, now.VerifiedAt)
			}
			if now.UpdatedAt != was {
				writes, was = writes+1, now.UpdatedAt
			}
		}
		if writes != 6 {
			t.Errorf("%d writes in 3 hours", writes)
		}
		s.Pass(time.Minute)
		s.report(board(false))
		if off := s.closure(made.ID); off.IsActive || off.Status != "standby" || off.EndReason != "board" || off.EndedAt != s.At() || off.EndTime != 0 ||
			off.LastStartTime != on.StartTime || off.EndIsEstimated {
			t.Errorf("switched off %+v", off)
		}
		if row := s.thing(0); row.Status != "standby" || len(row.Closures) != 0 {
			t.Errorf("the asset %+v", row.Live)
		}
		s.Pass(time.Minute)
		if s.report(heartbeat); s.thing(0).Status != "standby" || s.closure(made.ID).IsActive {
			t.Error("a heartbeat switched it on")
		}
		s.Pass(9 * time.Hour)
		if now := s.closure(made.ID); now.Status != "pending" {
			t.Errorf("after 9 h %s", now.Status)
		}
		s.Pass(88 * time.Hour)
		if now := s.closure(made.ID); now.Status != "offline" {
			t.Errorf("after 97 h %s", now.Status)
		}
	})
}

// Whether or not the clock's job runs, and over a restart: silent for an hour it
// is not verified any more, for 8 hours it has ended.
//
// spec: D.closure.04
func TestASilentBoardEndsItsClosure(t *testing.T) {
	for _, how := range []string{"no job", "job", "restart"} {
		t.Run(how, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, st *store.Store) {
				s := newSite(t, st, live.Options{})
				made := s.make(automated(s.boards[0].ID))
				s.report(board(true))
				s.Pass(10 * time.Minute)
				s.report(heartbeat)
				heard := s.At()
				look := func() wire.Closure {
					t.Helper()
					switch how {
					case "job":
						s.must(s.AgeDue(t.Context()))
					case "restart":
						s.Open(st, live.Options{})
					}
					return s.closure(made.ID)
				}
				for silent, end := range map[time.Duration]time.Duration{59 * time.Minute: time.Hour} {
					s.Pass(silent)
					if now := look(); !now.IsActive || now.EndTime != heard.Add(end) || now.VerifiedAt != heard {
						t.Errorf("silent for %v: %+v", silent, now)
					}
				}
				s.Pass(time.Minute)
				for range 7 {
					if now := look(); !now.IsActive || now.EndTime != heard.Add(8*time.Hour) || now.VerifiedAt != heard || !now.EndIsEstimated {
						t.Errorf("silent for %v: %+v", s.At().Sub(heard), now)
					}
					s.Pass(time.Hour - time.Millisecond)
				}
				s.Pass(7 * time.Millisecond)
				if now := look(); now.IsActive || now.EndedAt != heard.Add(8*time.Hour) || now.EndReason != "silent" {
					t.Errorf("silent for 8 h: %+v", now)
				}
				if row := s.thing(0); len(row.Closures) != 0 {
					t.Errorf("the asset %+v", row.Closures)
				}
				s.Pass(time.Hour)
				s.report(heartbeat) // its board is still on
				if now := look(); !now.IsActive || now.StartTime != s.At() || now.EndReason != "" {
					t.Errorf("heard again: %+v", now)
				}
			})
		})
	}
}

// A board that was silent for 8 hours and says afterwards that it is off ended its
// closure by its silence, whoever looked meanwhile.
func TestAWordAfterTheSilenceDoesNotMoveTheEnd(t *testing.T) {
	s := newSite(t, storetest.SQLite(t), live.Options{})
	made := s.make(automated(s.boards[0].ID))
	s.report(board(true))
	heard := s.At()
	s.Pass(9 * time.Hour)
	s.report(board(false))
	if now := s.closure(made.ID); now.IsActive || now.EndedAt != heard.Add(8*time.Hour) || now.EndReason != "silent" {
		t.Errorf("off after 9 h of silence: %+v", now)
	}
}

// What was answered is in the database: a server that is gone the moment after
// begins with the closure as the report made it.
func TestAReportAndItsClosureAreOneCommit(t *testing.T) {
	storetest.Each(t, func(t *testing.T, st *store.Store) {
		s := newSite(t, st, live.Options{})
		made := s.make(automated(s.boards[0].ID))
		s.report(board(true))
		row, err := store.Closures.ByID(t.Context(), st.Reader(), made.ID)
		if err != nil || row.StartAt != s.At() {
			t.Fatalf("stored %+v %v", row, err)
		}
		began := s.At()
		s.Open(st, live.Options{}) // nothing was flushed
		if now := s.closure(made.ID); now.StartTime != began || len(s.thing(0).Closures) != 1 {
			t.Errorf("after a crash %+v", now)
		}
		s.Pass(time.Minute)
		s.report(fleet.Report{Kind: fleet.ReportClosure, At: s.At() - 1, HasAlerting: true}, board(true))
		row, err = store.Closures.ByID(t.Context(), st.Reader(), made.ID)
		if err != nil || row.StartAt != s.At() || row.LastStartAt != began {
			t.Errorf("off and on in one batch %+v %v", row, err)
		}
	})
}

// Without its own record a board makes none; a closure of a board that is on
// stands from the moment that somebody makes it.
//
// spec: 4.closure.03
func TestABoardWithoutARecordMakesNoClosure(t *testing.T) {
	s := newSite(t, storetest.SQLite(t), live.Options{})
	s.report(board(true))
	rows, _, err := s.Closures.List(t.Context(), s.admin, app.Rows{})
	if err != nil || len(rows) != 0 || s.thing(0).Status != "active" || len(s.thing(0).Closures) != 0 {
		t.Fatalf("%d closures %v, %+v", len(rows), err, s.thing(0).Live)
	}
	s.Pass(time.Minute)
	made := s.make(automated(s.boards[0].ID))
	if !made.IsActive || made.StartTime != s.At() || made.EndTime != s.At().Add(59*time.Minute) || len(s.thing(0).Closures) != 1 {
		t.Errorf("made %+v", made)
	}
	moved, err := s.Closures.Edit(t.Context(), s.admin, made.ID, 0, wire.ClosureWrite{ThingID: ref(wire.ID(s.boards[1].ID))})
	if err != nil || moved.IsActive || moved.EndReason != "ended" || len(s.thing(0).Closures) != 0 || moved.Thing.ID != s.boards[1].ID {
		t.Errorf("of another board %+v %v", moved, err)
	}
	s.report(fleet.Report{Kind: fleet.ReportClosure, Asset: "B-1", HasAlerting: true, Alerting: true})
	if now := s.closure(made.ID); !now.IsActive || len(s.thing(1).Closures) != 1 {
		t.Errorf("the other board is on %+v", now)
	}
	s.must(s.Closures.Remove(t.Context(), s.admin, made.ID))
	if len(s.thing(1).Closures) != 0 {
		t.Errorf("deleted: %+v", s.thing(1).Closures)
	}
	s.Pass(time.Minute)
	s.report(fleet.Report{Kind: fleet.ReportClosure, Asset: "B-1", HasAlerting: true, Alerting: true})
	if again := s.make(automated(s.boards[1].ID)); !again.IsActive {
		t.Errorf("a new one of the same board %+v", again)
	}
}

// spec: 5.closure.03 4.closure.04 9.list.05
func TestWhatAutomatedClosuresAreRefusedFor(t *testing.T) {
	s := newSite(t, storetest.SQLite(t), live.Options{})
	unit := s.Things(s.org, "U", 1)[0]
	other := s.Organization("B")
	foreign := s.Things(other.ID, "F", 1)[0]
	taken := s.make(automated(s.boards[1].ID))
	manual := s.make(newClosure("By hand"))
	for name, c := range map[string]struct {
		change func(in *wire.ClosureWrite)
		field  string
		says   string
	}{
		"no asset":    {func(in *wire.ClosureWrite) { in.ThingID = nil }, "thing_id", "Required"},
		"status":      {func(in *wire.ClosureWrite) { in.IsActive = ref(true) }, "is_active", "is controlled by its asset"},
		"start":       {func(in *wire.ClosureWrite) { in.StartTime = ref(s.At() + 1) }, "start_time", "is controlled by its asset"},
		"end":         {func(in *wire.ClosureWrite) { in.EndTime = ref(s.At() + 1) }, "end_time", "is controlled by its asset"},
		"not allowed": {func(in *wire.ClosureWrite) { in.ThingID = ref(wire.ID(unit.ID)) }, "thing_id", "Only an arrow board can drive"},
		"foreign":     {func(in *wire.ClosureWrite) { in.ThingID = ref(wire.ID(foreign.ID)) }, "", "Asset not found"},
		"taken":       {func(in *wire.ClosureWrite) { in.ThingID = ref(wire.ID(s.boards[1].ID)) }, "thing_id", "already has an automated closure"},
		"manual":      {func(in *wire.ClosureWrite) { in.ClosureType = ref("manual") }, "thing_id", "Only an automated closure"},
		"of a feed":   {func(in *wire.ClosureWrite) { in.ClosureType = ref("feed") }, "closure_type", "Unknown closure type"},
	} {
		in := automated(s.boards[0].ID)
		c.change(&in)
		_, _, err := s.Closures.Create(t.Context(), s.admin, in)
		refusal := refusalOf(t, err)
		if said := refusal.Fields[c.field]; c.field != "" && !strings.Contains(said, c.says) || c.field == "" && (refusal.Code != "thing_not_found" || refusal.Message != c.says) {
			t.Errorf("%s: %+v", name, refusal)
		}
	}
	for id, in := range map[string]wire.ClosureWrite{taken.ID: {ClosureType: ref("manual")}, manual.ID: {ClosureType: ref("automated"), ThingID: ref(wire.ID(s.boards[0].ID))}} {
		if refusal := refusalOf(t, second(s.Closures.Edit(t.Context(), s.admin, id, 0, in))); !strings.Contains(refusal.Fields["closure_type"], "can't be changed") {
			t.Errorf("another type: %+v", refusal)
		}
	}
	quick := wire.ClosureWrite{IsActive: ref(true), EndTime: ref(s.At().Add(time.Hour))}
	if refusal := refusalOf(t, second(s.Closures.Edit(t.Context(), s.admin, taken.ID, 0, quick))); len(refusal.Fields) != 2 {
		t.Errorf("activated by hand: %+v", refusal)
	}
}

// An asset that may not drive any more ends what it drove, at once.
func TestAnAssetThatIsTakenAwayEndsItsClosure(t *testing.T) {
	for _, how := range []string{"not allowed", "removed"} {
		s := newSite(t, storetest.SQLite(t), live.Options{})
		made := s.make(automated(s.boards[0].ID))
		s.report(board(true))
		s.Pass(time.Minute)
		if how == "removed" {
			s.must(s.DeleteThing(t.Context(), s.admin, s.boards[0].ID))
		} else {
			of := wire.ID(s.Things(s.org, "U", 1)[0].ThingTypeID)
			s.must(second(s.UpdateThing(t.Context(), s.admin, s.boards[0].ID, wire.ThingWrite{ThingTypeID: &of})))
		}
		now := s.closure(made.ID)
		if now.IsActive || now.EndReason != "ended" || now.EndedAt != s.At() || (now.Thing == nil) != (how == "removed") {
			t.Errorf("%s: %+v", how, now)
		}
	}
}

// The line begins where the board stands: along the road where one is known, as
// long as it was drawn, else the drawn line, moved. A few meters do not move it.
func TestALineFollowsItsBoard(t *testing.T) {
	at := func(lat, lng float64) fleet.Report {
		return fleet.Report{Kind: fleet.ReportPoint, Lat: lat, Lng: lng, HasLat: true, HasLng: true}
	}
	var asked []float64
	road := func(at geo.LatLng, heading, within, meters float64) ([]geo.LatLng, string) {
		asked = append(asked, heading, meters)
		if at.Lat > 39.9 {
			return nil, ""
		}
		return []geo.LatLng{at, {Lat: at.Lat, Lng: at.Lng + 0.01}}, "US 40"
	}
	s := newSite(t, storetest.SQLite(t), live.Options{Downstream: road})
	in := automated(s.boards[0].ID) // 1.1 km northwards from 39.7, -75.5
	in.Direction, in.StreetStart, in.RoadName = ref("N"), ref("Exit 5"), ref("I-95")
	made := s.make(in)
	s.report(at(39.7003, -75.5), board(true))
	if now := s.closure(made.ID); len(now.CalculatedRoute) != 0 || now.RoadName != "I-95" || len(asked) > 0 {
		t.Fatalf("33 m away: %+v", now)
	}
	s.Pass(time.Minute)
	s.report(at(39.75, -75.5))
	now := s.closure(made.ID)
	if len(now.CalculatedRoute) != 2 || now.CalculatedRoute[0].Lat != 39.75 || now.RoadName != "US 40" || now.StreetStart != "" || now.Direction != "N" ||
		asked[0] != 0 || asked[1] < 1100 || asked[1] > 1120 || now.Version != 1 {
		t.Errorf("on another road: %v %+v", asked, now)
	}
	if len(now.UserRoute) != 2 || now.UserRoute[0].Lat != 39.7 {
		t.Errorf("what was drawn has changed: %v", now.UserRoute)
	}
	s.Pass(time.Minute)
	s.report(at(39.95, -75.4))
	if now := s.closure(made.ID); len(now.CalculatedRoute) != 2 || now.CalculatedRoute[0] != (fleet.LatLng{Lat: 39.95, Lng: -75.4}) || now.RoadName != "" ||
		fleet.DistanceM(39.96, -75.4, now.CalculatedRoute[1].Lat, now.CalculatedRoute[1].Lng) > 1 {
		t.Errorf("beside all roads: %+v", now)
	}
	s.Pass(time.Minute)
	s.report(board(false))
	s.Pass(time.Minute)
	if s.report(at(39.7, -75.5)); s.closure(made.ID).CalculatedRoute[0].Lat != 39.95 {
		t.Error("its line followed a board that is off")
	}
}
