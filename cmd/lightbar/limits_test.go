package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lightbar/catalog"
)

// What the file sets holds in the running server; a value out of its bounds stops the start.
//
// spec: D.value.11
func TestLimitsAreSetByTheFile(t *testing.T) {
	t.Cleanup(func() { _ = catalog.SetLimits(nil) })
	dir := t.TempDir()
	config := filepath.Join(dir, "lightbar.json")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"limits": {"session": {"signInsPerNetworkMinute": 5}}}`)
	data := filepath.Join(dir, "data")
	code, _, errOut := lb(t, "serve", "--data", data, "--listen", "localhost:0", "--config", config)
	if code != exitUsage || !strings.Contains(errOut, "signInsPerNetworkMinute must be a whole number from 10 to 10000 and is 5.") || strings.Count(errOut, "\n") != 1 {
		t.Errorf("out of bounds: exit %d, %s", code, errOut)
	}
	if _, err := os.Stat(data); err == nil {
		t.Error("a data folder was made")
	}
	write(`{"limits": {"session": {"signInsPerNetworkMinute": 12}}}`)
	s := start(t, data, "--config", config)
	taken := 0
	for range 20 {
		res, err := http.Post(s.info.URL+"/api/user_token", "application/json", strings.NewReader(`{"grant_type": "refresh_token", "refresh_token": "lb_rt_x"}`))
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != http.StatusTooManyRequests {
			taken++
		}
	}
	http.DefaultClient.CloseIdleConnections()
	if taken < 12 || taken > 13 { // one more when a twelfth of a minute has passed meanwhile
		t.Errorf("%d calls were taken, want 12", taken)
	}
	if code := s.end(t); code != exitOK || !strings.Contains(s.err.String(), "limits set by configuration") {
		t.Errorf("exit %d\n%s", code, s.err.String())
	}
}
