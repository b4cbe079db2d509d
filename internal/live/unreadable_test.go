package live_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

// A saved state that cannot be read costs one asset its state and never the
// server its start: the log names the asset, which replays as if it had none.
func TestUnreadableStateStopsNoStart(t *testing.T) {
	for _, doc := range []string{`{"sa":"31254-09-03T12:00:00.000Z"}`, `{"sa":`, ``} {
		storetest.Each(t, func(t *testing.T, s *store.Store) {
			k := apptest.New(t, s)
			o := k.Organization("A")
			things := k.Things(o.ID, "U", 3)
			send := func(assets ...string) {
				t.Helper()
				k.Pass(time.Second)
				var list []fleet.Report
				for _, asset := range assets {
					list = append(list, point(asset, k.At(), 39.7))
				}
				if _, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: list}); err != nil {
					t.Fatal(err)
				}
			}
			send("U-0", "U-1", "U-2")
			k.Pass(time.Minute)
			if err := k.FlushStates(t.Context()); err != nil {
				t.Fatal(err)
			}
			saved := k.At().Add(-time.Minute)
			send("U-0")
			said := k.At()
			_, first, _, _ := k.Live.Thing(things[0].ID)
			err := s.Write(t.Context(), func(tx *store.Tx) error {
				_, err := tx.ExecContext(t.Context(), `UPDATE thing_state SET doc = $1, body = '' WHERE thing_no <= $2`, doc, first.No+1)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			var log bytes.Buffer
			p := live.New(s, live.Options{Now: k.Now, NewID: k.NewID, Log: slog.New(slog.NewTextHandler(&log, nil))})
			if err := p.Load(t.Context()); err != nil {
				t.Fatalf("a start with the state %q: %v", doc, err)
			}
			for i, want := range []fleet.Instant{said, 0, saved} {
				if _, state, _, ok := p.Thing(things[i].ID); !ok || state.At != want || state.No != first.No+int64(i) {
					t.Errorf("with %q, %s starts at %v, want %v (%+v)", doc, things[i].HaasID, state.At, want, state)
				}
			}
			if text := log.String(); !strings.Contains(text, "asset=U-0") || !strings.Contains(text, "asset=U-1") || strings.Contains(text, "U-2") {
				t.Errorf("the log says %s", text)
			}
		})
	}
}
