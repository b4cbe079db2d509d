package app

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"fmt"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// sealBatch bounds a batch of the audit chain, and with it one transaction:
// reports that come meanwhile wait for it.
const sealBatch = 250

func (a *App) sealKey() []byte {
	key, err := hkdf.Key(sha256.New, a.ServerKey, nil, "lightbar audit chain 1", sha256.Size)
	if err != nil {
		panic("app: audit key: " + err.Error()) // only for impossible lengths
	}
	return key
}

// SealAudit closes the audit rows that are not in the chain yet. It is called
// by the clock: a chain per row would queue all writes behind each other
// (decisions.md, "Tokens, sessions, passwords").
func (a *App) SealAudit(ctx context.Context) error {
	for {
		// A look aside first: mostly nothing waits, and then nobody should wait for a transaction.
		waiting, err := store.AuditOfSeal(ctx, a.Store.Reader(), 0, 1)
		if err != nil || len(waiting) == 0 {
			return err
		}
		began, sealed := time.Now(), 0
		err = a.Store.Write(ctx, func(tx *store.Tx) error {
			rows, err := store.AuditOfSeal(ctx, tx, 0, sealBatch)
			if err != nil || len(rows) == 0 {
				return err
			}
			sealed = len(rows)
			last, err := store.LastSeal(ctx, tx)
			if err != nil {
				return err
			}
			seal := fleet.SealBatch(a.sealKey(), last.No+1, a.now(), last.Hash, rows)
			if err := tx.SealAudit(ctx, rows); err != nil {
				return err
			}
			return tx.InsertSeal(ctx, seal)
		})
		if err != nil || sealed < sealBatch {
			return err
		}
		// After an import 100 000 rows wait: reports that come meanwhile get three quarters of the writer.
		select {
		case <-time.After(3 * time.Since(began)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// AuditProof is what a check of the audit chain found.
type AuditProof struct {
	Seals, Rows int64
	Unsealed    int64
	Head        string   // hash of the newest seal: noted elsewhere, it proves later that nothing before it was cut off
	Faults      []string // one sentence each; empty = the chain holds
}

// maxFaults bounds the report of a chain that somebody has rewritten.
const maxFaults = 100

// VerifyAudit computes the chain again and names every altered, missing or
// moved row it can. expected is a head that was noted before ("" = none): it
// must still be in the chain. Requires MANAGE_PLATFORM.
func (a *App) VerifyAudit(ctx context.Context, actor *Actor, expected string) (AuditProof, error) {
	if err := actor.Must("MANAGE_PLATFORM"); err != nil {
		return AuditProof{}, err
	}
	c := auditCheck{key: a.sealKey(), expected: expected}
	r := a.Store.Reader()
	// Asked first: the server may seal more meanwhile, which is no fault.
	highest, err := store.HighestSealOfRows(ctx, r)
	if err != nil {
		return c.proof, err
	}
	for {
		seals, err := store.SealsAfter(ctx, r, c.last.No, 500)
		if err != nil {
			return c.proof, err
		}
		for _, s := range seals {
			rows, err := store.AuditOfSeal(ctx, r, s.No, 10_000)
			if err != nil {
				return c.proof, err
			}
			c.seal(s, rows)
		}
		if len(seals) < 500 {
			break
		}
	}
	if highest > c.last.No {
		c.fault("Rows name seal %d, but the newest seal is %d: seals are missing at the end.", highest, c.last.No)
	}
	unsealed, err := store.AuditOfSeal(ctx, r, 0, 100_000)
	c.proof.Unsealed, c.proof.Head = int64(len(unsealed)), c.last.Hash
	if expected != "" && !c.met {
		c.fault("The expected head %s is not in the chain: it was cut off or rewritten.", expected)
	}
	return c.proof, err
}

type auditCheck struct {
	key      []byte
	expected string
	met      bool
	last     fleet.Seal
	proof    AuditProof
}

func (c *auditCheck) fault(format string, args ...any) {
	switch n := len(c.proof.Faults); {
	case n < maxFaults:
		c.proof.Faults = append(c.proof.Faults, fmt.Sprintf(format, args...))
	case n == maxFaults:
		c.proof.Faults = append(c.proof.Faults, "There are more faults; they are not listed.")
	}
}

// seal checks one batch against the one before it.
func (c *auditCheck) seal(s fleet.Seal, rows []fleet.AuditRow) {
	c.proof.Seals++
	c.proof.Rows += int64(len(rows))
	if s.No != c.last.No+1 {
		c.fault("Seal %d is missing.", c.last.No+1)
	} else if s.Previous != c.last.Hash {
		c.fault("Seal %d does not follow seal %d: one of them was rewritten.", s.No, c.last.No)
	}
	stored := make(map[string]string, len(rows))
	for _, r := range rows {
		stored[r.ID] = r.MAC
	}
	again := fleet.SealBatch(c.key, s.No, s.At, s.Previous, rows)
	found := len(c.proof.Faults)
	for _, r := range rows {
		if stored[r.ID] != r.MAC {
			c.fault("Row %s (%s, %s %s) was altered or moved into seal %d.", r.ID, r.At, r.Verb, r.Noun, s.No)
		}
	}
	switch {
	case s.Rows > int64(len(rows)):
		c.fault("Seal %d (%s) has %d rows, but %d are there: %d were removed or moved.", s.No, s.At, s.Rows, len(rows), s.Rows-int64(len(rows)))
	case s.Rows < int64(len(rows)):
		c.fault("Seal %d (%s) has %d rows, but %d are there: %d were put in.", s.No, s.At, s.Rows, len(rows), int64(len(rows))-s.Rows)
	case s.Hash != again.Hash && len(c.proof.Faults) == found:
		c.fault("Seal %d (%s) does not match its rows.", s.No, s.At)
	}
	c.met = c.met || s.Hash == c.expected
	c.last = s
}
