package points

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// Points that rest lie in blocks: those of one asset and one hour, packed
// (block_code.go), a tenth of their size in the table. A point is in the intake,
// in the table or in a block; it moves on in a transaction. One that comes for
// an hour that rests already goes the same way, and its block is made again.

// slotMinutes is the span of a block. With 1 Hz an hour packs as well as a day,
// and one that is opened for a late point costs a millisecond.
const slotMinutes = 60

func slotOf(minute int64) int64 {
	if minute < 0 {
		minute -= slotMinutes - 1
	}
	return minute / slotMinutes
}

// Block names the points of an asset and a slot (hours since 1970, UTC).
type Block struct{ ThingNo, Slot int64 }

// Start is when the hour of a block begins.
func (b Block) Start() fleet.Instant { return fleet.Instant(b.Slot * slotMinutes * 60_000) }

func (b Block) String() string {
	return fmt.Sprintf("asset %d, hour of %s", b.ThingNo, b.Start())
}

// blockRow is a block as it lies in its table.
type blockRow struct {
	Block
	first, last int64 // own instants
	n           int64
	said        bool // a point reported whether the asset alerts
	body        []byte
}

const blockFields = `thing_no, slot, first_at, last_at, n, said, body`

func scanBlock(rows *sql.Rows) (b blockRow, err error) {
	return b, rows.Scan(&b.ThingNo, &b.Slot, &b.first, &b.last, &b.n, &b.said, &b.body)
}

const (
	blocksOfThing = `SELECT ` + blockFields + ` FROM point_block WHERE thing_no = $1 AND slot >= $2 AND slot <= $3
ORDER BY thing_no, slot, first_at`
	blockBefore = `SELECT ` + blockFields + ` FROM point_block WHERE thing_no = $1 AND said AND slot >= $2 AND (slot, first_at) < ($3, $4)
ORDER BY thing_no DESC, slot DESC, first_at DESC LIMIT 1`
	insertBlock = `INSERT INTO point_block (` + blockFields + `) VALUES ($1, $2, $3, $4, $5, $6, $7)`
	deleteBlock = `DELETE FROM point_block WHERE thing_no = $1 AND slot = $2 AND first_at = $3`
	lastSlot    = `SELECT COALESCE(MAX(slot), -1) FROM point_block`
)

// grownAtMost bounds what is held for rows before they are read: a damaged row may claim any number.
const grownAtMost = 100_000

// sealedOf reads an asset's points that rest, by own instant; from, to are
// minutes, both included. Blocks that cannot be read are left out and named.
func sealedOf(ctx context.Context, r engine.Reader, thingNo, from, to int64) (rows []pointRow, damaged []Block, err error) {
	return new(scratch).sealedOf(ctx, r, nil, thingNo, from, to)
}

// sealedOf adds to rows.
func (s *scratch) sealedOf(ctx context.Context, r engine.Reader, rows []pointRow, thingNo, from, to int64) (
	_ []pointRow, damaged []Block, err error) {
	if restsBefore(r, slotOf(from)) {
		return rows, nil, nil
	}
	found, err := engine.List(ctx, r, scanBlock, blocksOfThing, thingNo, slotOf(from), slotOf(to))
	if err != nil {
		return rows, nil, err
	}
	n := int64(0)
	for _, b := range found {
		n += b.n
	}
	rows = slices.Grow(rows, int(min(max(n, 0), grownAtMost)))
	for _, b := range found {
		if rows, err = s.readBlock(rows, b.body, b.ThingNo, b.Slot); err != nil {
			damaged = append(damaged, b.Block)
		}
	}
	return slices.DeleteFunc(rows, func(r pointRow) bool { return r[0] < from || r[0] > to }), damaged, nil
}

// restsBefore reports, without querying the database, that all packed points are in earlier slots: most readers request the last
// hours.
func restsBefore(r engine.Reader, slot int64) bool {
	m, ok := r.(remembers)
	if !ok {
		return false
	}
	in, _ := m.seen()
	in.mu.RLock()
	defer in.mu.RUnlock()
	return in.known && in.sealed < slot
}

// lastPackedAlerting is an asset's last packed point before an instant that reported whether it alerts, if it is later than after; from is
// a minute. One block at a time: the last report of a month may be the first one found.
func lastPackedAlerting(ctx context.Context, r engine.Reader, thingNo, from, before, after int64) (at, flags int64, err error) {
	if restsBefore(r, slotOf(from)) {
		return 0, 0, nil
	}
	var rows []pointRow
	for slot, first := slotOf(minuteOf(fleet.Instant(before))), before; ; {
		found, err := engine.List(ctx, r, scanBlock, blockBefore, thingNo, slotOf(from), slot, first)
		if err != nil || len(found) == 0 || found[0].last <= after {
			return 0, 0, err
		}
		b := found[0]
		if rows, err = readBlock(rows[:0], b.body, b.ThingNo, b.Slot); err != nil {
			rows = nil // a block that cannot be read contributes nothing
		}
		for _, p := range slices.Backward(rows) {
			if p[2] < before && p[9]&flagHasAlerting != 0 {
				if p[0] < from || p[2] <= after {
					return 0, 0, nil
				}
				return p[2], p[9], nil
			}
		}
		slot, first = b.Slot, b.first
	}
}

// sealedPoints adds to there the points that are packed under the keys of rows. A block is read once and not cached.
func (tx *Tx) sealedPoints(ctx context.Context, rows []pointRow, there map[key]pointRow) error {
	asked := map[Block][]key{}
	for i := range rows {
		if slot := slotOf(rows[i][0]); slot <= tx.intake.sealed {
			b := Block{rows[i][1], slot}
			asked[b] = append(asked[b], rows[i].key())
		}
	}
	for b, keys := range asked {
		from := b.Slot * slotMinutes
		points, _, err := sealedOf(ctx, tx, b.ThingNo, from, from+slotMinutes-1)
		if err != nil {
			return err
		}
		for _, k := range keys {
			if i, ok := slices.BinarySearchFunc(points, k.at, func(p pointRow, at int64) int { return cmp.Compare(p[2], at) }); ok {
				there[k] = points[i]
			}
		}
	}
	return nil
}

const (
	// sealSlice is how many points are sealed in one transaction, if they are of several assets.
	sealSlice = 4000
	// sealPace leaves most of the writer's time to ingest.
	sealPace = 4

	// sealAssets is how many numbers of assets are looked at together.
	sealAssets = 2000

	firstMinute = `SELECT COALESCE(MIN(minute), -1) FROM point WHERE minute >= $1 AND minute < $2`
	// By its minutes: the key begins with them.
	firstThing = `WITH RECURSIVE m(minute) AS (
  SELECT CAST($1 AS BIGINT) UNION ALL SELECT minute + 1 FROM m WHERE minute < $2)
SELECT COALESCE(MIN((SELECT MIN(p.thing_no) FROM point p WHERE p.minute = m.minute AND p.thing_no >= $3)), -1) FROM m`
	countMinutes = `WITH RECURSIVE m(minute) AS (
  SELECT CAST($1 AS BIGINT) UNION ALL SELECT minute + 1 FROM m WHERE minute < $2)
SELECT p.thing_no, p.minute, COUNT(*) FROM m CROSS JOIN point p WHERE p.minute = m.minute AND p.thing_no >= $3 AND p.thing_no < $4
GROUP BY p.minute, p.thing_no`
	takePoints = `DELETE FROM point WHERE minute = $1 AND thing_no = $2 RETURNING ` + pointColumns
)

var hotTake = engine.NewHot(takePoints)

// errDamagedBlock stops a transaction that would add to a block that cannot be read.
type errDamagedBlock struct{ Block }

func (e errDamagedBlock) Error() string { return "the points of " + e.String() + " cannot be read" }

// DamagedOf are the blocks that an error of Seal names.
func DamagedOf(err error) (out []Block) {
	all, _ := err.(interface{ Unwrap() []error }) //nolint:errorlint // errors.Join made it
	if all == nil {
		return nil
	}
	for _, one := range all.Unwrap() {
		if broken := (errDamagedBlock{}); errors.As(one, &broken) {
			out = append(out, broken.Block)
		}
	}
	return out
}

// Seal packs the points of hours that ended before an instant, a slice at a time, and returns how many. Points for a block that
// cannot be read stay in the table; the error names it, and the rest is packed all the same.
func (s *Store) Seal(ctx context.Context, before fleet.Instant) (sealed int, err error) {
	end := slotOf(minuteOf(before)) * slotMinutes
	var damage []error
	for from := int64(-1 << 40); ctx.Err() == nil; {
		var first int64
		if err := s.Reader().QueryRowContext(ctx, firstMinute, from, end).Scan(&first); err != nil {
			return sealed, err
		}
		if first < 0 {
			return sealed, errors.Join(damage...)
		}
		slot := slotOf(first)
		n, err := s.sealSlot(ctx, slot, &damage)
		if sealed += n; err != nil {
			return sealed, err
		}
		from = (slot + 1) * slotMinutes
	}
	return sealed, ctx.Err()
}

// share is an asset's minutes of one slot, with the number of their points.
type share struct {
	no      int64
	minutes []int64
	points  int64
}

func (s *Store) sealSlot(ctx context.Context, slot int64, damage *[]error) (sealed int, err error) {
	from, to := slot*slotMinutes, (slot+1)*slotMinutes-1
	for no := int64(0); ctx.Err() == nil; no += sealAssets {
		if err := s.Reader().QueryRowContext(ctx, firstThing, from, to, no).Scan(&no); err != nil || no < 0 {
			return sealed, err
		}
		rows, err := s.Reader().QueryContext(ctx, countMinutes, from, to, no, no+sealAssets)
		if err != nil {
			return sealed, err
		}
		shares, err := sharesOf(rows)
		if err != nil {
			return sealed, err
		}
		n, err := s.sealShares(ctx, slot, shares, damage)
		if sealed += n; err != nil {
			return sealed, err
		}
	}
	return sealed, ctx.Err()
}

func (s *Store) sealShares(ctx context.Context, slot int64, shares []share, damage *[]error) (sealed int, err error) {
	for len(shares) > 0 && ctx.Err() == nil {
		began := time.Now()
		n, points := 1, shares[0].points
		for n < len(shares) && points+shares[n].points <= sealSlice {
			points += shares[n].points
			n++
		}
		some, moved := shares[:n], 0
		err := s.Write(ctx, func(tx *Tx) (err error) {
			moved, err = tx.seal(ctx, slot, some)
			return err
		})
		broken := errDamagedBlock{}
		switch {
		case errors.As(err, &broken):
			*damage = append(*damage, err)
			shares = slices.DeleteFunc(shares, func(s share) bool { return s.no == broken.ThingNo })
			continue
		case err != nil:
			return sealed, err
		}
		sealed += moved
		shares = shares[n:]
		select {
		case <-ctx.Done():
		case <-time.After(s.sealPace * time.Since(began)):
		}
	}
	return sealed, ctx.Err()
}

// sharesOf puts counts of minutes together asset by asset, none larger than a block.
func sharesOf(rows *sql.Rows) ([]share, error) {
	counts, err := engine.Collect(rows, func(rows *sql.Rows) (c [3]int64, err error) { return c, rows.Scan(&c[0], &c[1], &c[2]) })
	if err != nil {
		return nil, err
	}
	slices.SortFunc(counts, func(a, b [3]int64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	var shares []share
	for _, c := range counts {
		if last := len(shares) - 1; last < 0 || shares[last].no != c[0] || shares[last].points+c[2] > blockPoints {
			shares = append(shares, share{no: c[0]})
		}
		last := &shares[len(shares)-1]
		last.minutes, last.points = append(last.minutes, c[1]), last.points+c[2]
	}
	return shares, nil
}

// seal moves the points of some shares from the table into blocks. Points that arrived in the table in the meantime move with them:
// a point is deleted and packed by one statement's answer.
func (tx *Tx) seal(ctx context.Context, slot int64, shares []share) (moved int, err error) {
	if err := tx.enter(ctx); err != nil {
		return 0, err
	}
	tx.intake.rest(slot)
	take := tx.Prepared(ctx, hotTake)
	for _, share := range shares {
		var rows []pointRow
		for _, minute := range share.minutes {
			found, err := take.Query(ctx, minute, share.no)
			if err != nil {
				return 0, err
			}
			some, err := engine.Collect(found, scanPointRow)
			if err != nil {
				return 0, err
			}
			rows = append(rows, some...)
		}
		if rows, err = tx.leaveInTable(ctx, rows); err != nil {
			return 0, err
		}
		moved += len(rows)
		if err := tx.addToBlocks(ctx, Block{share.no, slot}, rows); err != nil {
			return 0, err
		}
	}
	return moved, nil
}

// leaveInTable puts back the points whose merge has not ended: after a crash
// the intake would bring them to the table once more.
func (tx *Tx) leaveInTable(ctx context.Context, rows []pointRow) (rest []pointRow, err error) {
	insert := tx.Prepared(ctx, hotPoint)
	rest = rows[:0]
	for _, r := range rows {
		if _, ok := tx.intake.find(r.key()); !ok {
			rest = append(rest, r)
		} else if _, err := insert.Exec(ctx, r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8], r[9]); err != nil {
			return nil, err
		}
	}
	return rest, nil
}

// addToBlocks packs points together with those that their blocks hold already, which come first.
func (tx *Tx) addToBlocks(ctx context.Context, of Block, fresh []pointRow) error {
	if len(fresh) == 0 {
		return nil
	}
	there, err := engine.List(ctx, tx, scanBlock, blocksOfThing, of.ThingNo, of.Slot, of.Slot)
	if err != nil {
		return err
	}
	slices.SortFunc(fresh, func(a, b pointRow) int { return inTableOrder(&a, &b) })
	var rows []pointRow
	for _, b := range there {
		if isApart := b.last < fresh[0][2] || b.first > fresh[len(fresh)-1][2]; isApart && b.n == blockPoints {
			continue // a full one stays as it is
		}
		if rows, err = readBlock(rows, b.body, b.ThingNo, b.Slot); err != nil {
			return errDamagedBlock{of}
		}
		if _, err := tx.ExecContext(ctx, deleteBlock, b.ThingNo, b.Slot, b.first); err != nil {
			return err
		}
	}
	rows = withIntake(rows, fresh)
	for part := range slices.Chunk(rows, blockPoints) {
		body := appendBlock(nil, of.Slot, part)
		said := slices.ContainsFunc(part, func(r pointRow) bool { return r[9]&flagHasAlerting != 0 })
		if _, err := tx.ExecContext(ctx, insertBlock, of.ThingNo, of.Slot, part[0][2], part[len(part)-1][2], len(part), said, body); err != nil {
			return err
		}
	}
	return nil
}
