package app

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/people"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/storetest"
)

// settled commits submissions of one asset as one group: the one before last is
// an arrow board's with a pattern that no report can have. It answers what each
// was told, and the log.
func settled(t *testing.T, s *store.Store, prepare string) (a *App, id string, group []*submission, told []error, log string) {
	t.Helper()
	ctx := t.Context()
	var lines bytes.Buffer
	a = New(people.Options{
		Base: record.Base{Store: s, Live: live.New(s, live.Options{NewID: people.NewID}), Now: time.Now, NewID: people.NewID, ServerKey: make([]byte, 32), Log: slog.New(slog.NewTextHandler(&lines, nil))},
	})
	o, err := a.CreateOrganization(ctx, access.System(), fleet.Organization{Name: "A", Timezone: "UTC", CountryCode: "US", TypeName: "fire",
		EventWording: "default"})
	if err != nil {
		t.Fatal(err)
	}
	made, err := a.RegisterThings(ctx, access.System(), []NewThing{{OrganizationID: o.ID, SystemName: "U-0", Type: "fire"}})
	if err != nil {
		t.Fatal(err)
	}
	if prepare != "" {
		err := s.Write(ctx, func(tx *store.Tx) error {
			_, err := tx.ExecContext(ctx, prepare)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	no, _ := a.Live.Find(o.ID, "U-0")
	now := fleet.InstantOf(time.Now())
	for i := range fleet.Instant(4) {
		s := &submission{done: make(chan error, 1), before: []int{1}}
		s.points = []fleet.Point{{ThingNo: no, At: now + i, ReceivedAt: now + i, Lat: 39.7, Lng: -75.5}}
		s.signals = []fleet.Signal{{ThingNo: no, At: now + i, ReceivedAt: now + i, Kind: fleet.SignalHeartbeat}}
		if i == 2 {
			s.signals[0].Kind, s.signals[0].Pattern = fleet.SignalClosure, "a\x00b"
		}
		group = append(group, s)
	}
	a.ingest.settle(a, group)
	for _, s := range group {
		told = append(told, <-s.done)
	}
	return a, made[0].ID, group, told, lines.String()
}

// A submission that the database cannot take fails alone: those that shared its commit are stored.
func TestABadSubmissionFailsAlone(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		prepare := "" // PostgreSQL takes no text with a zero byte
		if s.Engine() == engine.SQLite {
			prepare = `CREATE TRIGGER bad BEFORE INSERT ON signal WHEN NEW.kind = 2 BEGIN SELECT RAISE(ABORT, 'cannot be stored'); END`
		}
		a, id, group, told, _ := settled(t, s, prepare)
		for i, err := range told {
			var refusal *fleet.Refusal
			switch bad := i == 2; {
			case bad && (err == nil || storageFailed(err) || errors.As(err, &refusal)):
				t.Errorf("the bad one: %v", err)
			case !bad && (err != nil || group[i].accepted != 2):
				t.Errorf("%d: %d accepted, %v", i, group[i].accepted, err)
			}
		}
		if n, err := s.CountPoints(t.Context()); err != nil || n != 3 {
			t.Errorf("%d points stored (%v)", n, err)
		}
		if _, state, _, _ := a.Live.Thing(id); state.BoardAt != 0 || state.At != group[3].points[0].At {
			t.Errorf("the picture shows a closure of %v and a position of %v", state.BoardAt, state.At)
		}
	})
}

// Where it is the storage that fails, nothing is tried again: every submission is told so.
func TestAFailedStorageIsNotAskedAgain(t *testing.T) {
	s := storetest.SQLite(t)
	_, _, _, told, log := settled(t, s, `PRAGMA query_only = 1`)
	for i, err := range told {
		if !errors.Is(err, engine.ErrStorage) {
			t.Errorf("%d: %v", i, err)
		}
	}
	if n := strings.Count(log, "a commit failed"); n != 1 {
		t.Errorf("%d commits were tried, want 1:\n%s", n, log)
	}
}
