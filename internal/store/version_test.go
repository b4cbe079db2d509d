package store_test

import (
	"errors"
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
)

// Every earlier version of a record is read at an instant: before it was made,
// between its edits, after it was removed, and whatever else was noted of it.
func TestVersionAt(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		write := func(rows ...fleet.AuditRow) {
			t.Helper()
			err := s.Write(t.Context(), func(tx *store.Tx) error {
				for _, r := range rows {
					if err := tx.InsertAudit(t.Context(), r); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		row := func(at fleet.Instant, verb, noun, id, after string) fleet.AuditRow {
			return fleet.AuditRow{ID: verb + noun + id + at.String(), At: at, Verb: verb, Noun: noun, NounID: id, OrganizationID: "o", After: []byte(after)}
		}
		write(row(100, "create", "thing", "a", `{"nickname":"One","version":1}`),
			row(150, "configure", "thing", "a", `{"model":"HA7","version":9}`),
			row(200, "update", "thing", "a", `{"nickname":"Two","version":2}`),
			row(250, "create", "user", "a", `{"email":"another noun","version":1}`),
			row(250, "create", "thing", "b", `{"nickname":"another","version":1}`),
			row(260, "sign_in", "user", "a", `{"code":""}`),
			row(300, "associate", "thing", "a", `{"nickname":"Three","version":3}`),
			row(300, "transfer", "thing", "a", `{"organization_id":"p"}`),
			row(400, "delete", "thing", "a", ``),
			row(120, "register", "thing", "", `{"count":2,"things":[{"id":"k","haas_id":"K","version":1},{"id":"l","haas_id":"L","version":1}]}`),
			row(220, "update", "thing", "l", `{"nickname":"Later","version":2}`),
			row(130, "import", "thing", "", `{"things":[{"id":"m","left":true}]}`), // names an asset, and is no version of it
			row(500, "update", "user", "p", `{"version":2}`), row(500, "create", "user", "p", `{"version":1}`),
			row(500, "create", "user", "q", `{"version":1}`), row(500, "update", "user", "q", `{"version":2}`))
		for _, c := range []struct {
			noun, id string
			at       fleet.Instant
			want     string // "" = none
		}{
			{"thing", "a", 99, ""},
			{"thing", "a", 100, `{"nickname":"One","version":1}`},
			{"thing", "a", 199, `{"nickname":"One","version":1}`}, // its device's configuration is not it
			{"thing", "a", 200, `{"nickname":"Two","version":2}`},
			{"thing", "a", 299, `{"nickname":"Two","version":2}`},
			{"thing", "a", 350, `{"nickname":"Three","version":3}`}, // the former owner's row says less
			{"thing", "a", 400, ""},
			{"thing", "a", 1000, ""},
			{"user", "a", 1000, `{"email":"another noun","version":1}`},
			{"user", "p", 500, `{"version":2}`}, // both of one instant: the later row
			{"user", "q", 500, `{"version":2}`},
			{"thing", "m", 1000, ""},
			{"thing", "k", 119, ""},
			{"thing", "k", 120, `{"id":"k","haas_id":"K","version":1}`},
			{"thing", "k", 1000, `{"id":"k","haas_id":"K","version":1}`},
			{"thing", "l", 219, `{"id":"l","haas_id":"L","version":1}`},
			{"thing", "l", 220, `{"nickname":"Later","version":2}`},
			{"thing", "nobody", 1000, ""},
		} {
			doc, err := store.VersionAt(t.Context(), s.Reader(), c.noun, c.id, c.at)
			if string(doc) != c.want || (c.want == "") != errors.Is(err, store.ErrNotFound) || (c.want != "" && err != nil) {
				t.Errorf("%s %s at %d: %s %v, want %q", c.noun, c.id, c.at, doc, err, c.want)
			}
		}
	})
}
