package store

import (
	"context"
	"database/sql"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

var visits = table[fleet.Visit]{name: "visit", columns: func(v *fleet.Visit) []column {
	return []column{
		{"area_id", &v.AreaID, keyed}, {"arrived_at", &v.ArrivedAt, keyed}, {"thing_id", &v.ThingID, keyed},
		{"organization_id", &v.OrganizationID, once}, {"thing_type_id", &v.ThingTypeID, once}, {"left_at", &v.LeftAt, edit},
		{"counted_to", &v.CountedTo, edit},
	}
}}

var putVisit = visits.upserts("")

// PutVisit writes a stay at a station, or what has become of it.
func (tx *Tx) PutVisit(ctx context.Context, v *fleet.Visit) error {
	_, err := putVisit.run(ctx, tx, v)
	return err
}

var openVisits = visits.selects("WHERE left_at = 0 ORDER BY arrived_at, area_id, thing_id")

// OpenVisits reads the stays that have not ended.
func OpenVisits(ctx context.Context, r Reader) ([]fleet.Visit, error) { return openVisits.all(ctx, r) }

// There at or after an instant, 0 = ever.
const visitsSince = "WHERE area_id = $1 AND organization_id = $2 AND (left_at = 0 OR left_at >= $3)"

var visitsOf = visits.selects(visitsSince + " ORDER BY arrived_at DESC, thing_id LIMIT $4 OFFSET $5")

const countVisits = "SELECT COUNT(*) FROM visit " + visitsSince

// VisitsOf reads a page of an area's log, newest arrivals first: the stays of an organization's assets that lasted until an instant
// or later. page counts from 1.
func VisitsOf(ctx context.Context, r Reader, areaID, organizationID string, since fleet.Instant,
	page, perPage int) (out []fleet.Visit, total int, err error) {
	if err = r.QueryRowContext(ctx, countVisits, areaID, organizationID, int64(since)).Scan(&total); err == nil {
		out, err = visitsOf.all(ctx, r, areaID, organizationID, int64(since), perPage, (page-1)*perPage)
	}
	return out, total, err
}

var visitsBetween = visits.selects(`WHERE area_id = $1 AND organization_id = $2 AND arrived_at < $3 AND (left_at = 0 OR left_at > $4)
ORDER BY arrived_at, thing_id`)

// VisitsBetween reads the stays at an area, of an organization's assets, that lasted at some time from, to (to excluded).
func VisitsBetween(ctx context.Context, r Reader, areaID, organizationID string, from, to fleet.Instant) ([]fleet.Visit, error) {
	return visitsBetween.all(ctx, r, areaID, organizationID, int64(to), int64(from))
}

const lastVisits = `SELECT thing_type_id, MAX(counted_to) FROM visit WHERE area_id = $1 AND organization_id = $2
GROUP BY thing_type_id`

// LastLeft returns when an asset of each type that an organization owned last left an area, or stopped counting before that; types
// that never did are missing.
func LastLeft(ctx context.Context, r Reader, areaID, organizationID string) (map[string]fleet.Instant, error) {
	type row struct {
		id string
		at fleet.Instant
	}
	scan := func(rows *sql.Rows) (v row, err error) {
		err = rows.Scan(&v.id, &v.at)
		return v, err
	}
	rows, err := engine.List(ctx, r, scan, lastVisits, areaID, organizationID)
	out := make(map[string]fleet.Instant, len(rows))
	for _, v := range rows {
		if v.at != 0 {
			out[v.id] = v.at
		}
	}
	return out, err
}
