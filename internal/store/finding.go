package store

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

var watchdogs = table[fleet.Watchdog]{name: "watchdog", columns: func(w *fleet.Watchdog) []column {
	return []column{{"organization_id", &w.OrganizationID, keyed}, {"modes", asValue(&w.Modes), edit},
		{"quiet_from", &w.QuietFrom, edit}, {"quiet_to", &w.QuietTo, edit}, {"version", &w.Version, edit}, {"updated_at", &w.UpdatedAt, edit}}
}}

var (
	putWatchdog    = watchdogs.upserts("")
	updateWatchdog = watchdogs.updates(edit, "version", "")
	watchdogOf     = watchdogs.selects("WHERE organization_id = $1")
	allWatchdogs   = watchdogs.selects("ORDER BY organization_id")
)

// WatchdogOf reads an organization's settings of the watchdog, the defaults when it has none.
func WatchdogOf(ctx context.Context, r Reader, organizationID string) (fleet.Watchdog, error) {
	return watchdogOf.oneOr(ctx, r, fleet.NewWatchdog(organizationID), organizationID)
}

// Watchdogs reads the settings of all organizations that have any.
func Watchdogs(ctx context.Context, r Reader) ([]fleet.Watchdog, error) {
	return allWatchdogs.all(ctx, r)
}

// SaveWatchdog writes an organization's settings, if the caller saw them as WatchdogOf reads them in this transaction; else false.
func (tx *Tx) SaveWatchdog(ctx context.Context, w *fleet.Watchdog, seen int64) (bool, error) {
	ok, err := updateWatchdog.run(ctx, tx, w, seen)
	if err != nil || ok || seen != fleet.NewWatchdog("").Version {
		return ok, err
	}
	return putWatchdog.run(ctx, tx, w) // it had no settings, or none that can be read
}

var findings = table[fleet.Finding]{name: "finding", columns: func(f *fleet.Finding) []column {
	return []column{{"id", &f.ID, keyed}, {"rule", &f.Rule, once}, {"thing_id", &f.ThingID, once},
		{"organization_id", &f.OrganizationID, once},
		{"about_type", &f.About.Type, once}, {"about_id", &f.About.ID, once}, {"about_name", &f.About.Name, once},
		{"began_at", &f.BeganAt, once}, {"found_at", &f.FoundAt, once}, {"ended_at", &f.EndedAt, edit}, {"trial", &f.Trial, edit},
		{"mailed", asJSON(&f.Mailed), edit}, {"held", &f.Held, edit}}
}}

// The filters of lists: a state, a rule, an asset; empty = any. Rows about no asset are not for those who only read.
const findingWhere = `($2 = '' OR ($2 = 'open') = (f.ended_at = 0)) AND ($3 = '' OR f.rule = $3) AND ($4 = '' OR f.thing_id = $4)
AND ($5 OR f.thing_id <> '')`

// sharedFinding joins findings about assets that others share with an organization: those of their present owner.
const sharedFinding = `finding f JOIN thing t ON t.id = f.thing_id AND t.organization_id = f.organization_id AND t.deleted_at = 0
JOIN thing_relation r ON r.thing_id = f.thing_id`

var (
	putFinding   = findings.upserts("")
	openFindings = findings.selects("WHERE ended_at = 0 ORDER BY id")
	findingsOf   = findings.joined("f", "finding f").
			selects("WHERE f.organization_id = $1 AND " + findingWhere + " ORDER BY f.found_at DESC, f.id DESC LIMIT $6")
	findingsShared = findings.joined("f", sharedFinding).
			selects("WHERE r.organization_id = $1 AND " + findingWhere + " ORDER BY f.found_at DESC, f.id DESC LIMIT $6")
)

var (
	countFindingsOf = "SELECT COUNT(*) FROM finding f WHERE f.organization_id = $1 AND " + findingWhere
	// By assets: they are few, and each may be shared with several organizations that ask.
	countFindingsShared = "SELECT f.thing_id, f.organization_id, COUNT(*) FROM " + sharedFinding + " WHERE r.organization_id = $1 AND " +
		findingWhere + " GROUP BY f.thing_id, f.organization_id"
)

// PutFinding writes a finding over the one with its id.
func (tx *Tx) PutFinding(ctx context.Context, f *fleet.Finding) error {
	_, err := putFinding.run(ctx, tx, f)
	return err
}

// OpenFindings reads the open findings of all organizations.
func OpenFindings(ctx context.Context, r Reader) ([]fleet.Finding, error) {
	return openFindings.all(ctx, r)
}

// FindingQuery requests findings that organizations see.
type FindingQuery struct {
	Organizations []string
	Full          func(organizationID string) bool // else what is about no asset is left out
	State         string                           // open, ended; "" = any
	Rule, ThingID string                           // "" = any
	First, Most   int                              // of the newest
}

// FindingsPage reads findings about assets that organizations own or that are shared with them, the newest first, and how
// many there are. An asset may be shared with several of them: its findings count once.
func FindingsPage(ctx context.Context, r Reader, q FindingQuery) (out []fleet.Finding, total int, err error) {
	isCounted, isIn := map[string]bool{}, map[string]bool{}
	for _, id := range q.Organizations {
		filter := []any{id, q.State, q.Rule, q.ThingID, q.Full(id)}
		var own int
		if err := r.QueryRowContext(ctx, countFindingsOf, filter...).Scan(&own); err != nil {
			return nil, 0, err
		}
		total += own
		if _, err := engine.List(ctx, r, func(rows *sql.Rows) (struct{}, error) {
			var thing, owner string
			var n int
			err := rows.Scan(&thing, &owner, &n)
			if !isCounted[thing] && !slices.Contains(q.Organizations, owner) {
				isCounted[thing] = true
				total += n
			}
			return struct{}{}, err
		}, countFindingsShared, filter...); err != nil {
			return nil, 0, err
		}
		for _, list := range []reading[fleet.Finding]{findingsOf, findingsShared} {
			rows, err := list.all(ctx, r, append(slices.Clone(filter), q.First+q.Most)...)
			if err != nil {
				return nil, 0, err
			}
			for _, f := range rows {
				if !isIn[f.ID] {
					isIn[f.ID], out = true, append(out, f)
				}
			}
		}
	}
	slices.SortFunc(out, func(x, y fleet.Finding) int {
		return cmp.Or(cmp.Compare(y.FoundAt, x.FoundAt), strings.Compare(y.ID, x.ID))
	})
	first := min(len(out), q.First)
	return out[first:min(len(out), first+q.Most)], total, nil
}

const findingsSince = `SELECT rule, COUNT(*) FROM finding WHERE organization_id = $1 AND found_at >= $2 GROUP BY rule`

// FindingsSince counts what was found of an organization since an instant, by rules.
func FindingsSince(ctx context.Context, r Reader, organizationID string, since fleet.Instant) (map[string]int, error) {
	return countsOf(ctx, r, findingsSince, organizationID, int64(since))
}

// OpenFindingCount is how many findings of a rule are open.
type OpenFindingCount struct {
	Rule  string
	Trial bool
	N     int64
}

const countOpenFindings = `SELECT rule, trial, COUNT(*) FROM finding WHERE ended_at = 0 GROUP BY rule, trial`

// CountOpenFindings counts what is so now, of all organizations.
func CountOpenFindings(ctx context.Context, r Reader) ([]OpenFindingCount, error) {
	return engine.List(ctx, r, func(rows *sql.Rows) (c OpenFindingCount, err error) {
		return c, rows.Scan(&c.Rule, &c.Trial, &c.N)
	}, countOpenFindings)
}

const usersMailedFindings = `SELECT u.id FROM mail_choice m JOIN app_user u ON u.id = m.user_id
WHERE u.organization_id = $1 AND u.deleted_at = 0 AND m.findings ORDER BY u.id`

// UsersMailedFindings lists an organization's people who asked to be mailed what the watchdog finds.
func UsersMailedFindings(ctx context.Context, r Reader, organizationID string) ([]string, error) {
	return engine.List(ctx, r, engine.Text, usersMailedFindings, organizationID)
}

const deleteWatchdog = `DELETE FROM watchdog WHERE organization_id = $1`

// EndWatchdogOf deletes an organization's settings of the watchdog.
func (tx *Tx) EndWatchdogOf(ctx context.Context, organizationID string) error {
	_, err := tx.ExecContext(ctx, deleteWatchdog, organizationID)
	return err
}
