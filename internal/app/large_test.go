package app_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// Every door says whether an organization is to be polled: by the number of
// assets that it sees, from the moment when these are 5001, or as set by hand.
func TestLargeOrganization(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	user, super := k.User(o.ID, "viewer"), k.User(o.ID, "super")
	super.Super = true
	check := func(what string, want bool) {
		t.Helper()
		profile, err := k.Profile(t.Context(), user)
		must(t, err)
		list, meta, err := k.ListThings(t.Context(), user, app.ThingQuery{PerPage: 1})
		must(t, err)
		snapshot, err := k.ThingsSnapshot(t.Context(), user, nil, 0)
		must(t, err)
		if profile.Organization.IsLargeOrg != want || meta.IsLarge != want || snapshot.IsLarge != want || len(list) != 1 {
			t.Errorf("%s: profile %v, list %v, snapshot %v, want %v", what, profile.Organization.IsLargeOrg, meta.IsLarge, snapshot.IsLarge, want)
		}
	}
	set := func(large bool) {
		t.Helper()
		row, err := k.UpdateOrganization(t.Context(), super, o.ID, wire.OrganizationWrite{IsLargeOrg: &large})
		must(t, err)
		if row.IsLargeOrg != large {
			t.Errorf("set to %v: %v", large, row.IsLargeOrg)
		}
	}
	things := k.Things(o.ID, "U", 5000)
	check("5000 assets", false)
	set(false) // as the form sends it with every edit
	k.Things(o.ID, "V", 1)
	check("5001 assets", true)
	set(false)
	check("streamed by hand", false)
	set(true)
	must(t, k.DeleteThing(t.Context(), super, things[0].ID))
	check("left to the number of assets again", false)
	set(true)
	check("polled by hand", true)
}

// A row in columns says what the list says of an asset, whatever it does.
//
// spec: 7.thing.01
func TestSnapshotSaysWhatTheListSays(t *testing.T) {
	k := apptest.NewWith(t, storetest.SQLite(t), live.Options{Street: func(_, _, _ float64) string { return "Main Street" }})
	o, other := k.Organization("A"), k.Organization("B")
	things := k.Things(o.ID, "U", 6)
	user := k.User(o.ID, "administrator")
	at := k.At()
	report := func(r fleet.Report) {
		t.Helper()
		answer, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: []fleet.Report{r}})
		if must(t, err); len(answer.Refused) > 0 {
			t.Fatalf("%+v", answer)
		}
	}
	point := fleet.Report{Kind: fleet.ReportPoint, At: at - 9000, Lat: 39.1234567, Lng: -75.7654321, HasLat: true, HasLng: true}
	moving, alerting, arrived, silent := point, point, point, fleet.Report{Kind: fleet.ReportHeartbeat, Asset: "U-3", At: at}
	moving.Asset, moving.HasCourse, moving.CourseDeg, moving.HasSpeed, moving.SpeedMS, moving.HasAccuracy, moving.AccuracyM = "U-0", true, 271, true, 12.25, true, 7.5
	alerting.Asset, alerting.HasAlerting, alerting.Alerting = "U-1", true, true
	arrived.Asset, arrived.HasAlerting, arrived.Alerting = "U-2", true, true
	for _, r := range []fleet.Report{moving, alerting, arrived, silent, {Kind: fleet.ReportOnScene, Asset: "U-2", At: at - 8000}} {
		report(r)
	}
	no := false
	_, err := k.UpdateThing(t.Context(), user, things[4].ID, wire.ThingWrite{InService: &no, IsPubliclyAlerting: &no, VINNumber: ptr("1M8GDM9AXKP042788"), Nickname: ptr("Nick"),
		ExternalIdentifiers: []wire.ExternalIdentifierWrite{{IdentifierID: "281474976710655", SystemName: "geotab"}}})
	must(t, err)
	_, err = k.SetThingAssociations(t.Context(), access.System(), things[5].ID, []wire.RelationshipWrite{{OrganizationUUID: wire.ID(other.ID), RelationshipType: "manager"}})
	must(t, err)
	list, _, err := k.ListThings(t.Context(), user, app.ThingQuery{})
	must(t, err)
	s, err := k.ThingsSnapshot(t.Context(), user, nil, 0)
	must(t, err)
	enroute, atIncident := 0, 0
	for i, want := range list {
		if got := rowOfSnapshot(s, i); !reflect.DeepEqual(got, want) {
			a, _ := json.Marshal(got)
			b, _ := json.Marshal(want)
			t.Errorf("in columns\n%s\nin the list\n%s", a, b)
		}
		if want.Enroute {
			enroute++
		}
		if want.Location != nil {
			atIncident++
		}
	}
	if len(list) != 6 || enroute != 1 || atIncident != 1 {
		t.Errorf("%d assets, %d on their way, %d at an incident", len(list), enroute, atIncident)
	}
}

// rowOfSnapshot reads a row of a full answer as a page does.
func rowOfSnapshot(s *wire.Snapshot, i int) wire.Thing {
	word := func(dictionary []string, at int32) string {
		if at < 0 {
			return ""
		}
		return dictionary[at]
	}
	flag := func(bit uint16) bool { return s.Flags[i]&bit != 0 }
	out := wire.Thing{Live: wire.Live{ID: s.ID[i], Speed: float64(s.Speed[i]), Street: word(s.Streets, s.Street[i]), Status: fleet.Status(s.Status[i]).Wire(), StatusAt: fleet.Instant(s.StatusAt[i]),
		IsActive: flag(2), Enroute: flag(128), HeartbeatAt: fleet.Instant(s.HeartbeatAt[i]), At: fleet.Instant(s.At[i]), ReceivedAt: fleet.Instant(s.ReceivedAt[i]),
		StaleAt: fleet.Instant(s.StaleAt[i]), RunID: s.RunID[i], RunStartAt: fleet.Instant(s.RunStartAt[i]), RunPoints: s.RunPoints[i], StationID: s.StationID[i], Closures: []wire.ClosureRef{}},
		ExternalID: s.ExternalID[i], HaasID: s.HaasID[i], Nickname: s.Nickname[i], VINNumber: s.VINNumber[i], LicensePlateNumber: s.Plate[i], RegistryNumber: s.Registry[i],
		ThingTypeID: word(s.Types, s.Type[i]), ThingSubtypeID: word(s.Subtypes, s.Subtype[i]), DeviceType: word(s.DeviceTypes, s.DeviceType[i]),
		InService: flag(1), IsPubliclyAlerting: flag(32), IsAllowedForClosures: flag(256), IsAllowedForTestMode: flag(512), TestMode: flag(1024), IsResponder: flag(64),
		Features: wire.Features{R2R: flag(16)}, Organization: s.Orgs[s.Organization[i]], OrganizationRelations: []wire.Relationship{}, ExternalIdentifiers: []wire.ExternalIdentifier{},
		FeedSubscriptions: []string{}, Version: s.Version[i]}
	if flag(4) {
		lat, lng := fleet.FromFixed(s.Lat[i]), fleet.FromFixed(s.Lng[i])
		out.Lat, out.Lng = &lat, &lng
	}
	if flag(8) {
		course := float64(s.Course[i])
		out.Course = &course
	}
	if s.Accuracy[i] >= 0 {
		accuracy := float64(s.Accuracy[i])
		out.Accuracy = &accuracy
	}
	if s.LocationID[i] != "" {
		out.Location = &wire.LocationRef{ID: s.LocationID[i], StartTime: fleet.Instant(s.LocationAt[i])}
	}
	if at := s.Relations[i]; at >= 0 {
		out.OrganizationRelations = s.RelationSet[at]
	}
	if at := s.Integrations[i]; at >= 0 {
		out.ExternalIdentifiers, out.IsIntegrationOrg = s.IntegrationSet[at], true
	}
	return out
}
