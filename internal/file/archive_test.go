package file_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"lightbar/internal/file"
	"lightbar/internal/fleet"
)

// opens tests an archive with programs that are not ours, as far as they are there, and reads it.
func opens(t *testing.T, path string, wholly bool) []*zip.File {
	t.Helper()
	for _, argv := range [][]string{{"unzip", "-tqq"}, {"python3", "-m", "zipfile", "-t"}} {
		if _, err := exec.LookPath(argv[0]); err != nil || !wholly {
			continue
		}
		if out, err := exec.CommandContext(t.Context(), argv[0], append(argv[1:], path)...).CombinedOutput(); err != nil {
			t.Errorf("%v: %v\n%s", argv, err, out)
		}
	}
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = z.Close() })
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(f.Name, err)
		}
		if n, err := io.Copy(io.Discard, r); err != nil || n != int64(f.UncompressedSize64) { // which also compares the checksum
			t.Fatalf("%s: %d bytes, %v", f.Name, n, err)
		}
	}
	return z.File
}

func table(t *testing.T, w file.ExportWriter, name string) {
	t.Helper()
	if err := w.Table(file.ExportTable{Name: name, Columns: []string{"a"}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Row([]any{"one"}, nil); err != nil {
		t.Fatal(err)
	}
}

// An archive of more entries than 16 bits count is one that others read.
func TestAnArchiveOfManyEntries(t *testing.T) {
	path := filepath.Join(t.TempDir(), "many.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	const n = 65_600
	w := file.ExportFormats["csv"].New(f, time.UTC, time.Unix(1795257727, 0))
	for i := range n {
		table(t, w, fmt.Sprintf("closures_%d", i))
	}
	if err := w.Close([]string{"Many"}); err != nil {
		t.Fatal(err)
	}
	if got := opens(t, path, true); len(got) != n+1 || got[n].Name != "about.txt" || !got[0].Modified.Equal(time.Unix(1795257727, 0)) {
		t.Errorf("%d entries, of %v", len(got), got[0].Modified)
	}
}

// What lies behind the first 4 GB of an archive is found there.
func TestAnArchiveOfManyBytes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	const size = 5 << 30 // a hole, which is no entry
	if err := f.Truncate(size); err != nil {
		t.Skip("SKIPPED: no file of 5 GB:", err)
	}
	if _, err := f.Seek(0, io.SeekEnd); err != nil {
		t.Fatal(err)
	}
	w := file.ExportFormats["csv"].New(f, time.UTC, time.Unix(1795257727, 0)).(file.ResumableExport)
	if err := w.Resume(file.ExportMark{Bytes: size}); err != nil {
		t.Fatal(err)
	}
	table(t, w, "closures_1")
	mark, err := w.Mark()
	if err != nil {
		t.Fatal(err)
	}
	again := file.ExportFormats["csv"].New(f, time.UTC, time.Unix(1795257727, 0)).(file.ResumableExport)
	if err := again.Resume(mark); err != nil {
		t.Fatal(err)
	}
	table(t, again, "closures_2")
	if err := again.Close([]string{"Large"}); err != nil {
		t.Fatal(err)
	}
	if got := opens(t, path, false); len(got) != 3 || got[1].Name != "closures_2.csv" {
		t.Errorf("%d entries", len(got))
	}
}

// Each format that says that it can goes on behind a mark as if nothing had been.
func TestExportsResume(t *testing.T) {
	points := driven(8)
	a := &file.ExportAsset{Thing: fleet.Thing{ID: "id", Nickname: "Motor"}}
	write := func(w file.ExportWriter, day int) {
		t.Helper()
		if err := w.Table(file.ExportTable{Name: fmt.Sprintf("points_%d", day), Columns: file.PointColumns}); err != nil {
			t.Fatal(err)
		}
		for i := range points {
			if err := file.WritePoint([]file.ExportWriter{w}, a, &points[i]); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, format := range file.ExportFormats {
		begin := func(to io.Writer) file.ExportWriter { return format.New(to, time.UTC, time.Unix(1795257727, 0)) }
		first, is := begin(io.Discard).(file.ResumableExport)
		if is != format.Resumes {
			t.Errorf("%s resumes: %t", name, is)
		}
		if !is {
			continue
		}
		for days := range 3 {
			var whole, parts bytes.Buffer
			w := begin(&whole)
			first = begin(&parts).(file.ResumableExport)
			for day := range days {
				write(w, day)
				write(first, day)
			}
			mark, err := first.Mark()
			if err != nil || mark.Bytes != int64(parts.Len()) {
				t.Fatalf("%s: %d of %d bytes, %v", name, mark.Bytes, parts.Len(), err)
			}
			next := begin(&parts).(file.ResumableExport)
			if err := next.Resume(mark); err != nil {
				t.Fatal(name, err)
			}
			write(w, 9)
			write(next, 9)
			if w.Close([]string{"a"}) != nil || next.Close([]string{"a"}) != nil || !bytes.Equal(whole.Bytes(), parts.Bytes()) {
				t.Errorf("%s behind %d tables: %d bytes, want %d", name, days, parts.Len(), whole.Len())
			}
			path := filepath.Join(t.TempDir(), "whole")
			if err := os.WriteFile(path, parts.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			if name != "geojson" {
				opens(t, path, true)
			}
		}
	}
}

// Rows of points are written in one way, with cells or without, around changes of clocks and of days.
func TestPointsAreWrittenAsTheirCells(t *testing.T) {
	for _, zone := range []string{"UTC", "America/New_York", "America/Havana", "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Monrovia"} {
		where, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		var direct, cells bytes.Buffer
		to := []file.ExportWriter{file.ExportFormats["csv"].New(&direct, where, time.Unix(0, 0)), file.ExportFormats["csv"].New(&cells, where, time.Unix(0, 0))}
		by := []file.ExportWriter{to[0], struct{ file.ExportWriter }{to[1]}}
		for _, w := range to {
			if err := w.Table(file.ExportTable{Name: "points_1", Columns: file.PointColumns}); err != nil {
				t.Fatal(err)
			}
		}
		p := fleet.Point{Lat: -39.7000001, Lng: 1e-7, HasSpeed: true, SpeedMS: 0.01, HasAlerting: true, ClockSkew: true}
		for _, name := range []string{"=1+1", "a\r\nb \"c\", d", "l\nm", " e"} {
			a := &file.ExportAsset{Thing: fleet.Thing{ID: "id", Nickname: name}}
			for at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() < 2027; at = at.Add(17*time.Minute + 7*time.Millisecond) {
				p.At, p.ReceivedAt = fleet.InstantOf(at), fleet.InstantOf(at.Add(-24*time.Hour))
				if p.HasCourse = at.Minute()%2 == 0; at.Minute() == 3 {
					p.ReceivedAt, p.At = 0, -p.At // before 1970, too
				}
				p.CourseDeg = float64(at.Second()) / 10
				if err := file.WritePoint(by, a, &p); err != nil {
					t.Fatal(err)
				}
			}
		}
		if to[0].Close(nil) != nil || to[1].Close(nil) != nil || !bytes.Equal(direct.Bytes(), cells.Bytes()) {
			t.Errorf("%s: %d bytes, want %d", zone, direct.Len(), cells.Len())
		}
	}
}

// FuzzExportMark: whatever a mark says, it is refused, or what goes on behind it is written whole.
func FuzzExportMark(f *testing.F) {
	var out bytes.Buffer
	w := file.ExportFormats["csv"].New(&out, time.UTC, time.Unix(0, 0)).(file.ResumableExport)
	_ = w.Table(file.ExportTable{Name: "closures_1", Columns: []string{"a"}})
	mark, _ := w.Mark()
	f.Add(mark.Bytes, mark.Entries, mark.Directory)
	f.Add(int64(5<<30), 1, mark.Directory)
	f.Add(int64(-1), -1, []byte("PK"))
	f.Fuzz(func(t *testing.T, size int64, entries int, directory []byte) {
		for _, format := range []string{"csv", "geojson", "kml"} {
			w := file.ExportFormats[format].New(io.Discard, time.UTC, time.Unix(0, 0)).(file.ResumableExport)
			if w.Resume(file.ExportMark{Bytes: size, Entries: entries, Directory: directory}) != nil {
				continue
			}
			if again, err := w.Mark(); err != nil || again.Bytes != size || again.Entries != entries || !bytes.Equal(again.Directory, directory) {
				t.Fatalf("%s: %+v, %v", format, again, err)
			}
			if err := w.Close(nil); err != nil {
				t.Fatal(format, err)
			}
		}
	})
}
