package fleet

import (
	"time"

	"lightbar/catalog"
)

// Status is the display state of an asset, in sorting order (requirements 3.enum). Out of service is a flag, never a status on the wire.
type Status uint8

// The statuses; lower sorts first.
const (
	StatusLocation Status = iota
	StatusActive
	StatusStandby
	StatusStationary
	StatusPending
	StatusOffline
)

var statusWire = [...]string{"active_location", "active", "standby", "stationary", "pending", "offline"}

// Wire is the server string of the status.
func (s Status) Wire() string {
	if int(s) < len(statusWire) {
		return statusWire[s]
	}
	return "offline"
}

// StatusFromWire reads a server string.
func StatusFromWire(w string) (Status, bool) {
	for i, name := range statusWire {
		if name == w {
			return Status(i), true
		}
	}
	return StatusOffline, false
}

var (
	pendingAfter  = catalog.LimitMs("status", "pendingAfterMs")
	offlineAfter  = catalog.LimitMs("status", "offlineAfterMs")
	activeWindow  = catalog.LimitMs("status", "activeWindowMs")
	standbyWindow = catalog.LimitMs("status", "standbyWindowMs")
)

// StatusInput has the values that the status computation uses. Stationary is the 10 min / 100 m rule on the server; where no status
// came, "has a street".
type StatusInput struct {
	ClosuresActive bool
	OnIncident     bool
	HasHeartbeat   bool
	HeartbeatAge   time.Duration
	Enroute        bool
	Stationary     bool
}

// StatusOf is the status computation in its written order (requirements 4.status): without any match it is pending, then offline;
// without a heartbeat it is offline.
func StatusOf(in StatusInput) Status {
	switch {
	case in.ClosuresActive:
		return StatusActive
	case in.OnIncident:
		return StatusLocation
	case !in.HasHeartbeat:
		return StatusOffline
	case in.Enroute && in.HeartbeatAge <= activeWindow:
		return StatusActive
	case !in.Enroute && in.HeartbeatAge <= standbyWindow && in.Stationary:
		return StatusStationary
	case !in.Enroute && in.HeartbeatAge <= standbyWindow:
		return StatusStandby
	case in.HeartbeatAge < offlineAfter:
		return StatusPending
	}
	return StatusOffline
}

// Label is the word for a status; responders have words of their own (requirements 1.word and 4.status).
func (s Status) Label(responder bool) string {
	switch s {
	case StatusLocation:
		if responder {
			return "On-Scene"
		}
		return "Active Event"
	case StatusActive:
		if responder {
			return "Responding"
		}
		return "Active"
	case StatusStandby, StatusStationary:
		return "Standby"
	case StatusPending:
		return "Pending"
	}
	return "Offline"
}

// Online is the service state's group: only offline counts as offline (requirements 4.status).
func (s Status) Online() bool { return s < StatusOffline }
