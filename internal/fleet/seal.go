package fleet

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"sort"
	"strconv"
	"time"
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

// SealRow is the MAC of an audit row in batch no. key is secret to the installation: someone who can write only the database cannot
// make a matching one.
func SealRow(key []byte, no int64, r AuditRow) string {
	m := hmac.New(sha256.New, key)
	sealText(m, "lightbar audit row 1")
	sealNumber(m, no)
	sealNumber(m, int64(r.At))
	for _, s := range []string{r.ID, r.ActorUserID, r.ActorKeyID, r.OrganizationID, r.Network, r.Verb, r.Noun, r.NounID, string(r.Before),
		string(r.After), r.RequestID} {
		sealText(m, s)
	}
	return hex.EncodeToString(m.Sum(nil))
}

// SealBatch gives each row its MAC and batch, and returns the seal of them all. Rows are taken in the order of their ids.
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

// AuditHead is the newest seal as it is stored outside of the database: someone who can write only the database cannot make the
// chain match it.
type AuditHead struct {
	No       int64   `json:"no"`
	Hash     string  `json:"hash"`
	At       Instant `json:"at"`
	First    string  `json:"first"`    // hash of seal 1: distinguishes a chain that was started again from one cut short
	Database string  `json:"database"` // the name of the database that the chain is of
	MAC      string  `json:"mac"`
}

// Sum is the MAC of a head under the installation's key.
func (h AuditHead) Sum(key []byte) string {
	m := hmac.New(sha256.New, key)
	sealText(m, "lightbar audit head 1")
	sealNumber(m, h.No)
	sealNumber(m, int64(h.At))
	for _, s := range []string{h.Hash, h.First, h.Database} {
		sealText(m, s)
	}
	return hex.EncodeToString(m.Sum(nil))
}

// sealSlack is how much older than the instant at which nothing waited a row
// may be: a transaction takes at most a minute, and its request may have waited before it.
const sealSlack = 2 * time.Minute

// LateFor reports whether a row that waits for its seal should have been in the chain at an instant at which nothing waited (0 =
// there was none). Both its time and the time in its id (UUID v7) count: to insert a row, or to remove one from its seal, both must
// be forged.
func (r AuditRow) LateFor(nothingWaited Instant) bool {
	if nothingWaited == 0 {
		return false
	}
	limit := nothingWaited.Add(-sealSlack)
	made, known := idTime(r.ID)
	return r.At < limit || (known && made < limit)
}

// idTime is the instant in a UUID v7.
func idTime(id string) (Instant, bool) {
	if len(id) != 36 || id[8] != '-' || id[14] != '7' {
		return 0, false
	}
	ms, err := strconv.ParseInt(id[:8]+id[9:13], 16, 64)
	return Instant(ms), err == nil
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
