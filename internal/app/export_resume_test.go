package app_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

func TestMain(m *testing.M) {
	if os.Getenv(storetest.ChildEnv) == "exports" {
		childExports()
	}
	os.Exit(m.Run())
}

// childExports makes the exports that wait and says each mark.
func childExports() {
	ctx, log := context.Background(), slog.New(slog.NewTextHandler(io.Discard, nil))
	now := func() time.Time { at, _ := time.Parse(time.RFC3339, os.Args[3]); return at }
	s, err := store.Open(ctx, store.Options{Path: os.Args[1]})
	if err == nil {
		picture := live.New(s, live.Options{Now: now, NewID: app.NewID, Log: log})
		if err = picture.Load(ctx); err == nil {
			a := app.New(app.Options{
				Base:         record.Base{Store: s, Live: picture, Log: log, Now: now, NewID: app.NewID, ServerKey: make([]byte, 32)},
				ExportFolder: os.Args[2],
			})
			a.MarkExports(func(next int) { fmt.Println(next) })
			err = a.MakeExports(ctx)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

const exportedDays, exportedPerDay = 3, 40

// reported are assets that said something on each of three days.
func reported(t *testing.T, k *apptest.Kit, assets int) (o fleet.Organization, in wire.ExportWrite) {
	t.Helper()
	o = k.Organization("Wilmington")
	things, from := k.Things(o.ID, "U", assets), k.At()
	for d := range exportedDays {
		for n := range exportedPerDay {
			for i := range things {
				p := lit(fmt.Sprintf("U-%d", i), k.At(), 39.5+float64(n)*1e-4)
				p.HasSpeed, p.SpeedMS = true, float64(d*n%30)
				report(t, k, o.ID, p)
			}
			k.Pass(24 * time.Hour / exportedPerDay)
		}
	}
	title, to, of := "points", k.At(), wire.ID(o.ID)
	in = wire.ExportWrite{Kind: "point", Title: &title, StartAt: &from, EndAt: &to, OrganizationID: &of, Formats: []string{"csv", "geojson", "gpx", "kml"}}
	for _, thing := range things {
		in.ThingIDs = append(in.ThingIDs, wire.ID(thing.ID))
	}
	return o, in
}

// filesIn are the files of a folder by name.
func filesIn(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		b, readErr := os.ReadFile(filepath.Join(folder, e.Name()))
		out[e.Name()], err = b, errors.Join(err, readErr)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// stopped puts an export back to where a server that died left it: these files, the row in progress.
func stopped(t *testing.T, k *apptest.Kit, id string, files map[string][]byte) {
	t.Helper()
	must(t, os.RemoveAll(k.ExportFolder))
	must(t, os.MkdirAll(k.ExportFolder, 0o700))
	for name, b := range files {
		must(t, os.WriteFile(filepath.Join(k.ExportFolder, name), b, 0o600))
	}
	x, err := store.Exports.ByID(t.Context(), k.Store.Reader(), id)
	must(t, err)
	x.Status, x.Attempts, x.CompletedAt, x.Files = fleet.ExportInProgress, 1, 0, nil
	must(t, k.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := store.Exports.Update(t.Context(), tx, &x, x.Version)
		return err
	}))
	k.Open(k.Store, live.Options{})
}

// same compares the whole files of an export with those of one that nothing stopped.
func same(t *testing.T, k *apptest.Kit, id string, want map[string][]byte) {
	t.Helper()
	got := filesIn(t, k.ExportFolder)
	for name, b := range want {
		if !bytes.Equal(got[name], b) {
			t.Errorf("%s of %s: %d bytes, want %d", name, id, len(got[name]), len(b))
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
}

// Wherever a server dies, the next one goes on from the newest mark, and the files are those of an export that nothing stopped.
func TestAnExportGoesOnFromItsMark(t *testing.T) {
	const assets = 2
	k := apptest.New(t, storetest.SQLite(t))
	_, in := reported(t, k, assets)
	var left []map[string][]byte // at each mark
	k.MarkExports(func(next int) {
		if next != len(left)+1 {
			t.Errorf("a mark behind %d days, want %d", next, len(left)+1)
		}
		left = append(left, filesIn(t, k.ExportFolder))
	})
	row := asked(t, k, access.System(), in)
	if row = made(t, k, access.System(), row.ID); row.Status != "completed" || row.RowCount != assets*exportedDays*exportedPerDay {
		t.Fatalf("%+v", row)
	}
	want := filesIn(t, k.ExportFolder)
	if len(want) != len(in.Formats) || len(left) != assets*(exportedDays+1)-1 {
		t.Fatalf("%d files, %d marks", len(want), len(left))
	}
	for i, files := range left {
		for name := range files {
			if !strings.HasSuffix(name, "-mark") {
				files[name] = append(files[name], "what was written behind the mark"...)
			}
		}
		stopped(t, k, row.ID, files)
		first := 0
		k.MarkExports(func(next int) {
			if first == 0 {
				first = next
			}
		})
		got := made(t, k, access.System(), row.ID)
		if got.Status != "completed" || got.RowCount != row.RowCount || i+1 < len(left) && first != i+2 {
			t.Errorf("after mark %d: the next one is behind %d days; %+v", i+1, first, got)
		}
		same(t, k, row.ID, want)
	}
}

// A mark that does not hold, or that is of something else, is not gone on from: the export begins anew and is whole.
func TestAnExportBeginsAnew(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	_, in := reported(t, k, 1)
	row := asked(t, k, access.System(), in)
	var left map[string][]byte
	k.MarkExports(func(next int) {
		if next == 2 {
			left = filesIn(t, k.ExportFolder)
		}
	})
	made(t, k, access.System(), row.ID)
	want := filesIn(t, k.ExportFolder)
	mark, part := ".part-"+row.ID+"-mark", ".part-"+row.ID+"-csv"
	anew := func(why string, files map[string][]byte) {
		t.Helper()
		stopped(t, k, row.ID, files)
		first := 0
		k.MarkExports(func(next int) {
			if first == 0 {
				first = next
			}
		})
		if got := made(t, k, access.System(), row.ID); got.Status != "completed" || first != 1 {
			t.Errorf("%s: the first mark is behind %d days; %+v", why, first, got)
		}
	}
	with := func(name string, b []byte) map[string][]byte {
		files := map[string][]byte{}
		for name, b := range left {
			files[name] = bytes.Clone(b)
		}
		if files[name] = b; b == nil {
			delete(files, name)
		}
		return files
	}
	damaged := bytes.Clone(left[mark])
	damaged[len(damaged)/2] ^= 1
	for why, files := range map[string]map[string][]byte{
		"a damaged mark": with(mark, damaged), "half a mark": with(mark, left[mark][:len(left[mark])/2]), "no mark": with(mark, nil),
		"a file is missing": with(part, nil), "a file is shorter": with(part, left[part][:len(left[part])-1]),
	} {
		anew(why, files)
		same(t, k, row.ID, want)
	}
	nickname := "Engine"
	if _, err := k.UpdateThing(t.Context(), access.System(), in.ThingIDs[0].String(), wire.ThingWrite{Nickname: &nickname}); err != nil {
		t.Fatal(err)
	}
	anew("the asset has another name", left)
	tables, _ := unpacked(t, filesIn(t, k.ExportFolder)[row.ID+".csv"])
	for name := range tables {
		if !strings.HasPrefix(name, "points_Engine_") {
			t.Errorf("a table of before: %s", name)
		}
	}
}

// Formats that cannot be gone on with make no mark.
func TestOtherFormatsMakeNoMark(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	_, in := reported(t, k, 1)
	in.Formats = []string{"csv", "xlsx"}
	k.MarkExports(func(int) { t.Error("a mark") })
	if row := made(t, k, access.System(), asked(t, k, access.System(), in).ID); row.Status != "completed" {
		t.Errorf("%+v", row)
	}
}

// A server that stops as it should leaves what is marked; an export that nobody wants anymore leaves nothing.
func TestWhatAStoppedExportLeaves(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o, in := reported(t, k, 1)
	row := asked(t, k, access.System(), in)
	ctx, stop := context.WithCancel(t.Context())
	k.MarkExports(func(next int) {
		if next == 2 {
			stop()
		}
	})
	if err := k.MakeExports(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	must(t, k.PurgeExports(t.Context()))
	if x, err := store.Exports.ByID(t.Context(), k.Store.Reader(), row.ID); err != nil || x.Status != fleet.ExportRequested ||
		len(filesIn(t, k.ExportFolder)) != len(in.Formats)+1 {
		t.Fatalf("%+v %v, %d files", x, err, len(filesIn(t, k.ExportFolder)))
	}
	k.Open(k.Store, live.Options{})
	k.MarkExports(func(next int) {
		if next <= 2 {
			t.Errorf("it begins anew: a mark behind %d days", next)
		}
		if _, err := k.CancelExport(t.Context(), k.User(o.ID, "manager"), row.ID); next == 3 && err != nil {
			t.Error(err)
		}
	})
	if got := made(t, k, access.System(), row.ID); got.Status != "errored" || len(filesIn(t, k.ExportFolder)) != 0 {
		t.Errorf("%+v, %d files", got, len(filesIn(t, k.ExportFolder)))
	}
}

// A process that is killed (SIGKILL) again and again while it makes an export comes further each time; in the end the files are
// those of an export that nothing stopped.
func TestKillNineWhileExporting(t *testing.T) {
	const assets = 2
	path := storetest.SQLitePath(t)
	open := func() *store.Store {
		s, err := store.Open(t.Context(), store.Options{Path: path})
		must(t, err)
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
	s := open()
	k := apptest.New(t, s)
	_, in := reported(t, k, assets)
	row := asked(t, k, access.System(), in)
	status, kills := "", 0
	for ; status != "completed"; kills++ {
		if kills > assets*(exportedDays+1) {
			t.Fatal("it does not come further")
		}
		must(t, errors.Join(k.StopIngest(t.Context()), s.Close()))
		storetest.Killed(t, storetest.Child(t, "exports", nil, path, k.ExportFolder, k.Now().Format(time.RFC3339)), kills%2)
		s = open()
		k.Open(s, live.Options{})
		got, err := k.Exports.Read(t.Context(), access.System(), row.ID)
		if status = got.Status; err != nil || got.Error != nil {
			t.Fatalf("%+v %v", got, err)
		}
	}
	if kills < 3 {
		t.Errorf("killed %d times", kills-1)
	}
	got := filesIn(t, k.ExportFolder)
	whole := made(t, k, access.System(), asked(t, k, access.System(), in).ID)
	want := filesIn(t, k.ExportFolder)
	for _, format := range in.Formats {
		if b := got[row.ID+"."+format]; len(b) == 0 || !bytes.Equal(b, want[whole.ID+"."+format]) {
			t.Errorf("%s: %d bytes", format, len(b))
		}
	}
	if len(got) != len(in.Formats) {
		t.Errorf("%d files", len(got))
	}
}

// An export rests in proportion to its work while reports come, and never else.
func TestAnExportRestsWhileReportsCome(t *testing.T) {
	for _, row := range [][3]time.Duration{ // worked, reports were so long ago, rests
		{time.Millisecond, 0, 8 * time.Millisecond}, {time.Millisecond, time.Second, 8 * time.Millisecond}, {time.Millisecond, 1001 * time.Millisecond, 0},
		{999 * time.Microsecond, 0, 0}, {5 * time.Millisecond, 0, 40 * time.Millisecond}, {time.Second, 0, 100 * time.Millisecond},
	} {
		if got := app.RestOf(row[0], row[1]); got != row[2] {
			t.Errorf("%v of work, reports %v ago: it rests %v, want %v", row[0], row[1], got, row[2])
		}
	}
	k := apptest.New(t, storetest.SQLite(t))
	if k.QuietFor() < 24*time.Hour {
		t.Error("reports came before any did")
	}
	o := k.Organization("Wilmington")
	k.Things(o.ID, "U", 1)
	report(t, k, o.ID, lit("U-0", k.At(), 39.7))
	if k.QuietFor() > time.Hour {
		t.Error("a commit of reports is not noted")
	}
}

// FuzzExportMark: whatever lies where a mark should be, it is refused, or read as it was written.
func FuzzExportMark(f *testing.F) {
	for _, text := range []string{`{"of":"a","at":1,"next":1,"rows":2,"lacks":null,"files":[{"bytes":9,"entries":1,"directory":3}]}` + "\nabc", "{}\n", ""} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		sum := sha256.Sum256(text)
		again, err := app.AgainEncoded(append(sum[:], text...))
		if err != nil {
			return
		}
		if twice, err := app.AgainEncoded(again); err != nil || !bytes.Equal(twice, again) {
			t.Fatalf("%q became %q, %v", text, again, err)
		}
		if _, err := app.AgainEncoded(again[1:]); err == nil {
			t.Fatal("a mark without its first byte was read")
		}
	})
}
