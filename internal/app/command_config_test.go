package app_test

import (
	"testing"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/wire"
)

// configure gives the tester's device a configuration that differs by its interval.
func (x *tester) configure(interval int64) wire.DeviceConfig {
	x.t.Helper()
	x.Prove(x.user)
	c, err := x.SetDeviceConfig(x.t.Context(), x.user, x.thing.ID, app.DeviceConfigEdit{DeviceConfig: fleet.DeviceConfig{Model: "HA7-N", Platform: "esp32",
		FileName: "ha7-2.4.bin", HeartbeatIntervalS: interval, WarningLightPin: 4, IndicatorPin: 5, LocationType: "gps"}})
	must(x.t, err)
	return c
}

// says reports a version of the configuration; the answer counts what was left out of it.
func (x *tester) says(version int64) app.ReportResult {
	x.t.Helper()
	x.Pass(time.Second)
	result, err := x.RecordPoints(x.t.Context(), x.key, app.ReportBatch{Reports: []fleet.Report{
		{Kind: fleet.ReportHeartbeat, Asset: x.thing.HaasID, At: x.At(), HasConfig: true, Config: version}}})
	must(x.t, err)
	return result
}

func (x *tester) shown() wire.Thing {
	_, _, shown, _ := x.Live.Thing(x.thing.ID)
	return shown
}

// A new configuration is told to its device, which says what it made of it; the asset shows both versions.
func TestAConfigurationReachesItsDevice(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		x := newTester(t, s)
		if l := x.shown(); l.ConfigVersion != 0 || l.AppliedConfigVersion != nil {
			t.Errorf("never configured: %+v", l.Live)
		}
		x.configure(60)
		if l := x.shown(); l.ConfigVersion != 1 || l.AppliedConfigVersion != nil || l.ConfigSentAt != 0 || l.ConfigOutdatedSince != 0 {
			t.Errorf("configured, and it never said what it has: %+v", l.Live)
		}
		found := x.fetch("delivered")
		config := found[0].Config
		if len(found) != 1 || found[0].Type != "config" || config == nil || *found[0].Value != "1" || config.Version != 1 || config.HeartbeatInterval != 60 || found[0].IssuedBy.ID != x.user.UserID {
			t.Fatalf("%+v", found)
		}
		if l := x.shown(); l.AppliedConfigVersion == nil || *l.AppliedConfigVersion != 1 || l.ConfigSentAt == 0 || l.ConfigOutdatedSince != 0 {
			t.Errorf("delivered: %+v", l.Live)
		}
		if word, err := x.AcknowledgeCommand(t.Context(), x.key, found[0].ID, fleet.CommandWord{Status: "delivered", At: x.At()}); err != nil || word.Status != "duplicate" {
			t.Errorf("said twice: %+v %v", word, err)
		}

		// Two changes: the device is told of the newest alone, and lags since the first.
		x.Pass(time.Minute)
		since := x.At()
		x.configure(30)
		x.Pass(time.Minute)
		x.configure(15)
		if l := x.shown(); l.ConfigVersion != 3 || *l.AppliedConfigVersion != 1 || l.ConfigOutdatedSince != since || l.ConfigSentAt != 0 {
			t.Errorf("changed twice: %+v", l.Live)
		}
		if found = x.fetch(""); len(found) != 1 || found[0].Config.Version != 3 {
			t.Errorf("%+v", found)
		}
		if x.says(3); x.shown().ConfigOutdatedSince != 0 || *x.shown().AppliedConfigVersion != 3 {
			t.Errorf("by a report: %+v", x.shown().Live)
		}
	})
}

// A device that was away is told when it is heard again, at a pace, until it has the version; what it had not taken before
// a restart of the server it is told of after it.
func TestAConfigurationWaitsForItsDevice(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		x := newTester(t, s)
		x.configure(60)
		x.Pass(time.Hour)
		must(t, x.RunCommands(t.Context()))
		if rows := x.rows(); len(rows) != 1 || rows[0].Status != "expired" {
			t.Fatalf("while it is away: %+v", rows)
		}
		must(t, x.StopIngest(t.Context()))
		x.Open(s, live.Options{})
		if l := x.shown(); l.ConfigVersion != 1 {
			t.Errorf("after a restart: %+v", l.Live)
		}
		told := func() int {
			t.Helper()
			x.Pass(time.Second)
			result, err := x.RecordPoints(t.Context(), x.key, app.ReportBatch{Reports: []fleet.Report{{Kind: fleet.ReportHeartbeat, Asset: x.thing.HaasID, At: x.At()}}})
			must(t, err)
			return len(result.Commands)
		}
		if told() != 1 || told() != 1 || len(x.rows()) != 2 {
			t.Errorf("heard again: %+v", x.rows())
		}
		if row := x.rows()[0]; row.Type != "config" || row.IssuedBy != (fleet.Verifier{Kind: "system"}) {
			t.Errorf("%+v", row)
		}
		// Killed between the command and its word: the next server tells it again, in its time.
		x.Open(s, live.Options{})
		x.Pass(2 * time.Minute)
		must(t, x.RunCommands(t.Context()))
		if told() != 1 || len(x.rows()) != 3 {
			t.Errorf("after a kill: %+v", x.rows())
		}
		x.Pass(time.Minute) // the second wait is two minutes
		must(t, x.RunCommands(t.Context()))
		if told() != 0 {
			t.Error("told before its time")
		}
		x.Pass(time.Minute)
		if told() != 1 {
			t.Error("not told in its time")
		}
		x.fetch("failed")
		if l := x.shown(); l.AppliedConfigVersion != nil {
			t.Errorf("refused by the device: %+v", l.Live)
		}
		x.Pass(4 * time.Minute)
		x.fetch("delivered")
		x.Pass(48 * time.Hour)
		if told() != 0 {
			t.Error("told of what it has")
		}
	})
}

// What a device claims that can't be changes nothing and is said; the report counts.
func TestHostileClaimsOfConfigurations(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		x := newTester(t, s)
		if r := x.says(1); r.Accepted != 1 || r.Ignored["config_version"] != 1 {
			t.Errorf("without a configuration: %+v", r)
		}
		x.configure(60)
		id := x.fetch("")[0].ID
		for _, version := range []int64{99, 2, -1} {
			if r := x.says(version); r.Accepted != 1 || r.Ignored["config_version"] != 1 || x.shown().AppliedConfigVersion != nil {
				t.Errorf("%d: %+v", version, r)
			}
			_, err := x.AcknowledgeCommand(t.Context(), x.key, id, fleet.CommandWord{Status: "delivered", At: x.At(), HasConfig: true, Config: version})
			if r, is := err.(*fleet.Refusal); !is || r.Fields["config_version"] == "" {
				t.Errorf("a word with %d: %v", version, err)
			}
		}
		if rows := x.rows(); rows[0].Status != "sent" {
			t.Errorf("a refused word ends nothing: %+v", rows)
		}
		// Another asset's key, and another organization's, know nothing of the command.
		other := x.Organization("Ladders")
		for _, key := range []string{x.Things(x.org.ID, "X", 1)[0].ID, ""} {
			actor := x.Device(other.ID)
			if key != "" {
				var err error
				actor, err = x.AuthenticateKey(t.Context(), x.Key(x.org.ID, key), "")
				must(t, err)
			}
			if _, err := x.AcknowledgeCommand(t.Context(), actor, id, fleet.CommandWord{Status: "delivered", At: x.At()}); err == nil {
				t.Error("another's word was taken")
			}
		}
		if x.shown().AppliedConfigVersion != nil {
			t.Errorf("%+v", x.shown().Live)
		}
		if r := x.says(0); len(r.Ignored) != 0 || *x.shown().AppliedConfigVersion != 0 || x.shown().ConfigOutdatedSince == 0 {
			t.Errorf("it has none: %+v %+v", r, x.shown().Live)
		}
	})
}

// A late word says what the device has all the same.
func TestALateWordOnAConfiguration(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		x := newTester(t, s)
		x.configure(60)
		id := x.fetch("")[0].ID
		x.Pass(2 * time.Minute)
		must(t, x.RunCommands(t.Context()))
		word, err := x.AcknowledgeCommand(t.Context(), x.key, id, fleet.CommandWord{Status: "delivered", At: x.At()})
		if err != nil || word.Status != "late" || x.shown().AppliedConfigVersion == nil || *x.shown().AppliedConfigVersion != 1 {
			t.Errorf("%+v %v %+v", word, err, x.shown().Live)
		}
	})
}
