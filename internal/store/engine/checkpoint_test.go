package engine

import (
	"database/sql"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// grow writes rows of a megabyte in one transaction.
func grow(t *testing.T, s *Store, from, megabytes int) {
	t.Helper()
	if err := s.Write(t.Context(), func(tx *Tx) error {
		for i := range megabytes {
			if _, err := tx.ExecContext(t.Context(), putRow, "row "+strconv.Itoa(from+i), strings.Repeat("x", 1<<20)); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// The WAL is checkpointed beside the writer: the database file grows although the
// WAL is far below the size at which a commit would checkpoint it.
func TestWALIsFoldedAside(t *testing.T) {
	s := openHereFor(t, Options{})
	for i := range 16 { // in commits far smaller than what one checkpoint takes: a look may fall into one
		grow(t, s, i, 1)
	}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(time.Minute); ; <-tick.C {
		st, err := os.Stat(s.Path())
		if err != nil {
			t.Fatal(err)
		}
		if st.Size() > 2<<20 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the database file has %d bytes", st.Size())
		}
	}
}

// A long WAL begins anew with the next commit, however many pages it held.
func TestWALBeginsAnew(t *testing.T) {
	const megabytes = 4 * checkpointRestart / 1000
	s := openHereFor(t, Options{})
	grow(t, s, 0, megabytes)
	snapshot, err := s.read.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = snapshot.Rollback() }()
	if _, err := setting(t.Context(), snapshot, "row 0"); err != nil { // now it reads what is there so far, and holds it
		t.Fatal(err)
	}
	grow(t, s, megabytes, 1)
	frames, moved, err := checkpointOnce(s.checkpointer.db)
	if err != nil || frames < checkpointRestart || moved >= frames {
		t.Fatalf("%d of the WAL's %d pages are moved (%v)", moved, frames, err)
	}
	if err := snapshot.Rollback(); err != nil {
		t.Fatal(err)
	}
	s.checkpointer.finish(s.write, moved)
	if err := put(t.Context(), s, "next"); err != nil {
		t.Fatal(err)
	}
	if frames, _, err := checkpointOnce(s.checkpointer.db); err != nil || frames > checkpointRestart/10 {
		t.Errorf("the WAL has %d pages (%v)", frames, err)
	}
}
