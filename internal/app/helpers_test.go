package app_test

import (
	"slices"

	"lightbar/internal/testkit/check"
)

var (
	must      = check.OK
	refused   = check.Refused
	refusalOf = check.Refusal
	codeOf    = check.Code
	tamper    = check.Tamper
	idOf      = check.ID
)

func ptr[T any](v T) *T { return &v }

func sorted(lines []string) []string { return slices.Sorted(slices.Values(lines)) }
