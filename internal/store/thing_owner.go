package store

import (
	"context"
	"database/sql"
	"encoding/json"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// Owners of assets over time. Rows exist only for assets that were transferred
// or removed: all others have always been their organization's.

// ownership is a row: doc is the asset as JSON, "" while the ownership lasts.
type ownership struct {
	fleet.Ownership
	doc string
}

// A row that were left out would give its reports to another owner.
var ownerships = table[ownership]{name: "thing_owner", proof: true, columns: func(o *ownership) []column {
	return []column{
		{"thing_id", &o.ThingID, once}, {"organization_id", &o.OrganizationID, once}, {"from_at", &o.From, once},
		{"until_at", &o.Until, once}, {"doc", &o.doc, once},
	}
}, whole: readOwned, wholeOf: "doc"}

// readOwned fills in the asset as it was.
func readOwned(o *ownership) error {
	if o.doc == "" {
		return nil
	}
	o.Doc = &fleet.Thing{}
	return json.Unmarshal([]byte(o.doc), o.Doc)
}

// readOwnerships reads the rows with their documents. One that cannot be read costs the document alone: whose reports
// are whose follows from the rest of the row.
func readOwnerships(r Reader, rows []ownership, err error) ([]fleet.Ownership, error) {
	var out []fleet.Ownership
	for _, o := range rows {
		if ownerships.whole(&o) != nil {
			o.Doc = nil
			engine.NoteUnread(r, UnreadRow{Table: ownerships.name, Key: keyOf(ownerships.columns(&o)), Column: ownerships.wholeOf})
		}
		out = append(out, o.Ownership)
	}
	return out, err
}

var ownersOfThing = ownerships.selects("WHERE thing_id = $1 ORDER BY from_at")

const ownerNow = `SELECT organization_id FROM thing WHERE id = $1`

// OwnersOfThing reads the owners of an asset and their periods, oldest first, without gaps from the beginning on: they decide to
// whom a point, run or incident of an instant belongs (by effective instants). ErrNotFound when there is no such asset.
func OwnersOfThing(ctx context.Context, r Reader, thingID string) ([]fleet.Ownership, error) {
	rows, err := ownersOfThing.all(ctx, r, thingID)
	list, err := readOwnerships(r, rows, err)
	if err != nil || len(list) > 0 {
		return list, err
	}
	always := fleet.Ownership{ThingID: thingID}
	err = r.QueryRowContext(ctx, ownerNow, thingID).Scan(&always.OrganizationID)
	return []fleet.Ownership{always}, engine.OrNotFound(err)
}

var formerOwners = ownerships.selects("WHERE until_at > 0 ORDER BY thing_id, from_at")

// FormerOwners reads every ownership that has ended, with the asset as it was then.
func FormerOwners(ctx context.Context, r Reader) ([]fleet.Ownership, error) {
	rows, err := formerOwners.all(ctx, r)
	return readOwnerships(r, rows, err)
}

const presentOwners = `SELECT thing_id, from_at FROM thing_owner WHERE until_at = 0`

// readOwnedAt fills in since when assets are their organization's.
func readOwnedAt(ctx context.Context, r Reader, byID map[string]*fleet.Thing) error {
	_, err := engine.List(ctx, r, func(rows *sql.Rows) (id string, err error) {
		var from int64
		if err = rows.Scan(&id, &from); err == nil && byID[id] != nil {
			byID[id].OwnedAt = fleet.Instant(from)
		}
		return id, err
	}, presentOwners)
	return err
}

var ownedBetween = ownerships.joined("o", "thing_owner o").selects(`WHERE o.organization_id = $1 AND o.from_at < $2
AND (o.until_at = 0 OR o.until_at > $3)
UNION ALL
SELECT t.id, t.organization_id, CAST(0 AS BIGINT), CAST(0 AS BIGINT), '' FROM thing t
WHERE t.organization_id = $4 AND NOT EXISTS (SELECT 1 FROM thing_owner x WHERE x.thing_id = t.id)
ORDER BY 1, 3`)

// OwnedBetween lists the assets that an organization owned at some time from, to (to excluded), including those it has since given
// away or removed, each with the periods: what trips and exports of that time may show.
func OwnedBetween(ctx context.Context, r Reader, organizationID string, from, to fleet.Instant) ([]fleet.Ownership, error) {
	rows, err := ownedBetween.all(ctx, r, organizationID, int64(to), int64(from), organizationID)
	return readOwnerships(r, rows, err)
}

var insertOwner = ownerships.inserts("")

const (
	endOwner  = `UPDATE thing_owner SET until_at = $1, doc = $2 WHERE thing_id = $3 AND until_at = 0`
	moveThing = `UPDATE thing SET organization_id = $1 WHERE id = $2`
)

// EndOwnership records that the current ownership of an asset ends at an instant, with the asset as it is then. Call it before the
// row of the asset changes hands.
func (tx *Tx) EndOwnership(ctx context.Context, t *fleet.Thing, at fleet.Instant) error {
	doc, err := json.Marshal(t)
	if err != nil {
		return err
	}
	known, err := engine.Changed(tx.ExecContext(ctx, endOwner, int64(at), string(doc), t.ID))
	if err != nil || known {
		return err
	}
	ended := fleet.Ownership{ThingID: t.ID, OrganizationID: t.OrganizationID, From: t.OwnedAt, Until: at}
	_, err = insertOwner.run(ctx, tx, &ownership{ended, string(doc)})
	return err
}

// MoveThing gives an asset to its next owner, t.OrganizationID, from t.OwnedAt
// on; UpdateThing writes the rest. Call EndOwnership first.
func (tx *Tx) MoveThing(ctx context.Context, t *fleet.Thing) error {
	if _, err := tx.ExecContext(ctx, moveThing, t.OrganizationID, t.ID); err != nil {
		return err
	}
	_, err := insertOwner.run(ctx, tx, &ownership{fleet.Ownership{ThingID: t.ID, OrganizationID: t.OrganizationID, From: t.OwnedAt}, ""})
	return err
}

var (
	updateImported = things.updates(imported, "version", "")
	hotImported    = engine.NewHot(updateImported.text)
)

// UpdateImported writes what an import may change of an asset whose version is
// one above the stored one. ErrNotFound when the stored version is another.
func (tx *Tx) UpdateImported(ctx context.Context, t *fleet.Thing) error {
	ok, err := engine.Changed(tx.Run(ctx, hotImported, append(updateImported.args(t), t.Version-1)...))
	if err == nil && !ok {
		return ErrNotFound
	}
	return err
}

const thingsEquipped = `SELECT thing_id FROM api_key WHERE revoked_at = 0 AND thing_id <> '' UNION SELECT thing_id FROM device_config`

// ThingsEquipped are the assets that have a working API key of their own or a device configuration.
func ThingsEquipped(ctx context.Context, r Reader) (map[string]bool, error) {
	ids, err := engine.List(ctx, r, engine.Text, thingsEquipped)
	out := make(map[string]bool, len(ids))
	for _, id := range ids {
		out[id] = true
	}
	return out, err
}

var keysOfThing = keys.selects("WHERE thing_id = $1 AND revoked_at = 0 ORDER BY id")

// RevokeKeysOfThing ends the keys of one asset and returns those that were still valid.
func (tx *Tx) RevokeKeysOfThing(ctx context.Context, thingID string, at fleet.Instant) ([]fleet.Key, error) {
	keys, err := keysOfThing.all(ctx, tx, thingID)
	if err != nil {
		return nil, err
	}
	for i := range keys {
		if _, err := tx.RevokeKey(ctx, keys[i].ID, at); err != nil {
			return nil, err
		}
	}
	return keys, nil
}
