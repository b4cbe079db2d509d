package people_test

import (
	"slices"
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/people"
	"lightbar/internal/testkit/check"
)

// What the audit keeps of a record says something of every field of a full one.
func TestTheAuditKeepsAllOfARecord(t *testing.T) {
	user, key, organization := check.Full[fleet.User](t), check.Full[fleet.Key](t), check.Full[fleet.Organization](t)
	for name, row := range map[string]struct {
		doc   any
		other []string // what does not follow from the record alone
	}{
		"user":         {people.UserDoc(user), nil},
		"key":          {people.KeyDoc(key), nil},
		"organization": {people.OrganizationWire(organization, nil, nil), []string{"organization_accessors", "organization_managers", "responders_type"}},
	} {
		if lost := check.Empty(t, row.doc); !slices.Equal(lost, row.other) {
			t.Errorf("%s: nothing comes into %q", name, lost)
		}
	}
}
