package people_test

import (
	"bytes"
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/people"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit"
	"lightbar/internal/testkit/audittest"
	"lightbar/internal/wire"
)

// rotated rotates the key of a world whose server has stopped, as the command does, and answers the server that starts next.
func rotated(t *testing.T, a *app.App, next byte) (*app.App, people.Rotation) {
	t.Helper()
	key := bytes.Repeat([]byte{next}, 32)
	done, err := a.RotateServerKey(t.Context(), access.System(), key)
	must(t, err)
	b := app.New(app.Options{
		Base:          record.Base{Store: a.Store, Bus: a.Bus, Live: a.Live, Log: a.Log, Now: a.Now, NewID: a.NewID, ServerKey: key},
		AuditHeadPath: a.AuditHeadPath, Post: a.Post, PublicURL: a.PublicURL,
	})
	must(t, b.Audit.KeepRotatedHead(t.Context()))
	must(t, b.Audit.KeepRotatedHead(t.Context())) // as after a crash
	return b, done
}

// challengeOf signs the viewer in as far as the second factor.
func challengeOf(t *testing.T, a *app.App) string {
	t.Helper()
	_, err := a.SignIn(t.Context(), people.SignIn{Email: viewerEmail, Password: testkit.Password, Caller: caller()})
	var refusal *fleet.Refusal
	if !errors.As(err, &refusal) {
		t.Fatalf("no challenge: %v", err)
	}
	return refusal.Challenge.(wire.MFAChallenge).Challenge
}

// What the key sealed goes on under the next one; what could be computed with it ends.
func TestARotatedKeyLosesNothingAndOpensNothing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		p := newPosted(t, testkit.WithStore(s))
		ctx, a := t.Context(), p.App
		viewer, pair := p.Actor("viewer"), p.SignIn("viewer")
		secret, err := a.BeginTOTP(ctx, viewer)
		must(t, err)
		code := func() string {
			p.Clock.Advance(30 * time.Second)
			out, err := totp.GenerateCode(secret.Secret, p.Clock.Now())
			must(t, err)
			return out
		}
		_, err = a.ConfirmTOTP(ctx, viewer, code())
		must(t, err)
		_ = p.letters(t)
		half := challengeOf(t, a)
		must(t, a.ForgotPassword(ctx, viewerEmail, caller()))
		_, key, err := a.CreateKey(ctx, p.Actor("administrator"), wire.KeyCreate{OrganizationID: wire.ID(p.Own.ID), Description: "truck", Scopes: access.AllScopes()})
		must(t, err)
		_, _, err = a.Once(ctx, viewer, "once", a.DigestRequest("a request"), func() record.Answer { return record.Answer{Status: 200, Body: []byte("first")} })
		must(t, err)

		name, format, address := "State DOT", "wzdx", "https://feeds.example.org/?key=secret"
		feed, _, err := a.Subscriptions.Create(ctx, p.Actor("administrator"), wire.FeedSubscriptionWrite{Name: &name, Format: &format, URL: &address})
		must(t, err)

		provider, token := "samsara", "a token"
		account, _, err := a.Integrations.Create(ctx, p.Actor("administrator"), wire.IntegrationWrite{Name: &name, Provider: &provider, Secret: &token})
		must(t, err)

		b, done := rotated(t, a, 9)
		integration, err := store.Integrations.ByID(ctx, s.Reader(), account.ID)
		must(t, err)
		if text, err := b.ServerKey.Open(people.IntegrationPurpose, account.ID, integration.Secret); err != nil || !strings.Contains(string(text), token) || done.Integrations != 1 {
			t.Errorf("the secret of an integration: %s, %v, %d", text, err, done.Integrations)
		}
		subscription, err := store.FeedSubscriptions.ByID(ctx, s.Reader(), feed.ID)
		must(t, err)
		if text, err := b.ServerKey.Open(people.FeedAddressPurpose, feed.ID, subscription.Address); err != nil || string(text) != address || done.Feeds != 1 {
			t.Errorf("the address of a feed: %s, %v, %d", text, err, done.Feeds)
		}
		if done.Sessions < 2 || done.Secrets != 1 || done.Mails < 1 || done.Closed != 0 || done.Earlier == done.Present || done.Present != people.KeyFingerprint(b.ServerKey) {
			t.Errorf("%+v", done)
		}
		must(t, people.CheckServerKey(ctx, s.Reader(), engine.SchemaVersion(), b.ServerKey))
		if err := people.CheckServerKey(ctx, s.Reader(), engine.SchemaVersion(), a.ServerKey); !errors.Is(err, people.ErrKeyForeign) {
			t.Errorf("the earlier key: %v", err)
		}
		if n := count(t, s, `SELECT COUNT(*) FROM session WHERE revoked_at = 0`); n != 0 {
			t.Errorf("%d sessions live on", n)
		}
		if _, err := b.Authenticate(ctx, pair.AccessToken, "192.0.2.1"); err == nil {
			t.Error("an access token of before is taken")
		}
		if _, err := b.Refresh(ctx, pair.RefreshToken, nil, caller()); err == nil {
			t.Error("a refresh token of before is taken")
		}
		if _, err := b.AuthenticateKey(ctx, key, "192.0.2.1"); err != nil {
			t.Errorf("an API key ended: %v", err)
		}
		_, err = b.SignInMFA(ctx, people.MFA{Challenge: half, Method: "totp", Code: code(), Caller: caller()})
		refused(t, err, "mfa_challenge_expired")
		if _, err := b.SignInMFA(ctx, people.MFA{Challenge: challengeOf(t, b), Method: "totp", Code: code(), Caller: caller()}); err != nil {
			t.Errorf("the authenticator app: %v", err)
		}
		p.App = b
		var link string
		for _, l := range p.letters(t) {
			if strings.Contains(l.Subject, "Reset your Safety Cloud password") {
				link = l.token()
			}
		}
		must(t, b.ResetPassword(ctx, link, nextPassword, caller()))
		answer, again, err := b.Once(ctx, viewer, "once", b.DigestRequest("a request"), func() record.Answer { return record.Answer{Status: 200, Body: []byte("second")} })
		if err != nil || !again || string(answer.Body) != "first" {
			t.Errorf("a repeat: %q %v %v", answer.Body, again, err)
		}
	})
}

// What the earlier key opens is no longer in the file, not even between the rows.
func TestARotationLeavesNoRestInTheFile(t *testing.T) {
	path := storetest.SQLitePath(t)
	s, err := store.Open(t.Context(), store.Options{Path: path, Erase: true})
	must(t, err)
	w := testkit.New(t, testkit.WithStore(s))
	viewer := w.Actor("viewer")
	secret, err := w.App.BeginTOTP(t.Context(), viewer)
	must(t, err)
	code, err := totp.GenerateCode(secret.Secret, w.Clock.Now())
	must(t, err)
	_, err = w.App.ConfirmTOTP(t.Context(), viewer, code)
	must(t, err)
	must(t, w.App.ForgotPassword(t.Context(), viewerEmail, caller()))
	var sealed, letter string
	must(t, s.Reader().QueryRowContext(t.Context(), `SELECT secret FROM totp`).Scan(&sealed))
	must(t, s.Reader().QueryRowContext(t.Context(), `SELECT body FROM mail WHERE kind = 'reset'`).Scan(&letter))
	rotated(t, w.App, 9)
	must(t, s.Close())
	file, err := os.ReadFile(path)
	must(t, err)
	for _, text := range []string{sealed, letter[:200], letter[len(letter)-200:]} { // a long text lies on several pages
		if bytes.Contains(file, []byte(text)) {
			t.Errorf("the file still has %.40s…", text)
		}
	}
}

// What the earlier key does not open, of a key that was lost, stays as it is and is counted.
func TestARotationSaysWhatStaysClosed(t *testing.T) {
	w := testkit.New(t)
	viewer := w.Actor("viewer")
	secret, err := w.App.BeginTOTP(t.Context(), viewer)
	must(t, err)
	code, err := totp.GenerateCode(secret.Secret, w.Clock.Now())
	must(t, err)
	_, err = w.App.ConfirmTOTP(t.Context(), viewer, code)
	must(t, err)
	tamper(t, w.App.Store, `UPDATE totp SET secret = 'x'`)
	if _, done := rotated(t, w.App, 9); done.Closed != 1 || done.Secrets != 0 {
		t.Errorf("%+v", done)
	}
}

// thief is who has an earlier key and writes the database, with an own program.
type thief struct {
	*testing.T
	s   *store.Store
	key []byte
}

func newThief(t *testing.T, s *store.Store, serverKey []byte) thief {
	t.Helper()
	key, err := hkdf.Key(sha256.New, serverKey, nil, "lightbar audit chain 1", sha256.Size)
	must(t, err)
	return thief{t, s, key}
}

// rewrite seals the chain anew, from seal from up to seal to, with the earlier key.
func (x thief) rewrite(from, to int64) {
	x.Helper()
	ctx := context.WithoutCancel(x.Context())
	must(x.T, x.s.Write(ctx, func(tx *store.Tx) error {
		seals, err := store.SealsAfter(ctx, tx, from-1, int(to-from)+1)
		if err != nil {
			return err
		}
		previous := seals[0].Previous
		for _, seal := range seals {
			rows, err := store.AuditOfSeal(ctx, tx, seal.No, 1000)
			if err != nil {
				return err
			}
			made := fleet.SealBatch(x.key, seal.No, seal.At, previous, rows)
			for _, r := range rows {
				if _, err := tx.ExecContext(ctx, `UPDATE audit SET mac = $1 WHERE id = $2`, r.MAC, r.ID); err != nil {
					return err
				}
			}
			if _, err := tx.ExecContext(ctx, `UPDATE audit_seal SET previous_hash = $1, hash = $2 WHERE no = $3`, previous, made.Hash, seal.No); err != nil {
				return err
			}
			previous = made.Hash
		}
		_, err = tx.ExecContext(ctx, `UPDATE audit_seal SET previous_hash = $1 WHERE no = $2`, previous, to+1)
		return err
	}))
}

const alterFirst = `UPDATE audit SET network = '10.9.9.9' WHERE id = (SELECT MIN(id) FROM audit WHERE seal_no = 1)`

// Rows that an earlier key sealed can be checked for ever, and whoever has that
// key cannot write them anew unseen: the rotation bound where they ended.
func TestAnEarlierKeyForgesNoHistory(t *testing.T) {
	for name, c := range map[string]struct {
		forge func(x thief)
		says  []string // words of faults
		kinds []string
	}{
		"a row alone":         {func(x thief) { tamper(x.T, x.s, alterFirst) }, []string{"of seal 1 was altered"}, []string{audit.FaultAltered}},
		"a row with its seal": {func(x thief) { tamper(x.T, x.s, alterFirst); x.rewrite(1, 1) }, []string{"Seal 2 (2026-", "does not match its rows"}, []string{audit.FaultSeals}},
		"all up to the rotation": {func(x thief) { tamper(x.T, x.s, alterFirst); x.rewrite(1, 2) },
			[]string{"Seal 2 is not the one that was there when the server key was changed", "Seal 3 (2026-"}, []string{audit.FaultRewritten, audit.FaultSeals}},
		"all of it": {func(x thief) { tamper(x.T, x.s, alterFirst); x.rewrite(1, 3) },
			[]string{"Seal 2 is not the one that was there", "rotate server_key) of seal 3 was altered"}, nil},
		"the rotation undone": {func(x thief) {
			tamper(x.T, x.s, `DELETE FROM audit WHERE seal_no > 2`)
			tamper(x.T, x.s, `DELETE FROM audit_seal WHERE no > 2`)
		}, []string{"the change of the server key made seal 3, and the database ends with seal 2"}, []string{audit.FaultCut}},
		"what was bound erased":  {func(x thief) { tamper(x.T, x.s, `DELETE FROM setting WHERE name = 'audit.past'`) }, []string{"of seal 1 was altered"}, []string{audit.FaultAltered}},
		"what was bound altered": {func(x thief) { tamper(x.T, x.s, `UPDATE setting SET value = 'x' WHERE name = 'audit.past'`) }, []string{"setting audit.past) was altered"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, s *store.Store) {
				w := testkit.New(t, testkit.WithStore(s))
				sealTwice(t, w)
				holds(t, w, "")
				earlier := holds(t, w, "").Head
				b, done := rotated(t, w.App, 9)
				if len(done.Audit.Faults) > 0 {
					t.Fatal(textOf(done.Audit))
				}
				proof, err := b.Audit.Verify(t.Context(), access.System(), earlier) // a head that was noted before still counts
				must(t, err)
				if len(proof.Faults) > 0 || proof.Seals != 3 {
					t.Fatalf("%d seals: %s", proof.Seals, textOf(proof))
				}
				if name != "the rotation undone" {
					more(t, b)
					must(t, b.Audit.Seal(t.Context()))
					verified(t, b)
				}
				c.forge(newThief(t, s, w.App.ServerKey))
				again := restarted(w, w.App.AuditHeadPath)
				again.Audit.ServerKey = b.ServerKey
				if proof, err = again.Audit.Verify(t.Context(), access.System(), ""); err != nil {
					t.Fatal(err)
				}
				text := textOf(proof)
				for _, words := range c.says {
					if !strings.Contains(text, words) {
						t.Errorf("does not say %q:\n%s", words, text)
					}
				}
				if c.kinds != nil {
					verified(t, again, c.kinds...)
				}
			})
		})
	}
}

// Without the file of the head a server goes on with the chain as it stands, but not behind a rotation.
func TestAChainBehindARotationIsNotAdopted(t *testing.T) {
	w := testkit.New(t)
	sealTwice(t, w)
	b, _ := rotated(t, w.App, 9)
	more(t, b)
	must(t, b.Audit.Seal(t.Context()))
	must(t, os.Remove(b.AuditHeadPath))
	again := restarted(w, b.AuditHeadPath)
	again.Audit.ServerKey = b.ServerKey
	must(t, again.Audit.Seal(t.Context()))
	verified(t, again)
	must(t, os.Remove(b.AuditHeadPath))
	tamper(t, w.App.Store, `DELETE FROM audit WHERE seal_no > 2`)
	tamper(t, w.App.Store, `DELETE FROM audit_seal WHERE no > 2`)
	last := restarted(w, b.AuditHeadPath)
	last.Audit.ServerKey = b.ServerKey
	sealRefused(t, last, audit.FaultCut)
}

// Keys are rotated again and again: each era is checked with its own, and no earlier key forges any.
func TestManyRotations(t *testing.T) {
	w := testkit.New(t)
	sealTwice(t, w)
	keys := [][]byte{w.App.ServerKey}
	a := w.App
	for _, next := range []byte{9, 10, 11} {
		a, _ = rotated(t, a, next)
		more(t, a)
		must(t, a.Audit.Seal(t.Context()))
		keys = append(keys, a.ServerKey)
		verified(t, a)
	}
	if proof := verified(t, a); proof.Seals != 8 {
		t.Errorf("%d seals", proof.Seals)
	}
	tamper(t, a.Store, `UPDATE audit SET network = '10.9.9.9' WHERE seal_no = 4`)
	newThief(t, a.Store, keys[1]).rewrite(4, 4) // the era of the second key
	verified(t, a, audit.FaultRewritten, audit.FaultSeals)
}

// A chain that does not hold hinders no rotation: it is told in the answer and in
// the audit, what was altered stays named, and sealing goes on.
func TestABrokenChainIsRotatedAndSaidToBeBroken(t *testing.T) {
	for name, c := range map[string]struct {
		statements []string
		found      string
		stays      []string
	}{
		"a row altered":   {[]string{alterFirst}, audit.FaultAltered, []string{audit.FaultAltered}},
		"the end cut":     {[]string{`DELETE FROM audit WHERE seal_no = 2`, `DELETE FROM audit_seal WHERE no = 2`}, audit.FaultCut, nil},
		"a seal forged":   {[]string{`UPDATE audit_seal SET hash = 'ff' WHERE no = 2`}, audit.FaultSeals, []string{audit.FaultSeals}},
		"no seals at all": {[]string{audittest.NoSeals, audittest.BeginAnew}, audit.FaultRewritten, nil},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, s *store.Store) {
				w := testkit.New(t, testkit.WithStore(s))
				sealTwice(t, w)
				for _, statement := range c.statements {
					tamper(t, s, statement)
				}
				more(t, w.App)
				b, done := rotated(t, restarted(w, w.App.AuditHeadPath), 9)
				if !strings.Contains(strings.Join(done.Audit.Kinds(), ", "), c.found) {
					t.Errorf("found %v", done.Audit.Kinds())
				}
				if n := count(t, s, `SELECT COUNT(*) FROM audit WHERE verb = 'rotate' AND noun = 'server_key' AND seal_no > 0 AND after_doc LIKE '%"audit_found":["%'`); n != 1 {
					t.Errorf("%d rows tell of it", n)
				}
				verified(t, b, c.stays...)
				more(t, b)
				must(t, b.Audit.Seal(t.Context()))
				verified(t, b, c.stays...)
			})
		})
	}
}

// A key that was lost is replaced: the audit goes on under the new one, and what was sealed before cannot be checked.
func TestALostKeyDoesNotEndTheSealing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := testkit.New(t, testkit.WithStore(s))
		sealTwice(t, w)
		pair := w.SignIn("viewer")
		b := restarted(w, w.App.AuditHeadPath)
		b.ServerKey, b.Audit.ServerKey = bytes.Repeat([]byte{9}, 32), bytes.Repeat([]byte{9}, 32)
		for range 2 { // as after a crash
			_, err := b.ReplaceServerKey(t.Context(), access.System())
			must(t, err)
			must(t, b.Audit.KeepRotatedHead(t.Context()))
		}
		if _, err := b.Authenticate(t.Context(), pair.AccessToken, "192.0.2.1"); err == nil {
			t.Error("a session lives on")
		}
		more(t, b)
		must(t, b.Audit.Seal(t.Context()))
		if proof := verified(t, b); proof.Unchecked == 0 || proof.Unchecked == proof.Rows || len(proof.Notes) != 1 || !strings.Contains(proof.Notes[0], "not checkable") {
			t.Errorf("%+v", proof)
		}
		c, _ := rotated(t, b, 8) // what the lost key sealed stays in its own stretch
		if proof := verified(t, c); proof.Unchecked == 0 || proof.Unchecked == proof.Rows {
			t.Errorf("after a rotation: %+v", proof)
		}
	})
}

// What is altered after a lost key was replaced is found, also what that key sealed; what it sealed is not called altered by itself.
func TestWhatIsAlteredAfterALostKeyIsFound(t *testing.T) {
	for _, one := range []struct {
		name, statement string
		kind            string
		words           string // "" = none needed
	}{
		{"a later row", `UPDATE audit SET verb = 'x' WHERE noun = 'server_key'`, audit.FaultAltered, "x server_key) of seal"},
		{"an earlier row", `UPDATE audit SET verb = 'x' WHERE id = (SELECT MIN(id) FROM audit WHERE seal_no = 2)`, audit.FaultAltered, "Of seals 2 to 2, whose key was lost, something was altered after"},
		{"the seal code of an earlier row", `UPDATE audit SET mac = 'x' WHERE id = (SELECT MIN(id) FROM audit WHERE seal_no = 2)`, audit.FaultAltered, "Of seals 2 to 2"},
		{"the time of an earlier seal", `UPDATE audit_seal SET at = at + 1 WHERE no = 1`, audit.FaultAltered, "Of seals 1 to 1"},
		{"an earlier row removed", `DELETE FROM audit WHERE id = (SELECT MIN(id) FROM audit WHERE seal_no = 2)`, audit.FaultRemoved, "1 were removed or moved"},
		{"an earlier row moved", `UPDATE audit SET seal_no = 1 WHERE id = (SELECT MIN(id) FROM audit WHERE seal_no = 2)`, audit.FaultRemoved, ""},
	} {
		t.Run(one.name, func(t *testing.T) {
			w := testkit.New(t)
			sealTwice(t, w)
			b := restarted(w, w.App.AuditHeadPath)
			b.ServerKey, b.Audit.ServerKey = bytes.Repeat([]byte{9}, 32), bytes.Repeat([]byte{9}, 32)
			before, err := b.ReplaceServerKey(t.Context(), access.System())
			must(t, err)
			if len(before.Faults) > 0 || before.Unchecked != before.Rows || before.Rows == 0 {
				t.Fatalf("%+v", before)
			}
			must(t, b.Audit.KeepRotatedHead(t.Context()))
			tamper(t, w.App.Store, one.statement)
			proof, err := b.Audit.Verify(t.Context(), access.System(), "")
			must(t, err)
			if text := textOf(proof); !slices.Contains(proof.Kinds(), one.kind) || !strings.Contains(text, one.words) {
				t.Errorf("found %v: %s", proof.Kinds(), text)
			}
		})
	}
}

// Without the lost key it can still be told what is missing, and that is kept in the audit's row.
func TestALostKeyIsReplacedInWords(t *testing.T) {
	for _, one := range []struct{ statement, kind string }{
		{`DELETE FROM audit WHERE id = (SELECT MIN(id) FROM audit WHERE seal_no = 2)`, audit.FaultRemoved},
		{`DELETE FROM audit_seal WHERE no = 1`, audit.FaultSeals},
		{`UPDATE audit_seal SET hash = 'x' WHERE no = 2`, audit.FaultRewritten},
		{`DELETE FROM audit_seal WHERE no = 2`, audit.FaultCut},
		{audittest.NoSeals, audit.FaultSeals},
	} {
		w := testkit.New(t)
		sealTwice(t, w)
		tamper(t, w.App.Store, one.statement)
		b := restarted(w, w.App.AuditHeadPath)
		b.ServerKey, b.Audit.ServerKey = bytes.Repeat([]byte{9}, 32), bytes.Repeat([]byte{9}, 32)
		before, err := b.ReplaceServerKey(t.Context(), access.System())
		must(t, err)
		if !slices.Contains(before.Kinds(), one.kind) {
			t.Errorf("%s: found %v", one.statement, before.Kinds())
		}
		if n := count(t, w.App.Store, `SELECT COUNT(*) FROM audit WHERE verb = 'replace' AND seal_no > 0 AND after_doc LIKE '%"audit_found":["%'`); n != 1 {
			t.Errorf("%s: %d rows tell of it", one.statement, n)
		}
	}
}
