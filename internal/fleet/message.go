package fleet

// MessageType is the type of a stream message (requirements 7.stream).
type MessageType string

// The stream's message types; admin carries adds and removals of assets.
const (
	MessagePoint     MessageType = "point"
	MessageThing     MessageType = "thing"
	MessageHeartbeat MessageType = "heartbeat"
	MessageLocation  MessageType = "location"
	MessageClosure   MessageType = "closure"
	MessageArea      MessageType = "area"
	MessageZone      MessageType = "zone"
	MessageExport    MessageType = "export"
	MessageReport    MessageType = "report"
	MessageHazard    MessageType = "hazard"
	MessageCommand   MessageType = "command"
	MessageFinding   MessageType = "finding"
	MessageAdmin     MessageType = "admin"
)

// A thing or admin message that names partners of the asset comes in two forms:
// Full for listeners who reach the audience's organization in full, Part for
// those who may only read it. On the wire both are thing and admin messages. So
// does a hazard message that names a person, an asset or a key.
const (
	MessageThingFull MessageType = "thing/full"
	MessageThingPart MessageType = "thing/part"
	MessageAdminFull MessageType = "admin/full"
	MessageAdminPart MessageType = "admin/part"

	MessageHazardFull MessageType = "hazard/full"
	MessageHazardPart MessageType = "hazard/part"
	// A closure whose people those who may only read its organization do not learn.
	MessageClosureFull MessageType = "closure/full"
	MessageClosurePart MessageType = "closure/part"
	// A finding that names who was mailed, or an integration.
	MessageFindingFull MessageType = "finding/full"
	MessageFindingPart MessageType = "finding/part"
)

// Message is one committed change on its way to the stream. Body is the complete
// message object as the wire shows it, encoded once for everyone; Audience
// lists the organizations that may see it (owner, managers, accessors).
// Key and Type let the bus keep only the newest state of a thing in a frame.
type Message struct {
	Type     MessageType
	Key      string // id of the noun
	Audience []string
	At       Instant
	Body     []byte
}
