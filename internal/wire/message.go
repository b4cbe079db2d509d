package wire

import (
	"encoding/json"

	"lightbar/internal/fleet"
)

// The messages of the stream; each body is exactly what a list says of the
// same row. Points and heartbeats are written by AppendLiveMessage.
type (
	// PointMessage says that an asset reported a position, or that the clock changed its live state.
	PointMessage struct {
		Type fleet.EventType `json:"type" enum:"point"`
		Live Live            `json:"live"`
	}
	// HeartbeatMessage says that an asset gave a sign of life.
	HeartbeatMessage struct {
		Type fleet.EventType `json:"type" enum:"heartbeat"`
		Live Live            `json:"live"`
	}
	// ThingMessage says that an asset's profile or relations changed.
	ThingMessage struct {
		Type  fleet.EventType `json:"type" enum:"thing"`
		Thing Thing           `json:"thing"`
	}
	// LocationMessage says that an incident changed, or (is_deleted) left the reader's sight.
	LocationMessage struct {
		Type     fleet.EventType `json:"type" enum:"location"`
		Location Location        `json:"location"`
	}
	// AdminMessage says that an asset came into an organization's sight or left it.
	AdminMessage struct {
		Type   fleet.EventType `json:"type" enum:"admin"`
		Action string          `json:"action" enum:"added,removed" doc:"removed: only the asset's id is then meaningful"`
		Thing  Thing           `json:"thing"`
	}
)

// AnyMessage is one of the messages, encoded.
type AnyMessage struct{ json.RawMessage }

// EncodeLocation is the body of a location message.
func EncodeLocation(l Location) []byte {
	return encode(LocationMessage{Type: fleet.EventLocation, Location: l})
}

// EncodeThing is the body of a thing message.
func EncodeThing(t Thing) []byte { return encode(ThingMessage{Type: fleet.EventThing, Thing: t}) }

// EncodeAdmin is the body of an admin message: an asset was added to an
// organization's sight or removed from it.
func EncodeAdmin(action string, t Thing) []byte {
	return encode(AdminMessage{Type: fleet.EventAdmin, Action: action, Thing: t})
}

func encode(message any) []byte {
	b, err := json.Marshal(message)
	if err != nil {
		panic("wire: " + err.Error()) // plain data always encodes
	}
	return b
}
