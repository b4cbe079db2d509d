package backup_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"lightbar/internal/store"
	"lightbar/internal/store/backup"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/pgtest"
	"lightbar/internal/store/storetest"
)

// What this package writes for each engine is watched on each.
func init() { storetest.Whole() }

func TestBackupWhileWritingAndRestore(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, cancel := context.WithCancel(t.Context())
		if err := s.Write(ctx, func(tx *store.Tx) error { return tx.PutSetting(ctx, "before", "here") }); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		wg.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				_ = s.Write(ctx, func(tx *store.Tx) error { return tx.PutSetting(ctx, fmt.Sprint("row ", i), "x") })
			}
		})
		dir := t.TempDir() + "/copy"
		m, err := backup.Copy(ctx, s.Database(), dir, nil)
		cancel()
		wg.Wait()
		if err != nil {
			t.Fatal(err)
		}
		if m.SchemaVersion != engine.SchemaVersion() || len(m.SHA256) != 64 {
			t.Fatalf("manifest %+v", m)
		}
		if _, err := backup.Check(t.Context(), dir, nil); err != nil {
			t.Fatal(err)
		}
		target := store.Options{Path: t.TempDir() + "/restored.db"}
		if s.Engine() == engine.Postgres {
			target = store.Options{URL: pgtest.URL(t, "", nil)}
		}
		if _, err := backup.Restore(t.Context(), dir, target, "", nil); err != nil {
			t.Fatal(err)
		}
		var there *engine.Unusable
		if _, err := backup.Restore(t.Context(), dir, target, "", nil); !errors.As(err, &there) {
			t.Fatalf("a second restore over the first: %v", err)
		}
		again, err := store.Open(t.Context(), target)
		if err != nil {
			t.Fatal(err)
		}
		defer again.Close()
		if v, err := store.Setting(t.Context(), again.Reader(), "before"); err != nil || v != "here" {
			t.Fatalf("the row written before the copy is %q (%v)", v, err)
		}
	})
}
