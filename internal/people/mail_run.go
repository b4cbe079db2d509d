package people

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/mail"
	"lightbar/internal/store"
)

// outbox is the state of sending that is held in memory.
type outbox struct {
	running sync.Mutex // one pass at a time
	sent    atomic.Int64
	failed  atomic.Int64
	emptied bool // the mails that lay in the folder while there was no mail server were sent
	purged  fleet.Instant
	swept   fleet.Instant
}

// RunMail sends the mails that are due. A mail that the server did not accept
// is retried (after 1, 5 and 30 min, then every 2 h) until sending it no longer
// makes sense; a permanent rejection ends it at once. A crash between sending a
// mail and recording it sends the mail again with the same id: it may arrive
// twice, but is never lost. Without Post nothing happens. A timer calls it
// twice a second.
func (a *Accounts) RunMail(ctx context.Context) error {
	o := &a.memory.outbox
	if a.Post == nil || !o.running.TryLock() {
		return nil
	}
	defer o.running.Unlock()
	if err := a.purgeMail(ctx); err != nil {
		return err
	}
	a.sweepFolder()
	if err := a.emptyFolder(ctx); err != nil {
		return err
	}
	due, err := store.DueMail(ctx, a.Store.Reader(), a.now(), mailBatch)
	if err != nil {
		return err
	}
	return cmp.Or(store.EachOf(ctx, due, func(m store.Mail) error { return a.handOn(ctx, m) }), ctx.Err())
}

// emptyFolder sends, once there is a mail server, those mails that were only written into the folder before and are still relevant.
// Each mail is checked again before it is sent (isWanted).
func (a *Accounts) emptyFolder(ctx context.Context) error {
	o := &a.memory.outbox
	if o.emptied || !a.HasMailServer() {
		return nil
	}
	var n int64
	err := a.Store.Write(ctx, func(tx *store.Tx) (err error) {
		n, err = tx.SendFromFolder(ctx, a.now())
		return err
	})
	if err == nil {
		o.emptied = true
		if n > 0 {
			a.Log.Info("there is a mail server now: letters that lay in the outbox folder are sent", "letters", n)
		}
	}
	return err
}

func (a *Accounts) handOn(ctx context.Context, m store.Mail) error {
	if a.now() >= m.UntilAt {
		reason := "too late"
		if m.Error != "" {
			reason += "; " + m.Error
		}
		return a.giveUpMail(ctx, m, reason)
	}
	if wanted, err := a.isWanted(ctx, m); err != nil || !wanted {
		return err
	}
	body, err := a.openMail(m.ID, m.Body)
	if err != nil {
		return a.giveUpMail(ctx, m, err.Error())
	}
	err = a.Post.Send(ctx, mail.Message{ID: m.ID, Kind: m.Kind, At: m.CreatedAt.Time(), To: m.To, ToName: body.Name, Subject: m.Subject,
		Text: body.Text, HTML: body.HTML})
	var refused *mail.Refused
	switch {
	case err == nil:
		a.memory.outbox.sent.Add(1)
		_, inFolder := a.Post.(*mail.Folder)
		return a.Store.Write(ctx, func(tx *store.Tx) error { return tx.MailSent(ctx, m.ID, a.now(), inFolder) })
	case errors.As(err, &refused):
		return a.giveUpMail(ctx, m, refused.Error())
	case ctx.Err() != nil:
		return ctx.Err() // the server stops; the mail is still due
	}
	next := a.now().Add(mailWaits[min(int(m.Attempts), len(mailWaits)-1)])
	reason := mailReason(err.Error())
	a.Log.Warn("mail not taken, it will be tried again", "mail", m.ID, "kind", m.Kind, "attempt", m.Attempts+1, "next", next.String(),
		"error", reason)
	return a.Store.Write(ctx, func(tx *store.Tx) error { return tx.MailLater(ctx, m.ID, min(next, m.UntilAt), reason) })
}

// linkLetters are the mails with a link that works once.
var linkLetters = []linkLetter{letterReset, letterUnlock, letterInvitation}

// linkStands reports whether the link of a mail is still valid: not if it was used (somebody may have read the mail in the folder),
// if the user was removed, or if the organization no longer accepts passwords.
func (a *Accounts) linkStands(ctx context.Context, m store.Mail) (bool, error) {
	i := slices.IndexFunc(linkLetters, func(l linkLetter) bool { return l.kind == m.Kind })
	if i < 0 {
		return true, nil
	}
	r := a.Store.Reader()
	u, err := store.UserByID(ctx, r, m.UserID)
	if err == nil {
		_, err = store.LatestOneTime(ctx, r, linkLetters[i].purpose, u.ID, a.now())
	}
	switch {
	case errors.Is(err, store.ErrNotFound):
		return false, nil
	case err != nil:
		return false, err
	}
	managed, err := a.isManaged(ctx, r, u)
	return !managed, err
}

// isWanted reports whether a waiting question is still open, the recipient of a monthly report may still read it, and a link is
// still valid; otherwise the mail is dropped.
func (a *Accounts) isWanted(ctx context.Context, m store.Mail) (wanted bool, err error) {
	switch {
	case m.Kind == questionKind && a.StillAsked != nil:
		wanted, err = a.StillAsked(ctx, m.ID)
	case m.Kind == MonthlyKind && a.StillReads != nil:
		wanted, err = a.StillReads(ctx, m.ID)
	default:
		wanted, err = a.linkStands(ctx, m)
	}
	if err != nil || wanted {
		return wanted, err
	}
	return false, a.Store.Write(ctx, func(tx *store.Tx) error { return tx.MailSuperseded(ctx, m.ID, a.now()) })
}

// giveUpMail ends a mail that cannot be delivered, visibly.
func (a *Accounts) giveUpMail(ctx context.Context, m store.Mail, reason string) error {
	reason = mailReason(reason)
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.MailFailed(ctx, m.ID, a.now(), reason); err != nil {
			return err
		}
		organization := ""
		if u, err := store.UserByID(ctx, tx, m.UserID); err == nil {
			organization = u.OrganizationID
		} else if !errors.Is(err, store.ErrNotFound) {
			return err
		}
		return a.Audit.Write(ctx, tx, access.System(), audit.Row{Verb: "mail_failed", Noun: "user", NounID: m.UserID,
			OrganizationID: organization,
			After:          map[string]string{"kind": m.Kind, "mail": m.ID, "reason": reason}})
	})
	if err == nil {
		a.memory.outbox.failed.Add(1)
		a.Log.Error("mail given up", "mail", m.ID, "kind", m.Kind, "user", m.UserID, "attempts", m.Attempts+1, "error", reason)
	}
	return err
}

// mailReason is a mail server's message as one short line: it is untrusted
// text.
func mailReason(s string) string {
	out := make([]rune, 0, 300)
	for _, c := range s {
		if unicode.IsControl(c) {
			c = ' '
		}
		if out = append(out, c); len(out) == cap(out) {
			break
		}
	}
	return string(out)
}

// purgeMail deletes the links of mails that were finished long ago, once an hour; the mails themselves have a retention of their
// own (app.Purge).
func (a *Accounts) purgeMail(ctx context.Context) error {
	o, now := &a.memory.outbox, a.now()
	if o.purged != 0 && now.Sub(o.purged) < time.Hour {
		return nil
	}
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.ForgetInFolder(ctx, now); err != nil {
			return err
		}
		for _, l := range linkLetters {
			if err := tx.PurgeOneTimes(ctx, l.purpose, now.Add(-mailKept)); err != nil {
				return err
			}
		}
		return tx.PurgeClosureQuestions(ctx, now.Add(-questionKept))
	})
	if err == nil {
		o.purged = now
	}
	return err
}

// sweepFolder removes the mails in a folder whose link has expired, once a minute. A file that cannot be removed holds up no other
// mail.
func (a *Accounts) sweepFolder() {
	folder, ok := a.Post.(*mail.Folder)
	o, now := &a.memory.outbox, a.now()
	if !ok || (o.swept != 0 && now.Sub(o.swept) < time.Minute) {
		return
	}
	o.swept = now
	for _, l := range append(slices.Clone(linkLetters), linkLetter{kind: questionKind, life: questionLife}) {
		if err := folder.Forget(l.kind, now.Add(-l.life).Time()); err != nil {
			a.Log.Warn("letters with expired links not removed", "kind", l.kind, "error", err)
		}
	}
}

// MailStats are the numbers of the outbox for operators.
type MailStats struct {
	store.MailFacts
	Sent, GivenUp int64 // since the start
}

// MailStats counts the outbox.
func (a *Accounts) MailStats(ctx context.Context) (MailStats, error) {
	facts, err := store.MailNumbers(ctx, a.Store.Reader())
	return MailStats{MailFacts: facts, Sent: a.memory.outbox.sent.Load(), GivenUp: a.memory.outbox.failed.Load()}, err
}
