package main

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lightbar/internal/testkit/smtptest"
)

// await looks until something has happened.
func await(t *testing.T, what string, happened func() bool) {
	t.Helper()
	deadline := time.After(time.Minute)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !happened() {
		select {
		case <-deadline:
			t.Fatal("not within 20 s: " + what)
		case <-tick.C:
		}
	}
}

func forgot(t *testing.T, s *serving, email string) {
	t.Helper()
	client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	r, err := client.Post(s.info.URL+"/api/forgot_password", "application/json", bytes.NewBufferString(`{"email":"`+email+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Body.Close(); err != nil || r.StatusCode != 200 {
		t.Fatalf("%d %v", r.StatusCode, err)
	}
}

func withChief(t *testing.T) (data string) {
	t.Helper()
	data = filepath.Join(t.TempDir(), "data")
	lbOK(t, "organization", "create", "Town", "--data", data)
	lbOK(t, "user", "create", "chief@town.example", "--first-name", "Ada", "--last-name", "Cole", "--data", data)
	return data
}

// Without an SMTP server letters lie in DATA/outbox, for the owner's eyes alone; the log names the file and not the link.
func TestLettersInTheFolder(t *testing.T) {
	data := withChief(t)
	s := start(t, data)
	forgot(t, s, "chief@town.example")
	var found []string
	await(t, "a letter", func() bool {
		found, _ = filepath.Glob(filepath.Join(data, "outbox", "*.eml"))
		return len(found) == 1
	})
	text := string(read(t, found[0]))
	if st, err := os.Stat(found[0]); err != nil || st.Mode().Perm() != 0o600 || !strings.Contains(text, s.info.URL+"/welcome/reset/chief@town.example#lb_rst_") {
		t.Errorf("%v %v\n%s", st.Mode(), err, text)
	}
	await(t, "a line in the log", func() bool { return strings.Contains(s.err.String(), filepath.Base(found[0])) })
	if log := s.err.String() + s.out.String(); strings.Contains(log, "lb_rst_") || strings.Contains(log, "chief@") {
		t.Errorf("the log says too much:\n%s", log)
	}
	if code := s.end(t); code != exitOK {
		t.Fatalf("exit %d", code)
	}
}

// The whole way by a server with TLS, sign-in and a certificate of its own; doctor tries the same way.
func TestLettersBySMTP(t *testing.T) {
	own := smtptest.NewAuthority(t)
	server := smtptest.New(t, smtptest.Rules{TLS: own.Server, Implicit: true, User: "map", Password: "tide and moons"})
	dir := t.TempDir()
	password, ca := filepath.Join(dir, "password"), filepath.Join(dir, "ca.pem")
	for name, text := range map[string][]byte{password: []byte("tide and moons\n"), ca: own.PEM} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	data := withChief(t)
	settings := []string{"--smtp-url", "smtps://map@" + server.Addr, "--smtp-password-file", password, "--smtp-ca", ca, "--mail-from", "County Map <map@town.example>"}
	if _, out, _ := lb(t, append([]string{"doctor", "--data", data, "--listen", "localhost:0"}, settings...)...); !strings.Contains(out, "ok       mail") {
		t.Errorf("doctor:\n%s", out)
	}
	s := start(t, data, settings...)
	forgot(t, s, "chief@town.example")
	await(t, "a letter", func() bool { return len(server.Taken()) == 1 })
	m := server.Taken()[0]
	if !m.TLS || m.User != "map" || m.From != "map@town.example" || m.To != "chief@town.example" || !strings.Contains(m.Data, `From: "County Map" <map@town.example>`) {
		t.Errorf("%+v", m)
	}
	await(t, "the metric", func() bool {
		_, text := fetch(t, s.info.Admin+"/metrics")
		return strings.Contains(text, "lightbar_mail_sent_total 1") && strings.Contains(text, "lightbar_mail_waiting 0")
	})
	if code := s.end(t); code != exitOK {
		t.Fatalf("exit %d", code)
	}
	if found, _ := filepath.Glob(filepath.Join(data, "outbox", "*")); len(found) != 0 {
		t.Errorf("also in the folder: %v", found)
	}
	wrongPassword := append([]string{"doctor", "--data", data, "--listen", "localhost:0"}, "--smtp-url", "smtps://map:hush@"+server.Addr, "--smtp-ca", ca)
	if code, out, _ := lb(t, wrongPassword...); code != 2 || !strings.Contains(out, "failure  mail") || strings.Contains(out, "hush") {
		t.Errorf("doctor with a wrong password: exit %d\n%s", code, out)
	}
}

func TestMailFilesThatCannotBeUsed(t *testing.T) {
	dir := t.TempDir()
	open, empty := filepath.Join(dir, "open"), filepath.Join(dir, "empty.pem")
	for name, mode := range map[string]os.FileMode{open: 0o644, empty: 0o600} {
		if err := os.WriteFile(name, []byte("x\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range [][]string{
		{"can be read by others", "--smtp-password-file", open},
		{"cannot be read", "--smtp-password-file", filepath.Join(dir, "none")},
		{"holds no certificate", "--smtp-ca", empty},
		{"cannot be read", "--smtp-ca", filepath.Join(dir, "none")},
	} {
		code, _, text := lb(t, append([]string{"serve", "--data", filepath.Join(dir, "data"), "--listen", "localhost:0", "--smtp-url", "smtp://map@127.0.0.1:1"}, row[1:]...)...)
		if code != exitPlace || !strings.Contains(text, row[0]) {
			t.Errorf("%v: exit %d\n%s", row, code, text)
		}
	}
}
