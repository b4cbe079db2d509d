package app

import (
	"context"
	"errors"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// answersKept is how long an answer is given again to the same Idempotency-Key.
const answersKept = 24 * time.Hour

// Answer is what a write was answered.
type Answer struct {
	Status int
	Body   []byte
}

// Once runs a write that carries an Idempotency-Key: the first time run is
// called and its answer kept for a day, afterwards the kept answer is given
// (again is true). digest names the request: another request under the same
// key is refused (idempotency_key_reused). Requests with one key run one after
// the other. Answers that the same request may outgrow are not kept: of 500 and
// above, "too often", and what its sender may not do yet (403, a proof of who is
// there among them).
func (a *App) Once(ctx context.Context, actor *Actor, key, digest string, run func() Answer) (answer Answer, again bool, err error) {
	who := actor.UserID + actor.KeyID
	if who == "" {
		return Answer{}, false, actor.Must("VIEW_THINGS") // answers belong to somebody
	}
	if len(key) > 255 {
		return Answer{}, false, fleet.Refuse("validation_failed", "Idempotency-Key", "The key has at most 255 characters.")
	}
	name := answerName(who, key)
	defer a.people.writes.lock(name)()
	kept, err := store.AnswerByKey(ctx, a.Store.Reader(), name, a.now().Add(-answersKept))
	switch {
	case err == nil && kept.Digest != digest:
		return Answer{}, false, fleet.Refuse("idempotency_key_reused", "Idempotency-Key", "This key belongs to another request.")
	case err == nil:
		return Answer{Status: kept.Status, Body: []byte(kept.Body)}, true, nil
	case !errors.Is(err, store.ErrNotFound):
		return Answer{}, false, err
	}
	answer = run()
	if answer.Status >= 500 || answer.Status == 429 || answer.Status == 403 {
		return answer, false, nil
	}
	err = a.Store.Write(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		if err := tx.PurgeAnswers(ctx, a.now().Add(-answersKept)); err != nil {
			return err
		}
		return tx.PutAnswer(ctx, store.Answer{Key: name, ActorID: who, Digest: digest, Status: answer.Status, Body: string(answer.Body), At: a.now()})
	})
	if err != nil {
		a.Log.Warn("answer not kept", "error", err) // the write itself has happened and may be repeated by its own rules
	}
	return answer, false, nil
}

// answerName is what an answer is kept under: keys of different users are different keys.
func answerName(who, key string) string { return hashOf(who + "|" + key) }
