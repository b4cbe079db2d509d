package cable

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"lightbar/internal/access"
)

// A change of an organization is looked at at once by everybody who reaches it.
func TestAChangedOrganizationIsLookedAtAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		defer r.close()
		c := r.mustDial("viewer-token")
		synctest.Wait() // a change while a socket joins is looked at, whomever it concerns
		r.dir.end("s-viewer")
		r.bus.AccessChanged("", orgX)
		time.Sleep(4 * time.Second)
		synctest.Wait()
		if got := c.take(); len(got) != 1 {
			t.Errorf("another organization's change: %q", got)
		}
		start := time.Now()
		r.bus.AccessChanged("", orgB)
		<-c.done
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("closed after %v", took)
		}
	})
}

// A change that comes while the one before is still looked at is not lost.
func TestANudgeDuringACheckCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r *rig
		checks := 0
		r = newRig(t, func(o *Options) {
			inner := o.Recheck
			o.Recheck = func(ctx context.Context, a *access.Actor) (*access.Actor, error) {
				now, err := inner(ctx, a)
				if checks++; checks == 1 { // the look has been taken; now it changes
					r.dir.end(a.SessionID)
					r.bus.AccessChanged(a.UserID, "")
					time.Sleep(time.Second)
				}
				return now, err
			}
		})
		defer r.close()
		c := r.mustDial("viewer-token")
		synctest.Wait()
		start := time.Now()
		r.bus.AccessChanged("viewer", "")
		<-c.done
		if took := time.Since(start); took > 5*time.Second || checks != 2 {
			t.Errorf("closed after %v, %d checks", took, checks)
		}
	})
}
