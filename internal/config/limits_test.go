package config

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lightbar/catalog"
)

// spec: D.value.11
func TestLimitsOfTheFile(t *testing.T) {
	l, err := parse(t, "--config", configFile(t, `{"listen": "localhost:9001", "limits": {"incident": {"openAfterMs": 30000, "openWithinM": 50}, "session": {"keysPerUser": 25}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Serve.Check(); err != nil {
		t.Fatal(err)
	}
	if want := (Limits{"incident.openAfterMs": 30000, "incident.openWithinM": 50, "session.keysPerUser": 25}); !maps.Equal(l.Serve.Limits, want) || l.Serve.Listen != "localhost:9001" {
		t.Errorf("%v, want %v", l.Serve.Limits, want)
	}
	t.Setenv("LIGHTBAR_LIMITS", `{"session": {"keysPerUser": 5}}`)
	if l, err = parse(t, "--config", configFile(t, `{"limits": {"session": {"keysPerUser": 25}}}`)); err != nil || l.Serve.Limits["session.keysPerUser"] != 5 {
		t.Errorf("the environment wins over the file: %v %v", l.Serve.Limits, err)
	}
	if l, err = parse(t, "--limits", `{"session": {"keysPerUser": 7}}`); err != nil || l.Serve.Limits["session.keysPerUser"] != 7 {
		t.Errorf("a flag wins over both: %v %v", l.Serve.Limits, err)
	}
}

// spec: D.value.11
func TestWrongLimitsAreRefusedByName(t *testing.T) {
	for text, words := range map[string]string{
		`{"incident": {"openAfterS": 30}}`:    "incident.openAfterS cannot be set",
		`{"session": {"idleMs": 60000}}`:      "session.idleMs cannot be set",
		`{"incident": {"openAfterMs": 9999}}`: "incident.openAfterMs must be a whole number from 10000 to 600000 and is 9999",
		`{"incident": {"openAfterMs": 6e9}}`:  "incident.openAfterMs must be",
		`{"session": {"keysPerUser": 2.5}}`:   "session.keysPerUser must be a whole number",
		`{"session": {"keysPerUser": "9"}}`:   "numbers",
		`{"session": 9}`:                      "numbers",
		`[1]`:                                 "numbers",
	} {
		l, err := parse(t, "--config", configFile(t, `{"listen": "localhost:9001", "limits": `+text+`}`))
		if err == nil {
			err = l.Serve.Check()
		}
		if err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v, want %q", text, err, words)
		}
	}
}

// The table of docs/operations.md says what limits.json does, and of the same limits.
func TestTheTableOfLimits(t *testing.T) {
	var want []string
	raw, err := catalog.Files.ReadFile("limits.json")
	if err != nil {
		t.Fatal(err)
	}
	var groups map[string]json.RawMessage
	if err := json.Unmarshal(raw, &groups); err != nil {
		t.Fatal(err)
	}
	delete(groups, "$comment")
	for group, body := range groups {
		var entries map[string]struct {
			Value    float64
			Min, Max *float64
		}
		if err := json.Unmarshal(body, &entries); err != nil {
			t.Fatal(err)
		}
		for name, e := range entries {
			if e.Min != nil && e.Max != nil {
				want = append(want, fmt.Sprintf("| `%s.%s` | %.0f | %.0f | %.0f |", group, name, e.Value, *e.Min, *e.Max))
			}
		}
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "operations.md"))
	if err != nil {
		t.Fatal(err)
	}
	got := regexp.MustCompile("\\| `[a-zA-Z]+\\.[A-Za-z]+` \\| \\d+ \\| \\d+ \\| \\d+ \\|").FindAllString(string(text), -1)
	slices.Sort(want)
	slices.Sort(got)
	if len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("documented\n%s\nin the catalog\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
