package engine

import (
	"context"
	"os"
)

// Facts are what an operator may want to know about the open database.
type Facts struct {
	Engine        string // with its version
	SchemaVersion int64  // of the database
	Bytes         int64  // of the file or database
	WALBytes      int64  // SQLite's journal
	Holder        string // the server that owns it now
	Warnings      []Warning
}

// Warning is a setting of the database that endangers data or order. Its id stays the same between versions.
type Warning struct{ ID, Text string }

// The ids of warnings.
const (
	PostgresNoSync  = "postgresql-fsync"
	PostgresNoPages = "postgresql-full-page-writes"
	PostgresNoSums  = "postgresql-checksums"
	PostgresOrder   = "postgresql-collation"
)

const pgFacts = `SELECT current_setting('server_version'), pg_database_size(current_database()), current_setting('fsync'),
	current_setting('full_page_writes'), current_setting('data_checksums'),
	(SELECT datcollate FROM pg_database WHERE datname = current_database())`

// Facts reads them; it changes nothing.
func (s *Store) Facts(ctx context.Context) (Facts, error) {
	var f Facts
	var err error
	if f.SchemaVersion, err = s.Version(ctx); err != nil {
		return f, err
	}
	if f.Holder, err = s.Holder(ctx); err != nil {
		return f, err
	}
	if s.engine == SQLite {
		return f, s.sqliteFacts(ctx, &f)
	}
	return f, s.postgresFacts(ctx, &f)
}

func (s *Store) sqliteFacts(ctx context.Context, f *Facts) error {
	var version string
	if err := s.read.QueryRowContext(ctx, liteVersion).Scan(&version); err != nil {
		return Classify(err)
	}
	f.Engine = "SQLite " + version
	if st, err := os.Stat(s.opts.Path); err == nil {
		f.Bytes = st.Size()
	}
	f.WALBytes = s.WALBytes()
	return nil
}

// WALBytes is the size of SQLite's journal, 0 on PostgreSQL.
func (s *Store) WALBytes() int64 {
	if s.engine != SQLite {
		return 0
	}
	st, err := os.Stat(s.opts.Path + "-wal")
	if err != nil {
		return 0
	}
	return st.Size()
}

func (s *Store) postgresFacts(ctx context.Context, f *Facts) error {
	var version, fsync, pages, sums, collate string
	if err := s.read.QueryRowContext(ctx, pgFacts).Scan(&version, &f.Bytes, &fsync, &pages, &sums, &collate); err != nil {
		return Classify(err)
	}
	f.Engine = "PostgreSQL " + version
	if fsync != "on" {
		f.Warnings = append(f.Warnings, Warning{PostgresNoSync, "fsync is off: a power cut loses acknowledged rows and may damage everything"})
	}
	if pages != "on" {
		f.Warnings = append(f.Warnings, Warning{PostgresNoPages, "full_page_writes is off: a power cut may damage pages"})
	}
	if sums != "on" {
		f.Warnings = append(f.Warnings, Warning{PostgresNoSums,
			"data checksums are off: silent damage of the disk is not noticed (pg_checksums --enable)"})
	}
	if collate != "C" && collate != "POSIX" && collate != "C.UTF-8" {
		f.Warnings = append(f.Warnings, Warning{PostgresOrder,
			"the database sorts by " + collate + "; create it with LC_COLLATE 'C', so that lists have the order of the interface"})
	}
	return nil
}
