package people_test

import (
	"lightbar/internal/testkit/audittest"
	"lightbar/internal/testkit/check"
)

var (
	must    = check.OK
	refused = check.Refused
	codeOf  = check.Code
	role    = check.Role
	tamper  = check.Tamper
	count   = check.Count
	idOf    = check.ID

	sealTwice   = audittest.SealTwice
	holds       = audittest.Holds
	restarted   = audittest.Restarted
	more        = audittest.More
	sealRefused = audittest.SealRefused
	verified    = audittest.Verified
	textOf      = audittest.Text
)
