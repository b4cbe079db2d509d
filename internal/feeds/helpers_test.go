package feeds_test

import "lightbar/internal/testkit/check"

// must, refused and refusalOf are those of all rooms.
var (
	must      = check.OK
	refused   = check.Refused
	refusalOf = check.Refusal
)

func ref[T any](v T) *T { return &v }

// second is the error of a verb.
func second[T any](_ T, err error) error { return err }
