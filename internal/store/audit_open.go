package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"sync"

	"lightbar/internal/fleet"
)

// openAuditRows bounds the memory of rows that wait for their seal; beyond it none is remembered.
const openAuditRows = 200_000

// OpenAudit is what the process remembers about an audit row that it has committed and that no seal contains yet; otherwise such a
// row could be altered or removed unnoticed.
type OpenAudit struct {
	Sum        [sha256.Size]byte
	At         fleet.Instant
	Verb, Noun string
	mark       int64
}

// openAudit holds what this process committed and has not sealed; the zero value works.
type openAudit struct {
	mu   sync.Mutex
	rows map[string]OpenAudit
	mark int64
}

// AuditSum is the digest of a row's content, without its seal.
func AuditSum(r fleet.AuditRow) [sha256.Size]byte {
	var b []byte
	for _, s := range []string{r.ID, r.ActorUserID, r.ActorKeyID, r.OrganizationID, r.Network, r.Verb, r.Noun, r.NounID, string(r.Before),
		string(r.After), r.RequestID} {
		b = append(binary.BigEndian.AppendUint64(b, uint64(len(s))), s...)
	}
	return sha256.Sum256(binary.BigEndian.AppendUint64(b, uint64(r.At)))
}

// AuditMark is up to where this process has committed rows. Read it before the sealing transaction begins: then that transaction
// sees everything committed until now.
func (s *Store) AuditMark() int64 {
	o := &s.audit
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.mark
}

// OpenAuditOf returns what is remembered about a row; false when nothing is.
func (s *Store) OpenAuditOf(id string) (OpenAudit, bool) {
	o := &s.audit
	o.mu.Lock()
	defer o.mu.Unlock()
	r, ok := o.rows[id]
	return r, ok
}

// OpenAuditUpTo returns the rows committed up to a mark that are still remembered.
func (s *Store) OpenAuditUpTo(mark int64) map[string]OpenAudit {
	o := &s.audit
	o.mu.Lock()
	defer o.mu.Unlock()
	out := map[string]OpenAudit{}
	for id, r := range o.rows {
		if r.mark <= mark {
			out[id] = r
		}
	}
	return out
}

// ForgetAudit removes rows from memory.
func (s *Store) ForgetAudit(ids []string) {
	o := &s.audit
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, id := range ids {
		delete(o.rows, id)
	}
}

// keep remembers the rows of a transaction that was committed.
func (o *openAudit) keep(rows map[string]OpenAudit) {
	if len(rows) == 0 {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.rows == nil || len(o.rows)+len(rows) > openAuditRows {
		o.rows = map[string]OpenAudit{}
	}
	o.mark++
	for id, r := range rows {
		r.mark = o.mark
		o.rows[id] = r
	}
}

const auditRowIsThere = `SELECT COUNT(*) FROM audit WHERE id = $1`

// AuditRowIsThere reports whether a row is in the audit, sealed or not.
func AuditRowIsThere(ctx context.Context, r Reader, id string) (bool, error) {
	var n int
	err := r.QueryRowContext(ctx, auditRowIsThere, id).Scan(&n)
	return n > 0, err
}
