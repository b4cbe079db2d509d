package read_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"lightbar/internal/feed/read"
	"lightbar/internal/file"
	"lightbar/internal/fleet"
)

// Points of others come in by the reader of files of hazards, through the same gate as work zones.
func TestHazards(t *testing.T) {
	now := fleet.InstantOf(time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC))
	const rows = "id,lat,lng,type,updated\na,39.7,-75.5,debris,2026-11-23T07:55:00Z\nb,,,debris,2026-11-23T07:55:00Z\n"
	const points = `{"type":"FeatureCollection","features":[{"type":"Feature","id":"a","properties":{"type":"debris"},"geometry":{"type":"Point","coordinates":[-75.5,39.7]}},
		{"type":"Feature","id":"b","properties":{},"geometry":null}]}`
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = io.WriteString(z, rows)
	_ = z.Close()
	for name, c := range map[string]struct{ format, text string }{"CSV": {"csv", rows}, "gzip": {"csv", packed.String()}, "GeoJSON": {"geojson", points}} {
		var kept, refused []string
		err := read.Hazards(t.Context(), strings.NewReader(c.text), file.HazardFile{Format: c.format}, now, func(r *file.HazardRow) {
			if r.Reason == "" {
				kept = append(kept, r.Report.ID)
			} else {
				refused = append(refused, r.Reason)
			}
		})
		if err != nil || len(kept) != 1 || kept[0] != "a" || len(refused) != 1 || refused[0] != fleet.RowNoPosition {
			t.Errorf("%s: kept %v, refused %v, %v", name, kept, refused, err)
		}
	}
	for reason, in := range map[string]io.Reader{read.HTML: strings.NewReader("<html><body>503"), read.Empty: strings.NewReader(""),
		read.TooLarge: io.MultiReader(strings.NewReader(rows), zeros{'x'}), read.BadGzip: bytes.NewReader(packed.Bytes()[:packed.Len()-9])} {
		err := read.Hazards(t.Context(), in, file.HazardFile{Format: "csv"}, now, func(*file.HazardRow) { t.Errorf("%s: a row", reason) })
		var u *read.Unreadable
		if !errors.As(err, &u) || u.Reason != reason {
			t.Errorf("%s: %v", reason, err)
		}
	}
}
