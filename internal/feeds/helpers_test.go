package feeds_test

import (
	"lightbar/internal/testkit/check"
	"lightbar/internal/wire"
)

// must, refused and refusalOf are those of all rooms.
var (
	must      = check.OK
	refused   = check.Refused
	refusalOf = check.Refusal
)

// paused is an edit that pauses a subscription.
var paused = wire.FeedSubscriptionWrite{IsActive: ref(false)}

func ref[T any](v T) *T { return &v }

// second is the error of a verb.
func second[T any](_ T, err error) error { return err }
