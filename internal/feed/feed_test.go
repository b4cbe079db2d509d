package feed_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"lightbar/catalog"
	"lightbar/internal/feed"
	"lightbar/internal/fleet"
)

const now = fleet.Instant(1_772_000_000_000)

var source = feed.Source{ID: "01900000-0000-7000-8000-0000000000a1", Name: "Harbor County", UpdatedAt: now, License: "https://creativecommons.org/publicdomain/zero/1.0/"}

// closure is one that every feed takes, eastbound.
func closure() fleet.Closure {
	return fleet.Closure{ID: "01900000-0000-7000-8000-0000000000c1", OrganizationID: source.ID, Kind: "manual", Description: "Paving of the right lane",
		AlertMessage: "Right lane closed ahead", Direction: "E", RoadName: "I-95", StreetStart: "Exit 5", StreetEnd: "Exit 7", ExternalID: "DE-95-001",
		LocationMethod: "channel-device-method", VehicleImpact: "some-lanes-closed", TotalLanes: 3, ImpactedLanes: []int{2, 3}, GroupID: "I-95 spring",
		IsPublished: true, UserRoute: []fleet.LatLng{{Lat: 39.7391, Lng: -75.5498}, {Lat: 39.7392, Lng: -75.5398}},
		StartAt: now - 3_600_000, EndAt: now + 3_600_000, UpdatedAt: now - 60_000, Version: 1}
}

func formatOf(t testing.TB, path string) *feed.Format {
	t.Helper()
	f := feed.FormatAt(path)
	if f == nil {
		t.Fatalf("no format %s", path)
	}
	return f
}

func document(t testing.TB, path string, at fleet.Instant, closures ...fleet.Closure) []byte {
	t.Helper()
	f := formatOf(t, path)
	var features [][]byte
	for i := range closures {
		if phase := feed.PhaseOf(&closures[i], at); phase != feed.Absent {
			features = append(features, f.Feature(&closures[i], phase))
		}
	}
	return f.Document(source, features)
}

// generated are closures of every impact, direction, number of lanes and phase.
func generated() (out []fleet.Closure) {
	ends := map[string]fleet.LatLng{"N": {Lat: 39.75, Lng: -75.55}, "S": {Lat: 39.73, Lng: -75.55}, "E": {Lat: 39.74, Lng: -75.53}, "W": {Lat: 39.74, Lng: -75.57}}
	for _, impact := range catalog.AllEnums().VehicleImpacts {
		for _, method := range catalog.AllEnums().LocationMethods {
			for direction, end := range ends {
				for total := range 10 {
					for i, times := range [][2]fleet.Instant{{-1, 1}, {1, 2}, {-2, 0}} {
						c := closure()
						c.ID = fmt.Sprintf("01900000-0000-7000-8000-%012x", len(out))
						c.ExternalID, c.Direction, c.VehicleImpact, c.LocationMethod = fmt.Sprint("X", len(out)), direction, impact.Name, method.Name
						c.UserRoute = []fleet.LatLng{{Lat: 39.74, Lng: -75.55}, end}
						c.StartAt, c.EndAt = now+times[0]*3_600_000, now+times[1]*3_600_000
						c.TotalLanes, c.ImpactedLanes = total, nil
						for order := 1; order <= total && (order < total || impact.Name == "all-lanes-closed"); order++ {
							c.ImpactedLanes = append(c.ImpactedLanes, order)
						}
						if i == 2 {
							c.Description, c.AlertMessage, c.StreetStart, c.StreetEnd = strings.Repeat("Ä ", 50), "", "", ""
						}
						out = append(out, c)
					}
				}
			}
		}
	}
	return out
}

// spec: 1.feat.03
func TestDocumentsHoldTheirSchemas(t *testing.T) {
	closures := generated()
	for path, schema := range map[string]string{
		"wzdx-4.2.geojson": "https://raw.githubusercontent.com/usdot-jpo-ode/wzdx/main/schemas/4.2/WorkZoneFeed.json",
		"cwz-1.0.geojson":  "https://raw.githubusercontent.com/ite-org/cwz/main/schemas/1.0/WorkZoneFeed.json",
		"closures.geojson": "https://geojson.org/schema/FeatureCollection.json",
	} {
		holdsSchema(t, schema, document(t, path, now, closures...), 6000)
	}
}

// holdsSchema fails when a document breaks its published schema, or has fewer features than least.
func holdsSchema(t *testing.T, schema string, text []byte, least int) {
	t.Helper()
	data := os.Getenv("LIGHTBAR_TESTDATA")
	if _, err := os.Stat(filepath.Join(data, "wzdx", "schemas")); data == "" || err != nil {
		t.Skip("NO SCHEMAS: set LIGHTBAR_TESTDATA to the folder that has wzdx/schemas")
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	compiler.UseLoader(schemasIn(filepath.Join(data, "wzdx", "schemas")))
	law, err := compiler.Compile(schema)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := law.Validate(value); err != nil {
		t.Errorf("%s: %.2000s", schema, err)
	}
	features := value.(map[string]any)["features"].([]any)
	if t.Logf("%s: %d features", schema, len(features)); len(features) < least {
		t.Errorf("%s has only %d features", schema, len(features))
	}
	delete(features[0].(map[string]any), "geometry")
	if law.Validate(value) == nil {
		t.Errorf("%s: the schema takes a feature without geometry: is this test blind?", schema)
	}
}

// schemasIn loads a schema by its $id from the folder of published schemas.
type schemasIn string

func (dir schemasIn) Load(url string) (any, error) {
	for prefix, folder := range map[string]string{"https://raw.githubusercontent.com/usdot-jpo-ode/wzdx/main/schemas/": "",
		"https://raw.githubusercontent.com/ite-org/cwz/main/schemas/": "cwz-", "https://geojson.org/schema/": "geojson.org/"} {
		if rest, ok := strings.CutPrefix(url, prefix); ok {
			f, err := os.Open(filepath.Join(string(dir), folder+rest))
			if err != nil {
				return nil, err
			}
			defer f.Close()
			return jsonschema.UnmarshalJSON(f)
		}
	}
	return nil, fmt.Errorf("no schema %s", url)
}

// What a schema cannot say of CIFS is held here (specification of CIFS).
func TestIncidentsOfCIFS(t *testing.T) {
	closures := generated()
	var asJSON struct {
		Incidents []struct {
			Incident struct {
				ID, Type, Street, Polyline, Direction, StartTime, EndTime, Description string
				Lanes                                                                  *struct{ Lane []struct{ Order int } }
			}
		}
	}
	if err := json.Unmarshal(document(t, "cifs.json", now, closures...), &asJSON); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, one := range asJSON.Incidents {
		in := one.Incident
		if seen[in.ID] || in.Street == "" || in.Direction != "ONE_DIRECTION" || in.StartTime >= in.EndTime || !strings.HasSuffix(in.EndTime, "+00:00") ||
			utf8.RuneCountInString(in.Description) >= 40 || len(strings.Fields(in.Polyline)) != 4 || !strings.HasPrefix(in.Polyline, "39.74") {
			t.Fatalf("%+v", in)
		}
		seen[in.ID] = true
		if in.Lanes != nil {
			for i, lane := range in.Lanes.Lane {
				if lane.Order != i+1 {
					t.Fatalf("lanes of %+v", in)
				}
			}
		}
	}
	var asXML struct {
		Incidents []struct {
			ID string `xml:"id,attr"`
		} `xml:"incident"`
	}
	if err := xml.Unmarshal(document(t, "cifs.xml", now, closures...), &asXML); err != nil || len(asXML.Incidents) != len(seen) {
		t.Errorf("XML has %d of %d incidents: %v", len(asXML.Incidents), len(seen), err)
	}
}

// What is in a document, and for how long after its end.
func TestWhatIsPublished(t *testing.T) {
	with := func(change func(c *fleet.Closure)) fleet.Closure {
		c := closure()
		change(&c)
		return c
	}
	for name, c := range map[string]struct {
		closure fleet.Closure
		want    feed.Phase
	}{
		"active":            {closure(), feed.Active},
		"scheduled":         {with(func(c *fleet.Closure) { c.StartAt, c.EndAt = now+1, now+2 }), feed.Scheduled},
		"just ended":        {with(func(c *fleet.Closure) { c.EndAt = now }), feed.Ended},
		"ended an hour ago": {with(func(c *fleet.Closure) { c.StartAt, c.EndAt = now-7_200_000, now-3_600_000 }), feed.Absent},
		"ended by hand":     {with(func(c *fleet.Closure) { c.StartAt, c.EndAt, c.LastStartAt, c.EndedAt = 0, 0, now-9, now-5 }), feed.Ended},
		"inactive":          {with(func(c *fleet.Closure) { c.StartAt, c.EndAt = 0, 0 }), feed.Absent},
		"not published":     {with(func(c *fleet.Closure) { c.IsPublished = false }), feed.Absent},
		"out of service":    {with(func(c *fleet.Closure) { c.OutOfService = true }), feed.Absent},
		"deleted":           {with(func(c *fleet.Closure) { c.DeletedAt = now }), feed.Absent},
		"with a problem":    {with(func(c *fleet.Closure) { c.RoadName = "" }), feed.Absent},
	} {
		if got := feed.PhaseOf(&c.closure, now); got != c.want {
			t.Errorf("%s: phase %d", name, got)
		}
	}
	byHand := with(func(c *fleet.Closure) { c.StartAt, c.EndAt, c.LastStartAt, c.EndedAt = 0, 0, now-9_000, now-5_000 })
	if text := string(document(t, "wzdx-4.2.geojson", now, byHand)); !strings.Contains(text, `"is_end_date_verified":true`) ||
		!strings.Contains(text, `"end_date":"`+(now-5_000).Time().Format("2006-01-02T15:04:05Z")) {
		t.Errorf("ended by hand: %s", text)
	}
}

// The clock alone changes a phase at the instants that NextPhase names, and at no other.
func TestPhasesChangeAtTheirInstants(t *testing.T) {
	for _, c := range []fleet.Closure{closure(), {}} {
		if c.StartAt != 0 {
			c.StartAt, c.EndAt = now+1000, now+5000
		}
		at, phases := now, []feed.Phase{}
		for at != 0 {
			phases = append(phases, feed.PhaseOf(&c, at))
			next := feed.NextPhase(&c, at)
			for _, between := range []fleet.Instant{at + 1, (at + next) / 2, next - 1} {
				if next != 0 && feed.PhaseOf(&c, between) != phases[len(phases)-1] {
					t.Errorf("at %d it is %d", between-now, feed.PhaseOf(&c, between))
				}
			}
			at = next
		}
		if c.StartAt != 0 && !slices.Equal(phases, []feed.Phase{feed.Scheduled, feed.Active, feed.Ended, feed.Absent}) {
			t.Errorf("phases %v", phases)
		}
	}
}

// Each rule finds its fault, and only that.
func TestProblems(t *testing.T) {
	good := closure()
	if problems := feed.Problems(&good); len(problems) > 0 {
		t.Fatalf("a good closure: %v", problems)
	}
	for rule, change := range map[string]func(c *fleet.Closure){
		"road_name_missing": func(c *fleet.Closure) { c.RoadName = "" }, "id_missing": func(c *fleet.Closure) { c.ExternalID = "" },
		"direction_missing":       func(c *fleet.Closure) { c.Direction = "" },
		"location_method_missing": func(c *fleet.Closure) { c.LocationMethod = "" },
		"vehicle_impact_missing":  func(c *fleet.Closure) { c.VehicleImpact = "" },
		"route_missing":           func(c *fleet.Closure) { c.UserRoute = nil },
		"route_too_long":          func(c *fleet.Closure) { c.UserRoute[0].Lng -= 1 },
		"route_too_short":         func(c *fleet.Closure) { c.UserRoute = append(c.UserRoute, c.UserRoute[0]) },
		"direction_of_line":       func(c *fleet.Closure) { c.Direction = "W" },
		"lanes_contradict_impact": func(c *fleet.Closure) { c.ImpactedLanes = []int{1, 2, 3} },
		"lanes_missing":           func(c *fleet.Closure) { c.ImpactedLanes = nil },
	} {
		c := closure()
		change(&c)
		problems := feed.Problems(&c)
		if len(problems) != 1 || problems[0].Rule != rule || problems[0].Field == "" || problems[0].Message == "" {
			t.Errorf("%s: %+v", rule, problems)
		}
	}
}

// Drivers read the alert first, and short texts are cut at a word.
func TestWordsOfAClosure(t *testing.T) {
	c := closure()
	c.AlertMessage = "Right lane closed ahead, expect long delays"
	if text := string(document(t, "cifs.json", now, c)); !strings.Contains(text, `"description":"Right lane closed ahead, expect long…"`) {
		t.Error(text)
	}
	if text := string(document(t, "wzdx-4.2.geojson", now, c)); !strings.Contains(text, "long delays. Paving of the right lane") {
		t.Error(text)
	}
}

func BenchmarkDocument(b *testing.B) {
	closures := generated()[:0]
	for len(closures) < 10_000 {
		closures = append(closures, generated()...)
	}
	closures = closures[:10_000]
	b.Run("build", func(b *testing.B) {
		for b.Loop() {
			document(b, "wzdx-4.2.geojson", now, closures...)
		}
	})
	var values any
	if err := json.Unmarshal(document(b, "wzdx-4.2.geojson", now, closures...), &values); err != nil {
		b.Fatal(err)
	}
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			if _, err := json.Marshal(values); err != nil {
				b.Fatal(err)
			}
		}
	})
}
