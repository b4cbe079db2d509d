package audit

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"sort"
	"strings"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// mostMarks bounds how many stretches of a lost key's seals are told apart.
const mostMarks = 256

// Mark is the sum of a stretch of seals and their rows, from the mark before it up to a seal.
type Mark struct {
	No  int64  `json:"no"`
	Sum string `json:"sum"`
}

// sumWith adds a seal and its rows, as they are stored, to the sum of a stretch.
func (e Era) sumWith(sum string, s fleet.Seal, rows []fleet.AuditRow) string {
	stored := []string{sum, s.Hash, fmt.Sprint(s.Rows)}
	for _, r := range rows {
		stored = append(stored, r.ID, r.MAC)
	}
	copied := append([]fleet.AuditRow(nil), rows...) // sealing writes into them
	return fleet.SealBatch(e.Key, s.No, s.At, strings.Join(stored, " "), copied).Hash
}

// EndLost ends the chain of a key that nobody has any more, whose fingerprint is given. What that key sealed cannot be checked,
// so the era keeps sums of how it stands: what is altered from now on is found. The proof says what can be told of the
// chain without its key.
func (a *Trail) EndLost(ctx context.Context, tx *store.Tx, fingerprint string) ([]Era, Proof, error) {
	last, err := store.LastSeal(ctx, tx)
	if err != nil {
		return nil, Proof{}, err
	}
	e := Era{Fingerprint: fingerprint, Key: make([]byte, sha256.Size), Last: last.No, Hash: last.Hash, Lost: a.now()}
	if _, err := rand.Read(e.Key); err != nil {
		return nil, Proof{}, err
	}
	c := check{past: past{Eras: []Era{e}}}
	if c.highest, err = store.HighestSealOfRows(ctx, tx); err != nil {
		return nil, c.proof, err
	}
	step, sum := (last.No+mostMarks-1)/mostMarks, ""
	err = walk(ctx, tx, func(s fleet.Seal, rows []fleet.AuditRow) {
		if sum = e.sumWith(sum, s, rows); s.No%step == 0 || s.No == last.No {
			e.Marks, sum = append(e.Marks, Mark{s.No, sum}), ""
		}
		c.seal(s, rows)
	})
	if err != nil {
		return nil, c.proof, err
	}
	if c.highest > last.No {
		c.fault(FaultSeals, "Rows name seal %d, but the newest seal is %d: seals are missing at the end.", c.highest, last.No)
	}
	fault, err := a.compareLost(ctx, tx)
	if fault != nil {
		c.proof.Faults = append(c.proof.Faults, *fault)
	}
	if last.No == 0 {
		return nil, c.proof, err
	}
	return []Era{e}, c.proof, err
}

// compareLost reports whether the chain holds the head in the file of a lost key. The file itself cannot be checked, but it is all
// that knows whether the end was cut off.
func (a *Trail) compareLost(ctx context.Context, r store.Reader) (*Fault, error) {
	if a.HeadPath == "" {
		return nil, nil
	}
	h, err := store.ReadAuditHead(a.HeadPath)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	case h.Database == "":
		return newFault(FaultHead, "%s is not what a server wrote: it was altered.", a.HeadPath), nil
	}
	_, fault, err := a.leadsTo(ctx, r, h)
	return fault, err
}

// lost is the era of a lost key that made seal no; nil = its key is known.
func (p past) lost(no int64) *Era {
	for i, e := range p.Eras {
		if no <= e.Last {
			if e.Lost == 0 {
				return nil
			}
			return &p.Eras[i]
		}
	}
	return nil
}

// stretch is the part of a lost key's chain that is being read.
type stretch struct {
	mark   int    // its place among the marks
	first  int64  // its first seal
	sum    string // so far
	faults int    // what was found before it
}

// lostSeal compares a seal whose key is lost, and its rows, with what they were when the key was replaced.
func (c *check) lostSeal(e *Era, s fleet.Seal, rows []fleet.AuditRow) {
	c.proof.Unchecked += int64(len(rows))
	i := sort.Search(len(e.Marks), func(i int) bool { return e.Marks[i].No >= s.No })
	if i == len(e.Marks) {
		return // the era is ending just now
	}
	if c.stretch.first == 0 || i != c.stretch.mark {
		c.stretch = stretch{mark: i, first: s.No, faults: len(c.proof.Faults)}
	}
	c.stretch.sum = e.sumWith(c.stretch.sum, s, rows)
	// What is missing or put in was named; the sum says it once more.
	if s.No == e.Marks[i].No && c.stretch.sum != e.Marks[i].Sum && len(c.proof.Faults) == c.stretch.faults {
		c.fault(FaultAltered, "Of seals %d to %d, whose key was lost, something was altered after the key was replaced (%s): "+
			"a row, or a seal.", c.stretch.first, s.No, e.Lost)
	}
}

// noteLost says what cannot be checked.
func (c *check) noteLost() {
	if c.proof.Unchecked == 0 {
		return
	}
	for _, e := range c.past.Eras {
		if e.Lost != 0 {
			named := ""
			if e.Fingerprint != "" { // a version before fingerprints noted none
				named = " (fingerprint " + e.Fingerprint + ")"
			}
			c.proof.Notes = append(c.proof.Notes, fmt.Sprintf("Seals up to %d were made with a server key that was lost%s. "+
				"Whether one of their rows was altered before %s, when the key was replaced, is not checkable; what was altered "+
				"after that is named.", e.Last, named, e.Lost))
		}
	}
}
