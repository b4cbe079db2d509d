package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"lightbar/internal/config"
	"lightbar/internal/durable"
	"lightbar/internal/store"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/move"
	"lightbar/internal/store/points"
)

// moveRole is what others read of the lock's holder.
const moveRole = "lightbar move"

// movingEnding marks a SQLite database until all rows are in it and compared.
const movingEnding = ".moving"

type moveCmd struct {
	To string `help:"Where to move: postgres (from the data folder's SQLite to --database) or sqlite (back)." required:"" enum:"postgres,sqlite" placeholder:"ENGINE"`
}

// Help implements kong.HelpProvider.
func (moveCmd) Help() string {
	return `Moves the installation of a data folder between SQLite and PostgreSQL: every row of every table. The server must be stopped,
and the target must be empty. Then both databases are read once more and compared by value, table by table; if one
differs, it is named, and a server refuses the target. The data folder stays: key, audit.head, map, exports, and outbox are used
with either database. Then start the server with --database, or without it after a move back.

After a move to PostgreSQL, lightbar.db is renamed to lightbar.db.moved-…, so that no start goes on with it by mistake.
After a move back, the database in PostgreSQL is left as it was; drop it yourself. If interrupted, run the command again.

  lightbar move --to postgres --data /var/lib/lightbar --config /etc/lightbar/lightbar.json
  LIGHTBAR_DATABASE=postgres://lightbar:…@db.example.org/lightbar?sslmode=verify-full lightbar move --to postgres --data …`
}

func (c *moveCmd) Run(e *env) error {
	if e.common.Database == "" {
		return config.Error("lightbar move needs --database, the PostgreSQL to move to or from.")
	}
	began := time.Now()
	lite := e.withSQLite()
	from, to := lite, e
	if c.To == "sqlite" {
		from, to = e, lite
	}
	source, err := moveSource(from)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()
	var sums []move.Sum
	if c.To == "postgres" {
		sums, err = moveToPostgres(to, source)
	} else {
		sums, err = moveToSQLite(to, source)
	}
	if err != nil {
		return err
	}
	if err := source.Close(); err != nil {
		return err
	}
	if err := sayMoved(e, sums, time.Since(began)); err != nil {
		return err
	}
	if c.To == "sqlite" {
		_, err = fmt.Fprintf(e.stdout, "Start the server without --database. %s still has everything: drop it when you are sure.\n",
			databaseName(e))
		return err
	}
	return setAside(e, lite.common.SQLitePath(), began)
}

// withSQLite is the same data folder with its own database.
func (e *env) withSQLite() *env {
	lite, common := *e, *e.common
	common.Database = ""
	lite.common = &common
	return &lite
}

// moveSource opens the database that is to be moved as its one owner. The engine alone: nothing merges or packs points meanwhile.
func moveSource(e *env) (*engine.Store, error) {
	o := storeOptions(e, false)
	o.Existing, o.Check = true, points.Check
	if err := waitForCommands(e.ctx, o.Path, moveRole); err != nil {
		return nil, err
	}
	key, err := serverKey(e.common.Data)
	if err != nil {
		return nil, err
	}
	o.Examine = func(ctx context.Context, r store.Reader, schema int64) error {
		if schema < engine.SchemaVersion() {
			return place("The database %s is at schema %d of %d; start the server once, which upgrades it.", databaseName(e), schema,
				engine.SchemaVersion())
		}
		return keyFits(ctx, e, r, schema, key)
	}
	s, err := engine.Open(e.ctx, o)
	if err != nil {
		return nil, err
	}
	if err := s.LockServer(e.ctx, moveRole); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// lookAtPostgres refuses a target with rows, or with another schema, before anything of it is changed. One into which a move was
// cut off may have rows of that.
func lookAtPostgres(e *env) error {
	o := storeOptions(e, true)
	o.Rows = nil
	s, err := engine.Open(e.ctx, o)
	if errors.Is(err, engine.ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	version, err := s.Version(e.ctx)
	if err != nil {
		return err
	}
	if version != engine.SchemaVersion() {
		return place("The database %s is not empty: it has tables of schema %d. Move into a new one.", databaseName(e), version)
	}
	return move.RequireEmpty(e.ctx, s, databaseName(e))
}

// moveToPostgres marks the target from before its first table until both sides were compared.
func moveToPostgres(e *env, from *engine.Store) (sums []move.Sum, err error) {
	o := storeOptions(e, false)
	o.Rows, o.Moving = nil, true // there are no rows
	again, err := engine.IsMoving(e.ctx, o)
	if err == nil && !again {
		err = lookAtPostgres(e)
	}
	if err == nil && !again {
		err = engine.BeginMove(e.ctx, o)
	}
	if err != nil {
		return nil, err
	}
	to, err := engine.Open(e.ctx, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	if err := to.LockServer(e.ctx, moveRole); err != nil {
		return nil, err
	}
	if again {
		if err := move.Clear(e.ctx, to); err != nil {
			return nil, err
		}
	}
	if err := move.RequireEmpty(e.ctx, to, databaseName(e)); err != nil { // nobody else is in it from here on
		return nil, err
	}
	if err := move.Copy(e.ctx, from, to, progress(e)); err != nil {
		return nil, err
	}
	if sums, err = move.Compare(e.ctx, from, to, progress(e)); err != nil {
		return nil, err
	}
	return sums, to.EndMove(e.ctx)
}

func moveToSQLite(e *env, from *engine.Store) ([]move.Sum, error) {
	path := e.common.SQLitePath()
	if err := durable.MakeFolder(e.common.Data); err != nil {
		return nil, place("The folder %s cannot be made: %v.", e.common.Data, errors.Unwrap(err))
	}
	release, err := engine.LockPath(path, moveRole)
	if err != nil {
		return nil, err
	}
	defer func() { _ = release() }()
	for _, ending := range []string{"", "-wal"} {
		if !missing(path + ending) {
			return nil, place("There is a database %s already; move it away first.", path+ending)
		}
	}
	sums, err := fillSQLite(e, from, path+movingEnding)
	if err != nil {
		return nil, err
	}
	if err := durable.Rename(path+movingEnding, path); err != nil {
		return nil, place("The database %s cannot be put into its place: %v.", path, err)
	}
	return sums, removeMoving(path)
}

// fillSQLite makes the database under a name that no server opens.
func fillSQLite(e *env, from *engine.Store, path string) (sums []move.Sum, err error) {
	if err := removeMoving(e.common.SQLitePath()); err != nil {
		return nil, err
	}
	o := storeOptions(e, false)
	o.Path, o.Rows = path, nil
	to, err := engine.Open(e.ctx, o)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err = errors.Join(err, to.Close()); err == nil && !missing(path+"-wal") {
			err = place("The journal %s-wal could not be merged.", path)
		}
		if err != nil {
			_ = removeMoving(e.common.SQLitePath())
		}
	}()
	if err := to.LockServer(e.ctx, moveRole); err != nil {
		return nil, err
	}
	if err := move.Copy(e.ctx, from, to, progress(e)); err != nil {
		return nil, err
	}
	return move.Compare(e.ctx, from, to, progress(e))
}

// removeMoving removes what a move into a path left beside it.
func removeMoving(path string) error {
	left, err := filepath.Glob(path + movingEnding + "*")
	for _, file := range left {
		err = errors.Join(err, os.Remove(file))
	}
	return err
}

// setAside renames the database that was moved away: a start without --database is refused then, and does not go on with old rows.
func setAside(e *env, path string, at time.Time) error {
	aside := path + ".moved-" + at.UTC().Format("20060102T150405Z")
	release, err := engine.LockPath(path, moveRole)
	if err != nil {
		return err
	}
	defer func() { _ = release() }()
	for _, ending := range []string{"-wal", "-shm", ""} {
		if missing(path + ending) {
			continue
		}
		if err := durable.Rename(path+ending, aside+ending); err != nil {
			return place("Everything was moved, but %s can't be renamed: %v. Move it away before a start without --database goes on with it.",
				path+ending, err)
		}
	}
	_, err = fmt.Fprintf(e.stdout, "Start the server with --database. What was moved is kept as %s; remove it when you are sure.\n", aside)
	return err
}

func sayMoved(e *env, sums []move.Sum, took time.Duration) error {
	var rows int64
	for _, s := range sums {
		rows += s.Rows
		if s.Rows > 0 {
			if _, err := fmt.Fprintf(e.stdout, "%10d  %-24s %s\n", s.Rows, s.Table, s.Digest()[:16]); err != nil {
				return err
			}
		}
	}
	_, err := fmt.Fprintf(e.stdout, "Moved %s of %s in %s; both databases hold the same, table by table.\n",
		counted(rows, "row"), counted(len(sums), "table"), took.Round(time.Millisecond))
	return err
}
