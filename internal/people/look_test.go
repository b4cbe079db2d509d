package people_test

import (
	"context"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/testkit"
)

// A look is what haas:manage alone opened. It is written down although the one
// who looks hangs up, and never for an organization that is not there.
func TestALookIsWhatThePlatformRightAloneOpened(t *testing.T) {
	w := testkit.New(t)
	actor, looks := w.Actor("super").Watched()
	for _, id := range []string{w.Own.ID, w.Managed.ID, w.Accessed.ID, w.Foreign.ID, w.App.NewID(), ""} {
		if actor.Reach(id) != access.Full {
			t.Errorf("a super user does not reach %q", id)
		}
	}
	gone, hangUp := context.WithCancel(t.Context())
	hangUp()
	w.App.NoteLooks(gone, actor, "things", looks)
	for id, want := range map[string]int{w.Own.ID: 0, w.Managed.ID: 0, w.Accessed.ID: 1, w.Foreign.ID: 1} { // Accessed is for reading: more is haas:manage's
		if n := audits(t, w, id, "look", "things", ""); n != want {
			t.Errorf("%s: %d looks, want %d", id, n, want)
		}
	}
	if n := count(t, w.App.Store, `SELECT COUNT(*) FROM audit WHERE verb = 'look'`); n != 2 {
		t.Errorf("%d looks in all", n)
	}
	if _, looks := w.Actor("administrator").Watched(); looks != nil {
		t.Error("an administrator's own organization is watched")
	}
}

// The page asks for the names of all organizations with each reload: one row a day and session.
func TestLooksAtAllNamesAreWrittenDownOnceADay(t *testing.T) {
	w := testkit.New(t)
	super := w.Actor("super")
	for hours, want := range []int{1, 1, 1, 2} {
		w.App.NoteSuperAccess(t.Context(), super, "organizations", []string{w.Foreign.ID})
		if n := audits(t, w, w.Foreign.ID, "look", "organizations", ""); n != want {
			t.Errorf("after %d × 8 hours: %d rows, want %d", hours, n, want)
		}
		w.Clock.Advance(8 * time.Hour)
	}
}
