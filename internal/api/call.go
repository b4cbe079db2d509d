package api

import (
	"context"
	"net/http"
	"strings"

	"lightbar/internal/access"
	"lightbar/internal/budget"
	"lightbar/internal/people"
)

// call is what the middleware knows about one request. It travels in the
// request's context as far as the operation; verbs get an actor as an argument.
type call struct {
	ID      string
	Network string // address of the client
	Secure  bool   // the client speaks TLS, here or to a trusted proxy
	Request *http.Request

	brand         func() string // the name of the product, for sentences that hold it
	actor         *access.Actor
	body          *budget.Body // nil = the request has none
	tokenEndpoint bool
	code          string // machine code of the failure answered
	cause         error  // what the log says about it
}

type callKey struct{}

// callOf finds the call of a request; never nil.
func callOf(ctx context.Context) *call {
	if c, ok := ctx.Value(callKey{}).(*call); ok {
		return c
	}
	return &call{}
}

// failed remembers the failure for log, metrics and audit.
func (c *call) failed(f *Failure) { c.code, c.cause = f.Failure.Error, f.cause }

// outOfReach reports whether a signed-in user named what does not exist for them:
// an id that is wrong, or another organization's.
func (c *call) outOfReach() bool {
	return c.actor != nil && (c.code == "not_found" || strings.HasSuffix(c.code, "_not_found"))
}

// caller is what verbs that need no actor are told.
func (c *call) caller() people.Caller {
	out := people.Caller{Network: c.Network, RequestID: c.ID}
	if c.Request != nil {
		out.UserAgent = c.Request.UserAgent()
		if cookie, err := c.Request.Cookie(deviceCookie(c.Secure)); err == nil {
			out.Device = cookie.Value
		}
	}
	return out
}

// Failed tells the call of a request which failure was answered, for handlers
// that write their own: log, metrics and the counts of refusals know it then.
func Failed(r *http.Request, code string) { callOf(r.Context()).code = code }

// NetworkOf is the address of a request's client, for handlers mounted beside the operations.
func NetworkOf(r *http.Request) string { return callOf(r.Context()).Network }
