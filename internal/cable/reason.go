package cable

import "github.com/gorilla/websocket"

// Reason is why the server ends a socket, in a disconnect frame.
type Reason string

// The reasons. All but unauthorized and invalid_request invite to come again.
const (
	// ReasonUnauthorized: the session ended or was revoked.
	ReasonUnauthorized Reason = "unauthorized"
	// ReasonAccessChanged: permissions or reach changed; come again and fetch afresh.
	ReasonAccessChanged Reason = "access_changed"
	// ReasonSlow: the reader did not keep up; come again with history.
	ReasonSlow Reason = "slow"
	// ReasonGap: messages were lost before they reached this node; come again, history will be rejected.
	ReasonGap Reason = "gap"
	// ReasonServerRestart: this node stops; come again after the given time.
	ReasonServerRestart Reason = "server_restart"
	// ReasonInvalidRequest: a frame that is no command, or too many of them.
	ReasonInvalidRequest Reason = "invalid_request"
)

func (r Reason) reconnect() bool {
	return r != ReasonUnauthorized && r != ReasonInvalidRequest
}

// closeCode is the status of the closing frame (RFC 6455 section 7.4 and the IANA registry).
func (r Reason) closeCode() int {
	switch r {
	case ReasonServerRestart:
		return websocket.CloseServiceRestart
	case ReasonSlow, ReasonGap:
		return websocket.CloseTryAgainLater
	}
	return websocket.ClosePolicyViolation
}

// keepsQueue reports whether what already waits is still delivered before the end.
func (r Reason) keepsQueue() bool { return r == ReasonServerRestart }
