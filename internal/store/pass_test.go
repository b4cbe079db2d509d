package store_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"lightbar/internal/store"
	"lightbar/internal/store/engine"
)

// A pass goes on after one of many fails, and ends when the database as a whole refuses.
func TestAPassGoesOn(t *testing.T) {
	own, busy := errors.New("own"), fmt.Errorf("%w: busy", engine.ErrBusy)
	for _, of := range []struct {
		fails map[int]error
		want  []int
		err   error
	}{
		{nil, []int{1, 2, 3}, nil},
		{map[int]error{1: own, 3: errors.New("other")}, []int{1, 2, 3}, own},
		{map[int]error{1: own, 2: busy}, []int{1, 2}, own},
		{map[int]error{2: busy}, []int{1, 2}, busy},
	} {
		var did []int
		err := store.EachOf(t.Context(), []int{1, 2, 3}, func(n int) error {
			did = append(did, n)
			return of.fails[n]
		})
		if !slices.Equal(did, of.want) || !errors.Is(err, of.err) {
			t.Errorf("%v: did %v, %v", of.fails, did, err)
		}
	}
}
