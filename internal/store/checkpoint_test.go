package store_test

import (
	"context"
	"os"
	"testing"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
)

// The WAL is folded beside the writer: the database file grows although the
// WAL is far below the size at which a commit would fold it.
func TestWALIsFoldedAside(t *testing.T) {
	if testing.Short() {
		t.Skip("a volume test: it runs without the race detector")
	}
	s := storetest.SQLite(t)
	points := make([]fleet.Point, 100_000)
	for i := range points {
		points[i] = fleet.Point{ThingNo: int64(i), At: 1_795_000_000_000, ReceivedAt: 1_795_000_000_000, Lat: 39.5, Lng: -75.5}
	}
	taken := make([]store.Taken, len(points))
	if err := s.Write(t.Context(), func(tx *store.Tx) error {
		return tx.InsertPoints(context.Background(), s.Engine(), points, taken)
	}); err != nil {
		t.Fatal(err)
	}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(time.Minute); ; <-tick.C {
		st, err := os.Stat(s.Path())
		if err != nil {
			t.Fatal(err)
		}
		if st.Size() > 4<<20 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the database file has %d bytes", st.Size())
		}
	}
}
