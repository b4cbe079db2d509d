package fleet_test

import (
	"maps"
	"testing"
	"time"

	"lightbar/internal/fleet"
)

// spec: 1.feat.08
func TestVehiclesAreFoundByWhatTellsThemForSure(t *testing.T) {
	account := fleet.Integration{ID: "account", Provider: "geotab"}
	linked := func(id, by string) []fleet.Identifier {
		return []fleet.Identifier{{Provider: "geotab", ID: id, Account: by}}
	}
	for _, c := range []struct {
		name     string
		vehicles []fleet.Vehicle
		things   []fleet.Thing
		isMore   bool // the organization has another account at the provider
		want     map[string]string
	}{
		{"by VIN, however it is written", []fleet.Vehicle{{ExternalID: "b1", VIN: "1FV-ACW dt39"}}, []fleet.Thing{{ID: "A", VIN: "1fvacwdt39"}}, false,
			map[string]string{"b1": "vin A"}},
		{"by serial number, the name of an asset", []fleet.Vehicle{{ExternalID: "b1", Serial: "G9-F021"}, {ExternalID: "b2", Serial: "E-2"}},
			[]fleet.Thing{{ID: "A", SystemName: "g9f021"}, {ID: "B", SystemName: "X", ExternalID: "e2"}}, false, map[string]string{"b1": "serial A", "b2": "serial B"}},
		{"by plate", []fleet.Vehicle{{ExternalID: "b1", Plate: "fd 7-11"}}, []fleet.Thing{{ID: "A", Plate: "FD711"}}, false, map[string]string{"b1": "plate A"}},
		{"VIN before plate", []fleet.Vehicle{{ExternalID: "b1", VIN: "V1", Plate: "P1"}}, []fleet.Thing{{ID: "A", Plate: "P1"}, {ID: "B", VIN: "V1"}}, false,
			map[string]string{"b1": "vin B"}},
		{"what it is linked with before all", []fleet.Vehicle{{ExternalID: "b1", VIN: "V1"}},
			[]fleet.Thing{{ID: "A", VIN: "V1"}, {ID: "B", Integrations: linked("b1", "account")}}, false, map[string]string{"b1": "linked B"}},
		{"a typed identifier counts while there is one account", []fleet.Vehicle{{ExternalID: "b1"}}, []fleet.Thing{{ID: "A", Integrations: linked("b1", "")}}, false,
			map[string]string{"b1": "linked A"}},
		{"and not among several", []fleet.Vehicle{{ExternalID: "b1"}}, []fleet.Thing{{ID: "A", Integrations: linked("b1", "")}}, true, map[string]string{"b1": "none "}},
		{"the identifier of another account is none", []fleet.Vehicle{{ExternalID: "b1"}}, []fleet.Thing{{ID: "A", Integrations: linked("b1", "other")}}, false,
			map[string]string{"b1": "none "}},
		{"two assets with a VIN", []fleet.Vehicle{{ExternalID: "b1", VIN: "V1", Plate: "P1"}},
			[]fleet.Thing{{ID: "A", VIN: "V1"}, {ID: "B", VIN: "V1"}, {ID: "C", Plate: "P1"}}, false, map[string]string{"b1": "twice "}},
		{"two vehicles with a serial number", []fleet.Vehicle{{ExternalID: "b1", Serial: "S1"}, {ExternalID: "b2", Serial: "S1"}}, []fleet.Thing{{ID: "A", SystemName: "S1"}}, false,
			map[string]string{"b1": "twice ", "b2": "twice "}},
		{"two vehicles that seem to be one asset in two ways", []fleet.Vehicle{{ExternalID: "b1", VIN: "V1"}, {ExternalID: "b2", Plate: "P1"}},
			[]fleet.Thing{{ID: "A", VIN: "V1", Plate: "P1"}}, false, map[string]string{"b1": "twice ", "b2": "twice "}},
		{"the linked vehicle keeps its asset", []fleet.Vehicle{{ExternalID: "b1"}, {ExternalID: "b2", VIN: "V1"}},
			[]fleet.Thing{{ID: "A", VIN: "V1", Integrations: linked("b1", "account")}}, false, map[string]string{"b1": "linked A", "b2": "twice "}},
		{"what stands for not known tells nothing", []fleet.Vehicle{{ExternalID: "b1", VIN: "00000000000000000", Serial: "Unknown", Plate: "N/A"}},
			[]fleet.Thing{{ID: "A", VIN: "0000000", SystemName: "UNKNOWN", Plate: "NA"}}, false, map[string]string{"b1": "none "}},
	} {
		var things []*fleet.Thing
		for i := range c.things {
			things = append(things, &c.things[i])
		}
		got := map[string]string{}
		for _, m := range fleet.MatchVehicles(c.vehicles, things, &account, !c.isMore) {
			got[m.ExternalID] = m.Match + " " + m.ThingID
		}
		if !maps.Equal(got, c.want) {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestWhenAProviderIsAskedAgain(t *testing.T) {
	const now = fleet.Instant(1_800_000_000_000)
	waits := func(x *fleet.Integration) time.Duration { return x.NextFetchAt.Sub(now) }
	x := fleet.Integration{IsActive: true, FeedCursor: "c"}
	if x.Health() != fleet.IntegrationWaiting {
		t.Error("not asked yet:", x.Health())
	}
	for _, want := range []time.Duration{5, 10, 20, 40, 80, 160, 320, 640, 900, 900} {
		if x.Failed(now, "unavailable", "Down", 0); waits(&x) != want*time.Second {
			t.Errorf("failure %d waits %s", x.State.Failures, waits(&x))
		}
	}
	if x.Failed(now, "over_limit", "Slow down", 20*time.Minute); waits(&x) != 20*time.Minute || x.Health() != fleet.IntegrationFailing || x.State.FailingSince != now {
		t.Error("asked to come again:", waits(&x), x.Health())
	}
	if x.Press(now + 60_000); waits(&x) != 20*time.Minute {
		t.Error("a person does not hurry a provider that asked to wait:", waits(&x))
	}
	if x.Failed(now, "over_limit", "Slow down", 365*24*time.Hour); waits(&x) != time.Hour {
		t.Error("a provider's word stops us for", waits(&x))
	}
	if x.Failed(now, "unauthorized", "Wrong", 0); waits(&x) != time.Hour || x.Health() != fleet.IntegrationUnauthorized || x.FeedCursor != "c" {
		t.Error("refused:", waits(&x), x.Health(), x.FeedCursor)
	}
	if x.Worked(now, time.Minute); waits(&x) != time.Minute || x.Health() != fleet.IntegrationGood || x.State.FailingSince != 0 {
		t.Error("answered:", waits(&x), x.Health())
	}
	if x.Worked(now, 0); waits(&x) != 5*time.Second {
		t.Error("answered, not asked to wait:", waits(&x))
	}
	if x.Press(now + 1000); waits(&x) != 5*time.Second {
		t.Error("pressed again at once:", waits(&x))
	}
	if x.Failed(now, "cursor_lost", "Gone", 0); x.FeedCursor != "" {
		t.Error("a lost cursor is asked for again")
	}
	if x.IsActive = false; x.Health() != fleet.IntegrationOff {
		t.Error("paused:", x.Health())
	}
}

func TestCountsAreOfTheLastDay(t *testing.T) {
	const now = fleet.Instant(1_800_000_000_000)
	var s fleet.IntegrationState
	s.Count(fleet.IntegrationCounts{Kept: 2, Refused: map[string]int64{"too_old": 1}, Newest: now - 5}, now)
	was := s
	s.Count(fleet.IntegrationCounts{Kept: 3, Repeated: 1, Unlinked: 4, Refused: map[string]int64{"too_old": 1}, Newest: now - 9}, now.Add(23*time.Hour))
	if s.Kept != 5 || s.Repeated != 1 || s.Unlinked != 4 || s.Refused["too_old"] != 2 || s.LastReportAt != now-5 || s.CountedSince != now || was.Refused["too_old"] != 1 {
		t.Errorf("%+v, before %+v", s, was)
	}
	if s.Count(fleet.IntegrationCounts{Kept: 1}, now.Add(24*time.Hour)); s.Kept != 1 || s.Unlinked != 0 || len(s.Refused) != 0 || s.CountedSince != now.Add(24*time.Hour) {
		t.Errorf("a day later %+v", s)
	}
}

func TestHostsOfProviders(t *testing.T) {
	for said, want := range map[string]string{"": "", " My.Geotab.com ": "my.geotab.com", "https://my3.geotab.com/county/": "my3.geotab.com", "api.eu.samsara.com:8443": "api.eu.samsara.com:8443"} {
		if host, sentence := fleet.CheckServer(said); host != want || sentence != "" {
			t.Errorf("%q is %q, %q", said, host, sentence)
		}
	}
	for _, said := range []string{"localhost", "my geotab.com", "user@my.geotab.com", "my.geotab.com:port", "my..com", "-a.com", "[::1]", "ex\u0430mple.com"} {
		if _, sentence := fleet.CheckServer(said); sentence == "" {
			t.Errorf("%q is taken", said)
		}
	}
}

// An id is a word of one account: after a transfer it may be another vehicle's at the new owner.
func TestIdentifiersStayWithTheAccountOfWhoTypedThem(t *testing.T) {
	of := []fleet.Identifier{{Provider: "geotab", ID: "b1"}, {Provider: "samsara", ID: "2", Account: "account"}}
	moved := fleet.MovedIdentifiers(of, "A", "B")
	if moved[0].Account != "A" || moved[1].Account != "account" || of[0].Account != "" {
		t.Error(of, moved)
	}
	if back := fleet.MovedIdentifiers(moved, "B", "A"); back[0] != of[0] || back[1] != of[1] {
		t.Error(back)
	}
}
