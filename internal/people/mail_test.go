package people_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/api"
	"lightbar/internal/app"
	post "lightbar/internal/mail"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit"
	"lightbar/internal/testkit/smtptest"
)

// A letter is a row of the change's own transaction, sealed, and forgotten once it was sent.
// spec: D.auth.08
func TestALetterWaitsSealedAndIsForgotten(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		p := newPosted(t, testkit.WithStore(s))
		must(t, p.App.ForgotPassword(t.Context(), "Viewer@demo.example ", caller()))
		rows := p.mailRows(t, "viewer")
		if len(rows) != 1 || rows[0].Kind != "reset" || rows[0].SentAt != 0 || rows[0].Body == "" || strings.Contains(rows[0].Body, "lb_rst_") {
			t.Fatalf("rows %+v", rows)
		}
		l := p.one(t, "Reset your Safety Cloud password")
		if l.To != "viewer@demo.example" || !strings.HasPrefix(l.link(), "/welcome/reset/viewer@demo.example#lb_rst_") ||
			!strings.Contains(l.HTML, publicURL+l.link()) || !strings.Contains(l.Text, "Hello Test,") || !strings.Contains(l.Text, "November 21, 2026, 5:30 AM EST") {
			t.Errorf("letter %+v", l)
		}
		rows = p.mailRows(t, "viewer")
		if rows[0].SentAt == 0 || rows[0].Body != "" || rows[0].Attempts != 1 {
			t.Errorf("afterwards %+v", rows[0])
		}
		if more := p.letters(t); len(more) != 0 {
			t.Errorf("sent again: %+v", more)
		}
		if stats, err := p.App.MailStats(t.Context()); err != nil || stats.Sent != 1 || stats.Waiting != 0 || stats.Failed != 0 {
			t.Errorf("%+v %v", stats, err)
		}
		// Rows are kept for a month, to be looked at.
		p.Clock.Advance(31 * 24 * time.Hour)
		must(t, p.App.Purge(t.Context()))
		if rows := p.mailRows(t, "viewer"); len(rows) != 0 {
			t.Errorf("kept for ever: %+v", rows)
		}
	})
}

// What is not taken is tried again after 1 min, 5 min, 30 min and every 2 h; not a moment before.
func TestTheOutboxTriesAgain(t *testing.T) {
	p := newPosted(t)
	busy := smtptest.Rules{Rcpt: func(string) error { return smtptest.Refuse(451, "viewer@demo.example: come again") }}
	p.smtp.Behave(busy)
	must(t, p.App.SetUserPassword(t.Context(), access.System(), "viewer@demo.example", "Quiet+Marsh#4 otter"))
	tries := 0
	for i, wait := range []time.Duration{0, time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 2 * time.Hour} {
		if wait > 0 {
			p.Clock.Advance(wait - time.Millisecond)
			must(t, p.App.RunMail(t.Context()))
			if p.smtp.Tries() != tries {
				t.Fatalf("attempt %d came before %s", i+1, wait)
			}
			p.Clock.Advance(time.Millisecond)
		}
		must(t, p.App.RunMail(t.Context()))
		if tries++; p.smtp.Tries() != tries {
			t.Fatalf("attempt %d: %d tries", i+1, p.smtp.Tries())
		}
	}
	row := p.mailRows(t, "viewer")[0]
	if row.Attempts != 6 || !strings.Contains(row.Error, "451") || strings.Contains(row.Error, "viewer@") || strings.Contains(p.Log.Text(), "viewer@demo") {
		t.Errorf("row %+v\n%s", row, p.Log.Text())
	}
	p.smtp.Behave(smtptest.Rules{})
	p.Clock.Advance(2 * time.Hour)
	p.one(t, "was changed")
}

// A link that has expired is not sent late.
func TestAnExpiredLinkIsNotSent(t *testing.T) {
	p := newPosted(t)
	p.smtp.Behave(smtptest.Rules{DropInData: true})
	must(t, p.App.ForgotPassword(t.Context(), "viewer@demo.example", caller()))
	for range 10 {
		must(t, p.App.RunMail(t.Context()))
		p.Clock.Advance(2 * time.Minute)
	}
	p.smtp.Behave(smtptest.Rules{})
	p.Clock.Advance(time.Hour)
	if sent := p.letters(t); len(sent) != 0 {
		t.Errorf("sent after the link had expired: %+v", sent)
	}
	row := p.mailRows(t, "viewer")[0]
	if row.FailedAt == 0 || row.Body != "" || !strings.Contains(row.Error, "too late") || !p.hasAudit(t, "mail_failed") {
		t.Errorf("row %+v", row)
	}
	if stats, err := p.App.MailStats(t.Context()); err != nil || stats.GivenUp != 1 || stats.Failed != 1 {
		t.Errorf("%+v %v", stats, err)
	}
}

// A permanent refusal ends a letter at once: visible in row, log, audit and metric.
func TestAPermanentRefusalEndsALetter(t *testing.T) {
	p := newPosted(t)
	p.smtp.Behave(smtptest.Rules{Rcpt: func(string) error { return smtptest.Refuse(550, "no such mailbox") }})
	must(t, p.App.ForgotPassword(t.Context(), "viewer@demo.example", caller()))
	must(t, p.App.RunMail(t.Context()))
	row := p.mailRows(t, "viewer")[0]
	if row.FailedAt == 0 || row.Body != "" || !strings.Contains(row.Error, "550") || !p.hasAudit(t, "mail_failed") || !strings.Contains(p.Log.Text(), "mail given up") {
		t.Errorf("row %+v", row)
	}
	p.smtp.Behave(smtptest.Rules{})
	p.Clock.Advance(time.Minute)
	if sent := p.letters(t); len(sent) != 0 || p.smtp.Tries() != 1 {
		t.Errorf("tried again: %+v", sent)
	}
	if stats, err := p.App.MailStats(t.Context()); err != nil || stats.GivenUp != 1 || stats.Waiting != 0 {
		t.Errorf("%+v %v", stats, err)
	}
}

// crashing is a sender whose process ends right after the server has taken the message.
type crashing struct {
	post.Sender
	crash context.CancelFunc
}

func (c crashing) Send(ctx context.Context, m post.Message) error {
	err := c.Sender.Send(ctx, m)
	c.crash()
	return err
}

// A crash between handing on and noting it: twice, never zero; with the same id.
func TestACrashMaySendTwice(t *testing.T) {
	p := newPosted(t)
	must(t, p.App.ForgotPassword(t.Context(), "viewer@demo.example", caller()))
	ctx, cancel := context.WithCancel(t.Context())
	sender := p.App.Post
	p.App.Post = crashing{sender, cancel}
	if err := p.App.RunMail(ctx); err == nil {
		t.Fatal("the end of the process was not noticed")
	}
	p.App.Post = sender
	must(t, p.App.RunMail(t.Context()))
	taken := p.smtp.Taken()
	if len(taken) != 2 || messageID(taken[0].Data) == "" || messageID(taken[0].Data) != messageID(taken[1].Data) {
		t.Errorf("%d messages taken: %+v", len(taken), taken)
	}
}

func messageID(data string) string {
	for line := range strings.SplitSeq(data, "\r\n") {
		if id, ok := strings.CutPrefix(line, "Message-ID: "); ok {
			return id
		}
	}
	return ""
}

// A letter of a change that is rolled back never existed; a stop in the middle
// of the queue loses nothing.
func TestManyLettersAndAStop(t *testing.T) {
	p := newPosted(t)
	for _, role := range []string{"viewer", "operator", "manager"} {
		must(t, p.App.SetUserPassword(t.Context(), access.System(), role+"@demo.example", "Quiet+Marsh#4 otter"))
	}
	ctx, cancel := context.WithCancel(t.Context())
	sender := p.App.Post
	p.App.Post = crashing{sender, cancel}
	_ = p.App.RunMail(ctx)
	p.App.Post = sender
	got := map[string]bool{}
	for _, l := range p.letters(t) {
		got[l.To] = true
	}
	if len(got) != 3 {
		t.Errorf("letters to %v", got)
	}
}

// A database that was moved without its server key sends no garbage.
func TestAnotherServerKeyGivesLettersUp(t *testing.T) {
	p := newPosted(t)
	must(t, p.App.ForgotPassword(t.Context(), "viewer@demo.example", caller()))
	p.App.ServerKey = []byte("another key of thirty-two bytes!")
	if sent := p.letters(t); len(sent) != 0 {
		t.Errorf("%+v", sent)
	}
	if row := p.mailRows(t, "viewer")[0]; row.FailedAt == 0 || !strings.Contains(row.Error, "server key") {
		t.Errorf("%+v", row)
	}
}

// Without a way to hand letters on they stay.
func TestWithoutPostLettersWait(t *testing.T) {
	p := newPosted(t)
	p.App.Post = nil
	must(t, p.App.ForgotPassword(t.Context(), "viewer@demo.example", caller()))
	must(t, p.App.RunMail(t.Context()))
	if row := p.mailRows(t, "viewer")[0]; row.SentAt != 0 || row.Attempts != 0 || row.Body == "" {
		t.Errorf("%+v", row)
	}
}

// Without an SMTP server letters are files: those with a link go when it has expired, the others stay.
func TestLettersInTheFolderGoWithTheirLinks(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "outbox")
	w := testkit.New(t, testkit.WithBuild(func(a *app.App, _ *api.Options) {
		a.Post = &post.Folder{Dir: dir, From: post.From{Address: "map@fleet.example"}, Log: a.Log}
	}))
	ctx := t.Context()
	kinds := func() (out []string) {
		t.Helper()
		must(t, w.App.RunMail(ctx))
		entries, err := os.ReadDir(dir)
		must(t, err)
		for _, e := range entries {
			out = append(out, strings.Split(e.Name(), "-")[1])
		}
		slices.Sort(out)
		return out
	}
	must(t, w.App.ForgotPassword(ctx, viewerEmail, caller()))
	must(t, w.App.UnlockAccount(ctx, viewerEmail, caller()))
	_, err := w.App.CreateUser(ctx, w.Actor("administrator"), invitee(t))
	must(t, err)
	must(t, w.App.SetUserPassword(ctx, access.System(), "operator@demo.example", nextPassword))
	for _, row := range []struct {
		wait time.Duration
		left []string
	}{
		{0, []string{"invitation", "password_changed", "reset", "unlock"}},
		{30 * time.Minute, []string{"invitation", "password_changed", "reset", "unlock"}}, // to the second
		{time.Minute, []string{"invitation", "password_changed"}},
		{7*24*time.Hour - 31*time.Minute, []string{"invitation", "password_changed"}},
		{time.Minute, []string{"password_changed"}},
	} {
		w.Clock.Advance(row.wait)
		if got := kinds(); !slices.Equal(got, row.left) {
			t.Errorf("after %v more: %v, want %v", row.wait, got, row.left)
		}
	}
}
