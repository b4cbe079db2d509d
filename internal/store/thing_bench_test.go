package store_test

import (
	"context"
	"fmt"
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
)

// BenchmarkRegister adds ten thousand assets in one transaction, as a registration by key does.
func BenchmarkRegister(b *testing.B) {
	s := organizationFor(b)
	for n := 0; b.Loop(); n++ {
		add(b, s, n, 10_000)
	}
}

// BenchmarkListAllThings reads a hundred thousand assets, as each start does.
func BenchmarkListAllThings(b *testing.B) {
	s := organizationFor(b)
	add(b, s, 0, 100_000)
	for b.Loop() {
		if all, err := store.ListAllThings(b.Context(), s.Reader()); err != nil || len(all) != 100_000 {
			b.Fatal(len(all), err)
		}
	}
}

func organizationFor(b *testing.B) *store.Store {
	s := storetest.SQLite(b)
	err := s.Write(b.Context(), func(tx *store.Tx) error {
		return tx.InsertOrganization(b.Context(), fleet.Organization{ID: "o", Name: "o"})
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	return s
}

func add(b *testing.B, s *store.Store, batch, count int) {
	err := s.Write(b.Context(), func(tx *store.Tx) error {
		return addThings(b.Context(), tx, batch, count)
	})
	if err != nil {
		b.Fatal(err)
	}
}

func addThings(ctx context.Context, tx *store.Tx, batch, count int) error {
	for i := range count {
		name := fmt.Sprintf("M-%d-%d", batch, i)
		err := tx.InsertThing(ctx, &fleet.Thing{ID: "id-" + name, OrganizationID: "o", SystemName: name, Nickname: "Engine " + name, TypeID: "fire",
			InService: true, PubliclyAlerting: true, Responder: true, Version: 1, UpdatedAt: 1})
		if err != nil {
			return err
		}
	}
	return nil
}
