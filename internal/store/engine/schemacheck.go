package engine

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/pressly/goose/v3"

	"lightbar/internal/store/migrations"
)

// schema is what a database of one version has: the columns of each table, and
// the indexes, as "table.column" and "index name".
const (
	liteSchema = `SELECT m.name || '.' || c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'
		UNION ALL SELECT 'index ' || name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL`
	pgSchema = `SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = current_schema()
		UNION ALL SELECT 'index ' || indexname FROM pg_indexes WHERE schemaname = current_schema()`
)

// checkSchema returns what a database lacks that every database of its version has.
func checkSchema(ctx context.Context, db *sql.DB, query string, version int64, steps fs.FS) error {
	want, err := wanted(ctx, version, steps)
	if err != nil {
		return err
	}
	have, err := texts(ctx, db, query)
	if err != nil {
		return err
	}
	there := make(map[string]bool, len(have))
	for _, name := range have {
		there[name] = true
	}
	for _, name := range want {
		if !there[name] {
			return fmt.Errorf("%s is missing", name)
		}
	}
	return nil
}

// ownSchemas are the schemas of our own migrations, by version: they never
// change, and making one costs more than opening a small database.
var ownSchemas sync.Map

// wanted is what a database of a version has, sorted.
func wanted(ctx context.Context, version int64, steps fs.FS) ([]string, error) {
	isOwn := steps == fs.FS(migrations.Files)
	if isOwn {
		if known, ok := ownSchemas.Load(version); ok {
			return known.([]string), nil
		}
	}
	want, err := schemaOf(ctx, version, steps)
	if err != nil {
		return nil, err
	}
	slices.Sort(want)
	if isOwn {
		ownSchemas.Store(version, want)
	}
	return want, nil
}

// schemaOf makes an empty database in memory and looks at it.
func schemaOf(ctx context.Context, version int64, steps fs.FS) ([]string, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	p, err := goose.NewProvider(goose.DialectSQLite3, db, steps, goose.WithDisableGlobalRegistry(true))
	if err == nil && version > 0 {
		_, err = p.UpTo(ctx, version)
	}
	if err != nil {
		return nil, fmt.Errorf("store: schema %d: %w", version, err)
	}
	return texts(ctx, db, liteSchema)
}

func texts(ctx context.Context, db *sql.DB, query string) ([]string, error) {
	return List(ctx, db, Text, query)
}
