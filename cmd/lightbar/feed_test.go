package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lightbar/internal/feed/check"
)

const incidents = `{"incidents":[{"incident":{"id":"DE-95-1","type":"ROAD_CLOSED","street":"I-95","polyline":"39.740000 -75.550000 39.741000 -75.540000",` +
	`"starttime":"2026-11-23T06:00:00+00:00","endtime":"2090-01-01T00:00:00+00:00","description":"Bridge \u001b[31mclosed"}}]}`

// The exit codes of feed check, over a file, a packed one and an address; what the document says cannot steer a terminal.
func TestFeedCheck(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if out := lbOK(t, "feed", "check", file("good.json", incidents)); out != "CIFS: 1 feature, 1 good.\nNothing is wrong." {
		t.Error(out)
	}
	bad := strings.Replace(incidents, "I-95", " ", 1)
	bad = strings.Replace(bad, "DE-95-1", `\u001b]0;x\u0007`, 1)
	code, out, _ := lb(t, "feed", "check", file("bad.json", bad))
	if code != 1 || !strings.Contains(out, "error member_missing, 1×: ") || !strings.Contains(out, " street\n") || !strings.HasSuffix(out, "1 error, 0 warnings.\n") ||
		strings.Contains(out, "\x1b") {
		t.Errorf("exit %d: %q", code, out)
	}
	var answer check.CheckedFeed
	if code, out, _ := lb(t, "feed", "check", "--json", file("bad.json", bad)); code != 1 || json.Unmarshal([]byte(out), &answer) != nil ||
		answer.Format != "cifs" || answer.Features != 1 || answer.Good != 1 || len(answer.Problems) != 1 || answer.Problems[0].Rule != "member_missing" ||
		answer.Rules[0].Count != 1 || answer.Rules[0].Severity != "error" || answer.Errors != 1 {
		t.Errorf("exit %d: %s", code, out)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write([]byte(incidents))
	_ = z.Close()
	lbOK(t, "feed", "check", file("good.json.gz", packed.String()))
	for _, c := range []struct{ from, said string }{
		{filepath.Join(dir, "none.json"), "cannot be read: no such file"}, {file("page.json", "<!doctype html><p>Sign in"), "web page (HTML)"},
		{file("empty.json", ""), "is empty"}, {"ftp://example.org/", "must begin with https://"}, {"http://127.0.0.1:1/", "say --private"},
	} {
		if code, out, said := lb(t, "feed", "check", c.from); code != 2 || out != "" || !strings.Contains(said, c.said) {
			t.Errorf("%s: exit %d, %q, %q", c.from, code, out, said)
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/503" {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		_, _ = w.Write(packed.Bytes())
	}))
	defer server.Close()
	lbOK(t, "feed", "check", "--private", server.URL)
	if code, _, said := lb(t, "feed", "check", "--private", server.URL+"/503"); code != 2 || said != "lightbar: The server answers 503 Service Unavailable.\n" {
		t.Errorf("exit %d, %q", code, said)
	}
}
