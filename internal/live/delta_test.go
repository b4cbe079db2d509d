package live_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
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

// dictionaries of a snapshot by the columns that point into them.
var dictionaries = map[string]string{"thing_type": "types", "thing_subtype": "subtypes", "device_type": "device_types", "organization": "orgs",
	"relations": "relation_set", "integrations": "integration_set", "street": "streets"}

// page holds assets as a browser does: column by column, from what is written.
type page struct {
	t    testing.TB
	rows map[string]map[string]any
	asOf fleet.Instant
}

// take puts an answer into the page.
func (p *page) take(s *wire.Snapshot) {
	p.t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		p.t.Fatal(err)
	}
	var answer map[string]any
	if err := json.Unmarshal(text, &answer); err != nil {
		p.t.Fatal(err)
	}
	ids := answer["id"].([]any)
	if len(ids) != s.Count {
		p.t.Fatalf("%d ids, count %d", len(ids), s.Count)
	}
	if s.Full {
		p.rows = map[string]map[string]any{}
	}
	for _, id := range answer["gone"].([]any) {
		delete(p.rows, id.(string))
	}
	for i, id := range ids {
		row := p.rows[id.(string)]
		if row == nil {
			row = map[string]any{}
			p.rows[id.(string)] = row
		}
		for name, column := range answer {
			values, ok := column.([]any)
			if name == "gone" || !ok || i >= len(values) || slices.Contains([]string{"types", "subtypes", "device_types", "orgs", "relation_set", "integration_set", "streets"}, name) {
				continue
			}
			row[name] = values[i]
			if d := dictionaries[name]; d != "" {
				row[name] = nil
				if at := int(values[i].(float64)); at >= 0 {
					row[name] = answer[d].([]any)[at]
				}
			}
		}
	}
	if p.asOf = s.AsOf; len(p.rows) != s.Total {
		p.t.Errorf("the page holds %d assets, the server says %d", len(p.rows), s.Total)
	}
}

// A page that asks for what changed holds what a whole answer says, whatever
// happened meanwhile and even within one millisecond, on both sides of a restart.
//
// spec: D.wire.05
func TestSnapshotDeltaMissesNothing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		streets := func(lat, _, _ float64) string { return fmt.Sprintf("Street %.2f", lat) }
		k := apptest.NewWith(t, s, live.Options{Street: streets})
		o, other := k.Organization("A"), k.Organization("B")
		things := k.Things(o.ID, "U", 30)
		k.Things(other.ID, "V", 5)
		user, editor := k.User(o.ID, "viewer"), k.User(o.ID, "administrator")
		r := rand.New(rand.NewPCG(7, 7))
		held := page{t: t}
		ask := func(since fleet.Instant) *wire.Snapshot {
			t.Helper()
			answer, err := k.ThingsSnapshot(t.Context(), user, []string{o.ID}, since)
			must(t, err)
			return answer
		}
		short := 0
		poll := func(what string) {
			t.Helper()
			answer := ask(held.asOf)
			if answer.Count > 0 && len(answer.Nickname) < answer.Count && !answer.Full {
				short++
			}
			held.take(answer)
			whole := page{t: t}
			whole.take(ask(0))
			if !reflect.DeepEqual(held.rows, whole.rows) {
				t.Fatalf("%s: the page holds\n%v\nthe picture\n%v", what, held.rows, whole.rows)
			}
		}
		poll("first")
		report := func(report fleet.Report) {
			_, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: []fleet.Report{report}})
			must(t, err)
		}
		lost := map[int]bool{}
		doings := map[string]func(i int){
			"drives": func(i int) {
				p := point(fmt.Sprintf("U-%d", i), k.At(), 39+r.Float64()/20)
				p.HasCourse, p.CourseDeg, p.HasSpeed, p.SpeedMS = r.IntN(3) > 0, r.Float64()*360, true, r.Float64()*30
				if r.IntN(2) == 0 {
					p.HasAlerting, p.Alerting = true, r.IntN(3) > 0
				}
				report(p)
			},
			"late": func(i int) { report(point(fmt.Sprintf("U-%d", i), k.At()-fleet.Instant(r.IntN(100_000)), 39)) },
			"heartbeat": func(i int) {
				report(fleet.Report{Kind: fleet.ReportHeartbeat, Asset: fmt.Sprintf("U-%d", i), At: k.At()})
			},
			"on scene": func(i int) {
				report(fleet.Report{Kind: fleet.ReportOnScene, Asset: fmt.Sprintf("U-%d", i), At: k.At()})
			},
			"renamed": func(i int) {
				_, err := k.UpdateThing(t.Context(), editor, things[i].ID, wire.ThingWrite{Nickname: text(fmt.Sprint(r.Uint32()))})
				must(t, err)
			},
			"shared": func(i int) {
				kind := []string{"manager", "accessor", "delete"}[r.IntN(3)]
				_, err := k.SetThingAssociations(t.Context(), access.System(), things[i].ID, []wire.RelationshipWrite{{OrganizationUUID: wire.ID(other.ID), RelationshipType: kind}})
				must(t, err)
			},
			"deleted": func(i int) {
				if r.IntN(10) == 0 {
					k.Prove(editor)
					must(t, k.DeleteThing(t.Context(), editor, things[i].ID))
					lost[i] = true
				}
			},
			"ages": func(int) { k.Pass(time.Duration(r.IntN(20)) * time.Minute); must(t, k.Live.Age(t.Context(), nil)) },
		}
		names := []string{"drives", "drives", "drives", "late", "heartbeat", "heartbeat", "on scene", "renamed", "shared", "deleted", "ages"}
		for step := range 300 {
			if r.IntN(4) == 0 {
				k.Pass(time.Millisecond)
			}
			name, i := names[r.IntN(len(names))], r.IntN(len(things))
			if lost[i] {
				continue
			}
			doings[name](i)
			if r.IntN(4) == 0 {
				poll(fmt.Sprintf("step %d, %s", step, name))
			}
		}
		if short < 20 {
			t.Errorf("only %d answers left out columns", short)
		}
		k.Pass(time.Second)
		k.Open(s, live.Options{Street: streets})
		if again := ask(held.asOf); !again.Full || len(again.Gone) > 0 {
			t.Errorf("of what changed before a start one cannot be sure: full %v, gone %v", again.Full, again.Gone)
		}
		poll("after a restart")
		if answer := ask(held.asOf + 3_600_000); !answer.Full {
			t.Error("an instant that no answer carried")
		}
	})
}

// Only what changed is told, of rows and of columns.
func TestSnapshotDeltaIsShort(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	things := k.Things(o.ID, "U", 5)
	user := k.User(o.ID, "administrator")
	at := func(asset string, lat float64, kind fleet.ReportKind) {
		p := point(asset, k.At(), lat)
		p.Kind = kind
		_, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: []fleet.Report{p}})
		must(t, err)
	}
	for i := range things {
		at(fmt.Sprintf("U-%d", i), 39, fleet.ReportPoint)
	}
	k.Pass(time.Second)
	first, err := k.ThingsSnapshot(t.Context(), user, nil, 0)
	must(t, err)
	k.Pass(time.Second)
	_, err = k.UpdateThing(t.Context(), user, things[3].ID, wire.ThingWrite{Nickname: text("Renamed")})
	must(t, err)
	at("U-0", 39, fleet.ReportHeartbeat)
	at("U-1", 39.1, fleet.ReportPoint)
	alerting := point("U-2", k.At(), 39)
	alerting.HasAlerting, alerting.Alerting = true, true
	_, err = k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: []fleet.Report{alerting}})
	must(t, err)
	got, err := k.ThingsSnapshot(t.Context(), user, nil, first.AsOf)
	must(t, err)
	want := []string{things[3].ID, things[2].ID, things[1].ID, things[0].ID}
	if !reflect.DeepEqual(got.ID, want) || got.Count != 4 || got.Total != 5 || got.Full {
		t.Errorf("%+v", got)
	}
	if len(got.Nickname) != 1 || got.Nickname[0] != "Renamed" || len(got.Status) != 2 || got.Flags[1]&(2|128) != 2|128 || len(got.Lat) != 3 || len(got.HeartbeatAt) != 4 {
		t.Errorf("%+v", got)
	}
	for _, since := range []fleet.Instant{0, 1, first.AsOf - 60_000} {
		if whole, err := k.ThingsSnapshot(t.Context(), user, nil, since); err != nil || !whole.Full || whole.Count != 5 || len(whole.Nickname) != 5 {
			t.Errorf("since %d: %v %+v", since, err, whole)
		}
	}
}

func text(s string) *string { return &s }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
