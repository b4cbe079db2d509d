package app_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/mail"
	"lightbar/internal/people"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/testkit/check"
	"lightbar/internal/wire"
)

// box is a mail server that can be down.
type box struct {
	down    bool
	letters []mail.Message
}

func (b *box) Send(_ context.Context, m mail.Message) error {
	if b.down {
		return errors.New("no answer")
	}
	b.letters = append(b.letters, m)
	return nil
}

// question is a closure of an organization in New York, and its people.
type question struct {
	*apptest.Kit
	t                          *testing.T
	post                       *box
	organization               fleet.Organization
	owner, other, third, quiet *access.Actor
	row                        wire.Closure
}

func newQuestion(t *testing.T, s *store.Store, lasts time.Duration) *question {
	t.Helper()
	q := &question{Kit: apptest.New(t, s), t: t, post: &box{}}
	q.Post = q.post
	q.organization = q.Organization("A")
	must(t, second(q.UpdateOrganization(t.Context(), access.System(), q.organization.ID, wire.OrganizationWrite{Timezone: ref("America/New_York")})))
	q.owner, q.other = q.User(q.organization.ID, "administrator"), q.User(q.organization.ID, "administrator")
	q.third, q.quiet = q.User(q.organization.ID, "viewer"), q.User(q.organization.ID, "administrator")
	q.choose(q.other, wire.MailPreferences{OwnClosures: true, OtherClosures: true})
	q.row = q.closure("Paving", lasts)
	return q
}

func (q *question) choose(actor *access.Actor, in wire.MailPreferences) {
	q.t.Helper()
	must(q.t, second(q.ChooseMails(q.t.Context(), actor, in)))
}

func (q *question) closure(description string, lasts time.Duration) wire.Closure {
	q.t.Helper()
	in := newClosure(description)
	in.RoadName, in.Direction, in.StreetStart, in.StreetEnd = ref("I-95"), ref("N"), ref("Exit 5"), ref("Exit 7")
	in.IsActive, in.EndTime = ref(true), ref(q.At().Add(lasts))
	return second2(first(q.Closures.Create(q.t.Context(), q.owner, in)))
}

// round lets the clock pass, and hands on what it queues.
func (q *question) round(pass time.Duration) []mail.Message {
	q.t.Helper()
	q.Pass(pass)
	must(q.t, q.RunClosures(q.t.Context()))
	return q.hand()
}

func (q *question) hand() []mail.Message {
	q.t.Helper()
	had := len(q.post.letters)
	must(q.t, q.RunMail(q.t.Context()))
	return q.post.letters[had:]
}

// sent checks to whom letters went, and answers their tokens.
func (q *question) sent(letters []mail.Message, to ...*access.Actor) (tokens []string) {
	q.t.Helper()
	var is, wants []string
	for _, one := range letters {
		is = append(is, one.To)
		_, rest, _ := strings.Cut(one.Text, "/welcome/closure/")
		_, rest, _ = strings.Cut(rest, "#")
		token, _, _ := strings.Cut(rest, "\n")
		tokens = append(tokens, token)
	}
	for _, actor := range to {
		wants = append(wants, actor.UserID+"@kit.example")
	}
	slices.Sort(is)
	slices.Sort(wants)
	if !slices.Equal(is, wants) {
		q.t.Fatalf("letters to %q, want %q", is, wants)
	}
	return tokens
}

func (q *question) look(token string) wire.ClosureQuestion {
	q.t.Helper()
	row, err := q.ClosureQuestion(q.t.Context(), token)
	must(q.t, err)
	return row
}

func (q *question) answer(token, answer string) (wire.ClosureQuestion, error) {
	return q.AnswerClosureQuestion(q.t.Context(), token, answer, people.Caller{Network: "192.0.2.7", RequestID: "r1"})
}

func eachQuestion(t *testing.T, lasts time.Duration, run func(*testing.T, *question)) {
	storetest.Each(t, func(t *testing.T, s *store.Store) { run(t, newQuestion(t, s, lasts)) })
}

// The owner is asked, then the others who want it; opening the link answers
// nothing, the first answer counts, and the second is told who gave it.
func TestAClosureIsAskedAboutByMail(t *testing.T) {
	eachQuestion(t, 48*time.Hour, func(t *testing.T, q *question) {
		letters := q.round(4 * time.Hour)
		owners := q.sent(letters, q.owner)
		for _, says := range []string{"I-95 northbound", "from Exit 5 to Exit 7", "Since: November 21, 2026, 7:00 AM EST",
			"Until: November 23, 2026, 7:00 AM EST", "ends on November 21, 2026, 12:30 PM EST", "http://localhost:8080/welcome/closure/"} {
			if !strings.Contains(letters[0].Text, says) {
				t.Errorf("the letter does not say %q:\n%s", says, letters[0].Text)
			}
		}
		q.sent(q.round(29 * time.Minute))
		others := q.sent(q.round(time.Minute), q.other)
		q.sent(q.round(time.Minute))
		was := q.look(owners[0])
		if was.State != "open" || was.RoadName != "I-95" || was.Organization != "A" || was.Timezone != "America/New_York" || was.AnsweredAt != 0 ||
			was.ExpiresAt != was.AskedAt.Add(90*time.Minute) {
			t.Errorf("the question: %+v", was)
		}
		if row := second2(q.Closures.Read(t.Context(), q.owner, q.row.ID)); row.VerifiedAt != q.row.VerifiedAt || row.AskedAt == 0 || row.Version != 1 {
			t.Errorf("a look has changed it: %+v", row)
		}
		refused(t, second(q.answer(owners[0], "moved")), "validation_failed")
		is, err := q.answer(others[0], "still")
		must(t, err)
		at := q.At()
		if is.State != "answered" || is.AnsweredBy != "You" || is.AnsweredAt != at {
			t.Errorf("after the answer: %+v", is)
		}
		q.Pass(time.Minute)
		if late := second2(q.answer(owners[0], "finished")); late.State != "answered" || late.AnsweredBy != "Kit administrator" || late.AnsweredAt != at {
			t.Errorf("the second is told %+v", late)
		}
		row := second2(q.Closures.Read(t.Context(), q.owner, q.row.ID))
		if !row.IsActive || row.VerifiedAt != at || row.VerifiedBy.ID != q.other.UserID || row.AskedAt != 0 || row.EndTime != q.row.EndTime {
			t.Errorf("the closure: %+v", row)
		}
		for verb, n := range map[string]int{"ask": 1, "ask_others": 1, "confirm_by_mail": 1} {
			if got := check.Audited(t, q.Store, q.organization.ID, verb, "closure", row.ID); got != n {
				t.Errorf("%d rows %s in the audit, want %d", got, verb, n)
			}
		}
		q.Pass(2 * time.Hour)
		refused(t, second(q.ClosureQuestion(t.Context(), owners[0])), "question_expired")
	})
}

// A question that is put half an hour before the end reaches others while an
// answer still helps; finished ends the closure at once, and its link says so.
func TestAQuestionBeforeTheEndReachesOthersInTime(t *testing.T) {
	eachQuestion(t, 2*time.Hour, func(t *testing.T, q *question) {
		owners := q.sent(q.round(90*time.Minute), q.owner)
		q.sent(q.round(14 * time.Minute))
		q.sent(q.round(time.Minute), q.other)
		is, err := q.answer(owners[0], "finished")
		must(t, err)
		if is.State != "ended" || is.EndReason != "ended" || is.AnsweredBy != "You" || is.EndTime != q.At() || is.StartTime != q.row.StartTime {
			t.Errorf("after the answer: %+v", is)
		}
		if row := second2(q.Closures.Read(t.Context(), q.owner, q.row.ID)); row.IsActive || row.EndedAt != q.At() {
			t.Errorf("the closure: %+v", row)
		}
		must(t, q.Closures.Remove(t.Context(), q.owner, q.row.ID))
		if gone := q.look(owners[0]); gone.State != "deleted" || gone.AnsweredBy != "You" {
			t.Errorf("removed: %+v", gone)
		}
	})
}

// Nobody answers: the links say that it has ended, and end nothing that begins anew.
func TestALinkOfAnEndedClosureChangesNothing(t *testing.T) {
	eachQuestion(t, 48*time.Hour, func(t *testing.T, q *question) {
		token := q.sent(q.round(4*time.Hour), q.owner)[0]
		q.round(30 * time.Minute)
		q.Pass(time.Hour)
		for _, is := range []wire.ClosureQuestion{q.look(token), second2(q.answer(token, "still"))} {
			if is.State != "ended" || is.EndReason != "unanswered" || is.AnsweredBy != "" || is.EndTime != q.At() {
				t.Errorf("after the end: %+v", is)
			}
		}
		must(t, second(q.Closures.Edit(t.Context(), q.quiet, q.row.ID, 0, wire.ClosureWrite{IsActive: ref(true), EndTime: ref(q.At().Add(time.Hour))})))
		refused(t, second(q.answer(token, "finished")), "question_expired")
		refused(t, second(q.ClosureQuestion(t.Context(), "lb_clq_x")), "question_expired")
		q.Pass(25 * time.Hour)
		q.hand()
		refused(t, second(q.ClosureQuestion(t.Context(), token)), "question_expired")
		if n := check.Count(t, q.Store, "SELECT COUNT(*) FROM closure_question"); n != 0 {
			t.Errorf("%d links are kept", n)
		}
	})
}

// A link is good for its own closure, and for its receiver as long as they may edit it.
func TestALinkIsGoodForOneClosureAndOnePerson(t *testing.T) {
	eachQuestion(t, 48*time.Hour, func(t *testing.T, q *question) {
		second := q.closure("Milling", 48*time.Hour)
		tokens := q.sent(q.round(4*time.Hour), q.owner, q.owner)
		if q.look(tokens[0]).ClosureID == q.look(tokens[1]).ClosureID {
			t.Fatal("both links lead to one closure")
		}
		for _, token := range tokens {
			if is := q.look(token); is.ClosureID == q.row.ID {
				must(t, ended(q.answer(token, "finished")))
			}
		}
		if row := second2(q.Closures.Read(t.Context(), q.owner, second.ID)); !row.IsActive || row.VerifiedAt != second.VerifiedAt {
			t.Errorf("the other closure: %+v", row)
		}
		revoke := func(set string, value any, code string) {
			t.Helper()
			tamper(t, q.Store, `UPDATE app_user SET `+set+` = $1 WHERE id = $2`, value, q.owner.UserID)
			for _, token := range tokens {
				refused(t, ended(q.ClosureQuestion(t.Context(), token)), code)
				refused(t, ended(q.answer(token, "still")), code)
			}
		}
		revoke("role_id", q.role("viewer"), "question_revoked")
		tamper(t, q.Store, `UPDATE app_user SET role_id = $1 WHERE id = $2`, q.role("administrator"), q.owner.UserID)
		revoke("suspended", true, "question_revoked")
		tamper(t, q.Store, `UPDATE app_user SET suspended = $1 WHERE id = $2`, false, q.owner.UserID)
		revoke("deleted_at", int64(q.At()), "question_revoked")
	})
}

func ended(_ wire.ClosureQuestion, err error) error { return err }

func (q *question) role(name string) string { return check.Role(q.t, name) }

// Who cannot be asked is not; the person who saw the closure last is, else those who want it.
func TestWhoIsAskedInPlaceOfAnOwner(t *testing.T) {
	eachQuestion(t, 7*24*time.Hour, func(t *testing.T, q *question) {
		must(t, second(q.Closures.Edit(t.Context(), q.quiet, q.row.ID, 0, wire.ClosureWrite{EndTime: ref(q.At().Add(6 * 24 * time.Hour)), IsActive: ref(true)})))
		tamper(t, q.Store, `UPDATE app_user SET deleted_at = $1 WHERE id = $2`, int64(q.At()), q.owner.UserID)
		token := q.sent(q.round(4*time.Hour), q.quiet)[0]
		must(t, ended(q.answer(token, "still")))
		tamper(t, q.Store, `UPDATE app_user SET role_id = $1 WHERE id = $2`, q.role("viewer"), q.quiet.UserID)
		tamper(t, q.Store, `INSERT INTO mail_choice (user_id, own_closures, other_closures) VALUES ($1, TRUE, TRUE)`, q.third.UserID)
		letters := q.round(4 * time.Hour) // the viewer may not edit closures, whatever they want
		token = q.sent(letters, q.other)[0]
		if !strings.Contains(letters[0].Text, "can't be asked") {
			t.Errorf("the letter: %s", letters[0].Text)
		}
		q.sent(q.round(30 * time.Minute))
		must(t, ended(q.answer(token, "still")))
	})
}

// Who wants no mail gets none: the app asks, and after half an hour the others.
func TestMailsCanBeTurnedOff(t *testing.T) {
	eachQuestion(t, 48*time.Hour, func(t *testing.T, q *question) {
		if is := second2(q.Mails(t.Context(), q.quiet)); !is.OwnClosures || is.OtherClosures {
			t.Errorf("nothing chosen: %+v", is)
		}
		refused(t, second(q.ChooseMails(t.Context(), q.third, wire.MailPreferences{})), "forbidden")
		refused(t, second(q.Mails(t.Context(), &access.Actor{KeyID: "key", Permissions: q.owner.Permissions})), "forbidden")
		q.choose(q.owner, wire.MailPreferences{OtherClosures: true})
		q.sent(q.round(4 * time.Hour))
		if row := second2(q.Closures.Read(t.Context(), q.owner, q.row.ID)); row.AskedAt != q.At() {
			t.Errorf("the app does not ask: %+v", row)
		}
		q.sent(q.round(30*time.Minute), q.other)
	})
}

// A letter that waits is dropped when its question is over, or its receiver may not answer any more.
func TestNoStaleQuestionLeaves(t *testing.T) {
	eachQuestion(t, 48*time.Hour, func(t *testing.T, q *question) {
		four := map[string]wire.Closure{"answered": q.row}
		for _, name := range []string{"ended", "deleted", "open"} {
			four[name] = q.closure(name, 48*time.Hour)
		}
		q.post.down = true
		q.sent(q.round(4 * time.Hour))
		must(t, second(q.ConfirmClosure(t.Context(), q.quiet, four["answered"].ID, wire.ClosureConfirm{Answer: "still"})))
		must(t, second(q.Closures.Edit(t.Context(), q.quiet, four["ended"].ID, 0, wire.ClosureWrite{IsActive: ref(false)})))
		must(t, q.Closures.Remove(t.Context(), q.quiet, four["deleted"].ID))
		q.post.down = false
		q.Pass(2 * time.Minute)
		if is := q.look(q.sent(q.hand(), q.owner)[0]); is.ClosureID != four["open"].ID || is.State != "open" {
			t.Errorf("the letter is about %+v", is)
		}
		q.post.down = true
		q.round(29 * time.Minute) // the others of the open one
		q.Pass(2 * time.Hour)
		q.post.down = false
		q.sent(q.hand())
		if stats, err := q.MailStats(t.Context()); err != nil || stats.Waiting != 0 {
			t.Errorf("%+v wait: %v", stats, err)
		}
	})
}

// Whoever makes many closures does not flood a mailbox with their questions: twenty letters an hour, and the next hour again.
func TestQuestionsToAPersonAreLimited(t *testing.T) {
	eachQuestion(t, 40*time.Minute, func(t *testing.T, q *question) {
		for i := range 24 {
			q.closure(fmt.Sprint("Paving ", i), 40*time.Minute)
		}
		if n := len(q.round(15 * time.Minute)); n != 20 {
			t.Errorf("%d letters", n)
		}
		q.Pass(time.Hour)
		q.closure("Later", 40*time.Minute)
		if n := len(q.round(15 * time.Minute)); n != 1 {
			t.Errorf("an hour later: %d letters", n)
		}
	})
}
