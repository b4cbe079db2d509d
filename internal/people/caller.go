package people

import (
	"strings"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
)

// Caller is what is known about a request before anybody has signed in.
type Caller struct {
	Network   string // address of the client, as text
	UserAgent string
	RequestID string
	// Device is the cookie of a device known from earlier sign-ins: it holds the tokens of its users.
	Device string
}

// as is the actor that the audit names while a caller is not signed in: the
// user whose identity is being checked.
func (c Caller) as(u fleet.User) *access.Actor {
	return &access.Actor{UserID: u.ID, OrganizationID: u.OrganizationID, Network: c.Network, RequestID: c.RequestID}
}

func cutText(s string, max int) string {
	if len(s) <= max {
		return strings.ToValidUTF8(s, "")
	}
	return strings.ToValidUTF8(s[:max], "")
}
