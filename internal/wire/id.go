package wire

import (
	"reflect"
	"strings"
)

// ID is an id in a body that somebody sent: capitals name the same UUID, so it lowers itself as it is read.
type ID string

// UnmarshalText implements encoding.TextUnmarshaler.
func (id *ID) UnmarshalText(text []byte) error {
	*id = ID(strings.ToLower(string(text)))
	return nil
}

// Said tells whether an optional id was sent: null and "" mean none (requirements 5.general).
func (id *ID) Said() bool { return id != nil && *id != "" }

// Other tells whether a body names another resource than its address; field is where it does.
func Other(body any, id string) (field string, other bool) {
	of := reflect.Indirect(reflect.ValueOf(body))
	if of.Kind() != reflect.Struct {
		return "", false
	}
	for i := range of.NumField() {
		name, _, _ := strings.Cut(of.Type().Field(i).Tag.Get("json"), ",")
		if name != "id" && name != "uuid" {
			continue
		}
		sent, ok := of.Field(i).Interface().(*ID)
		if ok && sent.Said() && sent.String() != id {
			return name, true
		}
	}
	return "", false
}

// String is the id as the verbs know it.
func (id ID) String() string { return string(id) }
