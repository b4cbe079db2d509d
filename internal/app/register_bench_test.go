package app_test

import (
	"fmt"
	"testing"

	"lightbar/internal/app"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

// A gateway makes a fleet of 100 000 known, 10 000 at a time.
func BenchmarkRegister100000(b *testing.B) {
	k := apptest.New(b, storetest.SQLite(b))
	for b.Loop() {
		o := k.Organization(k.NewID())
		for from := 0; from < 100_000; from += 10_000 {
			list := make([]app.NewThing, 10_000)
			for i := range list {
				list[i] = app.NewThing{SystemName: fmt.Sprintf("N-%d", from+i), Nickname: fmt.Sprintf("Engine %d", from+i), Type: "fire"}
			}
			if got, err := k.RegisterByKey(b.Context(), k.Device(o.ID), list); err != nil || got.Created != len(list) {
				b.Fatal(got.Created, err)
			}
		}
	}
}
