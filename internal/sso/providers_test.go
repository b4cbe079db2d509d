package sso_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lightbar/internal/sso"
)

const good = `[{"id":"city","title":"City","issuer":"https://id.city.example","client_id":"lightbar","client_secret":"s3cret",
"mappings":[{"group":"fire","organization":"Fire","role":"operator"}]}]`

func TestProvidersFile(t *testing.T) {
	for name, c := range map[string]struct{ text, says string }{
		"good":           {good, ""},
		"not JSON":       {`{`, "not a JSON list"},
		"unknown field":  {strings.Replace(good, `"title"`, `"titel"`, 1), "titel"},
		"twice":          {"[" + good[1:len(good)-1] + "," + good[1:], "twice"},
		"plain http":     {strings.Replace(good, "https:", "http:", 1), "must begin with https"},
		"bad id":         {strings.Replace(good, `"city"`, `"../x"`, 1), "the id is"},
		"maps nobody":    {strings.Replace(good, `{"group":"fire","organization":"Fire","role":"operator"}`, "", 1), "maps no group"},
		"empty group":    {strings.Replace(good, `"fire"`, `""`, 1), "needs group"},
		"no client":      {strings.Replace(good, `"lightbar"`, `""`, 1), "client_id"},
		"local for test": {strings.Replace(good, "https://id.city.example", "http://127.0.0.1:5556/oidc", 1), ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "sso.json")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := sso.ReadProviders(path)
			switch {
			case c.says == "" && err != nil:
				t.Error(err)
			case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
				t.Errorf("%v does not say %q", err, c.says)
			case err != nil && strings.Contains(err.Error(), "s3cret"):
				t.Error("the error tells the secret")
			}
		})
	}
}

func TestProvidersFileMustBePrivate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sso.json")
	if err := os.WriteFile(path, []byte(good), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := sso.ReadProviders(path); err == nil || !strings.Contains(err.Error(), "600") {
		t.Errorf("a file that others may read is taken: %v", err)
	}
}

func FuzzParseProviders(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, b []byte) {
		out, err := sso.ParseProviders(b)
		for _, p := range out {
			if err == nil && (p.ID == "" || p.ClientID == "" || len(p.Mappings) == 0) {
				t.Errorf("taken: %+v", p)
			}
		}
	})
}
