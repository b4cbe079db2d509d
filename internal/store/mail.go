package store

import (
	"context"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// Mail is one message that waits to be handed on, was sent or was given up.
type Mail struct {
	ID        string
	UserID    string // empty when it is not about a user
	Kind      string
	To        string
	Subject   string
	Body      string // sealed; empty once it can't be sent (again)
	CreatedAt fleet.Instant
	NextAt    fleet.Instant // not before
	UntilAt   fleet.Instant // not after
	Attempts  int64
	SentAt    fleet.Instant
	FailedAt  fleet.Instant
	Error     string // of the last attempt, for operators
	InFolder  bool   // sent only into the outbox folder
}

var mails = table[Mail]{name: "mail", columns: func(m *Mail) []column {
	return []column{
		{"id", &m.ID, once}, {"user_id", &m.UserID, once}, {"kind", &m.Kind, once}, {"to_address", &m.To, once},
		{"subject", &m.Subject, once}, {"body", &m.Body, once}, {"created_at", &m.CreatedAt, once},
		{"next_at", &m.NextAt, once}, {"until_at", &m.UntilAt, once}, {"attempts", &m.Attempts, once},
		{"sent_at", &m.SentAt, once}, {"failed_at", &m.FailedAt, once}, {"error", &m.Error, once}, {"in_folder", &m.InFolder, once},
	}
}}

var insertMail = mails.inserts("")

// InsertMail queues a message, in the transaction of the change that it reports.
func (tx *Tx) InsertMail(ctx context.Context, m Mail) error {
	_, err := insertMail.run(ctx, tx, &m)
	return err
}

var dueMail = mails.selects("WHERE sent_at = 0 AND failed_at = 0 AND next_at <= $1 ORDER BY next_at, id LIMIT $2")

// DueMail lists the messages to hand on now, the longest due first.
func DueMail(ctx context.Context, r Reader, now fleet.Instant, limit int) ([]Mail, error) {
	return dueMail.all(ctx, r, int64(now), limit)
}

var mailOf = mails.selects("WHERE user_id = $1 ORDER BY created_at, id")

// MailOf lists the messages to a user, oldest first.
func MailOf(ctx context.Context, r Reader, userID string) ([]Mail, error) {
	return mailOf.all(ctx, r, userID)
}

const mailSent = `UPDATE mail SET sent_at = $1, in_folder = $2, attempts = attempts + 1, error = '',
body = CASE WHEN $2 THEN body ELSE '' END WHERE id = $3 AND sent_at = 0 AND failed_at = 0`

// MailSent records that a message was sent, to a mail server or only into the outbox folder. Its content is deleted, in a folder as
// soon as it could no longer be sent to anybody.
func (tx *Tx) MailSent(ctx context.Context, id string, at fleet.Instant, inFolder bool) error {
	_, err := tx.ExecContext(ctx, mailSent, int64(at), inFolder, id)
	return err
}

const waitsInFolder = ` in_folder AND failed_at = 0 AND body <> '' `

const sendFromFolder = `UPDATE mail SET sent_at = 0, in_folder = FALSE, attempts = 0, next_at = $1
WHERE` + waitsInFolder + `AND until_at > $1`

// SendFromFolder queues messages again that were only written into the folder and are still relevant: now there is a mail server.
// It returns how many.
func (tx *Tx) SendFromFolder(ctx context.Context, now fleet.Instant) (int64, error) {
	done, err := tx.ExecContext(ctx, sendFromFolder, int64(now))
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}

const forgetInFolder = `UPDATE mail SET body = '' WHERE` + waitsInFolder + `AND until_at <= $1`

// ForgetInFolder deletes the content of messages in the folder that could no longer be sent to anybody.
func (tx *Tx) ForgetInFolder(ctx context.Context, now fleet.Instant) error {
	_, err := tx.ExecContext(ctx, forgetInFolder, int64(now))
	return err
}

const mailFailed = `UPDATE mail SET failed_at = $1, attempts = attempts + 1, body = '', error = $2
WHERE id = $3 AND sent_at = 0 AND failed_at = 0`

// MailFailed gives a message up, and deletes its content.
func (tx *Tx) MailFailed(ctx context.Context, id string, at fleet.Instant, reason string) error {
	_, err := tx.ExecContext(ctx, mailFailed, int64(at), reason, id)
	return err
}

const mailLater = `UPDATE mail SET next_at = $1, attempts = attempts + 1, error = $2 WHERE id = $3 AND sent_at = 0 AND failed_at = 0`

// MailLater puts a message off.
func (tx *Tx) MailLater(ctx context.Context, id string, next fleet.Instant, reason string) error {
	_, err := tx.ExecContext(ctx, mailLater, int64(next), reason, id)
	return err
}

const sealedMails = `SELECT id, body FROM mail WHERE body <> ''`

// SealedMails lists the contents of the messages that wait, including those in the folder, by message.
func SealedMails(ctx context.Context, r Reader) ([]Sealed, error) {
	return engine.List(ctx, r, scanSealed, sealedMails)
}

const putSealedMail = `UPDATE mail SET body = $1 WHERE id = $2`

// PutSealedMail seals the content of a message again.
func (tx *Tx) PutSealedMail(ctx context.Context, s Sealed) error {
	_, err := tx.ExecContext(ctx, putSealedMail, s.Text, s.ID)
	return err
}

const dropMail = `DELETE FROM mail WHERE id = $1`

// DropMail removes a message that nobody shall get.
func (tx *Tx) DropMail(ctx context.Context, id string) error {
	_, err := tx.ExecContext(ctx, dropMail, id)
	return err
}

const mailSuperseded = `UPDATE mail SET failed_at = $1, body = '', error = 'superseded' WHERE id = $2 AND sent_at = 0 AND failed_at = 0`

// MailSuperseded gives up a waiting message that is no longer true.
func (tx *Tx) MailSuperseded(ctx context.Context, id string, at fleet.Instant) error {
	_, err := tx.ExecContext(ctx, mailSuperseded, int64(at), id)
	return err
}

const supersedeMail = `UPDATE mail SET failed_at = $1, body = '', error = 'superseded'
WHERE user_id = $2 AND kind = $3 AND body <> '' AND failed_at = 0`

// SupersedeMail gives up the waiting messages of a kind to a user, those in the folder too: their links do not work anymore.
func (tx *Tx) SupersedeMail(ctx context.Context, userID, kind string, at fleet.Instant) error {
	_, err := tx.ExecContext(ctx, supersedeMail, int64(at), userID, kind)
	return err
}

// MailFacts are the numbers of the outbox.
type MailFacts struct {
	Waiting int64
	Failed  int64         // given up within the retention of the rows
	Oldest  fleet.Instant // of the waiting ones, 0 = none waits
}

const mailFacts = `SELECT COALESCE(SUM(CASE WHEN sent_at = 0 AND failed_at = 0 THEN 1 ELSE 0 END), 0),
COALESCE(SUM(CASE WHEN failed_at <> 0 AND error <> 'superseded' THEN 1 ELSE 0 END), 0),
COALESCE(MIN(CASE WHEN sent_at = 0 AND failed_at = 0 THEN created_at END), 0) FROM mail`

const countMailGivenUp = `SELECT COUNT(*) FROM mail WHERE failed_at >= $1 AND error <> 'superseded'`

// CountMailGivenUp counts the messages that were given up since an instant.
func CountMailGivenUp(ctx context.Context, r Reader, since fleet.Instant) (n int64, err error) {
	err = r.QueryRowContext(ctx, countMailGivenUp, int64(since)).Scan(&n)
	return n, err
}

// MailNumbers counts the outbox.
func MailNumbers(ctx context.Context, r Reader) (f MailFacts, err error) {
	err = r.QueryRowContext(ctx, mailFacts).Scan(&f.Waiting, &f.Failed, &f.Oldest)
	return f, err
}
