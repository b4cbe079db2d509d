package app

import (
	"reflect"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/wire"
)

// Streamed is one type of message on the stream. Listeners get it who meet Requires and reach the organization as By requires.
type Streamed struct {
	Type     fleet.MessageType
	Requires string // a requirement of catalog/permissions.json
	// By is ReachFull for messages to listeners who reach the organization in full, ReachRead for those to others, ReachNone for
	// all.
	By access.Reach
	// Shape is the message as documents describe it; nil for another form of a message that is already listed here, and for one
	// that nobody sends yet.
	Shape reflect.Type
	Text  string // for documents: what the message means
}

// listening is what a listener needs before any message: without assets there is no stream.
const listening = "VIEW_THINGS"

// streamed is everything that the stream carries, the most frequent first. A new noun is one row here: its message holds the row as
// lists show it.
var streamed = []Streamed{
	{Type: fleet.MessagePoint, Requires: "VIEW_THINGS", Shape: reflect.TypeFor[wire.PointMessage](),
		Text: "An asset reported a position, or time changed its live state."},
	{Type: fleet.MessageHeartbeat, Requires: "VIEW_THINGS", Shape: reflect.TypeFor[wire.HeartbeatMessage](),
		Text: "An asset sent a heartbeat."},
	{Type: fleet.MessageThing, Requires: "VIEW_THINGS", Shape: wire.RowMessage[wire.Thing](fleet.MessageThing),
		Text: "An asset's profile or relations changed."},
	{Type: fleet.MessageLocation, Requires: "VIEW_EVENTS", Shape: wire.RowMessage[wire.Location](fleet.MessageLocation),
		Text: "An incident changed, or is no longer visible to the reader."},
	{Type: fleet.MessageAdmin, Requires: "VIEW_THINGS", Shape: reflect.TypeFor[wire.AdminMessage](),
		Text: "An asset became visible to the organization, or is no longer visible."},
	{Type: fleet.MessageThingFull, Requires: "VIEW_THINGS", By: access.Full},
	{Type: fleet.MessageThingPart, Requires: "VIEW_THINGS", By: access.Read},
	{Type: fleet.MessageAdminFull, Requires: "VIEW_THINGS", By: access.Full},
	{Type: fleet.MessageAdminPart, Requires: "VIEW_THINGS", By: access.Read},
	{Type: fleet.MessageArea, Requires: "VIEW_AREAS", Shape: wire.RowMessage[wire.Area](fleet.MessageArea),
		Text: "An area was added, changed, or deleted."},
	{Type: fleet.MessageZone, Requires: "VIEW_ZONES", Shape: wire.RowMessage[wire.Zone](fleet.MessageZone),
		Text: "An alerting zone was added, changed, or deleted, became active or standby, or an asset started or stopped alerting in it."},
	{Type: fleet.MessageHazard, Requires: "VIEW_HAZARDS", Shape: wire.RowMessage[wire.Hazard](fleet.MessageHazard),
		Text: "A hazard was reported, confirmed, cleared, or ended; a day after its end it leaves the lists."},
	{Type: fleet.MessageHazardFull, Requires: "VIEW_HAZARDS", By: access.Full},
	{Type: fleet.MessageHazardPart, Requires: "VIEW_HAZARDS", By: access.Read},
	{Type: fleet.MessageClosure, Requires: "VIEW_CLOSURES", Shape: wire.RowMessage[wire.Closure](fleet.MessageClosure),
		Text: "A closure was added, changed, confirmed, or deleted, someone is asked about it, or the clock started or ended it."},
	{Type: fleet.MessageExport, Requires: "VIEW_EXPORTS", By: access.Full, Shape: wire.RowMessage[wire.Export](fleet.MessageExport),
		Text: "An export was asked for, got further, ended, or was deleted."},
	{Type: fleet.MessageReport, Requires: "VIEW_REPORTS", By: access.Full, Shape: wire.RowMessage[wire.MonthlyReport](fleet.MessageReport),
		Text: "A monthly report was made, or made anew with other figures."},
	{Type: fleet.MessageCommand, Requires: "VIEW_THINGS", By: access.Full, Shape: wire.RowMessage[wire.DeviceCommand](fleet.MessageCommand),
		Text: "A device's command was accepted, sent, delivered, failed, or expired."},
	{Type: fleet.MessageFinding, Requires: "VIEW_THINGS", Shape: wire.RowMessage[wire.Finding](fleet.MessageFinding),
		Text: "The watchdog found something about an asset, it is no longer so, or someone was mailed about it."},
	{Type: fleet.MessageFindingFull, Requires: "VIEW_THINGS", By: access.Full},
	{Type: fleet.MessageFindingPart, Requires: "VIEW_THINGS", By: access.Read},
	{Type: fleet.MessageClosureFull, Requires: "VIEW_CLOSURES", By: access.Full},
	{Type: fleet.MessageClosurePart, Requires: "VIEW_CLOSURES", By: access.Read},
}

// StreamedTypes lists what the stream carries.
func StreamedTypes() []Streamed { return streamed }

// Seen is what a listener gets of an organization's messages: a bit for each row of the table, so that listeners with the same Seen
// share every frame. 0 = nothing at all.
type Seen uint64

// Sees returns what the actor gets of an organization's stream.
func Sees(actor *access.Actor, organizationID string) Seen {
	if !actor.Meets(listening) {
		return 0
	}
	reach := actor.Reach(organizationID)
	if reach == access.None {
		return 0
	}
	var seen Seen
	for i, s := range streamed {
		if (s.By == access.None || s.By == reach) && actor.Meets(s.Requires) {
			seen |= 1 << i
		}
	}
	return seen
}

// Has reports whether messages of type t are sent to the listener. Types that this version does not know are not.
func (seen Seen) Has(t fleet.MessageType) bool {
	for i := range streamed {
		if streamed[i].Type == t {
			return seen&(1<<i) != 0
		}
	}
	return false
}

// tell sends organizations the new state of a row of a streamed noun, after the commit of the change and in the order of commits;
// body is mostly wire.EncodeRow of the row as lists show it now. Nouns that the picture does not hold are sent the same way: the
// row itself stays in the store.
func tell(change *live.Change, t fleet.MessageType, id string, audience []string, body []byte) {
	change.Say(fleet.Message{Type: t, Key: id, Audience: audience, At: change.Now(), Body: body})
}

// tellRemoved tells organizations that they do not see an asset anymore.
func tellRemoved(change *live.Change, thingID string, audience []string) {
	tell(change, fleet.MessageAdmin, thingID, audience, wire.EncodeAdmin("removed", wire.GoneThing(thingID)))
}
