package audit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// Proof is what a check of the audit chain found.
type Proof struct {
	Seals, Rows int64
	Unsealed    int64
	Unchecked   int64    // rows whose key was lost; of them Faults has only what befell them since
	Head        string   // hash of the newest seal: noted elsewhere, it proves later that nothing before it was cut off
	Compared    string   // what the chain was compared with, one sentence
	Notes       []string // what is no fault, but should be known; one sentence each
	Faults      []Fault  // none = the chain holds
}

// Kinds names what was found, each kind once, in the order of the faults.
func (p Proof) Kinds() (out []string) {
	for _, f := range p.Faults {
		if !slices.Contains(out, f.Kind) {
			out = append(out, f.Kind)
		}
	}
	return out
}

const (
	maxFaults = 100             // bounds the report of a chain that somebody has rewritten
	maxTries  = 200_000         // MACs computed to find where moved rows came from
	lateSeal  = 5 * time.Minute // rows wait for their seal for seconds
)

// Verify computes the chain again and names every altered, missing or
// moved row it can. The chain must hold the head that is kept beside the
// database, and expected, a head that was noted before ("" = none).
// Requires MANAGE_PLATFORM.
func (a *Trail) Verify(ctx context.Context, actor *access.Actor, expected string) (Proof, error) {
	if err := actor.Must("MANAGE_PLATFORM"); err != nil {
		return Proof{}, err
	}
	c := check{key: a.sealKey(), expected: expected}
	r := a.Store.Reader()
	var err error
	var fault *Fault
	if c.past, err = a.readPast(ctx, r); errors.As(err, &fault) {
		c.proof.Faults = append(c.proof.Faults, *fault)
	} else if err != nil {
		return c.proof, err
	}
	c.bound = c.past.bound()
	// The head and the rows are asked first: the server may seal more meanwhile, which is no fault.
	if err := a.compareKept(ctx, r, &c); err != nil {
		return c.proof, err
	}
	if c.highest, err = store.HighestSealOfRows(ctx, r); err != nil {
		return c.proof, err
	}
	if err := walk(ctx, r, c.seal); err != nil {
		return c.proof, err
	}
	if c.highest > c.last.No {
		c.fault(FaultSeals, "Rows name seal %d, but the newest seal is %d: seals are missing at the end.", c.highest, c.last.No)
	}
	if head := c.past.Head; head.No > c.last.No {
		c.fault(FaultCut, "The end was cut off: the change of the server key made seal %d, and the database ends with seal %d.", head.No,
			c.last.No)
	}
	c.noteLost()
	return c.end(ctx, r)
}

// walk reads the chain, each seal with its rows.
func walk(ctx context.Context, r store.Reader, visit func(fleet.Seal, []fleet.AuditRow)) error {
	for last := int64(0); ; {
		seals, err := store.SealsAfter(ctx, r, last, 500)
		if err != nil {
			return err
		}
		for _, s := range seals {
			rows, err := store.AuditOfSeal(ctx, r, s.No, sealRows)
			if err != nil {
				return err
			}
			visit(s, rows)
			last = s.No
		}
		if len(seals) < 500 {
			return nil
		}
	}
}

// HeadKept answers the head that is kept beside the database, and what is
// wrong with it; both may be nil. Requires MANAGE_PLATFORM.
func (a *Trail) HeadKept(ctx context.Context, actor *access.Actor) (*fleet.AuditHead, *Fault, error) {
	if err := actor.Must("MANAGE_PLATFORM"); err != nil {
		return nil, nil, err
	}
	c := &a.chain
	c.mu.Lock()
	defer c.mu.Unlock()
	h, err := a.readHead()
	var fault *Fault
	if err != nil && !errors.As(err, &fault) {
		return nil, nil, err
	}
	if c.head == nil { // no server, or one that has not sealed yet
		if h == nil && fault == nil && a.HeadPath != "" {
			_, err := store.Setting(ctx, a.Store.Reader(), databaseName)
			if err == nil {
				fault = newFault(FaultNoHead, "%s is missing: nothing outside the database says what was sealed. "+
					"Put it back from a backup of this folder; a start of the server goes on with the chain as it stands.", a.HeadPath)
			} else if !errors.Is(err, store.ErrNotFound) {
				return nil, nil, err
			}
		}
		return h, fault, nil
	}
	// The running server knows what it sealed, whatever the file says.
	switch {
	case a.HeadPath == "" || !c.kept || fault != nil:
	case h == nil:
		fault = newFault(FaultNoHead, "%s is missing; the running server writes it again with the next seal.", a.HeadPath)
	case *h != *c.head:
		fault = newFault(FaultHead, "%s holds seal %d, but the running server wrote seal %d there.", a.HeadPath, h.No, c.head.No)
	}
	known := *c.head
	return &known, fault, nil
}

// CompareHead reports whether the database holds the head that is kept beside it,
// without reading the whole chain; nil heads and faults say that there is none.
// Requires MANAGE_PLATFORM.
func (a *Trail) CompareHead(ctx context.Context, actor *access.Actor) (*fleet.AuditHead, *Fault, error) {
	h, fault, err := a.HeadKept(ctx, actor)
	if err != nil || fault != nil || h == nil {
		return h, fault, err
	}
	fault, err = a.compareHead(ctx, a.Store.Reader(), *h)
	return h, fault, err
}

// compareKept compares the database with the head that is kept beside it.
func (a *Trail) compareKept(ctx context.Context, r store.Reader, c *check) error {
	h, fault, err := a.HeadKept(ctx, access.System())
	if err != nil {
		return err
	}
	if fault != nil {
		c.proof.Faults = append(c.proof.Faults, *fault)
	}
	if h == nil {
		if c.proof.Compared = "Compared with nothing outside of the database."; fault == nil {
			c.proof.Notes = append(c.proof.Notes, "There is no audit.head yet: the server makes it when it seals the next rows.")
		}
		return nil
	}
	c.proof.Compared = fmt.Sprintf("Compared with the head kept beside the database: seal %d of %s, %s.", h.No, h.At, h.Hash)
	broken, err := a.compareHead(ctx, r, *h)
	if broken != nil {
		c.proof.Faults = append(c.proof.Faults, *broken)
	}
	return err
}

type check struct {
	key      []byte
	past     past
	bound    map[int64]string // hashes that rotations of the server key bound, by seal
	expected string
	met      bool
	highest  int64 // the newest batch that a row names
	tries    int   // MACs computed for moved rows
	late     int64 // rows sealed late, and the one that waited longest
	latest   fleet.AuditRow
	waited   time.Duration
	last     fleet.Seal
	stretch  stretch
	proof    Proof
}

func (c *check) fault(kind, format string, args ...any) {
	switch n := len(c.proof.Faults); {
	case n < maxFaults:
		c.proof.Faults = append(c.proof.Faults, *newFault(kind, format, args...))
	case n == maxFaults:
		c.proof.Faults = append(c.proof.Faults, Fault{Kind: kind, Text: "There are more faults; they are not listed."})
	}
}

// seal checks one batch against the one before it.
func (c *check) seal(s fleet.Seal, rows []fleet.AuditRow) {
	c.proof.Seals++
	c.proof.Rows += int64(len(rows))
	if s.No != c.last.No+1 {
		c.fault(FaultSeals, "Seal %d is missing.", c.last.No+1)
	} else if s.Previous != c.last.Hash {
		c.fault(FaultSeals, "Seal %d does not follow seal %d: one of them was rewritten.", s.No, c.last.No)
	}
	if hash, ok := c.bound[s.No]; ok && hash != s.Hash {
		c.fault(FaultRewritten, "Seal %d is not the one that was there when the server key was changed: "+
			"what was sealed up to it was written anew, by somebody who has an earlier key.", s.No)
	}
	for _, r := range rows {
		if waited := s.At.Sub(r.At); waited > lateSeal {
			c.late++
			if waited > c.waited {
				c.latest, c.waited = r, waited
			}
		}
	}
	lost := c.past.lost(s.No)
	sound := lost != nil || c.content(s, rows)
	switch {
	case s.Rows > int64(len(rows)):
		c.fault(FaultRemoved, "Seal %d (%s) has %d rows, but %d are there: %d were removed or moved.", s.No, s.At, s.Rows, len(rows),
			s.Rows-int64(len(rows)))
	case s.Rows < int64(len(rows)):
		c.fault(FaultPutIn, "Seal %d (%s) has %d rows, but %d are there: %d were put in.", s.No, s.At, s.Rows, len(rows), int64(len(rows))-s.Rows)
	case !sound:
		c.fault(FaultSeals, "Seal %d (%s) does not match its rows.", s.No, s.At)
	}
	if lost != nil {
		c.lostSeal(lost, s, rows)
	}
	c.met = c.met || s.Hash == c.expected
	c.last = s
}

// content names the rows that are not as they were sealed; false = none is to blame, and still they don't match their seal.
func (c *check) content(s fleet.Seal, rows []fleet.AuditRow) bool {
	stored := make(map[string]string, len(rows))
	for _, r := range rows {
		stored[r.ID] = r.MAC
	}
	again := fleet.SealBatch(c.past.keyOf(s.No, c.key), s.No, s.At, s.Previous, rows)
	found := false
	for _, r := range rows {
		if stored[r.ID] != r.MAC {
			c.wrongRow(r, stored[r.ID], s.No)
			found = true
		}
	}
	return found || s.Hash == again.Hash
}

// wrongRow names a row whose MAC is not that of its batch: one that has the MAC of another batch was moved.
func (c *check) wrongRow(r fleet.AuditRow, stored string, in int64) {
	for from := int64(1); from <= c.highest && c.tries < maxTries; from++ {
		if c.tries++; from != in && fleet.SealRow(c.past.keyOf(from, c.key), from, r) == stored {
			c.fault(FaultMoved, "Row %s (%s, %s %s) of seal %d was moved into seal %d.", r.ID, r.At, r.Verb, r.Noun, from, in)
			return
		}
	}
	c.fault(FaultAltered, "Row %s (%s, %s %s) of seal %d was altered.", r.ID, r.At, r.Verb, r.Noun, in)
}

// end adds what is not in the chain.
func (c *check) end(ctx context.Context, r store.Reader) (Proof, error) {
	unsealed, err := store.AuditOfSeal(ctx, r, 0, 100_000)
	if err != nil {
		return c.proof, err
	}
	c.proof.Unsealed, c.proof.Head = int64(len(unsealed)), c.last.Hash
	refused, err := store.AuditOfSeal(ctx, r, store.RefusedSeal, maxFaults+1)
	if err != nil {
		return c.proof, err
	}
	for _, row := range refused {
		c.fault(FaultPutIn, "Row %s (%s, %s %s) was not sealed: it was put in, taken out of its seal, or altered before it had one.", row.ID,
			row.At, row.Verb, row.Noun)
	}
	if c.late > 0 {
		c.proof.Notes = append(c.proof.Notes, fmt.Sprintf(
			"%d rows were sealed more than %s after their time, %s (%s %s) after %s: the server was down or could not write then, "+
				"or its clock was wrong. Until then they could be altered unseen.",
			c.late, lateSeal, c.latest.ID, c.latest.Verb, c.latest.Noun, c.waited.Round(time.Second)))
	}
	if c.expected != "" && !c.met {
		c.fault(FaultCut, "The expected head %s is not in the chain: it was cut off or rewritten.", c.expected)
	}
	return c.proof, nil
}
