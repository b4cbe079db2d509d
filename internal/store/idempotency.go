package store

import (
	"context"

	"lightbar/internal/fleet"
)

// Answer is the answer to a write that carried an Idempotency-Key.
type Answer struct {
	Key     string
	ActorID string
	Digest  string // of the request: the same key with another request is refused
	Status  int
	Body    string
	At      fleet.Instant
}

var answers = table[Answer]{name: "idempotency", columns: func(a *Answer) []column {
	return []column{
		{"key", &a.Key, keyed}, {"actor_id", &a.ActorID, once}, {"digest", &a.Digest, edit},
		{"status", &a.Status, edit}, {"answer", &a.Body, edit}, {"at", &a.At, edit},
	}
}}

var answerByKey = answers.selects("WHERE key = $1 AND at > $2")

// AnswerByKey finds an answer given after an instant.
func AnswerByKey(ctx context.Context, r Reader, key string, after fleet.Instant) (Answer, error) {
	return answerByKey.one(ctx, r, key, int64(after))
}

var putAnswer = answers.upserts("")

// PutAnswer remembers an answer.
func (tx *Tx) PutAnswer(ctx context.Context, a Answer) error {
	_, err := putAnswer.run(ctx, tx, &a)
	return err
}

const forgetDigests = `UPDATE idempotency SET digest = ''`

// ForgetDigests deletes which requests the answers belong to; the answers stay.
func (tx *Tx) ForgetDigests(ctx context.Context) error {
	_, err := tx.ExecContext(ctx, forgetDigests)
	return err
}

const purgeAnswers = `DELETE FROM idempotency WHERE at < $1`

// PurgeAnswers deletes answers given before an instant.
func (tx *Tx) PurgeAnswers(ctx context.Context, before fleet.Instant) error {
	_, err := tx.ExecContext(ctx, purgeAnswers, int64(before))
	return err
}
