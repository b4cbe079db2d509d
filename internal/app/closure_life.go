package app

import (
	"cmp"
	"context"
	"errors"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// timesOfClosure writes the times of a write over the closure. A pattern has times of its own. Starting a closure, or giving it
// another end, also verifies it.
func (a *App) timesOfClosure(e *record.Editing[*App, fleet.Closure], wrong map[string]string, in wire.ClosureWrite) error {
	x, now := &e.Next, e.At
	was := x.SpanAt(now)
	switch {
	case x.Kind == fleet.ClosureAutomated:
		if in.Recurrence.IsSent() && !in.Recurrence.IsNull() {
			wrong["recurrence"] = "An automated closure is controlled by its asset"
		}
		return nil
	case in.Recurrence.IsSent() && !in.Recurrence.IsNull():
		pattern, err := in.Recurrence.Read()
		if err != nil {
			wrong["recurrence"] = "days, start, minutes, from, until, except and timezone"
			return nil
		}
		before := len(wrong)
		if pattern.Check(wrong); len(wrong) == before && !pattern.Same(x.Recurrence) {
			x.Recur(wrong, pattern, now)
		}
		return nil
	case in.Recurrence.IsSent() && x.Recurrence != nil:
		x.Recur(wrong, nil, now)
	}
	if in.IsActive == nil && in.StartTime == nil && in.EndTime == nil {
		return nil
	}
	x.Schedule(wrong, closureTimes(in), now)
	if is := x.SpanAt(now); !is.IsActive || was.IsActive && is.Span == was.Span || e.Actor.UserID == "" {
		return nil
	}
	by, err := a.verifier(e, e.Reader(), e.Actor)
	x.Verify(by, now)
	return err
}

func (a *App) verifier(ctx context.Context, r store.Reader, actor *access.Actor) (by fleet.Verifier, err error) {
	by = fleet.Verifier{Kind: "user", ID: actor.UserID}
	by.Name, err = store.ActorName(ctx, r, actor.UserID, "")
	return by, err
}

// chargeWithClosure sets the responsible user: one of the closure's organization, or of an organization that manages it.
func chargeWithClosure(e *record.Editing[*App, fleet.Closure], wrong map[string]string, x *fleet.Closure, userID string) error {
	if userID == "" || userID == x.ResponsibleUserID {
		x.ResponsibleUserID = userID
		return nil
	}
	user, err := store.UserByID(e, e.Reader(), userID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	relations, failed := store.RelationsOf(e, e.Reader(), x.OrganizationID)
	if failed != nil {
		return failed
	}
	mayBe := err == nil && user.OrganizationID == x.OrganizationID
	for _, of := range relations {
		mayBe = mayBe || err == nil && of.OrganizationID == x.OrganizationID && of.OtherID == user.OrganizationID && of.Kind == "manager"
	}
	if !mayBe {
		wrong["responsible_user_id"] = "User not found"
		return nil
	}
	x.ResponsibleUserID = userID
	return nil
}

// ConfirmClosure answers the question whether a closure is still active: "still" keeps it, with end_time until then; "moved" and
// "finished" end it. Requires EDIT_CLOSURE or EDIT_CLOSURE_MOBILE and full reach. Refusals: not_found, validation_failed.
func (a *App) ConfirmClosure(ctx context.Context, actor *access.Actor, id string, in wire.ClosureConfirm) (wire.Closure, error) {
	return record.Edit(ctx, a, actor, closures.Door(), id, nil, func(e *record.Editing[*App, fleet.Closure]) error {
		by, err := a.verifier(e, e.Tx, actor)
		if err != nil {
			return err
		}
		e.Verb = "confirm"
		wrong := map[string]string{}
		if e.Next.Confirm(wrong, in.Answer, in.EndTime, by, e.At); len(wrong) > 0 {
			return fleet.RefuseFields(wrong)
		}
		return nil
	})
}

// RunClosures asks, in the app and by mail, about closures that nobody has confirmed for too long, and publishes those that began
// or ended by the clock since they were last published. Answers of the API do not wait for it. If a pass fails, the database
// may have been unavailable: then nobody could answer.
func (a *App) RunClosures(ctx context.Context) error {
	var again error
	if a.unanswerable.Load() {
		again = a.PutQuestionsAgain(ctx) // reported at the end: one question that can't be asked holds up no other closure
	}
	err := a.runClosures(ctx)
	if err != nil {
		a.unanswerable.Store(true)
	}
	return cmp.Or(again, err)
}

func (a *App) runClosures(ctx context.Context) error {
	found, err := store.ClosuresOfTheClock(ctx, a.Store.Reader(), a.now(), fleet.ClosureSilent())
	if err != nil {
		return err
	}
	waits := false
	failed := store.EachOf(ctx, found, func(x *fleet.Closure) error {
		now := a.now()
		isDue := x.IsAskDue(now)
		waits = waits || isDue || x.SpanAt(now).IsAsked
		if !isDue && !x.IsOthersDue(now) && !isUntold(x, now) {
			return nil
		}
		return a.Change(ctx, func(c *live.Change, tx *store.Tx) error { return a.runClosure(ctx, c, tx, x.ID) })
	})
	return cmp.Or(a.noteAnswerable(ctx, waits), failed)
}

// isUntold reports whether the clock has changed a closure since its row was written.
func isUntold(x *fleet.Closure, now fleet.Instant) bool {
	next := x.NextChange(x.UpdatedAt)
	return next != 0 && next <= now
}

// runClosure writes a closure that the clock has changed. Its version stays the same: nobody edited it.
func (a *App) runClosure(ctx context.Context, c *live.Change, tx *store.Tx, id string) error {
	old, err := closures.Rows.ByID(ctx, tx, id)
	if err != nil || old.DeletedAt != 0 {
		return err
	}
	next, now := old, c.Now()
	if next.IsOthersDue(now) {
		if err := a.askOthers(ctx, tx, &next, now); err != nil {
			return err
		}
	}
	isAsked := next.IsAskDue(now)
	if !isAsked && !isUntold(&next, now) {
		return nil
	}
	if isAsked {
		next.AskedAt = now
	}
	next.Touch(c.Stamp())
	if stored, err := closures.Rows.Update(ctx, tx, &next, old.Version); err != nil || !stored {
		return err
	}
	closures.Publish(a, c, &next)
	if !isAsked {
		return nil
	}
	return a.askByMail(ctx, tx, &next, now)
}
