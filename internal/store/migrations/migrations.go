// Package migrations holds the schema's steps, a file each: one text for SQLite
// and PostgreSQL, applied in the order of their numbers.
package migrations

import "embed"

// Files are the steps.
//
//go:embed *.sql
var Files embed.FS
