package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// What a pooler between us and PostgreSQL can break. It may drop the settings that a connection requests (PgBouncer:
// ignore_startup_parameters): then an acknowledged report may not be on disk. And it may give each transaction another session:
// locks and prepared statements are lost.

const sharedSession = "a connection pooler gives each transaction another session. Use session pooling (PgBouncer: pool_mode = session), " +
	"or connect to PostgreSQL itself."

var errSharedSession = errors.New(sharedSession)

// errSetting is a setting that a connection requested and does not have.
type errSetting struct{ name, want, have string }

func (e *errSetting) Error() string {
	return fmt.Sprintf("the setting %s is %s and must be %s, as the connection asked. A connection pooler drops it "+
		"(PgBouncer: ignore_startup_parameters). Let it pass the setting, set it for the database user, or connect to PostgreSQL itself.",
		e.name, e.have, e.want)
}

// unread are settings on which nothing rests.
var unread = map[string]bool{"application_name": true}

// readSettingsBack compares the settings that we request with those of a new connection. Settings in the address itself are not
// compared: PostgreSQL reads 64MB back as 65536. The query has its parameters in its text: through a pooler that shares sessions
// nothing can be prepared.
func readSettingsBack(ctx context.Context, conn *pgx.Conn, want map[string]string) error {
	names := make([]string, 0, len(want))
	for name := range want {
		if !unread[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	rows, err := conn.Query(ctx, "SELECT lower(name), setting FROM pg_settings WHERE lower(name) = ANY($1)", pgx.QueryExecModeSimpleProtocol,
		names)
	if err != nil {
		return err
	}
	have := map[string]string{}
	var name, setting string
	if _, err := pgx.ForEachRow(rows, []any{&name, &setting}, func() error {
		have[name] = setting
		return nil
	}); err != nil {
		return err
	}
	for _, name := range names {
		if setting, known := have[strings.ToLower(name)]; known && setting != want[name] && !isRemoteApply(name, setting) {
			return &errSetting{name, want[name], setting}
		}
	}
	return nil
}

// isRemoteApply reports the one case where a server promises more than was requested.
func isRemoteApply(name, setting string) bool {
	return name == "synchronous_commit" && setting == "remote_apply"
}

// checkSessions refuses a pooler that shares sessions: two connections are then
// one process of PostgreSQL, or one connection is several.
func checkSessions(ctx context.Context, pool *pgxpool.Pool) error {
	var seen [2]uint32
	var conns [2]*pgxpool.Conn
	for i := range conns {
		conn, err := pool.Acquire(ctx)
		if err != nil {
			return err
		}
		defer conn.Release()
		conns[i] = conn
	}
	for range 3 {
		for i, conn := range conns {
			var pid uint32
			if err := conn.QueryRow(ctx, "SELECT pg_backend_pid()", pgx.QueryExecModeSimpleProtocol).Scan(&pid); err != nil {
				return err
			}
			if seen[i] != 0 && seen[i] != pid || pid == seen[1-i] {
				return errSharedSession
			}
			seen[i] = pid
		}
	}
	return nil
}

// isOfPooler recognizes errors that only a pooler causes: a prepared statement of another client exists, or one's own does not.
func isOfPooler(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "42P05" || pg.Code == "26000")
}
