package people_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	post "lightbar/internal/mail"
	"lightbar/internal/testkit/smtptest"
)

// Whoever runs the server sees what the mail server says to a test, word for word but for addresses.
func TestATestMail(t *testing.T) {
	p := newPosted(t)
	ctx, super := t.Context(), p.Actor("super")
	_, err := p.App.SendTestMail(ctx, p.Actor("administrator"))
	refused(t, err, "forbidden")
	got, err := p.App.SendTestMail(ctx, super)
	if err != nil || got.State != "taken" || got.To != p.Users["super"].Email || got.Answer == "" {
		t.Errorf("%+v %v", got, err)
	}
	if taken := p.smtp.Taken(); len(taken) != 1 || readLetter(t, taken[0].Data).Subject != "Test mail from Safety Cloud" {
		t.Errorf("taken: %+v", taken)
	}
	for code, want := range map[int]string{550: "refused", 451: "failed"} {
		p.smtp.Behave(smtptest.Rules{Rcpt: func(to string) error { return smtptest.Refuse(code, "no relay for "+to+" here") }})
		got, err := p.App.SendTestMail(ctx, super)
		if err != nil || got.State != want || !strings.Contains(got.Answer, "no relay for") || strings.Contains(got.Answer, "@") {
			t.Errorf("%d: %+v %v", code, got, err)
		}
	}
	if rows := p.mailRows(t, "super"); len(rows) != 0 {
		t.Errorf("in the outbox: %+v", rows)
	}
	p.App.Post = &post.Folder{Dir: filepath.Join(t.TempDir(), "outbox"), From: post.From{Address: "map@fleet.example"}, Log: p.App.Log}
	if got, err := p.App.SendTestMail(ctx, super); err != nil || got.State != "no_server" || got.Answer != "" {
		t.Errorf("%+v %v", got, err)
	}
	if got := audits(t, p.World, p.Users["super"].OrganizationID, "test_mail", "user", p.Users["super"].ID); got != 4 {
		t.Errorf("%d rows in the audit", got)
	}
	for range 6 {
		_, err = p.App.SendTestMail(ctx, super)
		must(t, err)
	}
	_, err = p.App.SendTestMail(ctx, super)
	refused(t, err, "rate_limited")
	p.Clock.Advance(time.Hour + time.Second)
	_, err = p.App.SendTestMail(ctx, super)
	must(t, err)
}
