package cable

import (
	"encoding/json"

	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

// The frames of Action Cable and its history extension, as in the published description of the stream. Data frames are written by
// hand: see appendData.
type (
	// WelcomeFrame is the first of a socket.
	WelcomeFrame struct {
		Type string `json:"type" enum:"welcome"`
	}
	// PingFrame comes every few seconds.
	PingFrame struct {
		Type    string        `json:"type" enum:"ping"`
		Message int64         `json:"message" doc:"the server's time in seconds since the epoch"`
		At      fleet.Instant `json:"at" nullable:"false" doc:"the same time, exact"`
	}
	// CurrentPosition is the position of a stream; all are absent while this server knows no position.
	CurrentPosition struct {
		StreamID string  `json:"stream_id,omitempty"`
		Epoch    string  `json:"epoch,omitempty"`
		Offset   *uint64 `json:"offset,omitempty" doc:"of the last message"`
	}
	// ConfirmSubscriptionFrame means that messages follow from here.
	ConfirmSubscriptionFrame struct {
		Identifier string `json:"identifier" doc:"as the client sent it"`
		Type       string `json:"type" enum:"confirm_subscription"`
		CurrentPosition
	}
	// RejectSubscriptionFrame means that the organization is out of reach, or its assets may not be seen.
	RejectSubscriptionFrame struct {
		Identifier string `json:"identifier" doc:"as the client sent it"`
		Type       string `json:"type" enum:"reject_subscription"`
	}
	// ConfirmHistoryFrame follows the missed messages; what comes then is new.
	ConfirmHistoryFrame struct {
		Identifier string `json:"identifier" doc:"as the client sent it"`
		Type       string `json:"type" enum:"confirm_history"`
	}
	// RejectHistoryFrame means that the missed messages are no longer stored: fetch the lists, and continue from the position.
	RejectHistoryFrame struct {
		Identifier string `json:"identifier" doc:"as the client sent it"`
		Type       string `json:"type" enum:"reject_history"`
		CurrentPosition
	}
	// ProfileChangedFrame means that GET /profile has changed.
	ProfileChangedFrame struct {
		Type string `json:"type" enum:"profile_changed"`
	}
	// DisconnectFrame is the last of a socket.
	DisconnectFrame struct {
		Type      string `json:"type" enum:"disconnect"`
		Reason    Reason `json:"reason" enum:"unauthorized,access_changed,slow,gap,server_restart,invalid_request"`
		Reconnect bool   `json:"reconnect"`
		AfterMs   int64  `json:"after,omitempty" doc:"milliseconds to wait at least; absent: reconnect at once"`
	}
	// MessageFrame carries one message.
	MessageFrame struct {
		Identifier string          `json:"identifier" doc:"as the client sent it"`
		Message    wire.AnyMessage `json:"message"`
		StreamID   string          `json:"stream_id"`
		Epoch      string          `json:"epoch"`
		Offset     uint64          `json:"offset"`
	}
	// BatchFrame carries all messages of a moment, for subscriptions with batch.
	BatchFrame struct {
		Identifier string         `json:"identifier" doc:"as the client sent it"`
		StreamID   string         `json:"stream_id"`
		Epoch      string         `json:"epoch"`
		Messages   []BatchMessage `json:"messages"`
	}
	// BatchMessage is one message of a batch.
	BatchMessage struct {
		Offset  uint64          `json:"offset"`
		Message wire.AnyMessage `json:"message"`
	}
)

// textFrame is a frame of plain data, ready for the wire.
func textFrame(frame any) []byte {
	b, err := json.Marshal(frame)
	if err != nil {
		panic("cable: " + err.Error()) // plain data always encodes
	}
	return appendText(nil, b, false)
}

func welcomeFrame() []byte { return textFrame(WelcomeFrame{Type: "welcome"}) }

func pingFrame(now fleet.Instant) []byte {
	return textFrame(PingFrame{Type: "ping", Message: int64(now) / 1000, At: now})
}

func profileChangedFrame() []byte { return textFrame(ProfileChangedFrame{Type: "profile_changed"}) }

func confirmSubscription(identifier string, at CurrentPosition) []byte {
	return textFrame(ConfirmSubscriptionFrame{Identifier: identifier, Type: "confirm_subscription", CurrentPosition: at})
}

func rejectSubscription(identifier string) []byte {
	return textFrame(RejectSubscriptionFrame{Identifier: identifier, Type: "reject_subscription"})
}

func confirmHistory(identifier string) []byte {
	return textFrame(ConfirmHistoryFrame{Identifier: identifier, Type: "confirm_history"})
}

func rejectHistory(identifier string, at CurrentPosition) []byte {
	return textFrame(RejectHistoryFrame{Identifier: identifier, Type: "reject_history", CurrentPosition: at})
}
