package fleet

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"sort"
)

// Seal closes a batch of audit rows. Hash covers the previous seal and the
// MACs of the batch's rows, so that an altered, missing or moved row, and a
// missing seal, show when the chain is computed again.
type Seal struct {
	No       int64 // 1, 2, 3, …
	At       Instant
	Rows     int64
	Previous string // Hash of seal No-1, empty for the first
	Hash     string // hexadecimal HMAC-SHA-256
}

// SealRow is the MAC of an audit row in batch no. key is secret to the
// installation: who can write the database alone cannot make a matching one.
func SealRow(key []byte, no int64, r AuditRow) string {
	m := hmac.New(sha256.New, key)
	sealText(m, "lightbar audit row 1")
	sealNumber(m, no)
	sealNumber(m, int64(r.At))
	for _, s := range []string{r.ID, r.ActorUserID, r.ActorKeyID, r.OrganizationID, r.Network, r.Verb, r.Noun, r.NounID, string(r.Before), string(r.After), r.RequestID} {
		sealText(m, s)
	}
	return hex.EncodeToString(m.Sum(nil))
}

// SealBatch gives each row its MAC and batch, and answers the seal of them all.
// Rows are taken in the order of their ids.
func SealBatch(key []byte, no int64, at Instant, previous string, rows []AuditRow) Seal {
	sort.Slice(rows, func(i, j int) bool { return rows[i].ID < rows[j].ID })
	m := hmac.New(sha256.New, key)
	sealText(m, "lightbar audit seal 1")
	sealNumber(m, no)
	sealNumber(m, int64(at))
	sealText(m, previous)
	sealNumber(m, int64(len(rows)))
	for i := range rows {
		rows[i].SealNo, rows[i].MAC = no, SealRow(key, no, rows[i])
		sealText(m, rows[i].MAC)
	}
	return Seal{No: no, At: at, Rows: int64(len(rows)), Previous: previous, Hash: hex.EncodeToString(m.Sum(nil))}
}

// Texts carry their length: no two lists of fields are encoded alike.
func sealText(m hash.Hash, s string) {
	sealNumber(m, int64(len(s)))
	m.Write([]byte(s))
}

func sealNumber(m hash.Hash, n int64) {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], uint64(n))
	m.Write(b[:])
}
