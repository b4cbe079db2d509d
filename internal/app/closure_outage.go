package app

import (
	"context"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
)

// The question whether a closure is still active ends it when nobody answers. But people who could not answer must not count as
// silent: while questions are open, each pass notes that they can be answered, and after a period without such a note they are
// asked again.

// leastOutage is how long answering must have been impossible before questions are asked again: passes are half a minute apart.
const leastOutage = 2 * time.Minute

// PutQuestionsAgain asks again the questions that were open when they could last be answered. Call it at startup, before any
// closure is read: a closure that ended in the meantime because nobody answered becomes active again.
func (a *App) PutQuestionsAgain(ctx context.Context) error {
	err := a.putQuestionsAgain(ctx)
	a.unanswerable.Store(err != nil) // the next pass tries again
	return err
}

func (a *App) putQuestionsAgain(ctx context.Context) error {
	heard, err := store.AnswerableAt(ctx, a.Store.Reader())
	if err != nil || heard == 0 || a.now().Sub(heard) < leastOutage {
		return err
	}
	asked, err := store.AskedClosures(ctx, a.Store.Reader(), heard.Add(-fleet.QuestionLife()))
	if err != nil {
		return err
	}
	now := a.now()
	err = store.EachOf(ctx, asked, func(x *fleet.Closure) error {
		if was := *x; !was.PutAgain(heard, now) {
			return nil
		}
		return a.Change(ctx, func(c *live.Change, tx *store.Tx) error { return a.putQuestionAgain(ctx, c, tx, x.ID, heard, now) })
	})
	if err != nil {
		return err
	}
	return a.noteAnswerable(ctx, len(asked) > 0)
}

func (a *App) putQuestionAgain(ctx context.Context, c *live.Change, tx *store.Tx, id string, heard, now fleet.Instant) error {
	old, err := closures.Rows.ByID(ctx, tx, id)
	if err != nil {
		return err
	}
	next := old
	if !next.PutAgain(heard, now) {
		return nil
	}
	if err := tx.QuestionPutAgain(ctx, id, old.AskedAt, next.AskedAt); err != nil {
		return err
	}
	if next.OthersAskedAt != old.OthersAskedAt {
		if err := tx.OthersAsked(ctx, id, next.OthersAskedAt); err != nil {
			return err
		}
	}
	next.Touch(c.Stamp())
	if stored, err := closures.Rows.Update(ctx, tx, &next, old.Version); err != nil || !stored {
		return err
	}
	closures.Publish(a, c, &next)
	q := asking{App: a, tx: tx, closure: &next, at: now}
	return q.note(ctx, "ask_again")
}

// noteAnswerable notes that open questions can be answered now, or that none is open.
func (a *App) noteAnswerable(ctx context.Context, waits bool) error {
	before, err := store.AnswerableAt(ctx, a.Store.Reader())
	if err != nil || before == 0 && !waits {
		return err
	}
	at := fleet.Instant(0)
	if waits {
		at = a.now()
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error { return tx.PutAnswerableAt(ctx, at) })
}
