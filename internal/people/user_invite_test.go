package people_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lightbar/internal/fleet"
	post "lightbar/internal/mail"
	"lightbar/internal/people"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit"
	"lightbar/internal/testkit/smtptest"
	"lightbar/internal/wire"
)

// An administrator is told the truth about the letter: that it waits, is tried again, lies on the server, or has left.
func TestHowTheLetterOfAnInvitationStands(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		p := newPosted(t, testkit.WithStore(s))
		ctx, administrator := t.Context(), p.Actor("administrator")
		m, err := p.App.CreateUser(ctx, administrator, invitee(t))
		must(t, err)
		stands := func(want string) {
			t.Helper()
			must(t, p.App.RunMail(ctx))
			now, err := p.App.Member(ctx, administrator, m.ID)
			if err != nil || now.InvitationMail != want {
				t.Errorf("%q (%v), want %q", now.InvitationMail, err, want)
			}
			listed, _, err := p.App.ListMembers(ctx, administrator, people.MemberQuery{})
			must(t, err)
			for _, one := range listed {
				if (one.ID == m.ID) != (one.InvitationMail == want) {
					t.Errorf("%s is listed with %q", one.Email, one.InvitationMail)
				}
			}
		}
		if m.InvitationMail != "queued" {
			t.Errorf("%q", m.InvitationMail)
		}
		p.smtp.Behave(smtptest.Rules{Rcpt: func(string) error { return smtptest.Refuse(451, "come again") }})
		stands("retrying")
		p.smtp.Behave(smtptest.Rules{Rcpt: func(string) error { return smtptest.Refuse(550, "no such mailbox") }})
		p.Clock.Advance(time.Minute)
		stands("failed")
		p.smtp.Behave(smtptest.Rules{})
		_, err = p.App.InviteUser(ctx, administrator, m.ID)
		must(t, err)
		stands("sent")
		p.App.Post = &post.Folder{Dir: filepath.Join(t.TempDir(), "outbox"), From: post.From{Address: "map@fleet.example"}, Log: p.App.Log}
		p.Clock.Advance(time.Second)
		_, err = p.App.InviteUser(ctx, administrator, m.ID)
		must(t, err)
		stands("unsent")
		link, err := p.App.CopyInvitation(ctx, administrator, m.ID)
		must(t, err)
		must(t, p.App.AcceptInvitation(ctx, tokenOf(link), nextPassword, caller()))
		if now, err := p.App.Member(ctx, administrator, m.ID); err != nil || now.InvitationMail != "" {
			t.Errorf("after a password was chosen: %q %v", now.InvitationMail, err)
		}
	})
}

func tokenOf(l wire.InvitationLink) string { return l.Link[strings.LastIndex(l.Link, "#")+1:] }

// A copied link is the one of the letter that waits; one that a mail server has is worth nothing anymore.
func TestACopiedInvitation(t *testing.T) {
	p := newPosted(t)
	ctx, administrator := t.Context(), p.Actor("administrator")
	m, err := p.App.CreateUser(ctx, administrator, invitee(t))
	must(t, err)
	waits, err := p.App.CopyInvitation(ctx, administrator, m.ID)
	must(t, err)
	l := p.one(t, "Your Safety Cloud account")
	if !waits.Mailed || waits.Link != publicURL+l.link() || waits.ExpiresAt != fleet.InstantOf(p.App.Now()).Add(7*24*time.Hour) {
		t.Errorf("%+v, mailed %s", waits, l.link())
	}
	p.Clock.Advance(time.Second)
	instead, err := p.App.CopyInvitation(ctx, administrator, m.ID)
	must(t, err)
	if more := p.letters(t); instead.Mailed || len(more) != 0 || instead.Link == waits.Link {
		t.Errorf("%+v, %d letters", instead, len(more))
	}
	if now, err := p.App.Member(ctx, administrator, m.ID); err != nil || now.InvitationMail != "" || !now.InvitationOpen {
		t.Errorf("%+v %v", now, err)
	}
	refused(t, p.App.AcceptInvitation(ctx, l.token(), nextPassword, caller()), "invitation_expired")
	must(t, p.App.AcceptInvitation(ctx, tokenOf(instead), nextPassword, caller()))
	_, err = p.App.CopyInvitation(ctx, administrator, m.ID)
	refused(t, err, "validation_failed") // has a password: it would be a way around the reset
	if got := audits(t, p.World, p.Own.ID, "copy_invitation", "user", m.ID); got != 2 {
		t.Errorf("%d rows in the audit", got)
	}
	rows, err := store.ListAudit(ctx, p.App.Store.Reader(), p.Own.ID, 0, 1000)
	must(t, err)
	for _, row := range rows {
		if strings.Contains(string(row.Before)+string(row.After), "lb_inv_") {
			t.Errorf("the audit has a link: %+v", row)
		}
	}
	if strings.Contains(p.Log.Text(), "lb_inv_") {
		t.Error("the log has a link")
	}
}

// Who copies proves who they are first, and copies no more than they may invite.
func TestCopyingAnInvitationIsGuarded(t *testing.T) {
	w := testkit.New(t)
	ctx, administrator := t.Context(), w.Actor("administrator")
	m, err := w.App.CreateUser(ctx, administrator, invitee(t))
	must(t, err)
	w.Clock.Advance(time.Hour)
	_, err = w.App.CopyInvitation(ctx, administrator, m.ID)
	refused(t, err, "step_up_required")
	_, err = w.App.CopyInvitation(ctx, w.Actor("manager"), m.ID)
	refused(t, err, "forbidden")
	_, err = w.App.CopyInvitation(ctx, w.Actor("outsider"), m.ID)
	refused(t, err, "user_not_found")
	for range 50 {
		_, err = w.App.CopyInvitation(ctx, w.Actor("administrator"), m.ID)
		must(t, err)
	}
	_, err = w.App.CopyInvitation(ctx, w.Actor("administrator"), m.ID)
	refused(t, err, "rate_limited")
}
