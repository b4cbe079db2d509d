package app

import (
	"slices"

	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/wire"
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

// toldRelations is what the actor may know of the relations of an owner's
// asset: all of them when it reaches the asset in full (reachOfThing).
func (a *Actor) toldRelations(owner string, list []wire.Relationship) []wire.Relationship {
	managed := func(r wire.Relationship) bool {
		return r.RelationshipType == relationManager && a.Reach(r.OrganizationUUID) == ReachFull
	}
	if len(list) == 0 || a.Reach(owner) == ReachFull || slices.ContainsFunc(list, managed) {
		return list
	}
	return wire.TellRelations(list, func(org string) bool { return a.Reach(org) != ReachNone })
}

func (a *Actor) toldThing(t wire.Thing) wire.Thing {
	t.OrganizationRelations = a.toldRelations(t.Organization.ID, t.OrganizationRelations)
	return t
}

// sayShown tells organizations of an asset that they see. The owner's people
// and a manager's hear who else manages or accesses it, unless they may only
// read their organization; an accessor hears of itself.
func sayShown(change *live.Change, t *fleet.Thing, audience []string, shown wire.Thing, kind toldKind) {
	say := func(as fleet.EventType, audience []string, shown wire.Thing) {
		tell(change, as, t.ID, audience, kind.encode(shown))
	}
	var same, full []string
	for _, org := range audience {
		part := shown.Telling(func(id string) bool { return id == org })
		switch {
		case slices.Equal(part.OrganizationRelations, shown.OrganizationRelations):
			same = append(same, org)
		case org == t.OrganizationID || slices.Contains(t.Relations, fleet.Relation{OrganizationID: org, Kind: relationManager}):
			full = append(full, org)
			say(kind.part, []string{org}, part)
		default:
			say(kind.all, []string{org}, part)
		}
	}
	if len(full) > 0 {
		say(kind.full, full, shown)
	}
	if len(same) > 0 {
		say(kind.all, same, shown)
	}
}

// toldKind is a message about an asset, to all listeners and in its two forms.
type toldKind struct {
	all, full, part fleet.EventType
	encode          func(wire.Thing) []byte
}

var (
	toldThing = toldKind{fleet.EventThing, fleet.EventThingFull, fleet.EventThingPart, func(t wire.Thing) []byte {
		return wire.EncodeRow(fleet.EventThing, t)
	}}
	toldAdded = toldKind{fleet.EventAdmin, fleet.EventAdminFull, fleet.EventAdminPart, func(t wire.Thing) []byte {
		return wire.EncodeAdmin("added", t)
	}}
)

// asTold is the actor as the audit of an organization may show it: who acts
// from outside its reach, as from the other side of a relation, leaves neither
// a name nor a network there.
func (a *Actor) asTold(organizationID string) *Actor {
	if a.Reach(organizationID) == ReachFull {
		return a
	}
	return &Actor{RequestID: a.RequestID}
}
