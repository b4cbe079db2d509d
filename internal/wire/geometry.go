package wire

import (
	"bytes"
	"encoding/json"
)

// Geometry is a GeoJSON geometry (RFC 7946) as it was sent, longitude first; its
// law is fleet's. Empty = not said; null is said and means none.
type Geometry json.RawMessage

// UnmarshalJSON keeps what was sent, null too.
func (g *Geometry) UnmarshalJSON(text []byte) error {
	*g = bytes.Clone(text)
	return nil
}

// MarshalJSON writes it as it was kept; nothing kept is null.
func (g Geometry) MarshalJSON() ([]byte, error) {
	if len(g) == 0 {
		return []byte("null"), nil
	}
	return g, nil
}

// Said reports whether a geometry or null was sent; IsNull that it was null.
func (g Geometry) Said() bool { return len(g) > 0 }

// IsNull reports whether null was sent.
func (g Geometry) IsNull() bool { return string(g) == "null" }
