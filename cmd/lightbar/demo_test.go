package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lightbar/internal/demo"
)

// startDemo runs demo on a free port.
func startDemo(t *testing.T, data string, flags ...string) *serving {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s := &serving{data: data, stop: cancel, code: make(chan int, 1)}
	go func() {
		s.code <- run(ctx, append([]string{"demo", "--data", data, "--listen", "localhost:0", "--history", "0"}, flags...), &s.out, &s.err)
	}()
	t.Cleanup(cancel)
	wait(t, s, func() bool { return ready(data, &s.info) })
	return s
}

func ready(data string, info *running) bool {
	b, err := os.ReadFile(filepath.Join(data, runFile))
	return err == nil && json.Unmarshal(b, info) == nil && info.URL != ""
}

// wait asks again until something holds; a server that ends meanwhile fails the test.
func wait(t *testing.T, s *serving, holds func() bool) {
	t.Helper()
	deadline := time.After(time.Minute)
	for !holds() {
		select {
		case code := <-s.code:
			t.Fatalf("the demo ended with %d\n%s%s", code, s.out.String(), s.err.String())
		case <-deadline:
			t.Fatalf("it did not happen within a minute\n%s%s", s.out.String(), s.err.String())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// guest signs in at the demo as a viewer; it answers the access token and the address of the list of assets.
func guest(t *testing.T, data, url string) (token, list string) {
	t.Helper()
	return visitor(t, data, url, "viewer@demo.example")
}

// visitor signs in at the demo as one of its accounts, as guest does.
func visitor(t *testing.T, data, url, email string) (token, list string) {
	t.Helper()
	var f demo.File
	b, err := os.ReadFile(filepath.Join(data, demo.FileName))
	if err == nil {
		err = json.Unmarshal(b, &f)
	}
	if err != nil {
		t.Fatal(err)
	}
	var pair struct {
		AccessToken string `json:"access_token"`
	}
	body := map[string]string{"grant_type": "password", "username": email, "password": f.Password}
	ask(t, http.MethodPost, url+"/api/user_token", "", body, &pair)
	return pair.AccessToken, url + "/api/organization/things?org_ids[]=" + f.OrganizationID
}

// heard counts the assets of a list that have ever reported, and all of them.
func heard(t *testing.T, token, list string) (reported, all int) {
	t.Helper()
	var rows struct {
		Data []struct {
			Heartbeat *string `json:"heartbeat_datetime"`
		} `json:"data"`
	}
	ask(t, http.MethodGet, list, token, nil, &rows)
	for _, thing := range rows.Data {
		if thing.Heartbeat != nil {
			reported++
		}
	}
	return reported, len(rows.Data)
}

func ask(t *testing.T, method, url, token string, body, into any) {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	q, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Content-Type", "application/json")
	if token != "" {
		q.Header.Set("Authorization", "Bearer "+token)
	}
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(into); err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %v", url, res.StatusCode, err)
	}
}

// The quiet demo has the fleet and nobody of it reports; without --quiet the
// same fleet begins to.
//
// spec: D.demo.03
func TestQuietDemo(t *testing.T) {
	data := filepath.Join(t.TempDir(), "demo")
	quiet := startDemo(t, data, "--quiet")
	token, list := guest(t, data, quiet.info.URL)
	if reported, all := heard(t, token, list); reported != 0 || all == 0 {
		t.Errorf("%d of %d assets have reported", reported, all)
	}
	if code := quiet.end(t); code != exitOK {
		t.Fatalf("exit %d\n%s", code, quiet.err.String())
	}
	busy := startDemo(t, data)
	token, list = guest(t, data, busy.info.URL)
	wait(t, busy, func() bool { reported, _ := heard(t, token, list); return reported > 20 })
	if code := busy.end(t); code != exitOK {
		t.Fatalf("exit %d\n%s", code, busy.err.String())
	}
}

// Where the demo cannot be, it says so before it makes or changes anything.
func TestDemoIsRefused(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	refused := func(want int, words string, flags ...string) {
		t.Helper()
		code, out, text := lb(t, append([]string{"demo", "--quiet", "--history", "0", "--data", data, "--listen", "localhost:0"}, flags...)...)
		if code != want || !strings.Contains(text, words) || strings.Count(text, "\n") != 1 || out != "" {
			t.Errorf("%v: exit %d, want %d and one line with %q\n%s%s", flags, code, want, words, out, text)
		}
	}
	refused(exitUsage, "--password: Password does not fulfill", "--password", "x")
	if _, err := os.Stat(data); err == nil {
		t.Error("a refused demo made the folder")
	}
	lbOK(t, "organization", "create", "Town", "--data", data)
	before := digestOf(t, data)
	refused(exitUsage, "The folder "+data+" holds an installation that is not the demo; name another with --data.")
	if digestOf(t, data) != before {
		t.Error("the database was changed")
	}
	if err := os.WriteFile(filepath.Join(data, "demo.unfinished"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	refused(exitPlace, "The demo in "+data+" was not prepared to its end; remove the folder and start again.")
}
