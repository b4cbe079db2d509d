package app_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// exportOf asks for an export of the day before now, as with changes it.
func exportOf(k *apptest.Kit, kind string, with func(*wire.ExportWrite)) wire.ExportWrite {
	title, from, to := kind+" Exports", k.At().Add(-24*time.Hour), k.At()
	in := wire.ExportWrite{Kind: kind, Title: &title, StartAt: &from, EndAt: &to}
	if with != nil {
		with(&in)
	}
	return in
}

func asked(t *testing.T, k *apptest.Kit, actor *access.Actor, in wire.ExportWrite) wire.Export {
	t.Helper()
	row, _, err := k.Exports.Create(t.Context(), actor, in)
	if err != nil {
		t.Fatal(err)
	}
	return row
}

// made makes what waits and answers an export as it is then.
func made(t *testing.T, k *apptest.Kit, actor *access.Actor, id string) wire.Export {
	t.Helper()
	if err := k.MakeExports(t.Context()); err != nil {
		t.Fatal(err)
	}
	row, err := k.Exports.Read(t.Context(), actor, id)
	if err != nil {
		t.Fatal(err)
	}
	return row
}

// downloaded is a file of an export, by its link.
func downloaded(t *testing.T, k *apptest.Kit, actor *access.Actor, fileID string) []byte {
	t.Helper()
	link, err := k.FileLink(t.Context(), actor, fileID)
	if err != nil {
		t.Fatal(err)
	}
	f, err := k.OpenFile(t.Context(), strings.TrimPrefix(link.FileURL, "/files/"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// unpacked are the tables of a ZIP file, read by encoding/csv, and its about.txt.
func unpacked(t *testing.T, b []byte) (tables map[string][][]string, about string) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	tables = map[string][][]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.TrimPrefix(text, []byte("\ufeff"))
		if f.Name == "about.txt" {
			about = string(text)
			continue
		}
		if tables[f.Name], err = csv.NewReader(bytes.NewReader(text)).ReadAll(); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
	}
	return tables, about
}

// Points lie in a table for each asset and day of the organization's calendar; an owner before sees its own part.
// spec: 5.export.05 7.export.01 7.export.02 D.time.04
func TestPointsAreExported(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("Wilmington")
		zone := "America/New_York"
		if _, err := k.UpdateOrganization(t.Context(), access.System(), o.ID, wire.OrganizationWrite{Timezone: &zone}); err != nil {
			t.Fatal(err)
		}
		things := k.Things(o.ID, "U", 2)
		nickname := `=Engine "1"`
		if _, err := k.UpdateThing(t.Context(), access.System(), things[0].ID, wire.ThingWrite{Nickname: &nickname}); err != nil {
			t.Fatal(err)
		}
		for range 24 { // over midnight in New York, which is 05:00 UTC
			k.Pass(time.Hour)
			p := lit("U-0", k.At(), -39.7)
			p.HasSpeed, p.SpeedMS = true, 12.5
			report(t, k, o.ID, p, lit("U-1", k.At(), 39.7))
		}
		k.Pass(time.Minute)
		manager := k.User(o.ID, "manager")
		row := asked(t, k, manager, exportOf(k, "point", func(in *wire.ExportWrite) {
			in.ThingIDs, in.Formats = []wire.ID{wire.ID(things[0].ID)}, []string{"csv", "geojson"}
		}))
		in := exportOf(k, "point", func(in *wire.ExportWrite) { in.ThingIDs = []wire.ID{wire.ID(things[0].ID)} })
		if e, err := k.EstimateExport(t.Context(), manager, in); err != nil || *e.Rows != 24 || *e.Bytes != 24*15 {
			t.Errorf("%+v %v", e, err)
		}
		if row.Status != "requested" || row.TimeZone != zone || row.RequestedBy != manager.UserID || row.FileID != nil {
			t.Fatalf("%+v", row)
		}
		row = made(t, k, manager, row.ID)
		if row.Status != "completed" || row.RowCount != 24 || row.Progress != 1 || len(row.Files) != 2 || row.CompletedAt == 0 || row.Error != nil {
			t.Fatalf("%+v", row)
		}
		if row.Files[0].Name != "points_2026-11-21_2026-11-22_America-New-York.zip" || row.Files[0].Bytes == 0 {
			t.Errorf("%+v", row.Files)
		}
		tables, about := unpacked(t, downloaded(t, k, manager, *row.FileID))
		first := tables["points_Engine--1_2026-11-21_America-New-York.csv"]
		if len(tables) != 2 || len(first) != 17 || !strings.Contains(about, "Time zone: America/New_York") || !strings.Contains(about, "Rows: 24") {
			t.Fatalf("%d rows of %v, %s", len(first), tables, about)
		}
		want := []string{"2026-11-21T08:00:00.000-05:00", "2026-11-21T08:00:00.000-05:00", `'=Engine "1"`, things[0].ID, "-39.7", "-75.5", "12.5", "", "4",
			"true", "false"}
		if !slices.Equal(first[1], want) {
			t.Errorf("%q", first[1])
		}
		var features struct {
			Features []struct {
				Geometry   struct{ Coordinates [2]float64 }
				Properties map[string]any
			}
			About []string
		}
		if err := json.Unmarshal(downloaded(t, k, manager, row.Files[1].FileID), &features); err != nil || len(features.Features) != 24 {
			t.Fatalf("%d, %v", len(features.Features), err)
		}
		if f := features.Features[0]; f.Geometry.Coordinates != [2]float64{-75.5, -39.7} || f.Properties["speed_mps"] != 12.5 || f.Properties["course_deg"] != nil ||
			f.Properties["timestamp"] != "2026-11-21T08:00:00.000-05:00" || features.About[0] != "point Exports" {
			t.Errorf("%+v, %v", f, features.About)
		}
	})
}

// Points are made in every format at once, and each file is what its name says.
func TestPointsAreExportedInEveryFormat(t *testing.T) {
	s := storetest.SQLite(t)
	k := apptest.New(t, s)
	o := k.Organization("Wilmington")
	thing := k.Things(o.ID, "U", 1)[0]
	for range 10 {
		k.Pass(time.Minute)
		report(t, k, o.ID, lit("U-0", k.At(), 39.7))
	}
	k.Pass(time.Minute)
	manager := k.User(o.ID, "manager")
	want := map[string]string{"csv": ".zip PK", "xlsx": ".xlsx PK", "geojson": ".geojson {", "gpx": ".gpx.zip PK", "kml": ".kml.zip PK", "parquet": ".parquet PAR1"}
	formats := slices.Sorted(maps.Keys(want))
	if all := append(slices.Clone(catalog.AllEnums().ExportFormats), catalog.AllEnums().PointFormats...); len(all) != len(want) {
		t.Fatal(all)
	}
	in := exportOf(k, "point", func(in *wire.ExportWrite) { in.ThingIDs, in.Formats = []wire.ID{wire.ID(thing.ID)}, formats })
	row := made(t, k, manager, asked(t, k, manager, in).ID)
	if row.Status != "completed" || row.RowCount != 10 || len(row.Files) != len(want) {
		t.Fatalf("%+v", row)
	}
	for _, f := range row.Files {
		ending, magic, _ := strings.Cut(want[f.Format], " ")
		content := downloaded(t, k, manager, f.FileID)
		if !strings.HasSuffix(f.Name, "_UTC"+ending) || !bytes.HasPrefix(content, []byte(magic)) || int64(len(content)) != f.Bytes {
			t.Errorf("%+v begins with %q", f, content[:min(len(content), 8)])
		}
	}
}

// Who wants a mail gets one when the export is done or has failed, without a link to its file; nobody else gets any.
func TestWhoAskedForAnExportIsMailed(t *testing.T) {
	s := storetest.SQLite(t)
	k := apptest.New(t, s)
	o := k.Organization("Wilmington")
	manager, gone := k.User(o.ID, "manager"), k.User(o.ID, "administrator")
	with := func(in *wire.ExportWrite) { in.Mails = true }
	asked(t, k, manager, exportOf(k, "asset", nil))
	if row := made(t, k, manager, asked(t, k, manager, exportOf(k, "asset", with)).ID); !row.Mails || row.Status != "completed" {
		t.Fatalf("%+v", row)
	}
	failed := asked(t, k, manager, exportOf(k, "asset", with))
	if _, err := k.CancelExport(t.Context(), manager, failed.ID); err != nil { // nobody is told what they did themselves
		t.Fatal(err)
	}
	asked(t, k, gone, exportOf(k, "asset", with))
	suspended := true
	if _, err := k.UpdateUser(t.Context(), access.System(), gone.UserID, wire.UserWrite{Suspended: &suspended}); err != nil {
		t.Fatal(err)
	}
	failed = asked(t, k, manager, exportOf(k, "incident", with))
	k.ExportFolder = "/dev/null/no"
	if row := made(t, k, manager, failed.ID); row.Status != "errored" {
		t.Fatalf("%+v", row)
	}
	mails, err := store.DueMail(t.Context(), s.Reader(), k.At(), 10)
	var got []string
	for _, m := range mails {
		if m.Kind == "export_done" {
			got = append(got, m.UserID+" "+m.Subject)
		}
	}
	slices.Sort(got)
	want := []string{manager.UserID + " Your Safety Cloud export failed", manager.UserID + " Your Safety Cloud export is ready"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, want %q; %v", got, want, err)
	}
	if _, _, err := k.Exports.Create(t.Context(), access.System(), exportOf(k, "asset", func(in *wire.ExportWrite) {
		with(in)
		of := wire.ID(o.ID)
		in.OrganizationID = &of
	})); fieldsOf(err)["mail_when_done"] != "Only users get mails" {
		t.Error(err)
	}
}

// What is asked for is held to the law before anything is made.
// spec: 3.export.01 5.export.01 5.export.03 5.export.04 5.export.05 5.export.06 9.limits.13 9.list.06 D.value.12
func TestAnExportIsHeldToTheLaw(t *testing.T) {
	s := storetest.SQLite(t)
	k := apptest.New(t, s)
	o, foreign := k.Organization("Wilmington"), k.Organization("Dover")
	manager := k.User(o.ID, "manager")
	strange := wire.ID(k.Things(foreign.ID, "D", 1)[0].ID)
	at := func(d time.Duration) *fleet.Instant { i := k.At().Add(d); return &i }
	const day = 24 * time.Hour
	for want, with := range map[string]func(*wire.ExportWrite){
		"title Required":                                                    func(in *wire.ExportWrite) { in.Title = nil },
		"export_type Unknown type":                                          func(in *wire.ExportWrite) { in.Kind = "trip" },
		"export_start_time Required":                                        func(in *wire.ExportWrite) { in.StartAt = nil },
		"export_end_time Required":                                          func(in *wire.ExportWrite) { in.EndAt = nil },
		"export_end_time Must be past date":                                 func(in *wire.ExportWrite) { in.EndAt = at(time.Second) },
		"export_end_time Dates must be different":                           func(in *wire.ExportWrite) { in.StartAt = in.EndAt },
		"export_end_time End time must be after Start time":                 func(in *wire.ExportWrite) { in.StartAt, in.EndAt = at(-day), at(-2*day) },
		"export_end_time Exceeds max time range":                            func(in *wire.ExportWrite) { in.StartAt = at(-31*day - time.Second) },
		"thing_uuids Must select at least 1 Asset":                          func(in *wire.ExportWrite) { in.Kind = "point" },
		"thing_uuids Asset not found":                                       func(in *wire.ExportWrite) { in.ThingIDs = []wire.ID{strange} },
		"closures_to_include Unknown type":                                  func(in *wire.ExportWrite) { in.Kind, in.ClosureTypes = "closure", []string{"all"} },
		"formats Unknown format":                                            func(in *wire.ExportWrite) { in.Formats = []string{"pdf"} },
		"formats This format is for points only":                            func(in *wire.ExportWrite) { in.Formats = []string{"csv", "gpx"} },
		"formats Each format once":                                          func(in *wire.ExportWrite) { in.Formats = []string{"xlsx", "xlsx"} },
		"closures_to_include Must include at least 1 Closure type or Asset": func(in *wire.ExportWrite) { in.Kind = "closure" },
		"": func(in *wire.ExportWrite) { in.StartAt = at(-31 * day) },
	} {
		_, _, err := k.Exports.Create(t.Context(), manager, exportOf(k, "asset", with))
		if field, sentence, _ := strings.Cut(want, " "); want == "" && err != nil || want != "" && fieldsOf(err)[field] != sentence {
			t.Errorf("want %q: %v", want, err)
		}
	}
	// Thirty-one days of the calendar, in which the clocks are set back, are an hour longer.
	zone := "America/New_York"
	if _, err := k.UpdateOrganization(t.Context(), access.System(), o.ID, wire.OrganizationWrite{Timezone: &zone}); err != nil {
		t.Fatal(err)
	}
	in := exportOf(k, "asset", func(in *wire.ExportWrite) { in.StartAt, in.EndAt = at(-31*day-time.Hour), at(0) })
	if in.StartAt.Time().Month() != time.October {
		t.Fatal("this month has no change of clocks")
	}
	if _, _, err := k.Exports.Create(t.Context(), manager, in); err != nil {
		t.Error(err)
	}
	in.UseUTC = true
	if _, _, err := k.Exports.Create(t.Context(), manager, in); fieldsOf(err)["export_end_time"] != "Exceeds max time range" {
		t.Error(err)
	}
	if _, _, err := k.Exports.Create(t.Context(), k.User(o.ID, "operator"), exportOf(k, "asset", nil)); !strings.HasPrefix(refusal(err), "forbidden") {
		t.Error(err)
	}
}

// Whoever may only read an organization sees none of its exports.
func TestExportsAreNotShared(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	owner, partner := k.Organization("Wilmington"), k.Organization("Newark")
	row := asked(t, k, k.User(owner.ID, "manager"), exportOf(k, "asset", nil))
	reader := k.User(partner.ID, "manager")
	reader.Organizations[owner.ID] = access.Read
	if _, err := k.Exports.Read(t.Context(), reader, row.ID); !strings.HasPrefix(refusal(err), "not_found") {
		t.Errorf("read: %v", err)
	}
	if rows, _, err := k.Exports.List(t.Context(), reader, app.Rows{OrganizationIDs: []string{owner.ID}}); !strings.HasPrefix(refusal(err), "not_found") {
		t.Errorf("listed: %+v %v", rows, err)
	}
	if rows, _, err := k.Exports.List(t.Context(), reader, app.Rows{}); err != nil || len(rows) > 0 {
		t.Errorf("listed without a question: %+v %v", rows, err)
	}
}

// Only who asked for it deletes an export, and its files go with it; one that is canceled says so; a file without its export goes.
// spec: 4.export.01 6.export.01 7.export.05 D.value.12
func TestExportsEnd(t *testing.T) {
	s := storetest.SQLite(t)
	k := apptest.New(t, s)
	o := k.Organization("Wilmington")
	k.Things(o.ID, "U", 1)
	manager, other := k.User(o.ID, "manager"), k.User(o.ID, "manager")
	done := made(t, k, manager, asked(t, k, manager, exportOf(k, "asset", nil)).ID)
	if done.Status != "completed" || done.RowCount != 1 {
		t.Fatalf("%+v", done)
	}
	if err := k.Exports.Remove(t.Context(), other, done.ID); !strings.HasPrefix(refusal(err), "not_creator") {
		t.Error(err)
	}
	link, err := k.FileLink(t.Context(), manager, *done.FileID)
	if err != nil {
		t.Fatal(err)
	}
	ticket := strings.TrimPrefix(link.FileURL, "/files/")
	k.Pass(5*time.Minute + time.Second)
	if _, err := k.OpenFile(t.Context(), ticket); !strings.HasPrefix(refusal(err), "not_found") {
		t.Errorf("an old link: %v", err)
	}
	waits := asked(t, k, manager, exportOf(k, "asset", nil))
	if got, err := k.CancelExport(t.Context(), other, waits.ID); err != nil || got.Status != "errored" || got.Error == nil || *got.Error != "It was canceled." {
		t.Errorf("%+v %v", got, err)
	}
	if got := made(t, k, manager, waits.ID); got.Status != "errored" || len(got.Files) != 0 {
		t.Errorf("%+v", got)
	}
	if _, err := k.CancelExport(t.Context(), manager, done.ID); !strings.HasPrefix(refusal(err), "conflict") {
		t.Error(err)
	}
	files := func() (names []string) {
		entries, _ := os.ReadDir(k.ExportFolder)
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	left := filepath.Join(k.ExportFolder, ".part-"+done.ID+"-1") // a server was killed
	if err := os.WriteFile(left, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := k.PurgeExports(t.Context()); err != nil || !slices.Equal(files(), []string{*done.FileID}) {
		t.Errorf("%v, %v", files(), err)
	}
	if err := k.Exports.Remove(t.Context(), manager, done.ID); err != nil || len(files()) != 0 {
		t.Errorf("%v, %v", files(), err)
	}
	old := made(t, k, manager, asked(t, k, manager, exportOf(k, "asset", nil)).ID)
	k.Pass(30*24*time.Hour + time.Second)
	if err := k.PurgeExports(t.Context()); err != nil || len(files()) != 0 {
		t.Errorf("after 30 days: %v, %v", files(), err)
	}
	if _, err := k.Exports.Read(t.Context(), manager, old.ID); !strings.HasPrefix(refusal(err), "not_found") {
		t.Error(err)
	}
}

// A server that is started again makes what the one before had begun.
func TestExportsGoOnAfterARestart(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("Wilmington")
		manager := k.User(o.ID, "manager")
		row := asked(t, k, manager, exportOf(k, "asset", nil))
		begun, err := store.Exports.ByID(t.Context(), s.Reader(), row.ID)
		if err != nil {
			t.Fatal(err)
		}
		begun.Status, begun.Progress = fleet.ExportInProgress, 0.5
		err = s.Write(t.Context(), func(tx *store.Tx) error {
			_, err := store.Exports.Update(t.Context(), tx, &begun, begun.Version)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		left := filepath.Join(k.ExportFolder, ".part-"+row.ID+"-1")
		if err := errors.Join(os.MkdirAll(k.ExportFolder, 0o700), os.WriteFile(left, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		k.Open(s, live.Options{})
		if got := made(t, k, manager, row.ID); got.Status != "completed" {
			t.Errorf("%+v", got)
		}
		if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("what the one before had written is left: %v", err)
		}
	})
}

// Organizations take turns: whoever asks for many waits for one of each other's.
func TestExportsTakeTurns(t *testing.T) {
	var waiting []fleet.Export
	for i, organization := range []string{"a", "a", "a", "b", "c", "b"} {
		waiting = append(waiting, fleet.Export{ID: fmt.Sprint(i), OrganizationID: organization})
	}
	if got := strings.Join(app.TurnsOfExports(waiting), " "); got != "0 3 4 1 5 2" {
		t.Error(got)
	}
}

// A closure that was ended by hand has lasted all the same, and so has one of a pattern, on the days of its pattern.
// spec: 7.export.03
func TestEndedAndRepeatedClosuresAreExported(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("Wilmington")
	route, active, of := []fleet.LatLng{{Lat: 39.7, Lng: -75.5}, {Lat: 39.71, Lng: -75.5}}, true, wire.ID(o.ID)
	draw := func(text string, with func(*wire.ClosureWrite)) wire.Closure {
		in := wire.ClosureWrite{OrganizationID: &of, Description: &text, UserRoute: &route}
		with(&in)
		c, _, err := k.Closures.Create(t.Context(), access.System(), in)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	k.Pass(20 * 24 * time.Hour)
	end := k.At().Add(time.Hour)
	c := draw("Ended by hand", func(in *wire.ClosureWrite) { in.IsActive, in.EndTime = &active, &end })
	day, until := k.Now().Format(time.DateOnly), k.Now().AddDate(0, 0, 10).Format(time.DateOnly)
	nightly := draw("Nightly", func(in *wire.ClosureWrite) {
		in.Recurrence = []byte(`{"days":[1,2,3,4,5,6,7],"start":"21:00","minutes":60,"from":"` + day + `","until":"` + until + `","except":[],"timezone":"UTC"}`)
	})
	k.Pass(time.Minute)
	over := false
	if _, err := k.Closures.Edit(t.Context(), access.System(), c.ID, c.Version, wire.ClosureWrite{IsActive: &over}); err != nil {
		t.Fatal(err)
	}
	k.Pass(24 * time.Hour)
	if err := k.Closures.Remove(t.Context(), access.System(), nightly.ID); err != nil { // its pattern does not go on
		t.Fatal(err)
	}
	k.Pass(2 * 24 * time.Hour)
	manager := k.User(o.ID, "manager")
	for days, want := range map[int]string{1: "", 4: "Ended by hand,Nightly"} {
		got := made(t, k, manager, asked(t, k, manager, exportOf(k, "closure", func(in *wire.ExportWrite) {
			in.ClosureTypes = []string{"manual"}
			from, to := k.At().Add(-time.Duration(days)*24*time.Hour), k.At()
			in.StartAt, in.EndAt = &from, &to
		})).ID)
		tables, _ := unpacked(t, downloaded(t, k, manager, *got.FileID))
		var names []string
		for _, row := range tables["closures_UTC.csv"][1:] {
			names = append(names, row[3])
			if row[3] == "Ended by hand" && (row[15] == "" || row[17] == "") {
				t.Errorf("without its times: %q", row)
			}
		}
		slices.Sort(names)
		if strings.Join(names, ",") != want {
			t.Errorf("%d days: %q", days, names)
		}
	}
}

// Incidents and closures of the time are exported, what was deleted since then too.
// spec: 7.export.03 7.export.04
func TestIncidentsAndClosuresAreExported(t *testing.T) {
	s := storetest.SQLite(t)
	k := apptest.New(t, s)
	o := k.Organization("Wilmington")
	id := k.Things(o.ID, "U", 1)[0].ID
	respond(t, k, o.ID, "U-0")
	text, route, active, end := "Paving", []fleet.LatLng{{Lat: 39.7, Lng: -75.5}, {Lat: 39.71, Lng: -75.5}}, true, k.At().Add(time.Hour)
	of := wire.ID(o.ID)
	c, _, err := k.Closures.Create(t.Context(), access.System(), wire.ClosureWrite{OrganizationID: &of, Description: &text, UserRoute: &route,
		IsActive: &active, EndTime: &end})
	if err != nil {
		t.Fatal(err)
	}
	k.Pass(time.Minute)
	if err := k.Closures.Remove(t.Context(), access.System(), c.ID); err != nil {
		t.Fatal(err)
	}
	manager := k.User(o.ID, "manager")
	got := made(t, k, manager, asked(t, k, manager, exportOf(k, "incident", nil)).ID)
	tables, _ := unpacked(t, downloaded(t, k, manager, *got.FileID))
	if rows := tables["incidents_UTC.csv"]; len(rows) != 2 || rows[1][13] != "1" {
		t.Errorf("%q", rows)
	}
	if rows := tables["incident-assets_UTC.csv"]; len(rows) != 2 || rows[1][1] != id || rows[1][2] != "U-0" {
		t.Errorf("%q", rows)
	}
	got = made(t, k, manager, asked(t, k, manager, exportOf(k, "closure", func(in *wire.ExportWrite) { in.ClosureTypes = []string{"manual"} })).ID)
	tables, _ = unpacked(t, downloaded(t, k, manager, *got.FileID))
	if rows := tables["closures_UTC.csv"]; len(rows) != 2 || rows[1][3] != text || rows[1][25] == "" || rows[1][26] != "LINESTRING (-75.5 39.7, -75.5 39.71)" {
		t.Errorf("%q", rows)
	}
	got = made(t, k, manager, asked(t, k, manager, exportOf(k, "closure", func(in *wire.ExportWrite) { in.ClosureTypes = []string{"feed"} })).ID)
	if got.RowCount != 0 || got.Status != "completed" {
		t.Errorf("%+v", got)
	}
}

// Each owner exports its own part of an asset's past: the one before also after it gave the asset away, the next never what was before.
func TestAnExportHoldsItsOrganizationsOwnPast(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a, b := k.Organization("A"), k.Organization("B")
	id := k.Things(a.ID, "U", 1)[0].ID
	for range 3 {
		report(t, k, a.ID, lit("U-0", k.At(), 39.70))
		k.Pass(10 * time.Second)
	}
	if _, err := k.TransferThing(t.Context(), access.System(), id, b.ID, 0); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		k.Pass(10 * time.Second)
		report(t, k, b.ID, lit("U-0", k.At(), 39.71))
	}
	k.Pass(time.Second)
	for organization, want := range map[string]int64{a.ID: 3, b.ID: 2} {
		manager := k.User(organization, "manager")
		row := asked(t, k, manager, exportOf(k, "point", func(in *wire.ExportWrite) { in.ThingIDs = []wire.ID{wire.ID(id)} }))
		if got := made(t, k, manager, row.ID); got.RowCount != want {
			t.Errorf("%s: %d rows, want %d", organization, got.RowCount, want)
		}
	}
}

// Where clocks are set forward at midnight an export of that day ends, too, and has each point once.
func TestAnExportOverAMidnightThatIsNot(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("Habana")
	zone := "America/Havana"
	if _, err := k.UpdateOrganization(t.Context(), access.System(), o.ID, wire.OrganizationWrite{Timezone: &zone}); err != nil {
		t.Fatal(err)
	}
	id := k.Things(o.ID, "U", 1)[0].ID
	k.Pass(time.Date(2027, 3, 14, 3, 0, 0, 0, time.UTC).Sub(k.Now())) // two hours before there is no 0:00
	for range 6 {
		k.Pass(time.Hour)
		report(t, k, o.ID, lit("U-0", k.At(), 23.1))
	}
	k.Pass(time.Minute)
	manager := k.User(o.ID, "manager")
	got := made(t, k, manager, asked(t, k, manager, exportOf(k, "point", func(in *wire.ExportWrite) { in.ThingIDs = []wire.ID{wire.ID(id)} })).ID)
	tables, _ := unpacked(t, downloaded(t, k, manager, *got.FileID))
	before, after := tables["points_U-0_2027-03-13_America-Havana.csv"], tables["points_U-0_2027-03-14_America-Havana.csv"]
	if got.RowCount != 6 || len(before) != 2 || len(after) != 6 || after[1][0] != "2027-03-14T01:00:00.000-04:00" {
		t.Errorf("%+v: %v", got, tables)
	}
}

// Two assets of one name have tables of their own, also where the case of letters does not count.
func TestTablesOfOneNameAreApart(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("Wilmington")
	things := k.Things(o.ID, "U", 4)
	in := exportOf(k, "point", nil)
	for i, name := range []string{"Engine", "ENGINE", "Engine-2", "Двигатель"} {
		if _, err := k.UpdateThing(t.Context(), access.System(), things[i].ID, wire.ThingWrite{Nickname: &name}); err != nil {
			t.Fatal(err)
		}
		report(t, k, o.ID, lit("U-"+fmt.Sprint(i), k.At(), 39.7))
		in.ThingIDs = append(in.ThingIDs, wire.ID(things[i].ID))
	}
	k.Pass(time.Minute)
	*in.EndAt = k.At()
	manager := k.User(o.ID, "manager")
	got := made(t, k, manager, asked(t, k, manager, in).ID)
	tables, _ := unpacked(t, downloaded(t, k, manager, *got.FileID))
	names := map[string]bool{}
	for name := range tables {
		names[strings.ToLower(name)] = true
	}
	if len(names) != 4 || !names["points_u-3_2026-11-21_utc.csv"] {
		t.Errorf("%v", names)
	}
}

// An export that ends its server is not begun for ever; a server that stops as it should does not count.
func TestAnExportThatEndsItsServerIsGivenUp(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("Wilmington")
	k.Things(o.ID, "U", 1)
	manager := k.User(o.ID, "manager")
	begun := func(attempts int) wire.Export {
		row := asked(t, k, manager, exportOf(k, "asset", nil))
		x, err := store.Exports.ByID(t.Context(), k.Store.Reader(), row.ID)
		if err != nil {
			t.Fatal(err)
		}
		x.Status, x.Attempts = fleet.ExportInProgress, attempts
		err = k.Store.Write(t.Context(), func(tx *store.Tx) error {
			_, err := store.Exports.Update(t.Context(), tx, &x, x.Version)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return row
	}
	if got := made(t, k, manager, begun(3).ID); got.Status != "errored" || got.Error == nil || *got.Error != "The server stopped each time it made this file." {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(k.ExportFolder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it was begun: %v", err)
	}
	if got := made(t, k, manager, begun(2).ID); got.Status != "completed" {
		t.Errorf("%+v", got)
	}
	row := begun(1)
	k.PutBack(row.ID)
	x, err := store.Exports.ByID(t.Context(), k.Store.Reader(), row.ID)
	if err != nil || x.Status != fleet.ExportRequested || x.Attempts != 0 {
		t.Errorf("%+v %v", x, err)
	}
}

// Those who manage an organization export its data; who of them it was is not told there.
func TestWhoExportsInAnotherOrganization(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o, owner := k.Organization("Wilmington"), k.Organization("State Police")
	of := wire.ID(o.ID)
	manager := k.User(owner.ID, "manager")
	manager.Organizations[o.ID] = access.Full
	row := asked(t, k, manager, exportOf(k, "asset", func(in *wire.ExportWrite) { in.OrganizationID = &of }))
	if row.RequestedByName != "State Police" {
		t.Errorf("%+v", row)
	}
}

// An export leaves the database its room: it is given up before the disk is full, and its parts go.
func TestAnExportLeavesTheDatabaseItsRoom(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("Wilmington")
	k.Things(o.ID, "U", 1)
	manager := k.User(o.ID, "manager")
	if err := catalog.SetLimits(map[string]float64{"export.freeBytes": 1 << 40}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { must(t, catalog.SetLimits(nil)) })
	got := made(t, k, manager, asked(t, k, manager, exportOf(k, "asset", nil)).ID)
	if entries, _ := os.ReadDir(k.ExportFolder); got.Status != "errored" || !strings.HasPrefix(*got.Error, "The server's disk is full.") || len(entries) != 0 {
		t.Errorf("%+v, %v", got, entries)
	}
}
