package fleet

// Status is the display state of an asset, in sorting order (specification
// section 3). Out of service is a flag, never a status on the wire.
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
