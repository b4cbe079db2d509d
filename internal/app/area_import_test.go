package app_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/file"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// imported imports a file as an administrator does.
func importedAreas(t *testing.T, k *apptest.Kit, actor *access.Actor, in wire.AreasImport) wire.AreaImportResult {
	t.Helper()
	out, err := k.ImportAreas(t.Context(), actor, in)
	must(t, err)
	if out.Made+out.Changed+out.Unchanged+out.Refused != out.Total {
		t.Errorf("%+v is not the sum", out)
	}
	return out
}

func counts(r wire.AreaImportResult) string {
	return fmt.Sprintf("%d: %d made, %d changed, %d unchanged, %d refused", r.Total, r.Made, r.Changed, r.Unchanged, r.Refused)
}

func feature(geometry, properties string) string {
	return `{"type":"Feature","geometry":` + geometry + `,"properties":` + properties + "}"
}

func collection(features ...string) string {
	return `{"type":"FeatureCollection","features":[` + strings.Join(features, ",") + "]}"
}

// What is exported imports again the same, in both formats; what was deleted comes back under its id.
func TestAnExportOfAreasImportsAgain(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a := k.Organization("A")
		admin := k.User(a.ID, "administrator")
		thing := k.Things(a.ID, "U", 1)[0].ID
		station := newArea(a.ID, "Station <9> & \"co\"")
		station.EZTypeID, station.ThingID, station.Desc = ref(wire.ID(stationType)), ref(wire.ID(thing)), ref("Gate 2")
		station.Address1, station.City, station.State, station.PostalCode, station.CountryCode = ref("22 W 2nd St"), ref("Wilmington"), ref("DE"), ref("19801"), ref("US")
		line := newArea(a.ID, "Detour")
		line.AreaGeom, line.IsActive = wire.Geometry(`{ "coordinates": [[-75.50,39.70],[-7.551e1,39.7,8]], "type": "LineString" }`), ref(false)
		yard := newArea(a.ID, "Yard") // the first ring goes the way that no export goes
		yard.AreaGeom = wire.Geometry(`{"type":"MultiPolygon","coordinates":[[[[-75.502,39.698],[-75.498,39.702],[-75.498,39.698],[-75.502,39.698]]],[[[-75.602,39.698],[-75.598,39.698],[-75.598,39.702],[-75.602,39.698]]]]}`)
		var rows []wire.Area
		for _, in := range []wire.AreaWrite{station, line, yard} {
			rows = append(rows, madeArea(t, k, in))
		}
		for format, write := range map[string]func(*bytes.Buffer, []fleet.Area) error{
			"geojson": func(b *bytes.Buffer, list []fleet.Area) error { return file.WriteAreasGeoJSON(b, list) },
			"kml":     func(b *bytes.Buffer, list []fleet.Area) error { return file.WriteAreasKML(b, list) },
		} {
			list, err := k.ExportAreas(t.Context(), admin, nil)
			must(t, err)
			var file bytes.Buffer
			must(t, write(&file, list))
			in := wire.AreasImport{Format: format, Content: file.String()}
			if got := counts(importedAreas(t, k, admin, in)); got != "3: 0 made, 0 changed, 3 unchanged, 0 refused" {
				t.Fatalf("%s: %s\n%s", format, got, &file)
			}
			k.Pass(time.Second)
			must(t, k.Areas.Remove(t.Context(), admin, rows[0].ID))
			must(t, second(k.Areas.Edit(t.Context(), admin, rows[1].ID, 0, wire.AreaWrite{Name: ref("Other " + format)})))
			preview := in
			preview.Preview = true
			shown := importedAreas(t, k, admin, preview)
			if counts(shown) != "3: 1 made, 1 changed, 1 unchanged, 0 refused" || len(shown.Rows) != 3 {
				t.Errorf("%s, preview: %+v", format, shown)
			}
			if now, _, err := k.Areas.List(t.Context(), admin, app.Rows{}); err != nil || len(now) != 2 {
				t.Errorf("a preview changed something: %v %v", now, err)
			}
			if got := counts(importedAreas(t, k, admin, in)); got != counts(shown) {
				t.Errorf("%s: %s, and the preview said %s", format, got, counts(shown))
			}
			for _, was := range rows {
				is, err := k.Areas.Read(t.Context(), admin, was.ID)
				must(t, err)
				if contentOf(t, is) != contentOf(t, was) {
					t.Errorf("%s: %s\nwas %s", format, contentOf(t, is), contentOf(t, was))
				}
			}
		}
		changed := newestRow(t, s, "update")
		undone, err := k.Areas.Undo(t.Context(), admin, rows[1].ID, changed.VersionMade())
		if err != nil || !strings.HasPrefix(undone.Name, "Other") {
			t.Errorf("what an import changed is undone: %+v %v", undone, err)
		}
	})
}

// Every good feature is taken; each bad one is refused by name.
func TestBadFeaturesAreRefusedByName(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a, b := k.Organization("A"), k.Organization("B")
		admin := k.User(a.ID, "administrator")
		foreign, own := madeArea(t, k, newArea(b.ID, "Foreign")), madeArea(t, k, newArea(a.ID, "Own"))
		foreignThing := k.Things(b.ID, "F", 1)[0].ID
		polygon := func(ring string) string { return `{"type":"Polygon","coordinates":[` + ring + "]}" }
		var many []string
		for i := range 10_000 {
			many = append(many, fmt.Sprintf("[%v,%v]", float64(i)/1e8, float64(i%7)/1e8))
		}
		point := `{"type":"Point","coordinates":[-75.5,39.7]}`
		twice := k.NewID()
		cases := []struct{ geometry, properties, field, says string }{
			{polygon("[[0,0],[0.002,0.002],[0.002,0],[0,0.002],[0,0]]"), `{}`, "area_geom", "crosses or touches itself"},
			{polygon("[[0,0],[0.002,0.002]]"), `{}`, "area_geom", "at least 3 points"},
			{polygon("[" + strings.Join(many, ",") + "," + many[0] + "]"), `{}`, "area_geom", "more than 2000 points"},
			{polygon("[[179.999,0],[-179.999,0],[-179.999,0.002],[179.999,0]]"), `{}`, "area_geom", "180th meridian"},
			{polygon("[[0,0],[1,0],[1,1],[0,0]]"), `{}`, "area_geom", "too large"},
			{polygon("[[0,0],[0.002,0],[0.002,0.002]]"), `{}`, "area_geom", "end where it begins"},
			{polygon(`["a"]`), `{}`, "area_geom", "invalid"},
			{`{"type":"GeometryCollection","geometries":[]}`, `{}`, "", "must be a Polygon"},
			{"null", `{}`, "", "no shape"},
			{point, `{"name":""}`, "name", "Required"},
			{point, `{"ez_type":"castle"}`, "ez_type_id", "Unknown"},
			{point, `{"ez_type":"av_no_stop"}`, "ez_type_id", "platform administrator"},
			{point, `{"radius_dist":100000}`, "radius_dist", "1 to 641"},
			{point, `{"radius_dist":"wide"}`, "radius_dist", "number"},
			{point, `{"is_active":"perhaps"}`, "is_active", "true or false"},
			{point, `{"thing_id":"` + foreignThing + `"}`, "thing_id", "Asset not found"},
			{point, `{"id":"` + foreign.ID + `"}`, "id", "can't be used"},
		}
		features := []string{feature(point, `{"id":"`+twice+`","name":"First","ez_type":"Station^"}`)}
		for _, c := range cases {
			properties := c.properties
			if !strings.Contains(properties, `"name"`) {
				properties = strings.Replace(properties, "{", `{"name":"Bad",`, 1)
				properties = strings.Replace(properties, ",}", "}", 1)
			}
			features = append(features, feature(c.geometry, properties))
		}
		features = append(features, feature(point, `{"id":"`+twice+`","name":"Twice"}`), feature(point, `{"id":"`+own.ID+`","name":"Renamed"}`),
			feature(`{"type":"LineString","coordinates":[[0,0],[0.001,0.001]]}`, `{"id":"way/1","name":"Last","type":"way"}`), feature(point, `{"name":"Typed","type":"Yard ^"}`))
		in := wire.AreasImport{Format: "geojson", Content: collection(features...), EZTypeID: wire.ID(poiType)}
		got := importedAreas(t, k, admin, in)
		if counts(got) != fmt.Sprintf("%d: 3 made, 1 changed, 0 unchanged, %d refused", len(features), len(cases)+1) {
			t.Errorf("%s", counts(got))
		}
		for i, c := range cases {
			at := slices.IndexFunc(got.Problems, func(p wire.AreaProblem) bool { return p.Feature == i+2 && p.Field == c.field })
			if at < 0 || !strings.Contains(got.Problems[at].Message, c.says) {
				t.Errorf("%.60s %s: %+v", c.geometry, c.properties, got.Problems)
			}
		}
		rows, _, err := k.Areas.List(t.Context(), admin, app.Rows{})
		must(t, err)
		var names []string
		for _, row := range rows {
			names = append(names, row.Name+" "+row.EZType.DBName)
		}
		slices.Sort(names)
		if fmt.Sprint(names) != "[First station Last poi Renamed poi Typed yard]" {
			t.Errorf("there are %v", names)
		}
	})
}

// Who may not add or edit areas there may not import, and what is no file is refused whole.
// A file is no way around who may change areas for automated vehicles: it names one, and makes it another kind.
//
// spec: 6.area.04
func TestAFileLeavesAreasForAutomatedVehiclesAlone(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a := k.Organization("A")
	admin, platform := k.User(a.ID, "administrator"), k.User(a.ID, "super")
	kept := newArea(a.ID, "Kept clear")
	kept.EZTypeID = ref(wire.ID("01900000-0000-7000-8000-500000000007"))
	kept.AreaGeom = wire.Geometry(`{"type":"Polygon","coordinates":[[[-75.5,39.7],[-75.499,39.7],[-75.499,39.701],[-75.5,39.7]]]}`)
	row, _, err := k.Areas.Create(t.Context(), platform, kept)
	must(t, err)
	in := wire.AreasImport{Content: collection(feature(string(kept.AreaGeom), `{"id":"`+row.ID+`","name":"Open","ez_type":"poi"}`))}
	for _, step := range []func() error{
		func() error { return nil },
		func() error { return k.Areas.Remove(t.Context(), platform, row.ID) }, // nor does one come back as another kind
	} {
		must(t, step())
		got := importedAreas(t, k, admin, in)
		if counts(got) != "1: 0 made, 0 changed, 0 unchanged, 1 refused" || got.Problems[0].Field != "id" || !strings.Contains(got.Problems[0].Message, "platform administrator") {
			t.Errorf("%+v", got)
		}
	}
	must(t, second(k.Areas.Undo(t.Context(), platform, row.ID, 2)))
	list, err := k.ExportAreas(t.Context(), admin, nil)
	must(t, err)
	var written bytes.Buffer
	must(t, file.WriteAreasGeoJSON(&written, list))
	same := wire.AreasImport{Content: written.String()}
	if got := importedAreas(t, k, admin, same); counts(got) != "1: 0 made, 0 changed, 1 unchanged, 0 refused" {
		t.Errorf("a file that leaves it as it is: %+v", got)
	}
	must(t, k.Areas.Remove(t.Context(), platform, row.ID))
	if got := counts(importedAreas(t, k, platform, in)); got != "1: 1 made, 0 changed, 0 unchanged, 0 refused" {
		t.Error(got)
	}
}

func TestImportsOfAreasAreRefused(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a, b := k.Organization("A"), k.Organization("B")
	admin := k.User(a.ID, "administrator")
	adder := *admin
	adder.Permissions = map[string]bool{"exclusion:create": true}
	file := collection(feature(`{"type":"Point","coordinates":[1,2]}`, `{"name":"A","ez_type":"poi"}`))
	for _, c := range []struct {
		actor *access.Actor
		in    wire.AreasImport
		code  string
	}{
		{k.User(a.ID, "viewer"), wire.AreasImport{Format: "geojson", Content: file}, "forbidden"},
		{&adder, wire.AreasImport{Format: "geojson", Content: file}, "forbidden"},
		{admin, wire.AreasImport{Format: "geojson", Content: file, OrganizationID: wire.ID(b.ID)}, "organization_not_found"},
		{admin, wire.AreasImport{Format: "geojson", Content: "{"}, "validation_failed"},
		{admin, wire.AreasImport{Format: "kml", Content: file}, "validation_failed"},
		{admin, wire.AreasImport{Format: "geojson", Content: file, EZTypeID: wire.ID(a.ID)}, "validation_failed"},
		{admin, wire.AreasImport{Format: "geojson", Content: strings.Repeat(" ", 20<<20+1)}, "too_large"},
	} {
		refused(t, second(k.ImportAreas(t.Context(), c.actor, c.in)), c.code)
	}
	if rows, err := k.ExportAreas(t.Context(), admin, nil); err != nil || len(rows) != 0 {
		t.Errorf("%v %v", rows, err)
	}
	refused(t, second(k.ExportAreas(t.Context(), admin, []string{b.ID})), "not_found")
}

// An import of thousands of areas gives the writer back: a report that comes meanwhile is taken between its pieces.
func TestReportsAreTakenDuringAnImportOfAreas(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a := k.Organization("A")
	admin := k.User(a.ID, "administrator")
	k.Things(a.ID, "U", 1)
	var features []string
	for i := range 1000 {
		features = append(features, feature(fmt.Sprintf(`{"type":"Point","coordinates":[%v,39.7]}`, -75.5+float64(i)/1e4), fmt.Sprintf(`{"name":"Area %d","ez_type":"station"}`, i)))
	}
	done := make(chan wire.AreaImportResult)
	go func() {
		out, _ := k.ImportAreas(t.Context(), admin, wire.AreasImport{Format: "geojson", Content: collection(features...)})
		done <- out
	}()
	taken := 0
	for {
		select {
		case out := <-done:
			if out.Made != 1000 || taken == 0 {
				t.Errorf("%s, %d reports taken meanwhile", counts(out), taken)
			}
			rows, _, err := k.Areas.List(t.Context(), admin, app.Rows{PerPage: 500})
			if err != nil || len(rows) != 500 {
				t.Error(len(rows), err)
			}
			return
		default:
			k.Pass(time.Second)
			report(t, k, a.ID, lit("U-0", k.At(), 39.7))
			taken++
		}
	}
}

// A truth value may be a word of a form, and where a marker stands its shape says, too.
func TestWordsOfFormsInAreas(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	admin := k.User(k.Organization("A").ID, "administrator")
	const line = `{"type":"LineString","coordinates":[[-75.5,39.7],[-75.499,39.7]]}`
	in := wire.AreasImport{Format: "geojson", EZTypeID: wire.ID(poiType), Content: collection(
		feature(line, `{"name":"Off","is_active":"No","lat":"39°42'N","lng":"75°30'W"}`), feature(line, `{"name":"On","IS_ACTIVE":"YES","lat":39.7}`))}
	if got := importedAreas(t, k, admin, in); got.Made != 2 {
		t.Fatalf("%+v", got)
	}
	rows, _, err := k.Areas.List(t.Context(), admin, app.Rows{})
	must(t, err)
	for _, row := range rows {
		if row.IsActive != (row.Name == "On") {
			t.Errorf("%s is active: %v", row.Name, row.IsActive)
		}
	}
}

// What a file says beside name, type and shape costs no area: it is shortened, or left out, and counted.
func TestOptionalPropertiesCostOnlyThemselves(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a := k.Organization("A")
	admin := k.User(a.ID, "administrator")
	const point = `{"type":"Point","coordinates":[-75.5,39.7]}`
	content := collection(
		feature(point, `{"name":"Long","desc":"<html><body><td>Gate</td>`+strings.Repeat("<td>bay</td>", 80)+`</html>"}`),
		feature(point, `{"name":"Two lines","desc":"North\ngate","city":"X","country_code":"USA"}`),
		feature(point, `{"name":"`+strings.Repeat("n", 101)+`"}`),
		feature(point, `{"LABEL":"Yard 4","desc":"fine"}`),
		feature(`{"type":"GeometryCollection","geometries":[`+point+`]}`, `{"name":"Inside"}`))
	in := wire.AreasImport{Format: "geojson", Content: content, EZTypeID: wire.ID(poiType)}
	got := importedAreas(t, k, admin, in)
	if counts(got) != "5: 4 made, 0 changed, 0 unchanged, 1 refused" || got.Shortened != 2 || got.LeftOut != 1 || got.Problems[0].Field != "name" {
		t.Errorf("%s %+v", counts(got), got)
	}
	if !slices.Equal(got.Properties, []string{"LABEL"}) {
		t.Errorf("properties %v", got.Properties)
	}
	rows, _, err := k.Areas.List(t.Context(), admin, app.Rows{})
	must(t, err)
	texts := map[string]string{}
	for _, row := range rows {
		texts[row.Name] = row.Desc + row.City + row.CountryCode
	}
	if texts["Two lines"] != "North gate" || !strings.HasPrefix(texts["Long"], "Gate bay bay") || texts[strings.Repeat("n", 99)+"…"] != "" || len(texts) != 4 {
		t.Errorf("%v", texts)
	}
	in.NameFrom = "LABEL"
	if got := importedAreas(t, k, admin, in); got.Refused != 0 || got.Made != 5 {
		t.Errorf("with names from a property: %+v", got)
	}
	rows, _, err = k.Areas.List(t.Context(), admin, app.Rows{})
	must(t, err)
	if !slices.ContainsFunc(rows, func(row wire.Area) bool { return row.Name == "Yard 4" }) {
		t.Error("its name is lost")
	}
}
