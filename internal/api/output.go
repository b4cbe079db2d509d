package api

import (
	"reflect"

	"lightbar/internal/wire"
)

// What handlers answer: a resource, one with its version, a list, a body that
// is no envelope, or an empty object when there is nothing to tell.
type (
	oneOf[T any]       struct{ Body wire.One[T] }
	versionedOf[T any] struct {
		ETag string `header:"ETag"`
		Body wire.One[T]
	}
	listOf[T any] struct{ Body wire.List[T] }
	bareOf[T any] struct{ Body T }
	doneOutput    struct{ Body struct{} }
)

// one answers what a verb gave.
func one[T any](data T, err error) (*oneOf[T], error) {
	if err != nil {
		return nil, err
	}
	return &oneOf[T]{Body: wire.One[T]{Data: data}}, nil
}

// versioned answers a resource with its version as ETag; version is versionOf its type.
func versioned[T any](version []int, data T, err error) (*versionedOf[T], error) {
	if err != nil {
		return nil, err
	}
	return &versionedOf[T]{ETag: etagOf(reflect.ValueOf(data).FieldByIndex(version).Int()), Body: wire.One[T]{Data: data}}, nil
}

// versionOf is where a resource has its version; nil when it has none.
func versionOf[T any]() []int {
	t := reflect.TypeFor[T]()
	if t.Kind() != reflect.Struct {
		return nil
	}
	if f, ok := t.FieldByName("Version"); ok && f.Type.Kind() == reflect.Int64 {
		return f.Index
	}
	return nil
}

// many answers the rows that a verb gave.
func many[T any](rows []T, meta wire.Meta, err error) (*listOf[T], error) {
	if err != nil {
		return nil, err
	}
	return &listOf[T]{Body: wire.List[T]{Data: listed(rows), Meta: meta}}, nil
}

// listed makes an empty list of none: the wire has no null lists.
func listed[T any](rows []T) []T {
	if rows == nil {
		return []T{}
	}
	return rows
}

// bare answers a body as the verb gave it.
func bare[T any](data T, err error) (*bareOf[T], error) {
	if err != nil {
		return nil, err
	}
	return &bareOf[T]{Body: data}, nil
}

// done answers that a verb has done what it was asked for.
func done(err error) (*doneOutput, error) {
	if err != nil {
		return nil, err
	}
	return &doneOutput{}, nil
}
