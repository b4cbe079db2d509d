package authz_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"lightbar/internal/store/pgtest"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit"
)

// While PostgreSQL is down, and while its sessions are cut, whoever reads is
// told to come again: nobody is signed out, nothing is said not to exist, and
// no failure is unknown.
func TestReadsWhileTheDatabaseIsDown(t *testing.T) {
	s := storetest.Postgres(t)
	w := newWalk(t, testkit.WithStore(s))
	var reads []testkit.Request
	for _, o := range operations(t, w.World) {
		r := rules[o.id]
		if o.method != http.MethodGet || strings.HasPrefix(o.id, "ingest") {
			continue
		}
		path := "/api" + o.path
		for _, p := range r.at {
			if strings.Contains(path, "{"+p+"}") {
				path = strings.ReplaceAll(path, "{"+p+"}", r.path(w.lasting["own"]))
			}
		}
		reads = append(reads, testkit.Request{Path: path, Token: w.token("super")})
	}
	well := map[string]int{}
	for _, in := range reads {
		well[in.Path] = w.Do(in).Status
	}
	refused := 0
	look := func(in testkit.Request) {
		answer := w.Do(in)
		switch {
		case answer.Status == well[in.Path]:
		case answer.Status == http.StatusServiceUnavailable && answer.Header.Get("Retry-After") != "":
			refused++
		default:
			t.Errorf("%s: %d %s, in good days %d", in.Path, answer.Status, cut(answer.Text), well[in.Path])
		}
	}
	pgtest.Down(t, func() {
		for _, in := range reads {
			look(in)
		}
		w.Clock.Advance(time.Minute) // now tokens are asked for again
		for _, in := range reads {
			look(in)
		}
	})
	if refused < len(reads) {
		t.Errorf("only %d of %d reads asked the database", refused, 2*len(reads))
	}
	for _, in := range reads { // each finds sessions that PostgreSQL has ended
		look(in)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for range 40 {
			_, _ = s.PG().Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)
		}
	}()
	for round := 0; ; round++ {
		for _, in := range reads {
			look(in)
		}
		select {
		case <-ended:
			for _, in := range reads { // all is well again
				if answer := w.Do(in); answer.Status != well[in.Path] {
					t.Errorf("%s afterwards: %d %s", in.Path, answer.Status, cut(answer.Text))
				}
			}
			return
		default:
		}
	}
}
