package app

import (
	"slices"

	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/wire"
)

// publishThing sends organizations an asset that they see. The people of the owner and of a manager also get who else manages or
// accesses it, unless they may only read their organization; an accessor gets only its own relation.
func publishThing(change *live.Change, t *fleet.Thing, audience []string, shown wire.Thing, kind thingMessage) {
	say := func(as fleet.MessageType, audience []string, shown wire.Thing) {
		tell(change, as, t.ID, audience, kind.encode(shown))
	}
	var same, full []string
	for _, org := range audience {
		part := shown.WithVisibleRelations(func(id string) bool { return id == org })
		switch {
		case slices.Equal(part.OrganizationRelations, shown.OrganizationRelations):
			same = append(same, org)
		case org == t.OrganizationID || slices.Contains(t.Relations, fleet.Relation{OrganizationID: org, Kind: fleet.RelationManager}):
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

// thingMessage is a message about an asset, to all listeners and in its two forms.
type thingMessage struct {
	all, full, part fleet.MessageType
	encode          func(wire.Thing) []byte
}

var (
	thingChanged = thingMessage{fleet.MessageThing, fleet.MessageThingFull, fleet.MessageThingPart, func(t wire.Thing) []byte {
		return wire.EncodeRow(fleet.MessageThing, t)
	}}
	thingAdded = thingMessage{fleet.MessageAdmin, fleet.MessageAdminFull, fleet.MessageAdminPart, func(t wire.Thing) []byte {
		return wire.EncodeAdmin("added", t)
	}}
)
