package app

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/people"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// Why someone gets the mail about a closure: they are responsible, they stand in for that person, or nobody has answered.
const (
	askedOwner   = "owner"
	askedInstead = "instead"
	askedOthers  = "others"
)

// waysOfTraffic are the directions of closures in mails.
var waysOfTraffic = map[string]string{"N": "northbound", "E": "eastbound", "S": "southbound", "W": "westbound"}

// asking is a question that is sent by mail.
type asking struct {
	*App
	tx      *store.Tx
	closure *fleet.Closure
	at      fleet.Instant
	asked   []string // the users who get a mail
}

// askByMail asks the person responsible for a closure. If that person was removed or may no longer edit it, the mail goes to the
// last person who verified it; if they cannot be asked either, at once to the others who want such mails.
func (a *App) askByMail(ctx context.Context, tx *store.Tx, x *fleet.Closure, at fleet.Instant) error {
	q := asking{App: a, tx: tx, closure: x, at: at}
	for _, one := range []struct{ id, to string }{{x.ResponsibleUserID, askedOwner}, {lastVerifier(x), askedInstead}} {
		u, choice, err := q.may(ctx, one.id)
		if err != nil {
			return err
		}
		if u.ID == "" {
			continue
		}
		if choice.OwnClosures {
			if err := q.send(ctx, u, one.to); err != nil {
				return err
			}
		}
		return q.note(ctx, "ask")
	}
	if err := q.others(ctx, askedInstead); err != nil {
		return err
	}
	return q.note(ctx, "ask")
}

// askOthers asks the other people who want such mails, because nobody has answered.
func (a *App) askOthers(ctx context.Context, tx *store.Tx, x *fleet.Closure, at fleet.Instant) error {
	q := asking{App: a, tx: tx, closure: x, at: at}
	if err := q.others(ctx, askedOthers); err != nil || len(q.asked) == 0 {
		return err
	}
	return q.note(ctx, "ask_others")
}

func lastVerifier(x *fleet.Closure) string {
	if x.VerifiedBy == nil || x.VerifiedBy.Kind != "user" {
		return ""
	}
	return x.VerifiedBy.ID
}

// may finds a user who can answer for the closure, and which mails they want; a user without an id cannot answer.
func (q *asking) may(ctx context.Context, userID string) (u fleet.User, choice fleet.MailChoice, err error) {
	if userID == "" {
		return u, choice, nil
	}
	u, _, err = q.answerer(ctx, q.tx, userID, q.closure)
	if refusal := (*fleet.Refusal)(nil); errors.As(err, &refusal) {
		return fleet.User{}, choice, nil
	}
	if err != nil {
		return u, choice, err
	}
	choice, err = store.MailChoiceOf(ctx, q.tx, u.ID)
	return u, choice, err
}

// answerer returns the current state of a user who may answer whether a closure is still active. Refusals: question_revoked.
func (a *App) answerer(ctx context.Context, r store.Reader, userID string, x *fleet.Closure) (fleet.User, *access.Actor, error) {
	u, actor, err := a.ActorOfMail(ctx, r, userID)
	if err != nil {
		return u, nil, err
	}
	if !actor.Meets(closures.Edits) || !actor.Meets(closures.Views) || actor.Reach(x.OrganizationID) != access.Full {
		return u, nil, people.RefuseRevoked()
	}
	return u, actor, nil
}

// others asks everyone in the closure's organization who wants such mails and has not been asked yet.
func (q *asking) others(ctx context.Context, to string) error {
	if err := q.tx.OthersAsked(ctx, q.closure.ID, q.closure.AskedAt); err != nil {
		return err
	}
	had, err := store.ClosureQuestionsAsked(ctx, q.tx, q.closure.ID, q.closure.AskedAt)
	if err != nil {
		return err
	}
	wanting, err := store.MailOfOtherClosures(ctx, q.tx, q.closure.OrganizationID)
	if err != nil {
		return err
	}
	for _, choice := range wanting {
		isTold := func(one fleet.ClosureQuestion) bool { return one.UserID == choice.UserID }
		if choice.UserID == q.closure.ResponsibleUserID || slices.ContainsFunc(had, isTold) {
			continue
		}
		u, _, err := q.may(ctx, choice.UserID)
		if err != nil {
			return err
		}
		if u.ID == "" {
			continue
		}
		if err := q.send(ctx, u, to); err != nil {
			return err
		}
	}
	return nil
}

// send queues the mail to one person, with times in the time zone of the closure's organization.
func (q *asking) send(ctx context.Context, u fleet.User, to string) error {
	x := q.closure
	o, err := store.OrganizationByID(ctx, q.tx, x.OrganizationID)
	if err != nil {
		return err
	}
	zone, err := time.LoadLocation(o.Timezone)
	if err != nil {
		zone = time.UTC
	}
	is, ends := x.SpanAt(q.at), x.QuestionEnds(q.at)
	road := x.RoadName
	if road == "" {
		road = x.Description
	}
	err = q.AskByMail(ctx, q.tx, u, fleet.ClosureQuestion{ClosureID: x.ID, AskedAt: x.AskedAt, ExpiresAt: ends}, map[string]string{
		"to": to, "organization": o.Name, "description": x.Description, "stretch": stretchOf(x),
		"place": strings.TrimSpace(road + " " + waysOfTraffic[x.Direction]), "since": people.MailTime(is.From, zone),
		"ends": people.MailTime(is.To, zone), "until": people.MailTime(ends, zone)})
	if refusal := (*fleet.Refusal)(nil); errors.As(err, &refusal) && refusal.Code == "rate_limited" {
		return nil
	}
	if err == nil {
		q.asked = append(q.asked, u.ID)
	}
	return err
}

// stretchOf names the streets between which a closure lies, as far as they are known.
func stretchOf(x *fleet.Closure) string {
	switch {
	case x.StreetStart != "" && x.StreetEnd != "":
		return "from " + x.StreetStart + " to " + x.StreetEnd
	case x.StreetStart != "":
		return "from " + x.StreetStart
	case x.StreetEnd != "":
		return "to " + x.StreetEnd
	}
	return ""
}

// note writes to the audit that a question about a closure was asked, and who gets a mail.
func (q *asking) note(ctx context.Context, verb string) error {
	return q.Audit.Write(ctx, q.tx, access.System(), audit.Row{Verb: verb, Noun: closures.Name, NounID: q.closure.ID,
		OrganizationID: q.closure.OrganizationID, After: map[string]string{"mailed": strings.Join(q.asked, " ")}})
}

// stillAsked reports whether the question of a mail is still open and its recipient may still answer it.
func (a *App) stillAsked(ctx context.Context, mailID string) (bool, error) {
	r := a.Store.Reader()
	q, err := store.ClosureQuestionOfMail(ctx, r, mailID)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	x, err := closures.Rows.ByID(ctx, r, q.ClosureID)
	if errors.Is(err, store.ErrUnreadable) {
		return false, nil // lists do not have it, and its link would lead nowhere
	}
	if err != nil || x.QuestionState(q.AskedAt, a.now()) != fleet.QuestionOpen {
		return false, err
	}
	_, _, err = a.answerer(ctx, r, q.UserID, &x)
	if refusal := (*fleet.Refusal)(nil); errors.As(err, &refusal) {
		return false, nil
	}
	return err == nil, err
}

// ClosureQuestion returns the question of an emailed link and its current state. It answers nothing by itself: mail scanners open
// links. Refusals: question_expired, question_revoked.
func (a *App) ClosureQuestion(ctx context.Context, token string) (out wire.ClosureQuestion, err error) {
	err = a.Store.Read(ctx, func(r store.Reader) error {
		q, x, actor, err := a.openQuestion(ctx, r, token)
		if err == nil {
			out, err = a.questionWire(ctx, r, actor, q, &x)
		}
		return err
	})
	return out, err
}

// AnswerClosureQuestion answers by an emailed link that a closure is still active, or that it is finished, and returns the result.
// A closure that was answered before, or has ended, stays as it is. Refusals: question_expired, question_revoked,
// validation_failed.
func (a *App) AnswerClosureQuestion(ctx context.Context, token, answer string, c people.Caller) (wire.ClosureQuestion, error) {
	if answer != "still" && answer != "finished" {
		return wire.ClosureQuestion{}, fleet.RefuseFields(map[string]string{
			"answer": "Must be still or finished. If it moved, edit the closure on the map"})
	}
	q, _, actor, err := a.openQuestion(ctx, a.Store.Reader(), token)
	if err != nil {
		return wire.ClosureQuestion{}, err
	}
	actor.Network, actor.RequestID = c.Network, c.RequestID
	_, err = record.Edit(ctx, a, actor, closures.Door(), q.ClosureID, nil, func(e *record.Editing[*App, fleet.Closure]) error {
		// Permissions may have changed since the link was opened.
		if _, _, err := a.answerer(e, e.Tx, q.UserID, &e.Old); err != nil {
			return err
		}
		if e.Old.QuestionState(q.AskedAt, e.At) != fleet.QuestionOpen {
			return nil
		}
		by, err := a.verifier(e, e.Tx, actor)
		if err != nil {
			return err
		}
		e.Verb = "confirm_by_mail"
		wrong := map[string]string{}
		if e.Next.Confirm(wrong, answer, 0, by, e.At); len(wrong) > 0 {
			return fleet.RefuseFields(wrong)
		}
		return nil
	})
	if refusal := (*fleet.Refusal)(nil); err != nil && (!errors.As(err, &refusal) || refusal.Code != "not_found") {
		return wire.ClosureQuestion{}, err
	}
	return a.ClosureQuestion(ctx, token) // also if the closure was removed in the meantime: the answer shows that
}

// openQuestion finds the question of a link, its closure, and the user it acts for. A link still shows how its closure ended, and
// nothing about one that began again. Refusals: question_expired, question_revoked.
func (a *App) openQuestion(ctx context.Context, r store.Reader, token string) (q fleet.ClosureQuestion, x fleet.Closure,
	actor *access.Actor, err error) {
	if q, err = a.QuestionByToken(ctx, r, token); err != nil {
		return q, x, nil, err
	}
	if x, err = closures.Rows.ByID(ctx, r, q.ClosureID); err != nil {
		return q, x, nil, err
	}
	if _, actor, err = a.answerer(ctx, r, q.UserID, &x); err != nil {
		return q, x, nil, err
	}
	if now := a.now(); now >= q.ExpiresAt && x.DeletedAt == 0 && x.IsActiveAt(now) {
		err = people.RefuseExpired()
	}
	return q, x, actor, err
}

// questionWire returns the state of a question for the person it was sent to.
func (a *App) questionWire(ctx context.Context, r store.Reader, actor *access.Actor, q fleet.ClosureQuestion,
	x *fleet.Closure) (out wire.ClosureQuestion, err error) {
	o, err := store.OrganizationByID(ctx, r, x.OrganizationID)
	if err != nil {
		return out, err
	}
	now := a.now()
	is := x.SpanAt(now)
	out = wire.ClosureQuestion{ClosureID: x.ID, Organization: o.Name, Timezone: o.Timezone, Description: x.Description, RoadName: x.RoadName,
		Direction: x.Direction, StreetStart: x.StreetStart, StreetEnd: x.StreetEnd, AskedAt: q.AskedAt, ExpiresAt: q.ExpiresAt,
		State: x.QuestionState(q.AskedAt, now)}
	var at fleet.Instant
	switch out.State {
	case fleet.QuestionDeleted:
		at = x.DeletedAt
	case fleet.QuestionEnded:
		out.StartTime, out.EndTime, out.EndReason = is.Last.From, is.EndedAt, is.Reason
		if out.AnsweredAt = is.EndedAt; is.Reason == fleet.ClosureEnded || is.Reason == fleet.ClosureMoved {
			at = is.EndedAt
		}
	case fleet.QuestionAnswered:
		out.StartTime, out.EndTime = is.From, is.To
		if x.VerifiedAt >= q.AskedAt {
			at = x.VerifiedAt
		}
	default:
		out.StartTime, out.EndTime = is.From, is.To
	}
	if at == 0 {
		return out, nil
	}
	out.AnsweredAt = at
	out.AnsweredBy, err = a.answererOf(ctx, r, actor, x, at)
	return out, err
}

// answererOf names the person who changed a closure at an instant, as far as the actor may know.
func (a *App) answererOf(ctx context.Context, r store.Reader, actor *access.Actor, x *fleet.Closure, at fleet.Instant) (string, error) {
	rows, err := store.SearchAudit(ctx, r, store.AuditQuery{OrganizationID: x.OrganizationID, From: at, To: math.MaxInt64,
		Noun: closures.Name, NounID: x.ID, Limit: changesOfQuestion})
	if err != nil {
		return "", err
	}
	for _, row := range slices.Backward(rows) { // the oldest at or after the instant
		if row.IsVersion() {
			return record.NameOfActor(ctx, a, r, actor, row)
		}
	}
	return "", nil
}

// changesOfQuestion limits how many audit rows are searched for the person who answered.
const changesOfQuestion = 200
