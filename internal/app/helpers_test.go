package app_test

import (
	"lightbar/internal/testkit/audittest"
	"lightbar/internal/testkit/check"
	"lightbar/internal/wire"
)

var (
	must      = check.OK
	refused   = check.Refused
	refusalOf = check.Refusal
	codeOf    = check.Code
	role      = check.Role
	tamper    = check.Tamper
	count     = check.Count

	sealTwice   = audittest.SealTwice
	holds       = audittest.Holds
	restarted   = audittest.Restarted
	more        = audittest.More
	sealRefused = audittest.SealRefused
	verified    = audittest.Verified
	textOf      = audittest.Text
)

func ptr[T any](v T) *T { return &v }

// idOf is an id as a write shape says it.
func idOf(id string) *wire.ID { return ptr(wire.ID(id)) }
