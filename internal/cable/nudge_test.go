package cable

import (
	"context"
	"strings"
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

// Of a change that leaves what is heard as it was all sockets of that user are told, once, and nobody else's.
func TestAChangedProfileIsToldToItsUserOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		defer r.close()
		key := actor("", "", "thing:read")
		key.KeyID, key.Organizations = "k1", map[string]access.Reach{orgB: access.Full}
		r.dir.set("key-token", key)
		second := actor("viewer", "s-second", "thing:read")
		r.dir.set("second-token", second)
		var mine, others []*client
		for _, token := range []string{"viewer-token", "viewer-token", "second-token"} {
			mine = append(mine, r.mustDial(token))
		}
		for _, token := range []string{"driver-token", "key-token"} {
			others = append(others, r.mustDial(token))
		}
		synctest.Wait()
		told := func(c *client) (n int) {
			for _, frame := range c.take() {
				if strings.Contains(frame, `"profile_changed"`) {
					n++
				}
			}
			return n
		}
		r.bus.AccessChanged("viewer", "")
		synctest.Wait()
		for i, c := range mine {
			if n := told(c); n != 1 {
				t.Errorf("socket %d of the user was told %d times", i, n)
			}
		}
		r.bus.AccessChanged("", orgX)
		time.Sleep(2 * recheckEvery) // checks by the clock tell nobody
		synctest.Wait()
		r.bus.AccessChanged("", orgB)
		synctest.Wait()
		for i, c := range mine {
			if n := told(c); n != 1 {
				t.Errorf("socket %d heard %d times of its organization", i, n)
			}
		}
		for i, want := range []int{1, 0} { // the driver reaches the organization; a key has no profile
			if n := told(others[i]); n != want {
				t.Errorf("other %d was told %d times, not %d", i, n, want)
			}
		}
	})
}

// While the database cannot be asked nobody is told; the check that follows makes up for it.
func TestAChangeIsToldOnceItCanBeChecked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		defer r.close()
		c := r.mustDial("viewer-token")
		synctest.Wait()
		r.dir.mu.Lock()
		r.dir.broken = true
		r.dir.mu.Unlock()
		r.bus.AccessChanged("viewer", "")
		synctest.Wait()
		r.dir.mu.Lock()
		r.dir.broken = false
		r.dir.mu.Unlock()
		time.Sleep(2 * recheckEvery)
		synctest.Wait()
		n := 0
		for _, frame := range c.take() {
			if strings.Contains(frame, `"profile_changed"`) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("told %d times", n)
		}
	})
}
