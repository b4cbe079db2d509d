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

// IsSent reports whether an optional id was sent: null and "" mean none (requirements 5.general).
func (id *ID) IsSent() bool { return id != nil && *id != "" }

// ApplyTo replaces the id that field points to if this one was sent.
func (id *ID) ApplyTo(field *string) {
	if id.IsSent() {
		*field = string(*id)
	}
}

// OwnID is the id that a body gives its resource, empty where it gives none; field is where it does.
func OwnID(body any) (field, id string) {
	of := reflect.Indirect(reflect.ValueOf(body))
	if of.Kind() != reflect.Struct {
		return "", ""
	}
	for i := range of.NumField() {
		name, _, _ := strings.Cut(of.Type().Field(i).Tag.Get("json"), ",")
		if name != "id" && name != "uuid" {
			continue
		}
		sent, ok := of.Field(i).Interface().(*ID)
		if ok && sent.IsSent() {
			return name, sent.String()
		}
	}
	return "", ""
}

// String is the id as the verbs know it.
func (id ID) String() string { return string(id) }
