package engine

import (
	"errors"
	"strings"

	"modernc.org/sqlite"
)

// Damage returns what to do when err means that the open database is damaged; else nil.
func (s *Store) Damage(err error) *Unusable {
	if !errors.Is(err, ErrDamaged) {
		return nil
	}
	where := s.opts.Path
	if s.engine == Postgres {
		where = HiddenURL(s.opts.URL)
	}
	u := Unusablef(err, "The database %s is damaged and nothing more is acknowledged (%s); "+
		"move it away and restore a backup with lightbar restore.", where, causeOf(err))
	u.Restore = true
	return u
}

// causeOf is the driver's own words, in one line.
func causeOf(err error) string {
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		return strings.Join(strings.Fields(lite.Error()), " ")
	}
	return strings.Join(strings.Fields(err.Error()), " ")
}
