package people

import (
	"context"
	"errors"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/mail"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// tryMost is how long a test mail may take: the person who requested it waits at the screen.
const tryMost = 20 * time.Second

// SendTestMail sends the caller a mail at once, bypassing the outbox, and returns the mail server's response. It is never tried
// again. Requires MANAGE_PLATFORM, of a user: the answer tells of the server's settings. Refusals: forbidden, rate_limited.
func (a *Accounts) SendTestMail(ctx context.Context, actor *access.Actor) (out wire.TestMail, err error) {
	if err := actor.Must("MANAGE_PLATFORM"); err != nil {
		return out, err
	}
	if actor.UserID == "" {
		return out, fleet.Refuse("forbidden", "", "An API key gets no mail.")
	}
	u, err := store.UserByID(ctx, a.Store.Reader(), actor.UserID)
	if err != nil {
		return out, err
	}
	counter := "test mails of " + u.ID
	defer a.memory.signIns.Lock(counter)()
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := a.countMail(ctx, tx, mailCount{counter, mailsPerNetwork}); err != nil {
			return err
		}
		return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "test_mail", Noun: "user", NounID: u.ID, OrganizationID: u.OrganizationID})
	})
	if err != nil {
		return out, err
	}
	m, err := a.testLetter(ctx, u)
	if err != nil {
		return out, err
	}
	out = wire.TestMail{To: u.Email, SentAt: a.now()}
	within, cancel := context.WithTimeout(ctx, tryMost)
	defer cancel()
	out.State, out.Answer = TryMail(within, a.Post, m)
	return out, ctx.Err()
}

// HasMailServer reports whether mails are really sent, and not only written into the outbox folder.
func (a *Accounts) HasMailServer() bool {
	_, isServer := a.Post.(mail.Asker)
	return isServer
}

// testLetter is the mail of a test, as the outbox would make it.
func (a *Accounts) testLetter(ctx context.Context, u fleet.User) (mail.Message, error) {
	name, zone, err := a.greeting(ctx, a.Store.Reader(), u.ID)
	if err != nil {
		return mail.Message{}, err
	}
	brand, err := a.Brand(ctx)
	if err != nil {
		return mail.Message{}, err
	}
	now := a.now()
	letter, err := mail.Render(testKind, mail.Words{Brand: brand.Name, Support: helper(brand.SupportEmail), Home: a.PublicURL, Name: name,
		Data: map[string]string{"at": mailTime(now, zone)}})
	return letter.Message(a.NewID(), testKind, now.Time(), u.Email, name), err
}

// testKind is the mail of a test.
const testKind = "test"

// TryMail sends a message and returns the result: the state as in the API, and the mail server's response.
func TryMail(ctx context.Context, post mail.Sender, m mail.Message) (state, answer string) {
	asked, isServer := post.(mail.Asker)
	if !isServer {
		return wire.TestMailNoServer, ""
	}
	answer, err := asked.Ask(ctx, m)
	var refused *mail.Refused
	switch {
	case err == nil:
		return wire.TestMailTaken, mailReason(answer)
	case errors.As(err, &refused):
		return wire.TestMailRefused, mailReason(refused.Reason)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return wire.TestMailFailed, "no answer within " + tryMost.String() + "; " + mailReason(err.Error())
	}
	return wire.TestMailFailed, mailReason(err.Error())
}
