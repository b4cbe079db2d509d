package store

import (
	"context"

	"lightbar/internal/fleet"
)

var statusMails = table[fleet.StatusMail]{name: "status_mail", columns: func(m *fleet.StatusMail) []column {
	return []column{{"user_id", &m.UserID, keyed}, {"mailed_at", &m.MailedAt, edit}, {"told", asJSON(&m.Concerns), edit}}
}}

var (
	putStatusMail = statusMails.upserts("")
	statusMailOf  = statusMails.selects("WHERE user_id = $1")
)

// PutStatusMail writes what a user was mailed about what needs an administrator, in the transaction of the mail.
func (tx *Tx) PutStatusMail(ctx context.Context, m fleet.StatusMail) error {
	_, err := putStatusMail.run(ctx, tx, &m)
	return err
}

// StatusMailOf reads what a user was last mailed about what needs an administrator: empty when there was no mail yet.
func StatusMailOf(ctx context.Context, r Reader, userID string) (fleet.StatusMail, error) {
	return statusMailOf.oneOr(ctx, r, fleet.StatusMail{UserID: userID}, userID)
}
