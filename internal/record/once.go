package record

import (
	"context"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"sync"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/secret"
	"lightbar/internal/store"
)

// AnswerLifetime is how long the same answer is returned to the same Idempotency-Key.
const AnswerLifetime = 24 * time.Hour

// maxAnswerBytes is the size of the largest answer that is stored, in bytes.
const maxAnswerBytes = 256 << 10

// answerBytesPerDay is how much is stored for one user or key within a day, in bytes: some ten thousand answers. answerRowBytes is
// what a row takes besides its answer.
const (
	answerBytesPerDay = 32 << 20
	answerRowBytes    = 512
)

// AnswerQuota counts how much is stored for each user or key. It starts over at each start and after a day; the zero value works.
type AnswerQuota struct {
	mu    sync.Mutex
	since fleet.Instant
	of    map[string]int
}

// take reports whether one more answer may be stored.
func (q *AnswerQuota) take(who string, size int, now fleet.Instant) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.of == nil || now.Sub(q.since) > AnswerLifetime {
		q.since, q.of = now, map[string]int{}
	}
	size += answerRowBytes
	if q.of[who]+size > answerBytesPerDay {
		return false
	}
	q.of[who] += size
	return true
}

// Answer is the answer to a write.
type Answer struct {
	Status int
	Body   []byte
}

// DigestRequest identifies a request by its parts, the last of which may
// contain anything. A body may contain a password, so the digest is keyed:
// without the server's key the database must not reveal it.
func (b *Base) DigestRequest(parts ...string) string {
	key, err := hkdf.Key(sha256.New, b.ServerKey, nil, "lightbar request 1", sha256.Size)
	if err != nil {
		panic("app: request key: " + err.Error()) // only for impossible lengths
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(mac.Sum(nil))
}

// OtherRequest reports whether an answer belongs to another request. Answers from before digests had a key have none (migration 5);
// they expire within a day.
func OtherRequest(kept store.Answer, digest string) bool {
	return kept.Digest != "" && kept.Digest != digest
}

// PurgeAnswers deletes answers that are too old to be returned again. A timer calls it.
func (b *Base) PurgeAnswers(ctx context.Context) error {
	return b.Store.Write(ctx, func(tx *store.Tx) error { return tx.PurgeAnswers(ctx, b.now().Add(-AnswerLifetime)) })
}

// Once runs a write that has an Idempotency-Key. The first time it calls run and stores the answer for a day; later it returns the
// stored answer (again is true). digest identifies the request (DigestRequest): another request under the same key is refused
// (idempotency_key_reused). Requests with one key run one after the other. Refusals are not stored: nothing was changed, and the
// repeated request is judged again. Neither are answers of more than 256 KiB: only imports have those, and their own law knows what
// they have already done. Nor are answers of a user or key with 32 MiB stored for this day: so nobody can fill the disk.
func (b *Base) Once(ctx context.Context, actor *access.Actor, key, digest string,
	run func() Answer) (answer Answer, again bool, err error) {
	who := actor.UserID + actor.KeyID
	if who == "" {
		return Answer{}, false, actor.Must("VIEW_THINGS") // answers belong to a user or a key
	}
	if len(key) > 255 {
		return Answer{}, false, fleet.Refuse("validation_failed", "Idempotency-Key", "The key can have at most 255 characters.")
	}
	name := AnswerName(who, key)
	defer b.Writes.Lock(name)()
	kept, err := store.AnswerByKey(ctx, b.Store.Reader(), name, b.now().Add(-AnswerLifetime))
	switch {
	case err == nil && OtherRequest(kept, digest):
		return Answer{}, false, fleet.Refuse("idempotency_key_reused", "Idempotency-Key",
			"This Idempotency-Key was already used for a different request.")
	case err == nil:
		return Answer{Status: kept.Status, Body: []byte(kept.Body)}, true, nil
	case !errors.Is(err, store.ErrNotFound):
		return Answer{}, false, err
	}
	answer = run()
	if answer.Status >= 300 || len(answer.Body) > maxAnswerBytes || !b.AnswerQuota.take(who, len(answer.Body), b.now()) {
		return answer, false, nil
	}
	err = b.Store.Write(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		return tx.PutAnswer(ctx, store.Answer{Key: name, ActorID: who, Digest: digest, Status: answer.Status, Body: string(answer.Body),
			At: b.now()})
	})
	if err != nil {
		b.Log.Warn("answer not kept", "error", err) // the write itself has happened and may be repeated by its own rules
	}
	return answer, false, nil
}

// OnceName is what a verb stores of the Idempotency-Key of a press that must never be done twice: Once stores its answer after the
// press, and so it may be missing after a crash. Empty when no key was sent.
func OnceName(actor *access.Actor, key string) string {
	if key == "" {
		return ""
	}
	return AnswerName(actor.UserID+actor.KeyID, key)
}

// AnswerName is the name under which an answer is stored; it includes the user, so that users cannot share keys.
func AnswerName(who, key string) string { return secret.Hash(who + "|" + key) }
