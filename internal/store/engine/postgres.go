package engine

import (
	"context"
	"errors"
	"maps"
	"net"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// oldestPostgres is the first major version the statements are tested on.
const oldestPostgres = 14

const (
	pgWriters = 10
	pgReaders = 8
)

// pgSettings apply to each connection. synchronous_commit is set although it is the default: a server that turned it off would lose
// acknowledged rows.
var pgSettings = map[string]string{
	"application_name":                    "lightbar",
	"timezone":                            "UTC",
	"statement_timeout":                   "30000",
	"lock_timeout":                        strconv.FormatInt(CallLimit.Milliseconds(), 10),
	"idle_in_transaction_session_timeout": "60000",
	"synchronous_commit":                  "on",
}

func (s *Store) openPostgres(ctx context.Context) error {
	s.engine = Postgres
	where := HiddenURL(s.opts.URL)
	if err := s.openPostgresPools(ctx, where); err != nil {
		return err
	}
	check, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	have, fresh, err := s.checkPostgres(check, where)
	if err != nil {
		return err
	}
	if !fresh {
		if err := s.checkRows(check, where, have); err != nil {
			return err
		}
	}
	if s.opts.Examine != nil && !fresh {
		if err := s.opts.Examine(check, s.Reader(), have); err != nil {
			return err
		}
	}
	if s.opts.ReadOnly {
		return nil
	}
	if have < newestOf(s.opts.Migrations) {
		if fresh {
			err = migrateUp(ctx, Postgres, s.write, s.opts.Migrations)
			if err != nil {
				return Unusablef(err, "The tables cannot be made in %s: %s%s", where, Ending(err), rightsWords(err))
			}
			return nil
		}
		return s.migrateWithCopy(ctx, have)
	}
	return nil
}

func (s *Store) openPostgresPools(ctx context.Context, where string) error {
	notAddress := "%s is not an address of PostgreSQL such as postgres://user@host/database."
	var refusal *Unusable
	if err := CheckWire(s.opts); errors.As(err, &refusal) {
		return err
	} else if err != nil {
		return Unusablef(err, notAddress, where)
	}
	check, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	schema, err := oneSchema(check, s.opts.URL)
	if err != nil {
		return Unusablef(err, "PostgreSQL at %s cannot be reached: %s", where, connectWords(err))
	}
	if schema == "" {
		return Unusablef(nil, "The database %s has no schema that this user may see; "+
			"create one (CREATE SCHEMA public) or name it by search_path.", where)
	}
	if s.pg, err = newPool(ctx, s.opts.URL, pgWriters, map[string]string{"search_path": schema}); err != nil {
		return Unusablef(err, notAddress, where)
	}
	s.pgRO, err = newPool(ctx, s.opts.URL, pgReaders, map[string]string{"search_path": schema, "default_transaction_read_only": "on"})
	if err != nil {
		return err
	}
	if err := checkSessions(check, s.pg); err != nil {
		return Unusablef(err, "PostgreSQL at %s cannot be used: %s", where, connectWords(err))
	}
	s.write, s.read = stdlib.OpenDBFromPool(s.pg), stdlib.OpenDBFromPool(s.pgRO)
	return nil
}

// checkRows looks for what the database lacks and for rows that cannot be read.
func (s *Store) checkRows(ctx context.Context, where string, version int64) error {
	err := checkSchema(ctx, s.read, pgSchema, version, s.opts.Migrations)
	if err == nil && s.opts.Rows != nil && version == newestOf(s.opts.Migrations) {
		err = s.opts.Rows(ctx, s.Reader())
	}
	if err == nil || isClassified(Classify(err)) && !errors.Is(Classify(err), ErrDamaged) {
		return Classify(err)
	}
	return damaged(where, err)
}

func newPool(ctx context.Context, at string, size int32, more map[string]string) (*pgxpool.Pool, error) {
	conf, err := pgxpool.ParseConfig(at)
	if err != nil {
		return nil, err
	}
	conf.MaxConns = size
	conf.MaxConnLifetime = time.Hour
	conf.ConnConfig.ConnectTimeout = 5 * time.Second
	asked := maps.Clone(pgSettings)
	maps.Copy(asked, more)
	maps.Copy(conf.ConnConfig.RuntimeParams, asked)
	conf.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error { return readSettingsBack(ctx, conn, asked) }
	return pgxpool.NewWithConfig(ctx, conf)
}

const (
	pgServer = `SELECT current_setting('server_version_num'), current_setting('server_encoding')`
	// pgOwnTables are the tables in the schema; those of an extension (pg_stat_statements on hosted servers) belong to no program.
	pgOwnTables = `FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace
		WHERE n.nspname = current_schema() AND t.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT EXISTS
		(SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = t.oid AND d.deptype = 'e')`
	pgTables = `SELECT count(*) FILTER (WHERE relname <> 'lightbar_moving'), count(*) FILTER (WHERE relname = 'goose_db_version'),
		count(*) FILTER (WHERE relname = 'server_lock'), count(*) FILTER (WHERE relname = 'lightbar_moving') ` + pgOwnTables
)

// checkPostgres returns the schema's version and whether the database is empty.
func (s *Store) checkPostgres(ctx context.Context, where string) (version int64, fresh bool, err error) {
	var number, encoding string
	if err := s.read.QueryRowContext(ctx, pgServer).Scan(&number, &encoding); err != nil {
		return 0, false, Unusablef(err, "PostgreSQL at %s does not answer: %s", where, Ending(err))
	}
	if n, _ := strconv.Atoi(number); n/10000 < oldestPostgres {
		return 0, false, Unusablef(nil, "PostgreSQL at %s is version %d; at least %d is needed.", where, n/10000, oldestPostgres)
	}
	if encoding != "UTF8" {
		return 0, false, Unusablef(nil, "The database %s has encoding %s; create it with ENCODING 'UTF8'.", where, encoding)
	}
	var tables, goose, ours, moving int
	if err := s.read.QueryRowContext(ctx, pgTables).Scan(&tables, &goose, &ours, &moving); err != nil {
		return 0, false, Unusablef(err, "PostgreSQL at %s does not answer: %s", where, Ending(err))
	}
	switch {
	case moving > 0 && !s.opts.Moving:
		return 0, false, Unusablef(nil, "A move into the database %s was cut off, so it doesn't hold everything; run lightbar move again, "+
			"or create a new database.", where)
	case tables == 0 && (s.opts.ReadOnly || s.opts.Existing):
		return 0, false, Unusablef(ErrNone, "The database %s is empty.", where)
	case tables == 0:
		return 0, true, nil
	case goose == 0 || ours == 0:
		return 0, false, Unusablef(nil, "The database %s holds tables of another program; create an empty one for Lightbar.", where)
	}
	if version, err = schemaVersion(ctx, s.read); err != nil {
		return 0, false, Unusablef(err, "The schema's version in %s cannot be read: %s", where, Ending(err))
	}
	return version, false, checkVersion(version, s.opts.Migrations)
}

// RequireEmpty refuses a PostgreSQL database that holds tables.
func RequireEmpty(ctx context.Context, at string) error {
	where := HiddenURL(at)
	pool, err := newPool(ctx, at, 1, nil)
	if err != nil {
		return Unusablef(err, "%s is not an address of PostgreSQL such as postgres://user@host/database.", where)
	}
	var tables, goose, ours, moving int
	err = pool.QueryRow(ctx, pgTables).Scan(&tables, &goose, &ours, &moving)
	pool.Close()
	if err != nil {
		return Unusablef(err, "PostgreSQL at %s cannot be reached: %s", where, connectWords(err))
	}
	if tables+moving > 0 {
		return Unusablef(nil, "The database %s is not empty; create a new one to restore into.", where)
	}
	return nil
}

// FreeLock removes the entry of the server that ran while a restored copy was made: it does not own the new database.
func FreeLock(ctx context.Context, at string) error {
	pool, err := newPool(ctx, at, 1, nil)
	if err != nil {
		return err
	}
	defer pool.Close()
	_, err = pool.Exec(ctx, freeServerLock, lockName)
	return Classify(err)
}

// HiddenURL is the address of a database without its password, for people to read.
func HiddenURL(at string) string {
	u, err := url.Parse(at)
	if err != nil || u.Host == "" && u.Path == "" {
		return "the database"
	}
	u.RawQuery = ""
	return u.Redacted()
}

// rightsWords explain what to do where the role may connect but create nothing: since version 15, only a database's owner may.
func rightsWords(err error) string {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || pg.Code != "42501" { // insufficient_privilege
		return ""
	}
	return " Make the role the owner of its database: ALTER DATABASE … OWNER TO …."
}

// connectWords are what matters in a chain of connection errors.
func connectWords(err error) string {
	var pg *pgconn.PgError
	var setting *errSetting
	var errno syscall.Errno
	var dns *net.DNSError
	switch {
	case isOfPooler(err), errors.Is(err, errSharedSession):
		return sharedSession
	case errors.As(err, &setting):
		return setting.Error()
	case errors.As(err, &pg):
		return strings.TrimSuffix(pg.Message, ".") + "."
	case errors.As(err, &dns):
		return dns.Err + "."
	case errors.As(err, &errno):
		return errno.Error() + "."
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer within 10 seconds."
	}
	first, _, _ := strings.Cut(Ending(err), "\n")
	return first
}
