package wire

import (
	"bytes"
	"encoding/json"

	"lightbar/internal/fleet"
)

// Raw is JSON as it was sent, to be read as a T later. Empty = not sent; null is sent and means none.
type Raw[T any] json.RawMessage

// Geometry is a GeoJSON geometry (RFC 7946) as it was sent, longitude first; its law is fleet's.
type Geometry = Raw[fleet.Geometry]

// Pattern is a recurrence as it is sent.
type Pattern = Raw[fleet.Recurrence]

// UnmarshalJSON keeps what was sent, null too.
func (r *Raw[T]) UnmarshalJSON(text []byte) error {
	*r = bytes.Clone(text)
	return nil
}

// MarshalJSON writes it as it was kept; nothing kept is null.
func (r Raw[T]) MarshalJSON() ([]byte, error) {
	if len(r) == 0 {
		return []byte("null"), nil
	}
	return r, nil
}

// IsSent reports whether something or null was sent; IsNull that it was null.
func (r Raw[T]) IsSent() bool { return len(r) > 0 }

// IsNull reports whether null was sent.
func (r Raw[T]) IsNull() bool { return string(r) == "null" }

// Read reads it; it does not judge. A field that T does not have is an error.
func (r Raw[T]) Read() (*T, error) {
	out := new(T)
	decoder := json.NewDecoder(bytes.NewReader(r))
	decoder.DisallowUnknownFields()
	return out, decoder.Decode(out)
}
