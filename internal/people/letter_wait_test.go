package people_test

import (
	"testing"
	"time"

	"lightbar/internal/store"
	"lightbar/internal/testkit"
	"lightbar/internal/testkit/smtptest"
)

// A letter that waits is looked at again when its link ends, not later: what
// became of it shows then.
func TestALetterIsGivenUpWhenItsLinkEnds(t *testing.T) {
	p := newPosted(t)
	p.smtp.Behave(smtptest.Rules{DropInData: true})
	must(t, p.App.ForgotPassword(t.Context(), "viewer@demo.example", caller()))
	for _, wait := range []time.Duration{0, time.Minute, 5 * time.Minute} {
		p.Clock.Advance(wait)
		must(t, p.App.RunMail(t.Context()))
	}
	row := p.mailRows(t, "viewer")[0]
	if row.Attempts != 3 || row.NextAt != row.UntilAt || row.UntilAt.Time() != testkit.Start.Add(30*time.Minute) {
		t.Errorf("%d attempts, the next at %s, no use from %s", row.Attempts, row.NextAt, row.UntilAt)
	}
	p.Clock.Advance(24 * time.Minute)
	must(t, p.App.RunMail(t.Context()))
	if row = p.mailRows(t, "viewer")[0]; row.FailedAt == 0 {
		t.Errorf("not given up when its link ended: %+v", row)
	}
}

// A new password drops the letters that still wait with a link to choose one,
// and forgives the wrong ones before.
func TestANewPasswordMakesWaitingLettersUseless(t *testing.T) {
	w := testkit.New(t)
	must(t, w.App.ForgotPassword(t.Context(), "viewer@demo.example", caller()))
	viewer := w.Actor("viewer")
	must(t, w.App.ChangePassword(t.Context(), viewer, testkit.Password, "Quiet+Marsh#4 otter"))
	rows, err := store.MailOf(t.Context(), w.App.Store.Reader(), viewer.UserID)
	must(t, err)
	for _, m := range rows {
		if m.Kind == "reset" && (m.FailedAt == 0 || m.Body != "" || m.Error != "superseded") {
			t.Errorf("the letter still goes out: %+v", m)
		}
	}
	if len(rows) != 2 {
		t.Errorf("%d letters", len(rows))
	}
}
