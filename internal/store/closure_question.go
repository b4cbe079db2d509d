package store

import (
	"context"
	"errors"

	"lightbar/internal/fleet"
)

var closureQuestions = table[fleet.ClosureQuestion]{name: "closure_question", columns: func(q *fleet.ClosureQuestion) []column {
	return []column{
		{"hash", &q.Hash, keyed}, {"closure_id", &q.ClosureID, once}, {"asked_at", &q.AskedAt, once}, {"user_id", &q.UserID, once},
		{"mail_id", &q.MailID, once}, {"expires_at", &q.ExpiresAt, once},
	}
}}

var insertClosureQuestion = closureQuestions.inserts("")

// InsertClosureQuestion records that someone is asked by mail. A person is asked a question once.
func (tx *Tx) InsertClosureQuestion(ctx context.Context, q fleet.ClosureQuestion) error {
	_, err := insertClosureQuestion.run(ctx, tx, &q)
	return err
}

var (
	closureQuestionByHash = closureQuestions.selects("WHERE hash = $1")
	closureQuestionOfMail = closureQuestions.selects("WHERE mail_id = $1")
	closureQuestionsAsked = closureQuestions.selects("WHERE closure_id = $1 AND asked_at = $2 ORDER BY user_id")
)

// ClosureQuestionByHash finds the question that a link is about. ErrNotFound when there is none.
func ClosureQuestionByHash(ctx context.Context, r Reader, hash string) (fleet.ClosureQuestion, error) {
	return closureQuestionByHash.one(ctx, r, hash)
}

// ClosureQuestionOfMail finds the question of a mail. ErrNotFound when it has none.
func ClosureQuestionOfMail(ctx context.Context, r Reader, mailID string) (fleet.ClosureQuestion, error) {
	return closureQuestionOfMail.one(ctx, r, mailID)
}

// ClosureQuestionsAsked lists the people who were asked a question by mail.
func ClosureQuestionsAsked(ctx context.Context, r Reader, closureID string, askedAt fleet.Instant) ([]fleet.ClosureQuestion, error) {
	return closureQuestionsAsked.all(ctx, r, closureID, int64(askedAt))
}

const purgeClosureQuestions = `DELETE FROM closure_question WHERE expires_at < $1`

// PurgeClosureQuestions deletes the links that expired before an instant.
func (tx *Tx) PurgeClosureQuestions(ctx context.Context, before fleet.Instant) error {
	_, err := tx.ExecContext(ctx, purgeClosureQuestions, int64(before))
	return err
}

const othersAsked = `UPDATE closure SET others_asked_at = $1 WHERE id = $2`

// OthersAsked records that others are asked the question of an instant, too. Nothing changes in the closure that anyone reads.
func (tx *Tx) OthersAsked(ctx context.Context, closureID string, askedAt fleet.Instant) error {
	_, err := tx.ExecContext(ctx, othersAsked, int64(askedAt), closureID)
	return err
}

const (
	// The mails' links and those that wait move with the question.
	moveQuestions = `UPDATE closure_question SET asked_at = asked_at + $1, expires_at = expires_at + $1 WHERE closure_id = $2 AND asked_at = $3`
	moveLetters   = `UPDATE mail SET until_at = until_at + $1 WHERE sent_at = 0 AND failed_at = 0
AND id IN (SELECT mail_id FROM closure_question WHERE closure_id = $2 AND asked_at = $3)`
)

// QuestionPutAgain moves to another instant what was put to people by mail.
func (tx *Tx) QuestionPutAgain(ctx context.Context, closureID string, was, is fleet.Instant) error {
	later := is.Sub(was).Milliseconds()
	for _, text := range []string{moveLetters, moveQuestions} {
		if _, err := tx.ExecContext(ctx, text, later, closureID, int64(was)); err != nil {
			return err
		}
	}
	return nil
}

// answerableName is the setting that holds when a question about a closure could be answered last; empty = none waited.
const answerableName = "closures.answerable_at"

// AnswerableAt reads when questions that wait could be answered last, 0 = none waited.
func AnswerableAt(ctx context.Context, r Reader) (fleet.Instant, error) {
	text, err := Setting(ctx, r, answerableName)
	if errors.Is(err, ErrNotFound) || text == "" {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return fleet.ParseInstant(text)
}

// PutAnswerableAt writes it.
func (tx *Tx) PutAnswerableAt(ctx context.Context, at fleet.Instant) error {
	text := ""
	if at != 0 {
		text = at.String()
	}
	return tx.PutSetting(ctx, answerableName, text)
}

var mailChoices = table[fleet.MailChoice]{name: "mail_choice", columns: func(m *fleet.MailChoice) []column {
	return []column{{"user_id", &m.UserID, keyed}, {"own_closures", &m.OwnClosures, edit}, {"other_closures", &m.OtherClosures, edit},
		{"findings", &m.Findings, edit}, {"concerns", &m.Concerns, edit}}
}}

var (
	putMailChoice   = mailChoices.upserts("")
	mailChoiceOf    = mailChoices.selects("WHERE user_id = $1")
	mailChoiceOther = mailChoices.joined("m", "mail_choice m JOIN app_user u ON u.id = m.user_id").
			selects("WHERE u.organization_id = $1 AND u.deleted_at = 0 AND m.other_closures ORDER BY m.user_id")
)

// PutMailChoice writes which mails a user wants.
func (tx *Tx) PutMailChoice(ctx context.Context, m fleet.MailChoice) error {
	_, err := putMailChoice.run(ctx, tx, &m)
	return err
}

// MailChoiceOf reads which mails a user wants, the usual ones when the user has not chosen.
func MailChoiceOf(ctx context.Context, r Reader, userID string) (fleet.MailChoice, error) {
	return mailChoiceOf.oneOr(ctx, r, fleet.DefaultMails(userID), userID)
}

// MailOfOtherClosures lists an organization's people who want to be asked about closures of others.
func MailOfOtherClosures(ctx context.Context, r Reader, organizationID string) ([]fleet.MailChoice, error) {
	return mailChoiceOther.all(ctx, r, organizationID)
}
