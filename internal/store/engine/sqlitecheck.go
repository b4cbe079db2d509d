package engine

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

const (
	headerSize = 100 // of a SQLite file (sqlite.org/fileformat.html, 1.3)
	walHeader  = 32  // of its journal (4.1)
	// quickCheckBelow is the size up to which every page is checked at each start.
	quickCheckBelow = 128 << 20
)

// checkHeader reads the first bytes and refuses what is not a complete database of ours.
func checkHeader(path string) error {
	st, err := os.Stat(path)
	if err != nil {
		return Unusablef(err, "The database %s cannot be examined: %s.", path, Reason(err))
	}
	if !st.Mode().IsRegular() {
		return Unusablef(nil, "%s is not a file, so it cannot be the database.", path)
	}
	if st.Size() == 0 {
		u := Unusablef(nil, "The database %s is empty (0 bytes); restore a backup with lightbar restore.", path)
		u.Restore = true
		return u
	}
	f, err := os.Open(path)
	if err != nil {
		return Unusablef(err, "The database %s cannot be read: %s.", path, Reason(err))
	}
	head := make([]byte, headerSize)
	_, err = io.ReadFull(f, head)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil || string(head[:16]) != "SQLite format 3\x00" {
		return Unusablef(err, "%s is not a SQLite database; it was left as it is.", path)
	}
	return checkHeaderFields(path, st.Size(), head)
}

func checkHeaderFields(path string, size int64, head []byte) error {
	page := int64(binary.BigEndian.Uint16(head[16:]))
	if page == 1 {
		page = 65536
	}
	pages := int64(binary.BigEndian.Uint32(head[28:]))
	if page < 512 || page&(page-1) != 0 || head[18] > 2 || head[19] > 2 || head[21] != 64 || head[22] != 32 || head[23] != 32 {
		return damaged(path, errors.New("its header is not readable"))
	}
	if id := binary.BigEndian.Uint32(head[68:]); id != applicationID {
		return Unusablef(nil, "%s is a SQLite database of another program (application id %08x); it was left as it is.", path, id)
	}
	wal, err := os.Stat(path + "-wal")
	if err == nil && wal.Size() > 0 {
		return checkWAL(path, page) // the file itself may lag behind its journal
	}
	if size%page != 0 || size < pages*page {
		return damaged(path, fmt.Errorf("it has %d bytes and should have %d", size, pages*page))
	}
	return nil
}

// checkWAL refuses a journal that SQLite would silently ignore, with all the rows in it. A header of zeros is left by a power cut
// if the journal was never synced, and nothing in it was acknowledged.
func checkWAL(path string, page int64) error {
	f, err := os.Open(path + "-wal")
	if err != nil {
		return Unusablef(err, "The journal %s-wal cannot be read: %s.", path, Reason(err))
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, walHeader)
	if _, err := io.ReadFull(f, head); err != nil {
		return nil // shorter than its header: never synced
	}
	if strings.Trim(string(head), "\x00") == "" {
		return nil
	}
	if binary.BigEndian.Uint32(head)&^1 != 0x377f0682 || int64(binary.BigEndian.Uint32(head[8:])) != page {
		return damaged(path, errors.New("its journal (-wal) is not readable"))
	}
	return nil
}

// checkContent opens the database for reading, checks its pages, its version and what Options.Check looks at.
func (s *Store) checkContent(ctx context.Context, path string) error {
	_, err := os.Lstat(path + "-wal")
	db, err := sql.Open("sqlite", readerDSN(path, errors.Is(err, os.ErrNotExist)))
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	if err := checkPages(ctx, db, path); err != nil {
		return err
	}
	version, err := schemaVersion(ctx, db)
	if err != nil {
		return damaged(path, err)
	}
	if err := checkVersion(version, s.opts.Migrations); err != nil {
		return err
	}
	err = checkSchema(ctx, db, liteSchema, version, s.opts.Migrations)
	tables, listed := tableNames(ctx, db)
	if err = errors.Join(err, listed); err == nil && s.opts.Check != nil {
		err = s.opts.Check(ctx, db, tables)
	}
	if err == nil && s.opts.Rows != nil && version == newestOf(s.opts.Migrations) {
		err = s.opts.Rows(ctx, db)
	}
	if err != nil {
		return damaged(path, err)
	}
	if s.opts.Examine != nil {
		return s.opts.Examine(ctx, db, version)
	}
	return nil
}

// checkPages runs quick_check: over the whole file when it is small, else over
// all tables but the two that hold nearly all of it.
func checkPages(ctx context.Context, db *sql.DB, path string) error {
	st, err := os.Stat(path)
	if err != nil {
		return err
	}
	checks := []string{"PRAGMA quick_check(1)"}
	if st.Size() > quickCheckBelow {
		tables, err := tableNames(ctx, db)
		if err != nil {
			return damaged(path, err)
		}
		checks = checks[:0]
		for _, t := range tables {
			if t != "point" && t != "signal" && t != "point_block" {
				checks = append(checks, "PRAGMA quick_check('"+t+"')")
			}
		}
	}
	for _, check := range checks {
		var answer string
		if err := db.QueryRowContext(ctx, check).Scan(&answer); err != nil {
			if cannotOpen(err) {
				return Unusablef(err, "The database %s cannot be opened: its journal (-wal) has rows that are only read with a file beside it (-shm), "+
					"and that cannot be made; make the folder one that this user can write.", path)
			}
			if errors.Is(kindOf(err), ErrBusy) {
				return Unusablef(err, "The database %s is locked by another program.", path)
			}
			return damaged(path, err)
		}
		if answer != "ok" {
			return damaged(path, errors.New(answer))
		}
	}
	return nil
}

func cannotOpen(err error) bool {
	var lite *sqlite.Error
	return errors.As(err, &lite) && lite.Code()&0xff == sqlite3.SQLITE_CANTOPEN
}

// Inspect checks every page of a closed SQLite file and what check looks at, and counts its rows.
func Inspect(ctx context.Context, path string, check Check) (version int64, counts map[string]int64, err error) {
	if err := checkHeader(path); err != nil {
		return 0, nil, err
	}
	db, err := sql.Open("sqlite", readerDSN(path, true))
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	var answer string
	if err := db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&answer); err != nil {
		return 0, nil, err
	}
	if answer != "ok" {
		return 0, nil, errors.New(answer)
	}
	if version, err = schemaVersion(ctx, db); err != nil {
		return 0, nil, err
	}
	tables, err := tableNames(ctx, db)
	if err != nil {
		return 0, nil, err
	}
	counts = map[string]int64{}
	for _, t := range tables {
		var n int64
		if err := db.QueryRowContext(ctx, `SELECT count(*) FROM "`+t+`"`).Scan(&n); err != nil {
			return 0, nil, err
		}
		counts[t] = n
	}
	return version, counts, check(ctx, db, tables)
}

const liteTables = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`

func tableNames(ctx context.Context, db *sql.DB) ([]string, error) {
	rows, err := db.QueryContext(ctx, liteTables)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var out []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		out = append(out, name)
	}
	return out, rows.Err()
}

// damaged is the refusal of a file in which a check met err, unless err has nothing to do with the file.
func damaged(path string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("store: %s was not checked to its end: %w", path, err) // this means nothing for the file
	}
	if errors.Is(kindOf(err), ErrFull) {
		return Unusablef(err, "The database %s cannot be opened: the disk is full; make room and try again.", path)
	}
	text := strings.TrimSpace(strings.Join(strings.Fields(Reason(err)), " "))
	u := Unusablef(err, "The database %s is damaged (%s); it was left as it is, restore a backup with lightbar restore.", path,
		strings.TrimSuffix(text, "."))
	u.Restore = true
	return u
}
