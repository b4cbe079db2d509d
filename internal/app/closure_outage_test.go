package app_test

import (
	"testing"
	"time"

	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/check"
)

// A question that nobody could answer ends nothing: after an outage it waits as long as it had left, for the others too, and
// its letter's link works.
func TestAQuestionDoesNotCountAnOutage(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		q := newQuestion(t, s, 48*time.Hour)
		token := q.sent(q.round(4*time.Hour), q.owner)[0]
		q.sent(q.round(20 * time.Minute))
		asked := second2(q.Closures.Read(t.Context(), q.owner, q.row.ID)).AskedAt

		q.Pass(3 * time.Hour)
		q.Open(s, live.Options{})
		q.Post = q.post
		if row := second2(q.Closures.Read(t.Context(), q.owner, q.row.ID)); row.IsActive {
			t.Fatal("the outage is no outage: the closure still stands")
		}
		must(t, q.PutQuestionsAgain(t.Context()))
		row := second2(q.Closures.Read(t.Context(), q.owner, q.row.ID))
		if !row.IsActive || row.AskedAt != asked.Add(3*time.Hour) || row.EndReason != "" {
			t.Errorf("after it: %+v", row)
		}
		if is := q.look(token); is.State != "open" || is.ExpiresAt != asked.Add(270*time.Minute) {
			t.Errorf("the letter's link: %+v", is)
		}
		must(t, q.PutQuestionsAgain(t.Context())) // once
		if again := second2(q.Closures.Read(t.Context(), q.owner, q.row.ID)); again.AskedAt != row.AskedAt {
			t.Errorf("put twice: %v", again.AskedAt)
		}
		q.sent(q.round(9 * time.Minute))
		q.sent(q.round(time.Minute), q.other)
		q.round(59 * time.Minute)
		if row := second2(q.Closures.Read(t.Context(), q.owner, q.row.ID)); !row.IsActive {
			t.Errorf("it ended early: %+v", row)
		}
		q.round(time.Minute)
		if row := second2(q.Closures.Read(t.Context(), q.owner, q.row.ID)); row.IsActive || row.EndReason != "unanswered" {
			t.Errorf("nobody answered: %+v", row)
		}
		if n := check.Audited(t, q.Store, q.organization.ID, "ask_again", "closure", row.ID); n != 1 {
			t.Errorf("%d rows in the audit", n)
		}
		q.Pass(24 * time.Hour)
		q.Open(s, live.Options{})
		must(t, q.PutQuestionsAgain(t.Context()))
		if row := second2(q.Closures.Read(t.Context(), q.owner, q.row.ID)); row.IsActive {
			t.Error("what ended while it could be answered stands again")
		}
	})
}
