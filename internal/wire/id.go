package wire

import "strings"

// ID is an id in a body that somebody sent: capitals name the same UUID, so it lowers itself as it is read.
type ID string

// UnmarshalText implements encoding.TextUnmarshaler.
func (id *ID) UnmarshalText(text []byte) error {
	*id = ID(strings.ToLower(string(text)))
	return nil
}

// String is the id as the verbs know it.
func (id ID) String() string { return string(id) }
