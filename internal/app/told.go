package app

import (
	"slices"

	"lightbar/internal/fleet"
)

// Who manages or accesses an organization or an asset is told to those who
// reach it in full, because they decide about it. Who may only read it learns
// of the organizations in its own reach, and that there is another one.

// told is what the actor may know of an organization's relations: those to
// organizations it may not know of become one of each kind, without an id.
func (a *Actor) told(organizationID string, relations []fleet.OrganizationRelation) []fleet.OrganizationRelation {
	if a.Reach(organizationID) == ReachFull {
		return relations
	}
	out := make([]fleet.OrganizationRelation, 0, len(relations))
	for _, rel := range relations {
		if rel.OrganizationID == organizationID && a.Reach(rel.OtherID) == ReachNone {
			rel.OtherID = ""
		}
		if !slices.Contains(out, rel) {
			out = append(out, rel)
		}
	}
	return out
}

// asTold is the actor as the audit of an organization may show it: who acts
// from outside its reach, as from the other side of a relation, leaves neither
// a name nor a network there.
func (a *Actor) asTold(organizationID string) *Actor {
	if a.Reach(organizationID) == ReachFull {
		return a
	}
	return &Actor{RequestID: a.RequestID}
}
