package app_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/feed"
	"lightbar/internal/feed/check"
	"lightbar/internal/feed/read"
	"lightbar/internal/fleet"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

func readFeed(t *testing.T, k *apptest.Kit, who *access.Actor, organizationID, path string) app.FeedDocument {
	t.Helper()
	out, err := k.Feed(t.Context(), who, organizationID, path)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return out
}

// faultsOf are the rules that a document breaks.
func faultsOf(t *testing.T, body []byte, now fleet.Instant) (out []string) {
	t.Helper()
	r, err := check.Document(t.Context(), bytes.NewReader(body), read.Limits{}, now)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Found {
		out = append(out, f.Rule.ID)
	}
	return out
}

var checkedFormats = []string{"wzdx-4.2.geojson", "cwz-1.0.geojson", "cifs.json", "cifs.xml"}

// A document without closures, or without a change for weeks, is as right as any other.
func TestEmptyAndQuietFeedsAreUpToDate(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("Works")
	if _, err := k.UpdateOrganization(t.Context(), access.System(), o.ID, wire.OrganizationWrite{IsWZDxOrg: ref(true), FeedsPublic: ref(true), FeedLicense: ref("CC0-1.0")}); err != nil {
		t.Fatal(err)
	}
	for _, path := range checkedFormats {
		if faults := faultsOf(t, readFeed(t, k, nil, o.ID, path).Body, k.At()); faults != nil {
			t.Errorf("%s without closures: %v", path, faults)
		}
	}
	for _, path := range append(checkedFormats, "closures.geojson", feed.DevicesPath, "closures.rss", "closures.ics") {
		if body := string(readFeed(t, k, nil, o.ID, path).Body); strings.Contains(body, "0001-01-01") || strings.Contains(body, "1970-01-01T") {
			t.Errorf("%s without closures has a date that is none: %s", path, body)
		}
	}
	if body := string(readFeed(t, k, nil, o.ID, "closures.ics").Body); !strings.Contains(body, "BEGIN:VTIMEZONE\r\nTZID:UTC\r\n") {
		t.Errorf("a calendar needs a component: %s", body)
	}

	in := published(1)
	in.OrganizationID, in.IsActive, in.EndTime = ref(wire.ID(o.ID)), ref(true), ref(k.At().Add(60*24*time.Hour))
	if _, _, err := k.Closures.Create(t.Context(), access.System(), in); err != nil {
		t.Fatal(err)
	}
	k.Pass(16 * 24 * time.Hour)
	for _, path := range checkedFormats {
		first := readFeed(t, k, nil, o.ID, path)
		if faults := faultsOf(t, first.Body, k.At()); faults != nil {
			t.Errorf("%s after 16 days without a change: %v", path, faults)
		}
		k.Pass(time.Minute)
		if again := readFeed(t, k, nil, o.ID, path); again.ETag != first.ETag {
			t.Errorf("%s: each minute is another document", path)
		}
	}
	if strings.Contains(string(readFeed(t, k, nil, o.ID, "closures.ics").Body), "VTIMEZONE") {
		t.Error("a calendar with closures has a component")
	}
}

// Each night of a closure that repeats is news of its own, and one event of a calendar that moves.
func TestTheNightsOfAClosureInNewsAndCalendar(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("Works")
	if _, err := k.UpdateOrganization(t.Context(), access.System(), o.ID, wire.OrganizationWrite{IsWZDxOrg: ref(true), FeedsPublic: ref(true)}); err != nil {
		t.Fatal(err)
	}
	in := published(1)
	in.OrganizationID = ref(wire.ID(o.ID))
	in.Recurrence, _ = nightly(k.Now(), "UTC", 21, 480, 1, 2, 3, 4, 5, 6, 7)
	row, _, err := k.Closures.Create(t.Context(), access.System(), in)
	if err != nil {
		t.Fatal(err)
	}
	one := func(path, pattern string) string {
		t.Helper()
		body := readFeed(t, k, nil, o.ID, path).Body
		m := regexp.MustCompile(pattern).FindAllSubmatch(body, -1)
		if len(m) != 1 {
			t.Fatalf("%s: %d of %s: %s", path, len(m), pattern, body)
		}
		return string(m[0][1])
	}
	seen, last, starts := map[string]bool{}, "", map[string]bool{}
	for night := range 3 {
		for _, pass := range []time.Duration{10 * time.Hour, 6 * time.Hour, 8 * time.Hour} { // planned, in the night, planned
			k.Pass(pass)
			if uid := one("closures.ics", `UID:(\S+)`); uid != row.ID {
				t.Errorf("night %d: event %s", night, uid)
			}
			start, sequence := one("closures.ics", `DTSTART:(\S+)`), one("closures.ics", `SEQUENCE:(\d+)`)
			if !starts[start] && last != "" && (len(sequence) < len(last) || sequence <= last) {
				t.Errorf("night %d: it begins at %s with the sequence %s after %s", night, start, sequence, last)
			}
			starts[start], last = true, sequence
			seen[one("closures.rss", `<guid[^>]*>([^<]*)</guid>`)] = true
		}
	}
	if len(starts) < 3 || len(seen) < 6 { // each night is planned and active
		t.Errorf("starts %v, news %v", starts, seen)
	}
}
