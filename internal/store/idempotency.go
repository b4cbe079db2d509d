package store

import (
	"context"

	"lightbar/internal/fleet"
)

// Answer is what was answered to a write that carried an Idempotency-Key.
type Answer struct {
	Key     string
	ActorID string
	Digest  string // of the request: the same key with another request is refused
	Status  int
	Body    string
	At      fleet.Instant
}

const getAnswer = `SELECT key, actor_id, digest, status, answer, at FROM idempotency WHERE key = $1 AND at > $2`

// AnswerByKey finds an answer given after an instant.
func AnswerByKey(ctx context.Context, r Reader, key string, after fleet.Instant) (a Answer, err error) {
	err = r.QueryRowContext(ctx, getAnswer, key, int64(after)).Scan(&a.Key, &a.ActorID, &a.Digest, &a.Status, &a.Body, &a.At)
	return a, orNotFound(err)
}

const putAnswer = `INSERT INTO idempotency (key, actor_id, digest, status, answer, at) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (key) DO UPDATE SET digest = excluded.digest, status = excluded.status, answer = excluded.answer, at = excluded.at`

// PutAnswer remembers an answer.
func (tx *Tx) PutAnswer(ctx context.Context, a Answer) error {
	_, err := tx.ExecContext(ctx, putAnswer, a.Key, a.ActorID, a.Digest, a.Status, a.Body, int64(a.At))
	return err
}

const forgetDigests = `UPDATE idempotency SET digest = ''`

// ForgetDigests forgets which requests the answers were given to; the answers stay.
func (tx *Tx) ForgetDigests(ctx context.Context) error {
	_, err := tx.ExecContext(ctx, forgetDigests)
	return err
}

const purgeAnswers = `DELETE FROM idempotency WHERE at < $1`

// PurgeAnswers forgets answers given before an instant.
func (tx *Tx) PurgeAnswers(ctx context.Context, before fleet.Instant) error {
	_, err := tx.ExecContext(ctx, purgeAnswers, int64(before))
	return err
}
