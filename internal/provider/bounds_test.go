package provider_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"lightbar/internal/budget/call"
	"lightbar/internal/provider"
	"lightbar/internal/testkit/providertest"
)

// More than a page or an account has, and the answer is refused instead of held.
func TestTooManyRecords(t *testing.T) {
	var ids strings.Builder
	for i := range 50_001 {
		fmt.Fprintf(&ids, `{"id":"%d"},`, i)
	}
	for kind, text := range map[string]string{
		"Geotab's feed":      `{"result":{"data":[` + strings.Repeat(`{},`, 100_001) + `{}],"toVersion":"1"}}`,
		"Geotab's devices":   `{"result":[` + strings.Repeat(`{},`, 5001) + `{}]}`,
		"Samsara's feed":     `{"data":[{"id":"1","gps":[` + strings.Repeat(`{},`, 100_001) + `{}]}]}`,
		"Samsara's vehicles": `{"data":[` + ids.String() + `{}]}`,
	} {
		if _, err := provider.Decoders[kind](t.Context(), 200, text); problem(t, err).Reason != provider.Unreadable {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// What is made of an answer counts in the budget of the call that asked for it, and a refusal ends the reading.
func TestVehiclesCountInTheBudget(t *testing.T) {
	s, c := providertest.NewSamsara(t), newClock()
	asks := client(t, "samsara", s, c)
	for i := range 1000 {
		s.AddTruck(providertest.Truck{ID: fmt.Sprint(i + 1)})
	}
	busy, taken := errors.New("busy"), int64(0)
	ctx := call.Counting(t.Context(), func(bytes int64) error {
		if taken += bytes; taken > 128<<10 {
			return busy
		}
		return nil
	})
	if _, err := asks.Vehicles(ctx); !errors.Is(err, busy) || s.Calls(providertest.VehiclesPath) != 2 {
		t.Errorf("%v after %d bytes", err, taken)
	}
}

// Who no longer waits is not kept busy.
func TestReadingEndsWithItsContext(t *testing.T) {
	ctx, cancel := contextOf(t)
	cancel()
	for kind, decode := range provider.Decoders {
		text := `{"result":[` + strings.Repeat(`{},`, 2000) + `{}],"data":[` + strings.Repeat(`{"id":"1","gps":[{},{}]},`, 2000) + `{}]}`
		if kind == "Geotab's feed" {
			text = `{"result":{"data":[` + strings.Repeat(`{},`, 2000) + `{}],"toVersion":"1"}}`
		}
		if _, err := decode(ctx, 200, text); !errors.Is(err, ctx.Err()) {
			t.Errorf("%s: %v", kind, err)
		}
	}
}
