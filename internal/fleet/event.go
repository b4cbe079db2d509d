package fleet

// EventType is the type of a stream message (specification section 7, Streaming).
type EventType string

// The stream's message types; admin carries adds and removals of assets.
const (
	EventPoint     EventType = "point"
	EventThing     EventType = "thing"
	EventHeartbeat EventType = "heartbeat"
	EventLocation  EventType = "location"
	EventClosure   EventType = "closure"
	EventAdmin     EventType = "admin"
)

// A thing or admin message that names partners of the asset comes in two forms:
// Full for listeners who reach the audience's organization in full, Part for
// those who may only read it. On the wire both are thing and admin messages.
const (
	EventThingFull EventType = "thing/full"
	EventThingPart EventType = "thing/part"
	EventAdminFull EventType = "admin/full"
	EventAdminPart EventType = "admin/part"
)

// Event is one committed change on its way to the stream. Body is the complete
// message object as the wire shows it, encoded once for everybody; Audience
// lists the organizations that may see it (owner, managers, accessors).
// Key and Type let the bus keep only the newest state of a thing in a frame.
type Event struct {
	Type     EventType
	Key      string // id of the noun
	Audience []string
	At       Instant
	Body     []byte
}
