package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/storetest"
)

// purgeNow is the present of these tests, purgeOld an instant that every purge holds to be long ago.
var (
	purgeNow = fleet.InstantOf(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
	purgeOld = purgeNow.Add(-900 * 24 * time.Hour)
)

type cells = map[string]any

// put inserts a row; columns that are not said are empty.
func put(t *testing.T, s *store.Store, table string, said cells) {
	t.Helper()
	fine(t, s.Write(t.Context(), func(tx *store.Tx) error {
		rows, err := tx.QueryContext(t.Context(), "SELECT * FROM "+table+" LIMIT 0")
		if err != nil {
			return err
		}
		columns, err := rows.ColumnTypes()
		if err := rows.Close(); err != nil {
			return err
		}
		var names, marks []string
		var values []any
		for i, c := range columns {
			value, ok := said[c.Name()]
			if !ok {
				value = emptyOf(c)
			}
			names, marks, values = append(names, c.Name()), append(marks, fmt.Sprintf("$%d", i+1)), append(values, value)
		}
		if err == nil {
			_, err = tx.ExecContext(t.Context(), "INSERT INTO "+table+" ("+strings.Join(names, ", ")+") VALUES ("+strings.Join(marks, ", ")+")", values...)
		}
		return err
	}))
}

func emptyOf(c *sql.ColumnType) any {
	switch strings.ToUpper(c.DatabaseTypeName()) {
	case "TEXT":
		return ""
	case "BOOLEAN", "BOOL":
		return false
	case "BYTEA":
		return []byte{}
	case "DOUBLE PRECISION", "FLOAT8":
		return 0.0
	}
	return int64(0)
}

func idAt(at fleet.Instant, n int) string {
	text := fmt.Sprintf("%012x", int64(at))
	return fmt.Sprintf("%s-%s-7000-8000-%012d", text[:8], text[8:], n)
}

// purgeRow makes the row n of a table: of an organization, of an asset (by number), at an instant.
var purgeRow = map[string]func(n int, organization string, thing int64, at fleet.Instant) cells{
	"point_block": func(n int, _ string, thing int64, at fleet.Instant) cells {
		return cells{"thing_no": thing, "slot": int64(at) / 3_600_000, "first_at": int64(at) + int64(n), "last_at": int64(at) + 1000}
	},
	"point": func(n int, _ string, thing int64, at fleet.Instant) cells {
		return cells{"thing_no": thing, "minute": int64(at) / 60_000, "at": int64(at) + int64(n)}
	},
	"signal": func(n int, _ string, thing int64, at fleet.Instant) cells {
		return cells{"thing_no": thing, "minute": int64(at) / 60_000, "at": int64(at) + int64(n)}
	},
	"run": func(n int, organization string, thing int64, at fleet.Instant) cells {
		return cells{"id": idAt(at, n), "thing_no": thing, "organization_id": organization, "start_at": int64(at) - 1000, "end_at": int64(at)}
	},
	"location": func(n int, organization string, _ int64, at fleet.Instant) cells {
		return cells{"id": idAt(at, n), "organization_id": organization, "start_at": int64(at) - 1000, "end_at": int64(at)}
	},
	"visit": func(n int, organization string, thing int64, at fleet.Instant) cells {
		return cells{"area_id": "a", "arrived_at": int64(at) - int64(n), "thing_id": thingID(thing), "organization_id": organization, "left_at": int64(at)}
	},
	"closure": func(n int, organization string, thing int64, at fleet.Instant) cells {
		return cells{"id": idAt(at, n), "organization_id": organization, "kind": "manual", "thing_id": thingID(thing), "updated_at": int64(at)}
	},
	"feed_fetch": func(n int, organization string, _ int64, at fleet.Instant) cells {
		return cells{"organization_id": organization, "key_id": fmt.Sprint(n), "day": int64(at) / 86_400_000, "first_at": int64(at), "last_at": int64(at)}
	},
	"mail": func(n int, organization string, _ int64, at fleet.Instant) cells {
		return cells{"id": idAt(at, n), "user_id": "user of " + organization, "created_at": int64(at), "sent_at": int64(at)}
	},
	"session": func(n int, organization string, _ int64, at fleet.Instant) cells {
		return cells{"id": idAt(at, n), "user_id": "user of " + organization, "organization_id": organization, "created_at": int64(at),
			"last_used_at": int64(at), "revoked_at": int64(at)}
	},
	"device_command": func(n int, organization string, thing int64, at fleet.Instant) cells {
		return cells{"id": idAt(at, n), "organization_id": organization, "thing_id": thingID(thing), "issued_at": int64(at), "status": "delivered"}
	},
	"finding": func(n int, organization string, thing int64, at fleet.Instant) cells {
		return cells{"id": idAt(at, n), "organization_id": organization, "thing_id": thingID(thing), "began_at": int64(at) - 1000, "ended_at": int64(at)}
	},
	"refusal_count": func(n int, _ string, _ int64, at fleet.Instant) cells {
		return cells{"minute": int64(at) / 60_000, "network": fmt.Sprint(n)}
	},
	"thing_gone": func(n int, _ string, _ int64, at fleet.Instant) cells {
		return cells{"organization_id": fmt.Sprint(n), "at": int64(at)}
	},
	"known_device": func(n int, organization string, _ int64, at fleet.Instant) cells {
		return cells{"hash": fmt.Sprint(n), "user_id": "user of " + organization, "created_at": int64(at)}
	},
	"driver_alert": func(n int, organization string, thing int64, at fleet.Instant) cells {
		return cells{"organization_id": organization, "id": idAt(at, n), "source_id": thingID(thing), "began_at": int64(at) - 1000, "first_at": int64(at)}
	},
}

// rowOf is the row of a sweep's table that is tried: of those that someone deleted one for all.
func rowOf(sweep *engine.Sweep) func(n int, organization string, thing int64, at fleet.Instant) cells {
	if row := purgeRow[sweep.Table]; row != nil || sweep.Key[0] != "deleted_at" {
		return row
	}
	return leaverRow
}

func leaverRow(n int, organization string, thing int64, at fleet.Instant) cells {
	out := cells{"id": idAt(at, n), "organization_id": organization, "deleted_at": int64(at), "external_id": fmt.Sprint(n)}
	if thing != 0 {
		out["thing_id"] = thingID(thing)
	}
	return out
}

func thingID(no int64) string { return fmt.Sprintf("thing %d", no) }

// purgeWorld has organizations A and B with the assets 1, 2 (of A) and 3 (of B), and a hold of A.
func purgeWorld(t *testing.T, s *store.Store, hold cells) {
	t.Helper()
	for name, things := range map[string][]int64{"A": {1, 2}, "B": {3}} {
		put(t, s, "organization", cells{"id": name})
		put(t, s, "app_user", cells{"id": "user of " + name, "organization_id": name, "email_key": name})
		for _, no := range things {
			put(t, s, "thing", cells{"id": thingID(no), "thing_no": no, "organization_id": name, "system_key": fmt.Sprint(no)})
		}
	}
	if hold != nil {
		said := cells{"id": "hold", "organization_id": "A"}
		maps.Copy(said, hold)
		put(t, s, "legal_hold", said)
	}
}

func counted(t *testing.T, s *store.Store, table string) (n int) {
	t.Helper()
	fine(t, s.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM "+table).Scan(&n))
	return n
}

func swept(t *testing.T, s *store.Store, sweep *engine.Sweep) engine.Swept {
	t.Helper()
	out, err := s.Sweep(t.Context(), sweep, engine.Sweeping{Before: int64(purgeNow.Add(-800 * 24 * time.Hour)), Now: int64(purgeNow), Upto: "~"})
	fine(t, err)
	return out
}

// Each purge takes what is old and leaves what is young; a hold of an organization keeps its rows and no others, whoever
// deletes. Without the condition, what is held goes: the rows below would tell.
func TestEveryPurgeAsksForHolds(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		purgeWorld(t, s, cells{"from_at": int64(purgeOld.Add(-time.Hour))})
		for _, sweep := range store.Sweeps() {
			row := rowOf(sweep)
			if row == nil {
				t.Errorf("no row of %s is tried", sweep.Table)
				continue
			}
			put(t, s, sweep.Table, row(1, "A", 1, purgeOld))
			put(t, s, sweep.Table, row(2, "B", 3, purgeOld))
			put(t, s, sweep.Table, row(3, "A", 1, purgeNow))
			put(t, s, sweep.Table, row(4, "B", 3, purgeNow))
			held := int64(1)
			if sweep.Keep == "" {
				held = 0
			}
			if out := swept(t, s, sweep); out != (engine.Swept{Gone: 2 - held, Held: held}) || counted(t, s, sweep.Table) != 2+int(held) {
				t.Errorf("%s: %+v, %d are left", sweep.Table, out, counted(t, s, sweep.Table))
			}
			if at, err := sweep.Oldest(t.Context(), s.Reader()); err != nil || held == 1 && (at < int64(purgeOld)-100_000_000 || at > int64(purgeOld)+2000) {
				t.Errorf("%s: the oldest is of %d, %v", sweep.Table, at, err)
			}
			mutant := sweep.Purge
			mutant.Keep = ""
			if out := swept(t, s, engine.NewSweep(mutant)); out.Gone != held {
				t.Errorf("%s without its condition: %+v", sweep.Table, out)
			}
		}
	})
}

// A hold keeps what the law says that it covers, on both engines: its organization, its asset, its stretch with a day on
// both sides, and only while it stands.
func TestHoldsKeepWhatTheirLawCovers(t *testing.T) {
	const day = 24 * time.Hour
	hold := func(change func(h *fleet.LegalHold)) fleet.LegalHold {
		h := fleet.LegalHold{ID: "hold", OrganizationID: "A", FromAt: purgeOld, ToAt: purgeOld.Add(10 * day)}
		change(&h)
		return h
	}
	holds := []fleet.LegalHold{
		hold(func(*fleet.LegalHold) {}), hold(func(h *fleet.LegalHold) { h.ThingID = thingID(1) }), hold(func(h *fleet.LegalHold) { h.ToAt = 0 }),
		hold(func(h *fleet.LegalHold) { h.FromAt = 0 }), hold(func(h *fleet.LegalHold) { h.LiftedAt = purgeNow }),
		hold(func(h *fleet.LegalHold) { h.EndsAt = purgeNow }), hold(func(h *fleet.LegalHold) { h.EndsAt = purgeNow + 1 }),
		hold(func(h *fleet.LegalHold) { h.OrganizationID = "B" }),
	}
	tables := map[string]string{"run": fleet.DataRuns, "visit": fleet.DataVisits, "feed_fetch": fleet.DataFetches, "point_block": fleet.DataPoints}
	ats := []fleet.Instant{purgeOld.Add(-3 * day), purgeOld.Add(-day - time.Second), purgeOld.Add(-day + time.Second), purgeOld.Add(5 * day),
		purgeOld.Add(11*day - time.Second), purgeOld.Add(11*day + 2*time.Second), purgeOld.Add(30 * day)}
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		purgeWorld(t, s, nil)
		for i, h := range holds {
			put(t, s, "legal_hold", cells{"id": fmt.Sprint(i), "organization_id": h.OrganizationID, "thing_id": h.ThingID, "from_at": int64(h.FromAt),
				"to_at": int64(h.ToAt), "lifted_at": int64(h.LiftedAt), "ends_at": int64(h.EndsAt)})
			for _, sweep := range store.Sweeps() {
				name, tried := tables[sweep.Table]
				if !tried {
					continue
				}
				kept, n := []string{}, 0
				for _, at := range ats {
					for _, thing := range []int64{1, 2} {
						n++
						row := rowOf(sweep)(n, "A", thing, at)
						put(t, s, sweep.Table, row)
						from, to, id := at, at, thingID(thing)
						switch sweep.Table {
						case "feed_fetch":
							id = ""
						case "run":
							from = at - 1000
						case "visit":
							from = at - fleet.Instant(n)
						case "point_block":
							from, to = at+fleet.Instant(n), at+1000
						}
						if h.Covers(fleet.KindOfData(name), "A", id, from, to, purgeNow) {
							kept = append(kept, fmt.Sprint(n))
						}
					}
				}
				if out := swept(t, s, sweep); out.Held != int64(len(kept)) || out.Gone != int64(n-len(kept)) {
					t.Errorf("hold %d, %s: %+v, the law keeps %v", i, sweep.Table, out, kept)
				}
				fine(t, s.Write(t.Context(), func(tx *store.Tx) error {
					_, err := tx.ExecContext(t.Context(), "DELETE FROM "+sweep.Table)
					return err
				}))
			}
			fine(t, s.Write(t.Context(), func(tx *store.Tx) error {
				_, err := tx.ExecContext(t.Context(), "DELETE FROM legal_hold")
				return err
			}))
		}
	})
}

// What an asset reported is held for who owned it then, and an event also for those whose assets were there.
func TestHoldsFollowTheOwner(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		purgeWorld(t, s, cells{"from_at": int64(0)})
		handed := purgeOld.Add(100 * 24 * time.Hour)
		put(t, s, "thing_owner", cells{"thing_id": thingID(3), "organization_id": "A", "from_at": int64(0), "until_at": int64(purgeOld.Add(50 * 24 * time.Hour))})
		put(t, s, "thing_owner", cells{"thing_id": thingID(3), "organization_id": "B", "from_at": int64(purgeOld.Add(50 * 24 * time.Hour))})
		for i, sweep := range store.Sweeps() {
			if sweep.Table == "point" || sweep.Table == "point_block" || sweep.Table == "signal" {
				put(t, s, sweep.Table, rowOf(sweep)(i, "", 3, purgeOld)) // while it was A's
				put(t, s, sweep.Table, rowOf(sweep)(i, "", 3, handed.Add(-10*24*time.Hour)))
				if out := swept(t, s, sweep); out != (engine.Swept{Gone: 1, Held: 1}) {
					t.Errorf("%s: %+v", sweep.Table, out)
				}
			}
			if sweep.Table == "location" {
				for n, organization := range []string{"A", "B"} {
					row := purgeRow["location"](n, "B", 0, purgeOld)
					put(t, s, "location", row)
					put(t, s, "location_thing", cells{"location_id": row["id"], "thing_id": "x", "organization_id": organization})
				}
				if out := swept(t, s, sweep); out != (engine.Swept{Gone: 1, Held: 1}) || counted(t, s, "location_thing") != 1 {
					t.Errorf("events: %+v, %d stays", out, counted(t, s, "location_thing"))
				}
			}
		}
	})
}

// What refers to a row goes with it, in the same transaction, and what people still need stays.
func TestPurgesLeaveNothingHalf(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		purgeWorld(t, s, nil)
		old := purgeRow["session"](1, "A", 0, purgeOld)
		put(t, s, "session", old)
		put(t, s, "session_token", cells{"hash": "h", "session_id": old["id"]})
		unused := purgeRow["session"](2, "A", 0, purgeOld)
		unused["revoked_at"] = int64(0)
		put(t, s, "session", unused)
		area := leaverRow(1, "A", 1, purgeOld)
		put(t, s, "area", area)
		put(t, s, "saved_area", cells{"user_id": "user of A", "area_id": area["id"]})
		stands := []cells{{"kind": "automated"}, {"recurrence": "{}"}, {"start_at": int64(1), "end_at": int64(0)}, {"start_at": int64(1), "end_at": int64(purgeNow)}}
		for i, said := range stands {
			row := purgeRow["closure"](i, "A", 1, purgeOld)
			maps.Copy(row, said)
			put(t, s, "closure", row)
		}
		asked := purgeRow["closure"](9, "A", 1, purgeOld)
		put(t, s, "closure", asked)
		put(t, s, "closure_question", cells{"hash": "q", "closure_id": asked["id"], "user_id": "user of A"})
		put(t, s, "mail", cells{"id": idAt(purgeOld, 1), "created_at": int64(purgeOld)}) // not sent
		active := purgeRow["location"](1, "A", 0, purgeOld)
		active["is_active"] = true
		put(t, s, "location", active)
		for _, kind := range fleet.DataKinds() {
			if kind.Limit != nil {
				_, err := s.PurgeKind(t.Context(), kind.Name, purgeNow.Add(-kind.Retention()), purgeNow, nil)
				fine(t, err)
			}
		}
		for table, want := range map[string]int{"session": 0, "session_token": 0, "area": 0, "saved_area": 0, "closure": len(stands) + 1, "mail": 1, "location": 1} {
			if n := counted(t, s, table); n != want {
				t.Errorf("%s: %d are left, want %d", table, n, want)
			}
		}
	})
}

// oldVisits is a world with 1,300 old visits, half of them held, and their sweep.
func oldVisits(t *testing.T, s *store.Store) (sweep *engine.Sweep) {
	t.Helper()
	purgeWorld(t, s, cells{"thing_id": thingID(1)})
	fine(t, s.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1299)
INSERT INTO visit (area_id, arrived_at, thing_id, organization_id, thing_type_id, left_at, counted_to)
SELECT 'a', CAST($1 AS BIGINT) + i, CASE WHEN i % 2 = 0 THEN 'thing 1' ELSE 'thing 2' END, 'A', '', CAST($1 AS BIGINT) + i, 0 FROM n`, int64(purgeOld))
		return err
	}))
	for _, one := range store.Sweeps() {
		if one.Table == "visit" {
			sweep = one
		}
	}
	return sweep
}

// Many rows go in many transactions; what one took is gone whatever comes after it.
func TestASweepGoesInShortTransactions(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		sweep := oldVisits(t, s)
		var took []int
		left := 1300
		stop := fmt.Errorf("enough")
		run := func(most int) (engine.Swept, error) {
			return s.Sweep(t.Context(), sweep, engine.Sweeping{Before: int64(purgeNow), Now: int64(purgeNow), Write: func(ctx context.Context, fn func(tx *engine.Tx) error) error {
				if most--; most < 0 {
					return stop
				}
				err := s.Store.Store.Write(ctx, fn)
				n := counted(t, s, "visit")
				took, left = append(took, left-n), n
				return err
			}})
		}
		if out, err := run(1); err != stop || out.Gone != int64(took[0]) || left != 1300-took[0] {
			t.Fatalf("one transaction: %+v %v, took %v", out, err, took)
		}
		if out, err := run(100); err != nil || left != 650 || out.Held != 650 {
			t.Errorf("the rest: %+v %v, %d left", out, err, left)
		}
		if slices.Max(took) > 250 || len(took) < 3 { // half of 500 are held
			t.Errorf("took %v", took)
		}
	})
}

// Who writes meets a sweep one time in three hundred at most.
func TestASweepRestsBetweenTransactions(t *testing.T) {
	var rests, took []time.Duration
	s, err := store.Open(t.Context(), store.Options{Path: storetest.SQLitePath(t), Rest: func(_ context.Context, d time.Duration) {
		rests = append(rests, d)
	}})
	fine(t, err)
	defer func() { fine(t, s.Close()) }()
	sweep := oldVisits(t, s)
	_, err = s.Sweep(t.Context(), sweep, engine.Sweeping{Before: int64(purgeNow), Now: int64(purgeNow), Write: func(ctx context.Context, fn func(tx *engine.Tx) error) error {
		began := time.Now()
		defer func() { took = append(took, time.Since(began)) }()
		return s.Store.Store.Write(ctx, fn)
	}})
	fine(t, err)
	if len(rests) < 3 || len(rests) > len(took) || len(rests) < len(took)-1 {
		t.Fatalf("%d rests for %d transactions", len(rests), len(took))
	}
	for i, rest := range rests {
		if rest < 100*time.Millisecond || rest < 300*took[i] {
			t.Errorf("a transaction of %v rests %v", took[i], rest)
		}
	}
}
