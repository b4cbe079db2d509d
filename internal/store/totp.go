package store

import (
	"context"
	"database/sql"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// TOTP is a user's authenticator app.
type TOTP struct {
	UserID      string
	Secret      string // sealed, never the secret itself
	ConfirmedAt fleet.Instant
	LastStep    int64 // the newest time step whose code was used
}

var totps = table[TOTP]{name: "totp", columns: func(t *TOTP) []column {
	return []column{
		{"user_id", &t.UserID, keyed}, {"secret", &t.Secret, edit}, {"confirmed_at", &t.ConfirmedAt, edit},
		{"last_step", &t.LastStep, edit},
	}
}}

var totpOf = totps.selects("WHERE user_id = $1")

// TOTPOf reads a user's authenticator app; ErrNotFound when there is none.
func TOTPOf(ctx context.Context, r Reader, userID string) (TOTP, error) {
	return totpOf.one(ctx, r, userID)
}

var putTOTP = totps.upserts("")

// PutTOTP stores a user's authenticator app in place of an older one.
func (tx *Tx) PutTOTP(ctx context.Context, t TOTP) error {
	_, err := putTOTP.run(ctx, tx, &t)
	return err
}

const useTOTPStep = `UPDATE totp SET last_step = $1 WHERE user_id = $2 AND secret = $3 AND last_step < $1`

// UseTOTPStep consumes a time step; false when it, or a later one, has been
// used, or the authenticator app was replaced meanwhile.
func (tx *Tx) UseTOTPStep(ctx context.Context, t TOTP, step int64) (bool, error) {
	return engine.Changed(tx.ExecContext(ctx, useTOTPStep, step, t.UserID, t.Secret))
}

// Sealed is a text that the server key hides, and the id that it is sealed with.
type Sealed struct{ ID, Text string }

const sealedSecrets = `SELECT user_id, secret FROM totp`

// SealedSecrets lists the secrets of all authenticator apps, by user.
func SealedSecrets(ctx context.Context, r Reader) ([]Sealed, error) {
	return engine.List(ctx, r, scanSealed, sealedSecrets)
}

func scanSealed(rows *sql.Rows) (s Sealed, err error) {
	err = rows.Scan(&s.ID, &s.Text)
	return s, err
}

const putSealedSecret = `UPDATE totp SET secret = $1 WHERE user_id = $2`

// PutSealedSecret seals an authenticator app's secret again; its codes stay valid.
func (tx *Tx) PutSealedSecret(ctx context.Context, s Sealed) error {
	_, err := tx.ExecContext(ctx, putSealedSecret, s.Text, s.ID)
	return err
}

const deleteTOTP = `DELETE FROM totp WHERE user_id = $1`

// DeleteTOTP removes a user's authenticator app; false when there was none.
func (tx *Tx) DeleteTOTP(ctx context.Context, userID string) (bool, error) {
	return engine.Changed(tx.ExecContext(ctx, deleteTOTP, userID))
}
