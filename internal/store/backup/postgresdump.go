package backup

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
	"lightbar/internal/store/engine"
)

// dumpPostgres makes the copy with pg_dump, which must be as new as the server.
func dumpPostgres(ctx context.Context, s *engine.Store, dir string, m *Manifest, progress Progress) error {
	tool, err := findTool("pg_dump")
	if err != nil {
		return engine.Unusablef(err, "A copy of PostgreSQL needs the program pg_dump: "+
			"install the package postgresql-client (as new as the server) or make the copy with your own tools and start once with "+
			"--upgrade-without-backup.")
	}
	if m.SchemaVersion, err = s.Version(ctx); err != nil {
		return err
	}
	progress.say("copying", 0, 0)
	final := filepath.Join(dir, postgresCopyName)
	if err := runTool(ctx, tool, s.Options().URL, "--format=custom", "--no-owner", "--no-privileges", "--file="+final+".partial"); err != nil {
		_ = os.Remove(final + ".partial")
		return engine.Unusablef(err, "pg_dump failed: %s", engine.Ending(err))
	}
	if err := syncFile(final + ".partial"); err != nil {
		return err
	}
	progress.say("checking", 0, 0)
	if restore, err := findTool("pg_restore"); err == nil {
		// Reading the whole archive into a script shows that it is complete.
		if err := runTool(ctx, restore, "", "--file="+os.DevNull, final+".partial"); err != nil {
			return engine.Unusablef(err, "The copy is not good: %s", engine.Ending(err))
		}
	}
	if m.SHA256, m.Bytes, err = digest(final + ".partial"); err != nil {
		return err
	}
	m.File = postgresCopyName
	return durable.Rename(final+".partial", final)
}

// restorePostgres fills an empty database with pg_restore, in one transaction.
func restorePostgres(ctx context.Context, file string, target engine.Options, progress Progress) error {
	if err := engine.CheckWire(target); err != nil {
		return err
	}
	tool, err := findTool("pg_restore")
	if err != nil {
		return engine.Unusablef(err,
			"Restoring PostgreSQL needs the program pg_restore: install the package postgresql-client (as new as the server).")
	}
	if err := engine.RequireEmpty(ctx, target.URL); err != nil {
		return err
	}
	progress.say("copying", 0, 0)
	if err := runTool(ctx, tool, target.URL, "--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", file); err != nil {
		return engine.Unusablef(err, "pg_restore failed and left the database empty: %s", engine.Ending(err))
	}
	return engine.FreeLock(ctx, target.URL)
}

// findTool looks in PATH and where Debian installs the programs of each version, newest first.
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
