package people

import (
	"context"
	"errors"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/secret"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// questionKind is the mail that asks whether a closure is still active.
const questionKind = "closure_asked"

// questionKept is how long a link still shows what happened to its closure, after the question is over.
const questionKept = 24 * time.Hour

// questionsPerHour is how many such mails a user gets in an hour: creating many closures must not flood a mailbox.
var questionsPerHour = int(catalog.LimitInt("closure", "lettersPerHour"))

// questionLife is how long a question can wait at most.
var questionLife = catalog.LimitMs("closure", "answerWaitMs") + catalog.LimitMs("closure", "unansweredStaysMs")

// ActorOfMail is the actor that an emailed link acts as: the user in their current state, without a session. Refusals:
// question_revoked, who was removed or may not come in anymore.
func (a *Accounts) ActorOfMail(ctx context.Context, r store.Reader, userID string) (u fleet.User, actor *access.Actor, err error) {
	if u, err = store.UserByID(ctx, r, userID); err != nil {
		return u, nil, revokedIfGone(err)
	}
	o, err := store.OrganizationByID(ctx, r, u.OrganizationID)
	if err != nil {
		return u, nil, revokedIfGone(err)
	}
	if a.mayBeIn(u, o) != nil {
		return u, nil, RefuseRevoked()
	}
	relations, err := store.RelationsOf(ctx, r, u.OrganizationID)
	return u, access.Of(u, "", relations), err
}

// RefuseRevoked refuses an emailed link whose holder no longer has the permission for what it was sent for.
func RefuseRevoked() *fleet.Refusal {
	return fleet.Refuse("question_revoked", "", "You can't answer for this closure anymore.")
}

func revokedIfGone(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return RefuseRevoked()
	}
	return err
}

// AskByMail queues the mail that asks a user whether a closure is still active, and notes whom its link is for. q has the closure,
// the question and its end; data fills the mail's text. Refusals: rate_limited, when the user had enough such letters within the
// hour; the question still stands on the screen.
func (a *Accounts) AskByMail(ctx context.Context, tx *store.Tx, u fleet.User, q fleet.ClosureQuestion, data map[string]string) (err error) {
	if err := a.countMail(ctx, tx, mailCount{"mail " + questionKind + " " + u.ID, questionsPerHour}); err != nil {
		return err
	}
	token := secret.RandomToken(prefixQuestion, secretBytes)
	q.Hash, q.UserID = secret.Hash(token), u.ID
	q.MailID, err = a.QueueMailID(ctx, tx, Mail{Kind: questionKind, UserID: u.ID, To: u.Email, Data: data,
		Link: a.mailLink("closure", u.Email, token), Until: q.ExpiresAt})
	if err != nil {
		return err
	}
	return tx.InsertClosureQuestion(ctx, q)
}

// QuestionByToken finds the question of an emailed link. Refusals: question_expired.
func (a *Accounts) QuestionByToken(ctx context.Context, r store.Reader, token string) (fleet.ClosureQuestion, error) {
	if !secret.WellFormed(prefixQuestion, token) {
		return fleet.ClosureQuestion{}, RefuseExpired()
	}
	q, err := store.ClosureQuestionByHash(ctx, r, secret.Hash(token))
	if errors.Is(err, store.ErrNotFound) {
		return q, RefuseExpired()
	}
	return q, err
}

// RefuseExpired refuses an emailed link that is unknown or too old.
func RefuseExpired() *fleet.Refusal {
	return fleet.Refuse("question_expired", "", "This link doesn't work anymore. Sign in to see the closure.")
}

// MailTime formats an instant for mails.
func MailTime(at fleet.Instant, zone *time.Location) string { return mailTime(at, zone) }

// Mails returns which mails about closures the caller wants. Requires EDIT_CLOSURE_ANYWHERE, of a user.
func (a *Accounts) Mails(ctx context.Context, actor *access.Actor) (wire.MailPreferences, error) {
	if err := mustChooseMails(actor); err != nil {
		return wire.MailPreferences{}, err
	}
	choice, err := store.MailChoiceOf(ctx, a.Store.Reader(), actor.UserID)
	return wire.MailPreferences{OwnClosures: choice.OwnClosures, OtherClosures: choice.OtherClosures}, err
}

// ChooseMails sets which mails about closures the caller wants. Requires EDIT_CLOSURE_ANYWHERE, of a user. It leaves no row in the
// audit: the choice is the user's own.
func (a *Accounts) ChooseMails(ctx context.Context, actor *access.Actor, in wire.MailPreferences) (wire.MailPreferences, error) {
	if err := mustChooseMails(actor); err != nil {
		return wire.MailPreferences{}, err
	}
	return in, a.Store.Write(ctx, func(tx *store.Tx) error {
		choice, err := store.MailChoiceOf(ctx, tx, actor.UserID)
		if err != nil {
			return err
		}
		choice.OwnClosures, choice.OtherClosures = in.OwnClosures, in.OtherClosures
		return tx.PutMailChoice(ctx, choice)
	})
}

// mustChooseMails admits users who can be asked; a key gets no mail.
func mustChooseMails(actor *access.Actor) error {
	if err := actor.Must("EDIT_CLOSURE_ANYWHERE"); err != nil {
		return err
	}
	if actor.UserID == "" {
		return fleet.Refuse("forbidden", "", "An API key gets no mail.")
	}
	return nil
}
