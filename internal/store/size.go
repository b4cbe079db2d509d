package store

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/points"
)

// KindSize is about how much of the disk a kind of data takes, and how much more each day.
type KindSize struct {
	Rows, Bytes, PerDay int64
	Oldest              fleet.Instant // by which it grows old; 0 = there is none
}

// grower is a table of a kind, with the order that finds its newest rows. Without by, other tables show its growth.
type grower struct {
	kind, table string
	by          string // an instant in units, or an id
	unit        int64  // 0 = by is an id
	some        string // a condition on rows, "" = all
}

// growers are the tables that grow. Tables that are not here hold the current state: assets, people, settings.
var growers = []grower{
	{fleet.DataPoints, "point_block", "slot", 60 * minuteMs, ""}, {fleet.DataPoints, "point", "", 0, ""},
	{fleet.DataPoints, "point_intake", "", 0, ""},
	{fleet.DataPoints, "signal", "minute", minuteMs, ""}, {fleet.DataRuns, "run", "id", 0, ""}, {fleet.DataEvents, "location", "id", 0, ""},
	{fleet.DataEvents, "location_thing", "location_id", 0, ""}, {fleet.DataEvents, "driver_alert", "first_at", oneMs, ""},
	{fleet.DataVisits, "visit", "left_at", oneMs, "left_at > 0"},
	{fleet.DataClosures, "closure", "id", 0, ""}, {fleet.DataHazards, "hazard", "start_at", oneMs, ""},
	{fleet.DataCommands, "device_command", "id", 0, ""}, {fleet.DataFindings, "finding", "id", 0, ""},
	{fleet.DataDeleted, "area", "deleted_at", oneMs, "deleted_at > 0"}, {fleet.DataDeleted, "zone", "deleted_at", oneMs, "deleted_at > 0"},
	{fleet.DataExports, "export", "id", 0, ""}, {fleet.DataFetches, "feed_fetch", "day", oneDayMs, ""}, {fleet.DataMails, "mail", "id", 0, ""},
	{fleet.DataSessions, "session", "id", 0, ""}, {fleet.DataRefusals, "refusal_count", "minute", minuteMs, ""},
	{fleet.DataAudit, "audit", "id", 0, ""}, {fleet.DataAudit, "audit_seal", "at", oneMs, ""},
}

const (
	// growthWindow is how far back growth is looked at, growthMost how many rows of a table at most.
	growthWindow = 7 * 24 * time.Hour
	growthMost   = 100_000
	// sizeSample is from how many of the newest rows the size of a row is estimated.
	sizeSample = 200
	// sizeFill is how much more than their content pages of a B-tree take.
	sizeFill = 1.3
)

// Sizes estimates of each kind of data how much it takes and grows: PostgreSQL
// knows the size of tables; of SQLite's it is guessed from row numbers and the
// newest rows, so that nothing reads all of a large database.
func (s *Store) Sizes(ctx context.Context, r Reader, now fleet.Instant) (map[string]KindSize, error) {
	tables, err := tableSizes(ctx, r, s.Engine())
	if err != nil {
		return nil, err
	}
	first, err := beginning(ctx, r, now)
	if err != nil {
		return nil, err
	}
	out := map[string]KindSize{}
	for _, g := range growers {
		size, kind := tables[g.table], out[g.kind]
		if size.rows > 0 && g.by != "" {
			perDay, err := g.perDay(ctx, r, now, first)
			if err != nil {
				return nil, err
			}
			kind.PerDay += int64(perDay * float64(size.bytes) / float64(size.rows))
		}
		kind.Rows, kind.Bytes = kind.Rows+size.rows, kind.Bytes+size.bytes
		out[g.kind] = kind
	}
	for name, kind := range out {
		if kind.Oldest, err = oldestOf(ctx, r, name); err != nil {
			return nil, err
		}
		out[name] = kind
	}
	return out, nil
}

const firstAudit = `SELECT at FROM audit ORDER BY id LIMIT 1`

// beginning is since when the database exists, by its first audit row.
func beginning(ctx context.Context, r Reader, now fleet.Instant) (at fleet.Instant, err error) {
	if err = r.QueryRowContext(ctx, firstAudit).Scan((*int64)(&at)); errors.Is(err, sql.ErrNoRows) {
		return now, nil
	}
	return at, err
}

// perDay counts the rows of a day, of the newest ones within the window.
func (g *grower) perDay(ctx context.Context, r Reader, now, first fleet.Instant) (float64, error) {
	since := now.Add(-growthWindow)
	from := any(firstID(since))
	if g.unit != 0 {
		from = int64(since) / g.unit
	}
	some := ""
	if g.some != "" {
		some = " AND " + g.some
	}
	var n int64
	var oldest any
	if err := r.QueryRowContext(ctx, "SELECT COUNT(*), MIN(v) FROM (SELECT "+g.by+" AS v FROM "+g.table+" WHERE "+g.by+" >= $1"+some+
		" ORDER BY "+g.by+" DESC LIMIT $2) AS newest", from, growthMost).Scan(&n, &oldest); err != nil || n == 0 {
		return 0, err
	}
	if n == growthMost { // all of these are of a shorter time
		switch v := oldest.(type) {
		case int64:
			since = fleet.Instant(v * g.unit)
		case string:
			since = instantOfID(v)
		}
	}
	days := max(now.Sub(max(since, min(first, now))), time.Hour).Hours() / 24
	return float64(n) / days, nil
}

// instantOfID is when an id of version 7 was made.
func instantOfID(id string) fleet.Instant {
	ms, err := strconv.ParseInt(strings.ReplaceAll(id[:min(13, len(id))], "-", ""), 16, 64)
	if err != nil {
		return 0
	}
	return fleet.Instant(ms)
}

// oldestOf is the instant of the oldest row of a kind that its purge will find some day.
func oldestOf(ctx context.Context, r Reader, kind string) (oldest fleet.Instant, err error) {
	list := sweeps[kind]
	switch kind {
	case fleet.DataPoints:
		list = points.Sweeps()
	case fleet.DataExports:
		return oldestBy(ctx, r, `SELECT COALESCE(MIN(completed_at), 0) FROM export WHERE deleted_at = 0 AND completed_at > 0`)
	case fleet.DataAudit:
		return oldestBy(ctx, r, `SELECT COALESCE(MIN(at), 0) FROM (SELECT at FROM audit ORDER BY id LIMIT 1) AS a`)
	}
	for _, sweep := range list {
		at, err := sweep.Oldest(ctx, r)
		if err != nil {
			return 0, err
		}
		if at != 0 && (oldest == 0 || fleet.Instant(at) < oldest) {
			oldest = fleet.Instant(at)
		}
	}
	return oldest, nil
}

func oldestBy(ctx context.Context, r Reader, query string, args ...any) (at fleet.Instant, err error) {
	err = r.QueryRowContext(ctx, query, args...).Scan((*int64)(&at))
	return at, err
}

// oldestOfOrganization are the oldest rows of an organization by kinds; by its assets or areas where the table has no
// organization to seek by.
var oldestOfOrganization = map[string]string{
	fleet.DataPoints: `SELECT COALESCE(MIN(at), 0) FROM (SELECT (SELECT b.last_at FROM point_block b WHERE b.thing_no = t.thing_no
ORDER BY b.thing_no, b.slot, b.first_at LIMIT 1) AS at FROM thing t WHERE t.organization_id = $1) AS oldest`,
	fleet.DataRuns: `SELECT COALESCE(MIN(at), 0) FROM (SELECT (SELECT r.end_at FROM run r WHERE r.thing_no = t.thing_no
ORDER BY r.thing_no, r.start_at LIMIT 1) AS at FROM thing t WHERE t.organization_id = $1) AS oldest`,
	fleet.DataEvents: `SELECT COALESCE(MIN(end_at), 0) FROM location WHERE NOT is_active AND organization_id = $1`,
	fleet.DataVisits: `SELECT COALESCE(MIN(at), 0) FROM (SELECT (SELECT v.left_at FROM visit v WHERE v.area_id = a.id AND v.left_at > 0
ORDER BY v.area_id, v.arrived_at, v.thing_id LIMIT 1) AS at FROM area a WHERE a.organization_id = $1) AS oldest`,
	fleet.DataClosures: `SELECT COALESCE(MIN(updated_at), 0) FROM closure WHERE organization_id = $1
AND (deleted_at > 0 OR kind <> 'automated' AND recurrence = '' AND schedule = '' AND (start_at = 0 OR end_at > 0))`,
	fleet.DataHazards: `SELECT COALESCE(MIN(deleted_at), 0) FROM hazard WHERE organization_id = $1 AND deleted_at > 0`,
	fleet.DataCommands: `SELECT COALESCE(MIN(issued_at), 0) FROM (SELECT issued_at FROM device_command WHERE organization_id = $1
ORDER BY organization_id, id LIMIT 1) AS oldest`,
	fleet.DataFindings: `SELECT COALESCE(MIN(ended_at), 0) FROM finding WHERE organization_id = $1 AND ended_at > 0`,
	fleet.DataDeleted:  oldestDeleted(),
	fleet.DataExports:  `SELECT COALESCE(MIN(completed_at), 0) FROM export WHERE organization_id = $1 AND deleted_at = 0 AND completed_at > 0`,
	fleet.DataFetches:  `SELECT COALESCE(MIN(last_at), 0) FROM feed_fetch WHERE organization_id = $1`,
	fleet.DataMails: `SELECT COALESCE(MIN(m.created_at), 0) FROM mail m JOIN app_user u ON u.id = m.user_id
WHERE u.organization_id = $1 AND (m.sent_at <> 0 OR m.failed_at <> 0)`,
	fleet.DataSessions: `SELECT COALESCE(MIN(last_used_at), 0) FROM session WHERE organization_id = $1`,
	fleet.DataAudit:    `SELECT COALESCE(MIN(at), 0) FROM audit WHERE organization_id = $1`,
}

// oldestDeleted asks for the oldest row that someone deleted, among the nouns of which such rows are swept.
func oldestDeleted() string {
	var of []string
	for _, sweep := range sweeps[fleet.DataDeleted] {
		if sweep.Key[0] == "deleted_at" {
			of = append(of, "SELECT deleted_at AS at FROM "+sweep.Table+" WHERE organization_id = $1 AND deleted_at > 0")
		}
	}
	return "SELECT COALESCE(MIN(at), 0) FROM (" + strings.Join(of, " UNION ALL ") + ") AS gone"
}

// OldestOfOrganization is the instant of an organization's oldest row of each kind; kinds without are missing.
func OldestOfOrganization(ctx context.Context, r Reader, organizationID string) (map[string]fleet.Instant, error) {
	out := map[string]fleet.Instant{}
	for kind, query := range oldestOfOrganization {
		at, err := oldestBy(ctx, r, query, organizationID)
		if err != nil {
			return nil, err
		}
		if at != 0 {
			out[kind] = at
		}
	}
	return out, nil
}

// tableSize is about what a table takes with its indexes.
type tableSize struct{ rows, bytes int64 }

const pgSizes = `SELECT c.relname, CAST(CASE WHEN c.reltuples > 0 THEN c.reltuples ELSE pg_stat_get_live_tuples(c.oid) END AS BIGINT),
pg_total_relation_size(c.oid)
FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = CAST(current_schema() AS regnamespace)`

func tableSizes(ctx context.Context, r Reader, on engine.Name) (map[string]tableSize, error) {
	out := map[string]tableSize{}
	if on == engine.Postgres {
		_, err := engine.List(ctx, r, func(rows *sql.Rows) (name string, err error) {
			var t tableSize
			err = rows.Scan(&name, &t.rows, &t.bytes)
			out[name] = t
			return name, err
		}, pgSizes)
		return out, err
	}
	weights, err := columnWeights(ctx, r)
	if err != nil {
		return nil, err
	}
	for _, g := range growers {
		if out[g.table], err = guessedSize(ctx, r, g.table, weights[g.table]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

const liteIndexed = `SELECT m.tbl_name, COALESCE(i.name, '') FROM sqlite_master m, pragma_index_xinfo(m.name) i WHERE m.type = 'index'`

// columnWeights counts in how many indexes a column lies, of each table.
func columnWeights(ctx context.Context, r Reader) (map[string]map[string]int, error) {
	out := map[string]map[string]int{}
	_, err := engine.List(ctx, r, func(rows *sql.Rows) (table string, err error) {
		var column string
		err = rows.Scan(&table, &column)
		if out[table] == nil {
			out[table] = map[string]int{}
		}
		out[table][column]++
		return table, err
	}, liteIndexed)
	return out, err
}

// guessedSize is the size of one of SQLite's tables: its row numbers show about how many rows there are, since they are assigned in
// the order of insertion, and its newest rows show how large they are.
func guessedSize(ctx context.Context, r Reader, table string, weights map[string]int) (out tableSize, err error) {
	if err := r.QueryRowContext(ctx, "SELECT COALESCE((SELECT MAX(rowid) FROM "+table+") - (SELECT MIN(rowid) FROM "+table+") + 1, 0)").
		Scan(&out.rows); err != nil || out.rows == 0 {
		return out, err
	}
	rows, err := r.QueryContext(ctx, "SELECT * FROM "+table+" ORDER BY rowid DESC LIMIT $1", sizeSample)
	if err != nil {
		return out, err
	}
	columns, err := rows.Columns()
	if err != nil {
		return out, errors.Join(err, rows.Close())
	}
	sampled := 0.0
	found, err := engine.Collect(rows, func(rows *sql.Rows) (_ struct{}, err error) {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err = rows.Scan(into...); err == nil {
			sampled += 6 // its number and the length of its header
			for i, v := range values {
				sampled += float64((1 + weights[columns[i]]) * bytesOf(v))
			}
			sampled += float64(6 * weights[""]) // its number in indexes
		}
		return struct{}{}, err
	})
	if err == nil && len(found) > 0 {
		out.bytes = int64(float64(out.rows) * sampled / float64(len(found)) * sizeFill)
	}
	return out, err
}

// bytesOf is how much SQLite needs for a value with its type.
func bytesOf(value any) int {
	switch v := value.(type) {
	case string:
		return 2 + len(v)
	case []byte:
		return 2 + len(v)
	case float64:
		return 9
	case int64:
		for _, size := range []int{1, 2, 3, 4, 6} {
			if most := int64(1) << (8*size - 1); v >= -most && v < most {
				return 1 + size
			}
		}
		return 9
	}
	return 1
}
