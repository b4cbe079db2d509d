package api_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/record"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
	"lightbar/internal/work"
)

// A body can hold a password. What is kept of a request under its
// Idempotency-Key lets nobody try passwords on a copy of the database, and goes
// by the clock after a day.
func TestKeptRequestsDoNotTellPasswords(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		token := w.SignIn("viewer").AccessToken
		const next = "Better*Heron8"
		calls := []struct{ method, path, body string }{
			{"POST", "/api/session/step_up", `{"password":"` + testkit.Password + `"}`},
			{"PUT", "/api/session/password", `{"current_password":"` + testkit.Password + `","password":"` + next + `"}`},
		}
		for i, c := range calls {
			for range 2 {
				r := w.Do(testkit.Request{Method: c.method, Path: c.path, Token: token, Body: c.body, Headers: map[string]string{"Idempotency-Key": c.path}})
				if i == 0 && r.Status != 200 {
					t.Errorf("%s: %d %s", c.path, r.Status, r.Text)
				}
			}
		}
		digests := func() (list []string) {
			t.Helper()
			rows, err := w.App.Store.Reader().QueryContext(t.Context(), `SELECT digest FROM idempotency`)
			if err != nil {
				t.Fatal(err)
			}
			defer rows.Close()
			for rows.Next() {
				var d string
				if err := rows.Scan(&d); err != nil {
					t.Fatal(err)
				}
				list = append(list, d)
			}
			return list
		}
		kept := digests()
		if len(kept) != len(calls) {
			t.Fatalf("%d answers are kept", len(kept))
		}
		for _, c := range calls { // who has the database and guesses the password knows the rest of the request
			sum := sha256.Sum256([]byte(c.method + "\x00" + c.path + "\x00\x00\x00" + c.body))
			for _, d := range kept {
				if d == hex.EncodeToString(sum[:]) || d == "" {
					t.Errorf("%s: its digest %q tells the password", c.path, d)
				}
			}
		}
		answers := func() {
			t.Helper()
			for _, task := range work.Tasks(w.App) {
				if task.Name == "answers" {
					if err := task.Do(t.Context()); err != nil {
						t.Error(err)
					}
				}
			}
		}
		w.Clock.Advance(24 * time.Hour)
		if answers(); len(digests()) != len(calls) {
			t.Error("answers are forgotten within the day")
		}
		w.Clock.Advance(time.Millisecond)
		if answers(); len(digests()) != 0 {
			t.Error("answers are kept longer than a day")
		}
	})
}

// A refusal changes nothing, so it is not kept: the disk is not filled with what anyone can have refused. It names so many fields.
func TestRefusalsAreNotKept(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		fields := map[string]any{}
		for i := range 1000 {
			fields[fmt.Sprintf("field_%d", i)] = i
		}
		r := w.Do(testkit.Request{Method: "PUT", Path: "/api/user/saved_areas", Token: w.SignIn("viewer").AccessToken, Body: fields,
			Headers: map[string]string{"Idempotency-Key": "k"}})
		if said := testkit.Decode[wire.Failure](t, r); r.Status != 422 || len(said.Fields) == 0 || len(said.Fields) > 100 {
			t.Errorf("%d, %d fields", r.Status, len(said.Fields))
		}
		var n int
		if err := w.App.Store.Reader().QueryRowContext(t.Context(), `SELECT COUNT(*) FROM idempotency`).Scan(&n); err != nil || n != 0 {
			t.Errorf("%d answers are kept, %v", n, err)
		}
	})
}

// Of each user so much is kept in a day: whoever sends a new key with every call does not fill the disk.
func TestOnlySoMuchIsKeptOfAUser(t *testing.T) {
	w := testkit.New(t)
	large := strings.Repeat("x", 256<<10)
	send := func(user, key string) (again bool) {
		t.Helper()
		_, again, err := w.App.Once(t.Context(), &access.Actor{UserID: user}, key, key, func() record.Answer {
			return record.Answer{Status: 200, Body: []byte(large)}
		})
		if err != nil {
			t.Fatal(err)
		}
		return again
	}
	last := ""
	for i := range 200 {
		last = fmt.Sprint(i)
		send("a", last)
	}
	var size int
	if err := w.App.Store.Reader().QueryRowContext(t.Context(), `SELECT SUM(LENGTH(answer)) FROM idempotency`).Scan(&size); err != nil {
		t.Fatal(err)
	}
	if size < 16<<20 || size > 32<<20 {
		t.Errorf("%d bytes are kept", size)
	}
	if !send("a", "0") || send("a", last) {
		t.Error("what was kept first is not, or the last one is")
	}
	if send("b", "0"); !send("b", "0") {
		t.Error("another user's is not kept")
	}
	if w.Clock.Advance(24*time.Hour + time.Second); send("a", last) || !send("a", last) {
		t.Error("the next day nothing is kept")
	}
}
