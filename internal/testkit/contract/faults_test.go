package contract_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"lightbar/catalog"
	"lightbar/internal/store"
	"lightbar/internal/testkit"
)

// playFaults are the answers of a server whose disk or whose caller fails. Each
// failure of the disk ends what the server can do, so each has a stage of its own.
func playFaults(r *recorder, s *stage) {
	admin := s.SignIn("administrator").AccessToken
	s.t.Cleanup(func() { s.must(catalog.SetLimits(nil)) })
	s.must(catalog.SetLimits(map[string]float64{"http.bodyStallMs": 1000}))
	r.stalled(s, "/api/organization", "PUT", admin)
	r.stalled(s, "/api/ingest", "POST", s.Key)

	// A page tells it, in the words of the code.
	r.keepAnswer("setup_link_expired", "GET", "/setup", s.Get("/setup", ""))

	// The disk fills up while a list is made known: what was made before stays.
	full := newStage(r.t)
	full.must(full.App.Store.Write(r.t.Context(), func(tx *store.Tx) error {
		var err error
		for _, statement := range []string{`CREATE TABLE ballast (bytes BLOB)`, `PRAGMA max_page_count = 4000`,
			`CREATE TRIGGER grow AFTER INSERT ON thing WHEN NEW.system_name = 'A-110' BEGIN INSERT INTO ballast VALUES (zeroblob(100000000)); END`} {
			if err == nil {
				_, err = tx.ExecContext(r.t.Context(), statement)
			}
		}
		return err
	}))
	things := []object{}
	for i := range 121 {
		things = append(things, object{"haas_id": fmt.Sprintf("A-%03d", i), "thing_type": "fire"})
	}
	r.call(full, "storage_full", "POST", "/api/ingest/assets", full.Key, object{"things": things})

	// The database is taken away before a commit is answered, and then is gone.
	gone := newStage(r.t)
	admin = gone.SignIn("administrator").AccessToken
	gone.must(os.Rename(gone.App.Store.Path(), gone.App.Store.Path()+".gone"))
	r.call(gone, "", "PUT", "/api/organization", admin, object{"name": "Harbor"})
	r.call(gone, "", "PUT", "/api/organization", admin, object{"name": "Harbor"})
}

// stalled records the answer to a request whose body does not come to its end.
func (r *recorder) stalled(s *stage, path, method, token string) {
	r.t.Helper()
	body, sender := io.Pipe()
	defer sender.Close()
	go func() { _, _ = io.WriteString(sender, "{") }() // and nothing more
	in, err := http.NewRequestWithContext(r.t.Context(), method, s.Server.URL+path, body)
	s.must(err)
	in.ContentLength = 1000
	in.Header.Set("Content-Type", "application/json")
	in.Header.Set("Authorization", "Bearer "+token)
	answer, err := (&http.Client{Timeout: time.Minute}).Do(in)
	s.must(err)
	defer answer.Body.Close()
	var text strings.Builder
	_, err = io.Copy(&text, answer.Body)
	s.must(err)
	r.keepAnswer("timed_out", method, path, testkit.Response{Status: answer.StatusCode, Text: text.String(), Header: answer.Header})
}
