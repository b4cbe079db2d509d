package fleet_test

import (
	"testing"

	"lightbar/internal/fleet"
)

// An organization is large above 5000 assets unless somebody said otherwise by
// hand; a form that sends back what it was shown says nothing.
func TestIsLarge(t *testing.T) {
	yes, no := true, false
	for _, row := range []struct {
		byHand *bool
		seen   int
		large  bool
		sent   bool // by somebody's form
		then   *bool
	}{
		{nil, 5000, false, false, nil}, {nil, 5001, true, true, nil},
		{nil, 5000, false, true, &yes}, {nil, 5001, true, false, &no},
		{&yes, 10, true, true, &yes}, {&yes, 10, true, false, nil},
		{&no, 9000, false, false, &no}, {&no, 9000, false, true, nil},
		{&no, 10, false, true, &yes}, {&yes, 9000, true, false, &no},
	} {
		if got := fleet.IsLarge(row.byHand, row.seen); got != row.large {
			t.Errorf("%+v: large %v", row, got)
		}
		then := fleet.SetLarge(row.byHand, row.sent, row.seen)
		if (then == nil) != (row.then == nil) || then != nil && *then != *row.then {
			t.Errorf("%+v: set to %v", row, then)
		}
	}
}
