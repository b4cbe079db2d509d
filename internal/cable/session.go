package cable

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
)

// recheckWithin limits one check of a session.
const recheckWithin = 5 * time.Second

// session is a family of tokens, or an API key, with its sockets. All share one actor.
type session struct {
	id      string
	user    string
	actor   atomic.Pointer[access.Actor]
	sockets map[*socket]struct{} // guarded by Hub.mu
	due     time.Time            // of the next check, guarded by Hub.mu
	asked   bool                 // a check is queued or running, guarded by Hub.mu
	again   bool                 // a nudge came during the check, guarded by Hub.mu
	changed bool                 // there is a change of which its user has not been notified, guarded by Hub.mu
}

func sessionKey(a *access.Actor) string {
	if a.SessionID == "" {
		return "key:" + a.KeyID
	}
	return a.SessionID
}

func userKey(a *access.Actor) string {
	if a.UserID == "" {
		return "key:" + a.KeyID
	}
	return a.UserID
}

// reserve counts a socket that is about to open; false when the user has enough of them.
func (h *Hub) reserve(a *access.Actor) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	user := userKey(a)
	if h.draining || h.perUser[user] >= socketsPerUser.Int() {
		return false
	}
	h.perUser[user]++
	return true
}

// release gives the place back; mu is held.
func (h *Hub) release(user string) {
	if h.perUser[user]--; h.perUser[user] <= 0 {
		delete(h.perUser, user)
	}
	if h.draining && len(h.perUser) == 0 {
		close(h.empty)
	}
}

// join adds an opened socket to its session. nudges is the count before the
// actor was read: had it changed since, the session is checked at once.
func (h *Hub) join(s *socket, a *access.Actor, nudges uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	id := sessionKey(a)
	sess := h.sessions[id]
	if sess == nil {
		sess = &session{id: id, user: userKey(a), sockets: map[*socket]struct{}{}, due: time.Now().Add(recheckEvery)}
		sess.actor.Store(a)
		h.sessions[id] = sess
	}
	sess.sockets[s] = struct{}{}
	s.session = sess
	h.counts.sockets.Add(1)
	if h.nudges.Load() != nudges {
		sess.changed = true
		h.ask(sess)
	}
}

// forget removes a socket everywhere when its reader has left.
func (h *Hub) forget(s *socket) {
	for _, sub := range s.leave() {
		sub.leave()
	}
	h.roster.remove(s)
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(s.session.sockets, s)
	if len(s.session.sockets) == 0 && h.sessions[s.session.id] == s.session {
		delete(h.sessions, s.session.id)
	}
	h.counts.sockets.Add(-1)
	h.release(s.session.user)
}

// allSockets lists the open sockets; mu is held.
func (h *Hub) allSockets() []*socket {
	var all []*socket
	for _, sess := range h.sessions {
		for s := range sess.sockets {
			all = append(all, s)
		}
	}
	return all
}

// socketsOf lists a session's sockets.
func (h *Hub) socketsOf(sess *session) []*socket {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := make([]*socket, 0, len(sess.sockets))
	for s := range sess.sockets {
		all = append(all, s)
	}
	return all
}

// endSession closes the sockets of a session whose family has ended.
func (h *Hub) endSession(id string) {
	h.nudges.Add(1)
	h.mu.Lock()
	sess := h.sessions[id]
	h.mu.Unlock()
	if sess != nil {
		h.endAll(sess, ReasonUnauthorized)
	}
}

func (h *Hub) endAll(sess *session, reason Reason) {
	for _, s := range h.socketsOf(sess) {
		s.end(reason, 0)
	}
}

// accessChanged requests a check of everyone who may be concerned.
func (h *Hub) accessChanged(userID, organizationID string) {
	h.nudges.Add(1)
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, sess := range h.sessions {
		a := sess.actor.Load()
		if (userID != "" && a.UserID == userID) || (organizationID != "" && a.Reach(organizationID) != access.None) {
			sess.changed = true
			h.ask(sess)
		}
	}
}

// ask queues a check; mu is held. When the queue is full the session stays due and the next tick queues it again.
func (h *Hub) ask(sess *session) {
	if sess.asked {
		sess.again = true
		return
	}
	select {
	case h.checks <- sess:
		sess.asked = true
	default:
		sess.due = time.Time{}
	}
}

// askDue queues the sessions whose last check is recheckEvery ago.
func (h *Hub) askDue(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, sess := range h.sessions {
		if !sess.asked && !now.Before(sess.due) {
			h.ask(sess)
		}
	}
}

// checkAll carries out the checks, one after the other.
func (h *Hub) checkAll() {
	defer h.running.Done()
	for {
		select {
		case <-h.stop:
			return
		case sess := <-h.checks:
			h.check(sess)
			h.mu.Lock()
			sess.asked = false
			sess.due = time.Now().Add(recheckEvery)
			if sess.again {
				sess.again = false
				h.ask(sess)
			}
			h.mu.Unlock()
		}
	}
}

// check reads the actor again. A refusal ends the sockets; a changed view of a subscribed organization disconnects its sockets so
// that they fetch again, the others are notified that the profile has changed; a failed query changes nothing and is repeated with
// the next check.
func (h *Hub) check(sess *session) {
	ctx, cancel := context.WithTimeout(context.Background(), recheckWithin)
	defer cancel()
	old, changed := sess.actor.Load(), h.swapChanged(sess, false)
	a, err := h.opts.Recheck(ctx, old)
	if refusal := (*fleet.Refusal)(nil); errors.As(err, &refusal) {
		h.endAll(sess, ReasonUnauthorized)
		return
	}
	if err != nil || a == nil {
		if changed {
			h.swapChanged(sess, true)
		}
		h.opts.Log.Warn("cable: a session could not be checked", "error", err)
		return
	}
	sess.actor.Store(a)
	for _, s := range h.socketsOf(sess) {
		if s.seesOtherwise(a) {
			s.end(ReasonAccessChanged, 0)
		} else if changed && a.UserID != "" { // a key has no profile
			s.push(profileChangedFrame(), time.Now())
		}
	}
}

// swapChanged notes whether a session's user must still be notified of a change, and returns the old value.
func (h *Hub) swapChanged(sess *session, changed bool) (before bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	before, sess.changed = sess.changed, changed
	return before
}

// seesOtherwise reports whether a subscription would not be given as it is now.
func (s *socket) seesOtherwise(a *access.Actor) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sub := range s.subs {
		if sub.group.audience.sees != app.Sees(a, sub.stream.organization) {
			return true
		}
	}
	return false
}
