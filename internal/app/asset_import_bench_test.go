package app_test

import (
	"fmt"
	"strings"
	"testing"

	"lightbar/internal/app"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

// The largest import: 10 000 assets made, then all of them changed. Ingest
// waits while it is applied.
func BenchmarkImport10000(b *testing.B) {
	k := apptest.New(b, storetest.SQLite(b))
	o := k.Organization("A")
	admin := k.User(o.ID, "administrator")
	for b.Loop() {
		round := k.NewID()[24:]
		for _, word := range []string{"create", "update"} {
			var csv strings.Builder
			csv.WriteString("haas_id,thing_type,nickname\n")
			for i := range 10_000 {
				fmt.Fprintf(&csv, "N%s-%d,fire,%s %d\n", round, i, word, i)
			}
			in := app.ThingImport{CSV: csv.String()}
			preview, err := k.ImportThings(b.Context(), admin, in)
			if err != nil || preview.Refused > 0 {
				b.Fatal(err, preview.Refused)
			}
			in.Digest = preview.Digest
			before := b.Elapsed()
			if _, err := k.ImportThings(b.Context(), admin, in); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64((b.Elapsed() - before).Milliseconds()), word+"-ms")
		}
	}
}
