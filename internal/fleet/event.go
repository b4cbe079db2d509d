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
