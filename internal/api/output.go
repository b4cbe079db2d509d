package api

import "lightbar/internal/wire"

// What handlers answer: a resource, one with its version, or a list.
type (
	oneOf[T any]       struct{ Body wire.One[T] }
	versionedOf[T any] struct {
		ETag string `header:"ETag"`
		Body wire.One[T]
	}
	listOf[T any] struct{ Body wire.List[T] }
)

// one answers what a verb gave.
func one[T any](data T, err error) (*oneOf[T], error) {
	if err != nil {
		return nil, err
	}
	return &oneOf[T]{Body: wire.One[T]{Data: data}}, nil
}

// versioned answers a resource with its version as ETag.
func versioned[T any](data T, version int64) *versionedOf[T] {
	return &versionedOf[T]{ETag: etagOf(version), Body: wire.One[T]{Data: data}}
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
