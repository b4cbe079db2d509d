package fleet

import (
	"cmp"
	"slices"
	"strings"
)

// SortRow has the fields that the order of the asset list uses.
type SortRow struct {
	ID          string
	Status      Status
	Name        string // display name
	HeartbeatAt Instant
}

// CompareThings orders the asset list (requirements 4.list): by status;
// before pending by name, case-insensitive; from pending on latest heartbeat first; ties by id.
func CompareThings(a, b SortRow) int {
	if c := cmp.Compare(a.Status, b.Status); c != 0 {
		return c
	}
	if a.Status < StatusPending {
		if c := strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)); c != 0 {
			return c
		}
	} else if c := cmp.Compare(b.HeartbeatAt, a.HeartbeatAt); c != 0 {
		return c
	}
	return strings.Compare(a.ID, b.ID)
}

// SortThings sorts rows in place by CompareThings.
func SortThings(rows []SortRow) { slices.SortFunc(rows, CompareThings) }

// MatchesSearch reports whether one of the fields contains the query,
// case-insensitive; an empty query matches all (requirements 5.search).
func MatchesSearch(query string, fields ...string) bool {
	q := strings.ToLower(strings.TrimSpace(query))
	if q == "" {
		return true
	}
	for _, f := range fields {
		if strings.Contains(strings.ToLower(f), q) {
			return true
		}
	}
	return false
}
