package simulate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func recorded(t *testing.T, name string) string {
	t.Helper()
	dir := os.Getenv("LIGHTBAR_TESTDATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	path := filepath.Join(dir, "traces", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("NO RECORDED DATA: %s is missing; set LIGHTBAR_TESTDATA to the folder of test data", path)
	}
	return path
}

func TestReadRecordings(t *testing.T) {
	for _, c := range []struct {
		file          string
		assets, items int
	}{
		{"cdot_geotab_avl_2022-06-20.json", 848, 2896},
		{"wzdc_drive_10hz_cheyenne_1.csv", 1, 0},
		{"bmw_munich_2014_x0001-001.json", 1, 0},
	} {
		t.Run(c.file, func(t *testing.T) {
			rec, err := ReadRecording(recorded(t, c.file))
			if err != nil {
				t.Fatal(err)
			}
			if len(rec.Assets) != c.assets || (c.items > 0 && len(rec.Items) != c.items) || len(rec.Items) < 100 {
				t.Errorf("%d assets with %d items, want %d with %d", len(rec.Assets), len(rec.Items), c.assets, c.items)
			}
			now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
			rec.ShiftTo(now)
			newest := ""
			for _, item := range rec.Items {
				newest = max(newest, item.At)
				if item.Speed != nil && *item.Speed > 60 {
					t.Fatalf("%.1f m/s: units were not converted", *item.Speed)
				}
			}
			if newest != stamp(now) {
				t.Errorf("the newest instant is %s, want %s", newest, stamp(now))
			}
		})
	}
}

func FuzzReadRecording(f *testing.F) {
	f.Add([]byte(`[{"avl_location":{"vehicle":{"id2":"A"},"position":{"latitude":1,"longitude":2},"source":{"collection_timestamp":"2022-06-21T02:44:49Z"}}}]`), "json")
	f.Add([]byte(`[{"point":"POINT(11.5 48.1)","time":"2014-09-10 06:54:07+0200","id":"\\x0001"}]`), "json")
	f.Add([]byte("GPS Date & Time,# of Sats,HDOP,Latitude,Longitude,Altitude(m),Speed(m/s),Heading(Deg)\n2020/06/11-18:10:32:10,9,0.89,41.1,-104.6,1831,11.8,93.1\n"), "csv")
	f.Add([]byte("x\nno-colon,1,2,3,4,5,6,7\n"), "csv")
	f.Fuzz(func(t *testing.T, body []byte, kind string) {
		if strings.ContainsAny(kind, "/\x00") || len(kind) > 8 {
			return
		}
		path := filepath.Join(t.TempDir(), "rec."+kind)
		if err := os.WriteFile(path, body, 0o600); err != nil {
			return
		}
		rec, err := ReadRecording(path)
		if err == nil && len(rec.Items) != len(rec.times) {
			t.Error("items and instants differ in number")
		}
	})
}
