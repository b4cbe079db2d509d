package audit_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit"
	"lightbar/internal/testkit/audittest"
)

const (
	beginAnew   = audittest.BeginAnew
	noSeals     = audittest.NoSeals
	alterActors = `UPDATE audit SET actor_user_id = 'somebody else'`
)

// Whoever writes the database alone begins the chain anew. The server does not
// sign it, neither while it runs nor after a restart; it tells people, and works on.
func TestAChainBegunAnewIsNotSealed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := testkit.New(t, testkit.WithStore(s))
		sealTwice(t, w)
		holds(t, w, "")
		for _, attack := range []string{alterActors, beginAnew, noSeals} {
			tamper(t, s, attack)
		}
		sealRefused(t, w.App, audit.FaultRewritten)
		again := restarted(w, w.App.AuditHeadPath)
		sealRefused(t, again, audit.FaultRewritten)
		for _, a := range []*app.App{w.App, again, restarted(w, w.App.AuditHeadPath)} {
			if text := textOf(verified(t, a, audit.FaultRewritten)); !strings.Contains(text, "The chain in the database is not the one this server sealed") {
				t.Error(text)
			}
		}
		if n := count(t, s, `SELECT COUNT(*) FROM audit_seal`); n != 0 {
			t.Errorf("%d seals were made", n)
		}
		if n := count(t, s, `SELECT COUNT(*) FROM mail WHERE kind = 'audit_broken'`); n == 0 {
			t.Error("no super user was told")
		}
		if n := count(t, s, `SELECT COUNT(*) FROM audit WHERE verb = 'alarm' AND noun = 'audit'`); n == 0 {
			t.Error("the audit does not tell of it")
		}
		if !strings.Contains(w.Log.Text(), "the audit is no longer sealed") {
			t.Error("the log does not tell of it")
		}
		more(t, w.App) // changes go on
	})
}

// Each attack on the database alone has its name, in the running server and after a restart.
func TestAttacksOnTheAuditHaveNames(t *testing.T) {
	for name, c := range map[string]struct {
		statements []string
		kinds      []string
		seals      bool // the end of the chain is whole: sealing goes on, a check finds it
	}{
		"end cut off":    {[]string{`DELETE FROM audit WHERE seal_no = 2`, `DELETE FROM audit_seal WHERE no = 2`}, []string{audit.FaultCut}, false},
		"altered":        {[]string{`UPDATE audit SET network = 'x' WHERE id = (SELECT MIN(id) FROM audit WHERE seal_no = 1)`}, []string{audit.FaultAltered}, true},
		"removed":        {[]string{`DELETE FROM audit WHERE id = (SELECT MIN(id) FROM audit WHERE seal_no = 1)`}, []string{audit.FaultRemoved}, true},
		"moved":          {[]string{`UPDATE audit SET seal_no = 2 WHERE id = (SELECT MIN(id) FROM audit WHERE seal_no = 1)`}, []string{audit.FaultMoved, audit.FaultRemoved, audit.FaultPutIn}, true},
		"seals deleted":  {[]string{noSeals}, []string{audit.FaultSeals}, false},
		"the first seal": {[]string{`DELETE FROM audit_seal WHERE no = 1`}, []string{audit.FaultSeals}, true},
		"a forged seal": {[]string{`INSERT INTO audit_seal (no, at, row_count, previous_hash, hash) SELECT 3, at, 0, hash, 'forged' FROM audit_seal WHERE no = 2`},
			[]string{audit.FaultSeals}, false},
		"another name":    {[]string{`UPDATE setting SET value = 'other' WHERE name = 'audit.database'`}, []string{audit.FaultDatabase}, false},
		"the name erased": {[]string{`DELETE FROM setting WHERE name = 'audit.database'`}, []string{audit.FaultDatabase}, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			sealTwice(t, w)
			for _, s := range c.statements {
				tamper(t, w.App.Store, s)
			}
			for _, a := range []*app.App{w.App, restarted(w, w.App.AuditHeadPath)} {
				verified(t, a, c.kinds...)
				if c.seals {
					more(t, w.App)
					must(t, a.Audit.Seal(t.Context()))
					verified(t, a, c.kinds...)
					continue
				}
				more(t, w.App)
				sealRefused(t, a, c.kinds[0])
				verified(t, a, c.kinds...)
			}
		})
	}
}

// What lies beside the database may be attacked, too, or be lost.
func TestTheFileOfTheHead(t *testing.T) {
	w := testkit.New(t)
	sealTwice(t, w)
	path := w.App.AuditHeadPath
	kept, err := os.ReadFile(path)
	must(t, err)
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", st.Mode(), err)
	}
	for name, text := range map[string]string{"nonsense": "hello", "another number": strings.Replace(string(kept), `"no":2`, `"no":1`, 1), "empty": ""} {
		must(t, os.WriteFile(path, []byte(text), 0o600))
		if proof := verified(t, w.App, audit.FaultHead); !strings.Contains(textOf(proof), path) { // the running server knows better
			t.Errorf("%s: %s", name, textOf(proof))
		}
		again := restarted(w, path)
		verified(t, again, audit.FaultHead)
		more(t, w.App)
		sealRefused(t, again, audit.FaultHead)
	}
	must(t, os.Remove(path))
	verified(t, w.App, audit.FaultNoHead)
	again := restarted(w, path)
	verified(t, again, audit.FaultNoHead)
	must(t, again.Audit.Seal(t.Context())) // goes on with what is there, and says so
	verified(t, again)
	if n := count(t, w.App.Store, `SELECT COUNT(*) FROM audit WHERE verb = 'adopt' AND noun = 'audit_head' AND after_doc LIKE '%"head_was_missing":true%'`); n != 1 {
		t.Errorf("%d rows tell that the head was missing", n)
	}
	other := testkit.New(t)
	other.Clock.Advance(time.Hour) // another database has another name
	sealTwice(t, other)
	verified(t, restarted(other, path), audit.FaultDatabase)
}

// The file lags behind the database after a crash or on a full disk, and on a
// machine whose turn is long ago: a true beginning of the chain is enough.
func TestAHeadThatLagsBehindIsEnough(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := testkit.New(t, testkit.WithStore(s))
		sealTwice(t, w)
		second := filepath.Join(t.TempDir(), "audit.head")
		b := restarted(w, second)
		for range 3 { // turns: b has no head at first, later an older one
			more(t, w.App)
			must(t, b.Audit.Seal(t.Context()))
			verified(t, b)
			a := restarted(w, w.App.AuditHeadPath)
			verified(t, a)
			more(t, w.App)
			must(t, a.Audit.Seal(t.Context()))
			verified(t, a)
			b = restarted(w, second)
		}
		more(t, w.App)
		must(t, b.Audit.Seal(t.Context()))
		for _, attack := range []string{beginAnew, noSeals} {
			tamper(t, s, attack)
		}
		sealRefused(t, restarted(w, w.App.AuditHeadPath), audit.FaultRewritten)
	})
}

func TestSealingGoesOnWhenTheHeadCannotBeWritten(t *testing.T) {
	w := testkit.New(t)
	sealTwice(t, w)
	file := w.App.AuditHeadPath
	must(t, os.Mkdir(file+".new", 0o700)) // in the way, as a full disk is
	more(t, w.App)
	must(t, w.App.Audit.Seal(t.Context()))
	if proof := verified(t, w.App); proof.Seals != 3 {
		t.Errorf("%+v", proof)
	}
	behind, err := store.ReadAuditHead(file)
	if err != nil || behind.No != 2 {
		t.Fatalf("%+v %v", behind, err)
	}
	must(t, os.Remove(file+".new"))
	must(t, w.App.Audit.Seal(t.Context())) // nothing waits but the file
	if now, err := store.ReadAuditHead(file); err != nil || now.No != 3 {
		t.Errorf("%+v %v", now, err)
	}
}

// An installation that kept no head goes on with its chain, and says so once.
func TestAnUpgradeAdoptsTheChain(t *testing.T) {
	w := testkit.New(t)
	sealTwice(t, w)
	must(t, os.Remove(w.App.AuditHeadPath))
	tamper(t, w.App.Store, `DELETE FROM setting WHERE name = 'audit.database'`)
	old := restarted(w, w.App.AuditHeadPath)
	if proof := verified(t, old); len(proof.Notes) != 1 || !strings.Contains(proof.Notes[0], "no audit.head yet") {
		t.Errorf("%+v", proof)
	}
	must(t, old.Audit.Seal(t.Context()))
	must(t, restarted(w, w.App.AuditHeadPath).Audit.Seal(t.Context()))
	verified(t, old)
	if n := count(t, w.App.Store, `SELECT COUNT(*) FROM audit WHERE verb = 'adopt' AND noun = 'audit_head' AND after_doc LIKE '%"head_was_missing":false%'`); n != 1 {
		t.Errorf("%d rows tell of it", n)
	}
}

// A row that turns up long after the rows of its time were sealed was put in,
// or taken out of its seal. One that could not be sealed for hours is not that.
func TestRowsThatTurnUpLateAreNotSealed(t *testing.T) {
	w := testkit.New(t)
	s := w.App.Store
	victim := sealTwice(t, w)
	more(t, w.App)
	w.Clock.Advance(3 * time.Hour) // the server was down, or the disk full
	must(t, w.App.Audit.Seal(t.Context()))
	if proof := verified(t, w.App); len(proof.Notes) != 1 || !strings.Contains(proof.Notes[0], "1 rows were sealed more than 5m0s after their time") {
		t.Errorf("%q", proof.Notes)
	}
	tamper(t, s, `UPDATE audit SET seal_no = 0, mac = '', verb = 'innocent' WHERE id = $1`, victim)
	forged := w.App.NewID()
	tamper(t, s, putIn, forged, w.Clock.Now().Add(-time.Hour).UnixMilli())
	more(t, w.App) // an honest one among them
	must(t, w.App.Audit.Seal(t.Context()))
	text := textOf(verified(t, w.App, audit.FaultRemoved, audit.FaultPutIn))
	for _, id := range []string{victim, forged} {
		if !strings.Contains(text, "Row "+id) {
			t.Errorf("%s is not named: %s", id, text)
		}
	}
	if w.App.Audit.Refused() != 2 || count(t, s, `SELECT COUNT(*) FROM audit WHERE seal_no = 0`) != 1 { // the alarm's own row waits
		t.Errorf("%d late, %d wait", w.App.Audit.Refused(), count(t, s, `SELECT COUNT(*) FROM audit WHERE seal_no = 0`))
	}
	w.Clock.Advance(-30 * time.Minute)                            // a clock that was ahead is put right: honest rows are older than the seals
	tamper(t, s, putIn, w.App.NewID(), w.Clock.Now().UnixMilli()) // as an operator's command did while no server ran
	must(t, w.App.Audit.Seal(t.Context()))
	if w.App.Audit.Refused() != 2 {
		t.Error("a clock put right makes honest rows late")
	}
}

const putIn = `INSERT INTO audit (id, at, actor_user_id, actor_key_id, organization_id, network, verb, noun, noun_id, before_doc, after_doc, request_id)
VALUES ($1, $2, '', '', '', '', 'put', 'in', '', '', '', '')`

// What the running server has committed is watched until it is sealed: nobody
// alters or removes it in the database meanwhile without being told of.
func TestRowsAreWatchedUntilTheyAreSealed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := testkit.New(t, testkit.WithStore(s))
		sealTwice(t, w)
		more(t, w.App)
		more(t, w.App)
		rows, err := store.AuditOfSeal(t.Context(), s.Reader(), 0, 10)
		must(t, err)
		altered, removed := rows[0].ID, rows[1].ID
		tamper(t, s, `UPDATE audit SET actor_user_id = 'innocent' WHERE id = $1`, altered)
		tamper(t, s, `DELETE FROM audit WHERE id = $1`, removed)
		must(t, w.App.Audit.Seal(t.Context()))
		must(t, w.App.Audit.Seal(t.Context())) // the alarms themselves
		for _, says := range []string{"1 rows were altered before they were sealed: " + altered, "1 rows were removed before they were sealed: " + removed} {
			if n := count(t, s, `SELECT COUNT(*) FROM audit WHERE verb = 'alarm' AND seal_no > 0 AND after_doc LIKE '%`+says+`%'`); n != 1 {
				t.Errorf("%d sealed rows say: %s", n, says)
			}
		}
		if text := textOf(verified(t, w.App, audit.FaultPutIn)); !strings.Contains(text, altered) {
			t.Error(text)
		}
		more(t, w.App)
		tamper(t, s, `DELETE FROM audit WHERE seal_no = 0`) // all that waits
		must(t, w.App.Audit.Seal(t.Context()))
		if w.App.Audit.Refused() != 3 {
			t.Errorf("%d noticed", w.App.Audit.Refused())
		}
	})
}

// A long backlog is sealed batch by batch: the first batches do not make the rest late.
func TestABacklogIsNotLate(t *testing.T) {
	w := testkit.New(t)
	sealTwice(t, w)
	must(t, w.App.Store.Write(t.Context(), func(tx *store.Tx) error {
		for range 700 {
			if err := tx.InsertAudit(t.Context(), fleet.AuditRow{ID: w.App.NewID(), At: fleet.InstantOf(w.Clock.Now()), Verb: "v", Noun: "n"}); err != nil {
				return err
			}
		}
		return nil
	}))
	slow := restarted(w, w.App.AuditHeadPath)
	at := w.Clock.Now()
	slow.Now = func() time.Time { at = at.Add(10 * time.Minute); return at }
	must(t, slow.Audit.Seal(t.Context()))
	if slow.Audit.Refused() != 0 || count(t, w.App.Store, `SELECT COUNT(*) FROM audit WHERE seal_no < 1`) != 0 {
		t.Error("rows of a backlog were refused")
	}
}

// The head stands in the log, where another machine may keep it.
func TestTheHeadIsSaidInTheLog(t *testing.T) {
	w := testkit.New(t)
	sealTwice(t, w)
	more(t, w.App)
	must(t, w.App.Audit.Close(t.Context()))
	proof := verified(t, w.App)
	if proof.Unsealed != 0 || !strings.Contains(w.Log.Text(), proof.Head) {
		t.Errorf("%d rows lie open at the end, or the log lacks the head", proof.Unsealed)
	}
}
