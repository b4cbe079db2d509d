package fleet

import (
	"slices"
	"strings"
	"time"

	"lightbar/catalog"
)

// Kinds of commands, as they travel.
const (
	CommandR2RTest  = "r2r_test"        // send a test alert; the device is in test mode from then on
	CommandTestMode = "test_mode"       // value: on, off
	CommandLight    = "light_intensity" // value: one of the catalog's lightIntensities
	CommandConfig   = "config"          // value: the configuration with its version, in JSON; on the wire it has a member of its own
)

// States of a command. Accepted is stored, sent is handed to the device, delivered and failed are the device's own answers. Nothing
// leaves the last three.
const (
	CommandAccepted  = "accepted"
	CommandSent      = "sent"
	CommandDelivered = "delivered"
	CommandFailed    = "failed"
	CommandExpired   = "expired"
)

// What a device is answered besides delivered and failed.
const (
	CommandLate      = "late"      // the command had expired: noted, never a success
	CommandDuplicate = "duplicate" // its fate was known
)

// Command is a request to an asset's device. It is a value: laws take one and change it.
type Command struct {
	ID             string
	ThingID        string
	OrganizationID string // whose the asset was: another owner's device gets nothing of it
	Type           string
	Value          string // "" = the type has none
	Status         string
	IssuedAt       Instant
	SentAt         Instant // first handed to the device; 0 = not yet
	AcknowledgedAt Instant // when the device's answer came, also a late one; 0 = none
	DeviceAt       Instant // the device's own time of it
	ExpiresAt      Instant // from then on nobody executes it
	IssuedKind     string  // user, or system: the clock
	IssuedID       string
	IssuedName     string
	IssuedIn       string // the organization of the person who issued it
	Message        string // the device's message when it failed
	OnceKey        string // what the press is known by when it is sent again; "" = nothing
	Version        int64
}

var (
	commandLife    = catalog.LimitMs("command", "lifeMs")
	commandMessage = int(catalog.LimitInt("command", "messageText"))
	testModeLasts  = catalog.Setting("command", "testModeMs")
	lightSteps     = catalog.AllEnums().LightIntensities
)

// CommandEnd is when a command that is issued now expires.
func CommandEnd(now Instant) Instant { return now.Add(commandLife) }

// TestModeEnd is when test mode that begins now ends by itself.
func TestModeEnd(now Instant) Instant { return now.Add(testModeLasts.Duration()) }

// IsLightIntensity reports whether a value is a light's intensity.
func IsLightIntensity(value string) bool { return slices.Contains(lightSteps, value) }

// IsOpen reports whether the command may still reach its device, according to its state.
func (c *Command) IsOpen() bool { return c.Status == CommandAccepted || c.Status == CommandSent }

// MayReach reports whether a device may be given the command at an instant.
func (c *Command) MayReach(now Instant) bool { return c.IsOpen() && now < c.ExpiresAt }

// Replaces reports whether a new command replaces an open one of the same asset, so that nothing old is executed after it. Test
// alerts and test mode belong together: both decide whether the device is in test mode.
func (c *Command) Replaces(old *Command) bool {
	return c.ThingID == old.ThingID && old.IsOpen() && c.ID != old.ID && (c.Type == old.Type || c.isOfTestMode() && old.isOfTestMode())
}

func (c *Command) isOfTestMode() bool { return c.Type == CommandR2RTest || c.Type == CommandTestMode }

// Send notes that the command is handed to the device; false when it already was, or may not be.
func (c *Command) Send(now Instant) bool {
	if c.Status != CommandAccepted || now >= c.ExpiresAt {
		return false
	}
	c.Status, c.SentAt = CommandSent, now
	return true
}

// Expire ends a command whose time is over, or that a newer one replaces; false when its fate is known.
func (c *Command) Expire() bool {
	if !c.IsOpen() {
		return false
	}
	c.Status = CommandExpired
	return true
}

// CommandWord is a device's answer to a command.
type CommandWord struct {
	Status  string // delivered or failed
	Message string
	At      Instant // by the device's own clock
	// HasConfig: it contains the version of the device's configuration.
	HasConfig bool
	Config    int64
}

// Acknowledge applies a device's answer. The result is what the device is answered; changed reports whether there is something to
// store. An answer after the end is late: it is noted once, and cannot make the command a success.
func (c *Command) Acknowledge(word CommandWord, now Instant) (answer string, changed bool) {
	switch {
	case c.MayReach(now):
		c.Status = word.Status
		if c.SentAt == 0 {
			c.SentAt = now // the device has it, by whatever way
		}
	case c.IsOpen():
		c.Status = CommandExpired
	case c.Status != CommandExpired:
		return CommandDuplicate, false
	case c.AcknowledgedAt != 0:
		return CommandLate, false
	}
	c.AcknowledgedAt, c.DeviceAt = now, word.At
	if answer = c.Status; answer == CommandExpired {
		answer = CommandLate
	}
	if word.Status == CommandFailed {
		c.Message = word.Message
	}
	return answer, true
}

// UndoesTestMode reports that a command that has ended leaves its asset out of test mode: the device never confirmed that it sent
// its test alert. Otherwise a real alert of it would be hidden.
func (c *Command) UndoesTestMode() bool {
	return c.Type == CommandR2RTest && (c.Status == CommandFailed || c.Status == CommandExpired)
}

// BeganLate reports a test alert that its device sent, and confirmed only after the end.
func (c *Command) BeganLate(word CommandWord) bool {
	return c.Type == CommandR2RTest && c.Status == CommandExpired && word.Status == CommandDelivered
}

// ReadCommandMessage is the stored form of a device's message: printable, in one line, not longer than the catalog allows.
func ReadCommandMessage(text string) string {
	text = strings.Map(func(r rune) rune {
		if Invisible(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	runes := []rune(strings.Join(strings.Fields(text), " "))
	return string(runes[:min(len(runes), commandMessage)])
}

// CommandTarget is what the law of device actions checks.
type CommandTarget struct {
	DeviceType         string
	ThingType          string // by its name
	Status             string // as it travels
	R2R                bool
	AllowedForTestMode bool
	TestMode           bool
	IsAllowed          bool // the actor's permission
}

var (
	testStatuses  = []Status{StatusStandby, StatusStationary}
	lightStatuses = []Status{StatusLocation, StatusActive, StatusStandby, StatusStationary}
)

func refuseHardware() *Refusal {
	return Refuse("device_unsupported", "", "R2R testing available only for HA5 and HA7 devices")
}

// RefuseCommander refuses a person who may not use device actions.
func RefuseCommander() *Refusal { return Refuse("forbidden", "", "Not authorized") }

func refuseStatus() *Refusal { return Refuse("asset_status_invalid", "", "Invalid asset status") }

// RefuseR2R is why a test alert or the end of test mode cannot be requested for an asset now; nil = it can. The first reason wins
// (hardware, permission, enabled, status). Test mode can be turned off in every status.
func RefuseR2R(t CommandTarget) *Refusal {
	switch {
	case !HasDeviceConfig(t.DeviceType):
		return refuseHardware()
	case !t.IsAllowed:
		return RefuseCommander()
	case !t.R2R || !t.AllowedForTestMode || !isResponderType(t.ThingType):
		return Refuse("r2r_not_enabled", "", "R2R not enabled")
	case !t.TestMode && !hasStatus(testStatuses, t.Status):
		return refuseStatus()
	}
	return nil
}

// RefuseLight is RefuseR2R for the intensity of an asset's lights.
func RefuseLight(t CommandTarget) *Refusal {
	switch {
	case !HasDeviceConfig(t.DeviceType):
		return refuseHardware()
	case !t.IsAllowed:
		return RefuseCommander()
	case !hasStatus(lightStatuses, t.Status):
		return refuseStatus()
	}
	return nil
}

func hasStatus(list []Status, wire string) bool {
	s, known := StatusFromWire(wire)
	return known && slices.Contains(list, s)
}

func isResponderType(name string) bool {
	return slices.ContainsFunc(catalog.AllEnums().ThingTypes, func(t catalog.ThingType) bool { return t.Name == name && t.IsResponder })
}

// CommandPoll bounds how long a device may wait for its commands.
func CommandPoll(asked time.Duration) time.Duration { return min(max(asked, 0), commandWait) }

var commandWait = catalog.LimitMs("command", "waitMs")
