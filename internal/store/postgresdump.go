package store

import (
	"context"
	"errors"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"lightbar/internal/durable"
)

// dumpPostgres makes the copy with pg_dump, which must be as new as the server.
func (s *Store) dumpPostgres(ctx context.Context, dir string, m *Manifest, progress Progress) error {
	tool, err := findTool("pg_dump")
	if err != nil {
		return unusable(err, "A copy of PostgreSQL needs the program pg_dump: "+
			"install the package postgresql-client (as new as the server) or make the copy with your own tools and start once with "+
			"--upgrade-without-backup.")
	}
	if m.SchemaVersion, err = schemaVersion(ctx, s.read); err != nil {
		return Classify(err)
	}
	progress.say("copying", 0, 0)
	final := filepath.Join(dir, postgresCopyName)
	if err := runTool(ctx, tool, s.opts.URL, "--format=custom", "--no-owner", "--no-privileges", "--file="+final+".partial"); err != nil {
		_ = os.Remove(final + ".partial")
		return unusable(err, "pg_dump failed: %s", ending(err))
	}
	if err := syncFile(final + ".partial"); err != nil {
		return err
	}
	progress.say("checking", 0, 0)
	if restore, err := findTool("pg_restore"); err == nil {
		// Reading the whole archive into a script shows that it is complete.
		if err := runTool(ctx, restore, "", "--file="+os.DevNull, final+".partial"); err != nil {
			return unusable(err, "The copy is not good: %s", ending(err))
		}
	}
	if m.SHA256, m.Bytes, err = digest(final + ".partial"); err != nil {
		return err
	}
	m.File = postgresCopyName
	return durable.Rename(final+".partial", final)
}

// restorePostgres fills an empty database with pg_restore, in one transaction.
func restorePostgres(ctx context.Context, file string, target Options, progress Progress) error {
	where := HiddenURL(target.URL)
	if err := checkWire(target); err != nil {
		return err
	}
	tool, err := findTool("pg_restore")
	if err != nil {
		return unusable(err, "Restoring PostgreSQL needs the program pg_restore: install the package postgresql-client (as new as the server).")
	}
	pool, err := newPool(ctx, target.URL, 1, nil)
	if err != nil {
		return unusable(err, "%s is not an address of PostgreSQL such as postgres://user@host/database.", where)
	}
	var tables, goose, ours int
	err = pool.QueryRow(ctx, pgTables).Scan(&tables, &goose, &ours)
	pool.Close()
	if err != nil {
		return unusable(err, "PostgreSQL at %s cannot be reached: %s", where, connectWords(err))
	}
	if tables > 0 {
		return unusable(nil, "The database %s is not empty; create a new one to restore into.", where)
	}
	progress.say("copying", 0, 0)
	if err := runTool(ctx, tool, target.URL, "--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", file); err != nil {
		return unusable(err, "pg_restore failed and left the database empty: %s", ending(err))
	}
	return freeRestoredLock(ctx, target.URL)
}

// freeRestoredLock forgets the server that ran while the copy was made: it does not own the new database.
func freeRestoredLock(ctx context.Context, at string) error {
	pool, err := newPool(ctx, at, 1, nil)
	if err != nil {
		return err
	}
	defer pool.Close()
	_, err = pool.Exec(ctx, freeServerLock, lockName)
	return Classify(err)
}

// findTool looks in PATH and where Debian keeps the programs of each version, newest first.
func findTool(name string) (string, error) {
	if p, err := exec.LookPath(name); err == nil {
		return p, nil
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if len(found) == 0 {
		return "", exec.ErrNotFound
	}
	slices.Sort(found)
	return found[len(found)-1], nil
}

// runTool runs a client program on the database. The password goes by the
// environment: arguments can be read by every user of the machine.
func runTool(ctx context.Context, tool, at string, args ...string) error {
	env := os.Environ()
	if at != "" {
		u, err := url.Parse(at)
		if err != nil {
			return errors.New("the address of the database is not understood")
		}
		if password, ok := u.User.Password(); ok {
			env = append(env, "PGPASSWORD="+password)
			u.User = url.User(u.User.Username())
		}
		args = append([]string{"--dbname=" + u.String()}, args...)
	}
	cmd := exec.CommandContext(ctx, tool, args...)
	cmd.Env = append(env, "PGCONNECT_TIMEOUT=10", "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	if err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		return errors.New(strings.TrimSpace(lines[len(lines)-1] + " (" + err.Error() + ")"))
	}
	return nil
}
