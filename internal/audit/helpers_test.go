package audit_test

import (
	"lightbar/internal/testkit/audittest"
	"lightbar/internal/testkit/check"
)

var (
	must    = check.OK
	refused = check.Refused
	tamper  = check.Tamper
	count   = check.Count
	role    = check.Role

	textOf      = audittest.Text
	sealTwice   = audittest.SealTwice
	holds       = audittest.Holds
	restarted   = audittest.Restarted
	more        = audittest.More
	sealRefused = audittest.SealRefused
	verified    = audittest.Verified
)
