package store_test

import (
	"errors"
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
)

func TestMailRows(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, r := t.Context(), s.Reader()
		row := func(id string, next fleet.Instant) store.Mail {
			return store.Mail{ID: id, UserID: "u1", Kind: "reset", To: "a@b.example", Subject: "S", Body: "sealed", CreatedAt: peopleAt, NextAt: next, UntilAt: peopleAt + 1000}
		}
		writePeople(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.InsertMail(ctx, row("m1", peopleAt+5)), tx.InsertMail(ctx, row("m2", peopleAt)), tx.InsertMail(ctx, row("m3", peopleAt+1)),
				tx.InsertMail(ctx, row("m4", peopleAt+6)))
		})
		due := func(at fleet.Instant) (ids string) {
			rows, err := store.DueMail(ctx, r, at, 10)
			fine(t, err)
			for _, m := range rows {
				ids += m.ID + " "
			}
			return ids
		}
		if due(peopleAt-1) != "" || due(peopleAt) != "m2 " || due(peopleAt+6) != "m2 m3 m1 m4 " {
			t.Errorf("due %q %q %q", due(peopleAt-1), due(peopleAt), due(peopleAt+6))
		}
		if f, err := store.MailNumbers(ctx, r); err != nil || f != (store.MailFacts{Waiting: 4, Oldest: peopleAt}) {
			t.Errorf("%+v %v", f, err)
		}
		writePeople(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.MailLater(ctx, "m1", peopleAt+60, "451"), tx.MailSent(ctx, "m2", peopleAt+2, true), tx.MailFailed(ctx, "m3", peopleAt+3, "550"), tx.DropMail(ctx, "m4"))
		})
		writePeople(t, s, func(tx *store.Tx) error { // what is finished stays as it is
			return errors.Join(tx.MailSent(ctx, "m3", peopleAt+9, false), tx.MailFailed(ctx, "m2", peopleAt+9, "x"), tx.MailLater(ctx, "m2", 1, "x"))
		})
		rows, err := store.MailOf(ctx, r, "u1")
		fine(t, err)
		if len(rows) != 3 || rows[0].Attempts != 1 || rows[0].Body != "sealed" || rows[0].NextAt != peopleAt+60 || rows[0].Error != "451" ||
			rows[1].SentAt != peopleAt+2 || rows[1].Body != "sealed" || rows[1].FailedAt != 0 || rows[2].FailedAt != peopleAt+3 || rows[2].Body != "" || rows[2].SentAt != 0 {
			t.Errorf("%+v", rows)
		}
		writePeople(t, s, func(tx *store.Tx) error { return tx.SupersedeMail(ctx, "u1", "unlock", peopleAt+4) })
		if due(peopleAt+60) != "m1 " {
			t.Error("another kind was overtaken")
		}
		writePeople(t, s, func(tx *store.Tx) error { return tx.SupersedeMail(ctx, "u1", "reset", peopleAt+4) })
		if f, err := store.MailNumbers(ctx, r); err != nil || f != (store.MailFacts{Failed: 1}) { // what was overtaken has not failed
			t.Errorf("%+v %v", f, err)
		}
	})
}

func TestPasswordRows(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, r := t.Context(), s.Reader()
		at := func(id string, changed, noticed fleet.Instant) fleet.User {
			u := user(id, "o1", id+"@b.example")
			u.PasswordChangedAt, u.PasswordNoticeAt = changed, noticed
			return u
		}
		suspended, bare := at("u5", peopleAt, 0), at("u6", peopleAt, 0)
		suspended.Suspended, bare.PasswordHash = true, ""
		writePeople(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.InsertOrganization(ctx, organization("o1", "Alpha")), tx.InsertUser(ctx, at("u1", peopleAt, 0)), tx.InsertUser(ctx, at("u2", peopleAt-1, 0)),
				tx.InsertUser(ctx, at("u3", peopleAt+1, 0)), tx.InsertUser(ctx, at("u4", peopleAt, peopleAt+1)), tx.InsertUser(ctx, suspended), tx.InsertUser(ctx, bare))
		})
		expiring := func() (ids string) {
			rows, err := store.ExpiringPasswords(ctx, r, peopleAt-1, peopleAt, 10)
			fine(t, err)
			for _, u := range rows {
				ids += u.ID
			}
			return ids
		}
		if got := expiring(); got != "u1" {
			t.Errorf("expiring %s", got)
		}
		writePeople(t, s, func(tx *store.Tx) error {
			err := errors.Join(tx.NotePasswordNotice(ctx, "u1", peopleAt+2), tx.SetInvited(ctx, "u2", peopleAt+7))
			for i := range fleet.Instant(12) {
				err = errors.Join(err, tx.RememberPassword(ctx, "u1", string('a'+rune(i)), peopleAt+i), tx.RememberPassword(ctx, "u2", "other", peopleAt+i))
			}
			return errors.Join(err, tx.RememberPassword(ctx, "u1", "L", peopleAt+11), tx.TrimPasswordHistory(ctx, "u1", 3))
		})
		if got := expiring(); got != "" {
			t.Errorf("told already: %s", got)
		}
		if got, err := store.PasswordHistory(ctx, r, "u1", 10); err != nil || len(got) != 3 || got[0]+got[1]+got[2] != "Lkj" {
			t.Errorf("%v %v", got, err)
		}
		if got, err := store.PasswordHistory(ctx, r, "u2", 100); err != nil || len(got) != 12 {
			t.Errorf("somebody else's: %v %v", got, err)
		}
		if u, err := store.UserByID(ctx, r, "u2"); err != nil || u.InvitedAt != peopleAt+7 || u.Version != 2 {
			t.Errorf("%+v %v", u, err)
		}
	})
}
