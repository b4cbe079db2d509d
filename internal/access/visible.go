package access

import (
	"slices"

	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

// Who manages or accesses an organization or an asset is told to those who
// reach it in full, because they decide about it. Who may only read it learns
// of the organizations in its own reach, and that there is another one.

// VisibleOrganizationRelations is what the actor may know of an organization's relations: those to
// organizations it may not know of become one of each kind, without an id.
func (a *Actor) VisibleOrganizationRelations(organizationID string, relations []fleet.OrganizationRelation) []fleet.OrganizationRelation {
	if a.Reach(organizationID) == Full {
		return relations
	}
	out := make([]fleet.OrganizationRelation, 0, len(relations))
	for _, rel := range relations {
		if rel.OrganizationID == organizationID && a.Reach(rel.OtherID) == None {
			rel.OtherID = ""
		}
		if !slices.Contains(out, rel) {
			out = append(out, rel)
		}
	}
	return out
}

// VisibleRelations is what the actor may know of the relations of an owner's
// asset: all of them when it reaches the asset in full.
func (a *Actor) VisibleRelations(owner string, list []wire.Relationship) []wire.Relationship {
	managed := func(r wire.Relationship) bool {
		return r.RelationshipType == fleet.RelationManager && a.Reach(r.OrganizationUUID) == Full
	}
	if len(list) == 0 || a.Reach(owner) == Full || slices.ContainsFunc(list, managed) {
		return list
	}
	return wire.VisibleRelations(list, func(org string) bool { return a.Reach(org) != None })
}

// VisibleThing is an asset with the relations that the actor may know of.
func (a *Actor) VisibleThing(t wire.Thing) wire.Thing {
	t.OrganizationRelations = a.VisibleRelations(t.Organization.ID, t.OrganizationRelations)
	return t
}

// AsShownTo is the actor as the audit of an organization may show it: who acts
// from outside its reach, as from the other side of a relation, leaves neither
// a name nor a network there.
func (a *Actor) AsShownTo(organizationID string) *Actor {
	if a.Reach(organizationID) == Full {
		return a
	}
	return &Actor{RequestID: a.RequestID}
}
