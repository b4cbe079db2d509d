package wire

import (
	"encoding/json"
	"reflect"

	"lightbar/internal/fleet"
)

// The messages of the stream; each body is exactly what a list says of the
// same row. Points and heartbeats are written by AppendLiveMessage.
type (
	// PointMessage says that an asset reported a position, or that the clock changed its live state.
	PointMessage struct {
		Type fleet.MessageType `json:"type" enum:"point"`
		Live Live              `json:"live"`
	}
	// HeartbeatMessage says that an asset gave a sign of life.
	HeartbeatMessage struct {
		Type fleet.MessageType `json:"type" enum:"heartbeat"`
		Live Live              `json:"live"`
	}
	// AdminMessage says that an asset came into an organization's sight or left it.
	AdminMessage struct {
		Type   fleet.MessageType `json:"type" enum:"admin"`
		Action string            `json:"action" enum:"added,removed" doc:"removed: only the asset's id is then meaningful"`
		Thing  Thing             `json:"thing"`
	}
)

// AnyMessage is one of the messages, encoded.
type AnyMessage struct{ json.RawMessage }

// RowMessage is the shape of the message of a noun: its type, and the row as
// lists show it under the type's name.
func RowMessage[Row any](t fleet.MessageType) reflect.Type {
	return reflect.StructOf([]reflect.StructField{
		{Name: "Type", Type: reflect.TypeFor[fleet.MessageType](), Tag: reflect.StructTag(`json:"type" enum:"` + string(t) + `"`)},
		{Name: "Row", Type: reflect.TypeFor[Row](), Tag: reflect.StructTag(`json:"` + string(t) + `"`)},
	})
}

// EncodeRow is the body of a message of type t, shaped as RowMessage says.
func EncodeRow[Row any](t fleet.MessageType, row Row) []byte {
	b := append(make([]byte, 0, 512), `{"type":"`...)
	b = append(append(b, t...), `","`...)
	b = append(append(b, t...), `":`...)
	return append(append(b, encode(row)...), '}')
}

// EncodeAdmin is the body of an admin message: an asset was added to an
// organization's sight or removed from it.
func EncodeAdmin(action string, t Thing) []byte {
	return encode(AdminMessage{Type: fleet.MessageAdmin, Action: action, Thing: t})
}

func encode(message any) []byte {
	b, err := json.Marshal(message)
	if err != nil {
		panic("wire: " + err.Error()) // plain data always encodes
	}
	return b
}
