package wire

import (
	"bytes"
	"encoding/json"

	"lightbar/internal/fleet"
)

// Pattern is a recurrence as it is sent. Empty = not said; null is said and means none.
type Pattern json.RawMessage

// UnmarshalJSON keeps what was sent, null too.
func (p *Pattern) UnmarshalJSON(text []byte) error {
	*p = bytes.Clone(text)
	return nil
}

// MarshalJSON writes it as it was sent.
func (p Pattern) MarshalJSON() ([]byte, error) { return p, nil }

// Said reports whether a pattern or null was sent; IsNull that it was null.
func (p Pattern) Said() bool { return len(p) > 0 }

// IsNull reports whether null was sent.
func (p Pattern) IsNull() bool { return string(p) == "null" }

// Recurrence reads the pattern; it does not judge.
func (p Pattern) Recurrence() (*fleet.Recurrence, error) {
	out := new(fleet.Recurrence)
	decoder := json.NewDecoder(bytes.NewReader(p))
	decoder.DisallowUnknownFields()
	return out, decoder.Decode(out)
}
