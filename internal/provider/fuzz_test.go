package provider_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lightbar/internal/provider"
)

// seeds are recorded answers.
func seeds(f *testing.F) {
	f.Helper()
	names, err := filepath.Glob("../testkit/providertest/recorded/*.*")
	if err != nil || len(names) < 12 {
		f.Fatal(names, err)
	}
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		text := string(raw)
		for _, around := range [][2]string{{"", ""}, {`{"result":{"data":[`, `],"toVersion":"00000000034561f1"},"jsonrpc":"2.0"}`}, {`{"result":[`, `]}`},
			{`{"data":[`, `],"pagination":{"endCursor":"MjkY","hasNextPage":true}}`}} {
			f.Add(200, around[0]+text+around[1])
		}
		f.Add(400, text)
	}
	for _, text := range []string{`{"result":[{"id":7},{"id":"b1","activeTo":"2050-01-01T00:00:00.000Z"}]}`, `{"data":[{"gps":{},"auxInput1":7,"id":[]}]}`,
		`{"data":[{"auxInput1":[{"time":"2026-01-01T00:00:00Z","name":"Emergency Lights","value":true}],"id":"1"}]}`, `{"error":7}`, `{"data":{}} `, `[]`} {
		f.Add(200, text)
	}
}

// fuzzed holds a decoder to what its callers rely on.
func fuzzed(f *testing.F, kinds ...string) {
	f.Helper()
	seeds(f)
	f.Fuzz(func(t *testing.T, code int, text string) {
		if code < 100 || code > 599 {
			return
		}
		for _, kind := range kinds {
			value, err := provider.Decoders[kind](t.Context(), code, text)
			var e *provider.Error
			switch {
			case err != nil && (!errors.As(err, &e) || e.Reason == "" || e.Message == "" || e.RetryAfter < 0 || strings.Contains(e.Message, "secret")):
				t.Fatalf("%s: %v", kind, err)
			case err != nil:
				continue
			case code != 200:
				t.Fatalf("%s: %d is an answer: %q", kind, code, text)
			}
			switch value := value.(type) {
			case provider.Page:
				plausible(t, value)
			case []provider.Vehicle:
				distinct(t, value)
			}
		}
	})
}

func plausible(t *testing.T, p provider.Page) {
	t.Helper()
	if p.Cursor == "" || len(p.Cursor) > 4096 {
		t.Fatalf("the cursor: %q", p.Cursor)
	}
	for _, r := range p.Reports {
		if r.ExternalID == "" || len(r.ExternalID) > 100 || r.At.Year() < 2000 || !r.HasFix && r.Lights == nil ||
			r.HasFix && !(r.Lat >= -90 && r.Lat <= 90 && r.Lng >= -180 && r.Lng <= 180) || r.SpeedMS != nil && !(*r.SpeedMS >= 0) ||
			r.CourseDeg != nil && !(*r.CourseDeg >= 0 && *r.CourseDeg < 360) {
			t.Fatalf("%+v", r)
		}
	}
}

func distinct(t *testing.T, list []provider.Vehicle) {
	t.Helper()
	seen := map[string]bool{}
	for _, v := range list {
		if v.ExternalID == "" || seen[v.ExternalID] || strings.ToUpper(v.VIN) != v.VIN || strings.ContainsAny(v.Name+v.VIN+v.Serial+v.Plate, "\x00\n\r\t") {
			t.Fatalf("%+v", v)
		}
		seen[v.ExternalID] = true
	}
}

// FuzzGeotab: whatever MyGeotab answers, reports are plausible, vehicles distinct, and errors of the closed list.
func FuzzGeotab(f *testing.F) { fuzzed(f, "Geotab's feed", "Geotab's devices") }

// FuzzSamsara: the same of Samsara.
func FuzzSamsara(f *testing.F) { fuzzed(f, "Samsara's feed", "Samsara's vehicles") }
