package live_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// driving is a fleet on the road: who moves turns a little each second, changes
// speed, and now and then turns its lights on or off.
type driving struct {
	k                   *apptest.Kit
	r                   *rand.Rand
	owner               string
	lat, lng, course, v []float64
	lights              []bool
}

func newDriving(k *apptest.Kit, owner string, n int) *driving {
	d := &driving{k: k, r: rand.New(rand.NewPCG(3, 3)), owner: owner}
	for range n {
		d.lat, d.lng = append(d.lat, 39+d.r.Float64()), append(d.lng, -75.8+d.r.Float64()/2)
		d.course, d.v, d.lights = append(d.course, d.r.Float64()*360), append(d.v, 5+d.r.Float64()*20), append(d.lights, d.r.IntN(10) == 0)
	}
	return d
}

// report lets assets drive on for so many seconds and say so.
func (d *driving) report(t testing.TB, assets []int, seconds float64) {
	for some := range slices.Chunk(assets, 1000) {
		batch := app.ReportBatch{}
		for _, i := range some {
			d.course[i] = math.Mod(d.course[i]+d.r.NormFloat64()*5+360, 360)
			d.v[i] = math.Abs(d.v[i] + d.r.NormFloat64())
			sin, cos := math.Sincos(d.course[i] * math.Pi / 180)
			d.lat[i] += d.v[i] * seconds * cos / 111_195
			d.lng[i] += d.v[i] * seconds * sin / 86_000
			if d.r.IntN(200) == 0 {
				d.lights[i] = !d.lights[i]
			}
			at := d.k.At() - fleet.Instant(100+d.r.IntN(900))
			batch.Reports = append(batch.Reports, fleet.Report{Kind: fleet.ReportPoint, Asset: fmt.Sprintf("U-%d", i), At: at, HasLat: true, HasLng: true, Lat: d.lat[i], Lng: d.lng[i],
				HasCourse: true, CourseDeg: math.Round(d.course[i]), HasSpeed: true, SpeedMS: math.Round(d.v[i]*10) / 10, HasAccuracy: true, AccuracyM: 4, HasAlerting: true, Alerting: d.lights[i]})
		}
		answer, err := d.k.RecordPoints(t.Context(), d.k.Device(d.owner), batch)
		if must(t, err); len(answer.Refused) > 0 {
			t.Fatalf("%+v", answer.Refused[0])
		}
	}
}

// What a poll answers is at most 1.2 times what a script would send that knows
// exactly which fields changed, and even leaves out which row each belongs to:
// of a fleet of which 2 % report each second, always the same ones or others
// each time, and of one that only gives signs of life.
func TestSnapshotDeltaIsHardlyMoreThanWhatChanged(t *testing.T) {
	const n = 10_000
	k := apptest.NewWith(t, storetest.SQLite(t), live.Options{Street: func(lat, lng, _ float64) string { return fmt.Sprintf("Street %.0f", lat*300+lng*300) }})
	o := k.Organization("A")
	k.Things(o.ID, "U", n)
	user := k.User(o.ID, "viewer")
	d := newDriving(k, o.ID, n)
	everybody := make([]int, n)
	for i := range everybody {
		everybody[i] = i
	}
	d.report(t, everybody, 1)
	for what, who := range map[string]func() []int{
		"the same 2 %":     func() []int { return everybody[:n/50] },
		"2 % by turns":     func() []int { return d.r.Perm(n)[:n/50] },
		"signs of life":    nil,
		"one of them only": func() []int { return everybody[7:8] },
	} {
		k.Pass(time.Second)
		before := page{t: t}
		first, err := k.ThingsSnapshot(t.Context(), user, nil, 0)
		must(t, err)
		before.take(first)
		for range 15 {
			k.Pass(time.Second)
			if who != nil {
				d.report(t, who(), 1)
				continue
			}
			for _, i := range d.r.Perm(n)[:n/50] {
				_, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: []fleet.Report{{Kind: fleet.ReportHeartbeat, Asset: fmt.Sprintf("U-%d", i), At: k.At()}}})
				must(t, err)
			}
		}
		delta, err := k.ThingsSnapshot(t.Context(), user, nil, first.AsOf)
		must(t, err)
		got, least := zipped(t, wire.ThingsSnapshot{Data: delta}), zipped(t, changedFields(t, before, delta))
		t.Logf("%s: %d rows in %d bytes, %.2f of exactly what changed", what, delta.Count, got, float64(got)/float64(least))
		if most := least*12/10 + emptyAnswer(t); got > most {
			t.Errorf("%s: %d rows in %d bytes; exactly what changed takes %d", what, delta.Count, got, least)
		}
	}
}

// changedFields are the columns of an answer with those values alone that differ from what the page held.
func changedFields(t testing.TB, before page, delta *wire.Snapshot) map[string]any {
	held := page{t: t, rows: map[string]map[string]any{}}
	for id, row := range before.rows {
		held.rows[id] = map[string]any{}
		for name, value := range row {
			held.rows[id][name] = value
		}
	}
	held.take(delta)
	var answer map[string]any
	text, err := json.Marshal(delta)
	must(t, err)
	must(t, json.Unmarshal(text, &answer))
	out := map[string]any{"id": delta.ID, "streets": delta.Streets, "as_of": delta.AsOf}
	for name, column := range answer {
		values, ok := column.([]any)
		var changed []any
		for i, id := range delta.ID {
			if ok && name != "id" && i < len(values) && held.rows[id][name] != nil && !reflect.DeepEqual(before.rows[id][name], held.rows[id][name]) {
				changed = append(changed, values[i])
			}
		}
		if len(changed) > 0 {
			out[name] = changed
		}
	}
	return out
}

// emptyAnswer is what the names of the columns take.
func emptyAnswer(t testing.TB) int {
	return zipped(t, wire.ThingsSnapshot{Data: wire.NewSnapshot(0)})
}

func zipped(t testing.TB, v any) int {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, 6)
	must(t, err)
	must(t, json.NewEncoder(z).Encode(v))
	must(t, z.Close())
	return b.Len()
}
