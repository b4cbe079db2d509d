package fleet

import (
	"time"

	"lightbar/catalog"
)

// ConfigState is the configuration version that an asset's device should have, and the one that it reports. It is a value: laws
// take one and change it.
type ConfigState struct {
	Version        int64   // the one that it should have; 0 = it was never configured
	UpdatedAt      Instant // since when
	AppliedVersion int64   // the one that its device reported
	AppliedAt      Instant // when the device reported it, effective time; 0 = never
	BehindAt       Instant // since when it has another one than it should; 0 = it has the right one, or never reported one
	SentAt         Instant // when this version was last handed to the device; 0 = not yet
	SentCount      int64   // how often it was
}

var (
	configAgain     = catalog.LimitMs("command", "configAgainMs")
	configAgainMost = catalog.LimitMs("command", "configAgainMostMs")
)

// Set notes a new version.
func (c *ConfigState) Set(version int64, now Instant) {
	c.Version, c.UpdatedAt, c.SentAt, c.SentCount = version, now, 0, 0
	if c.AppliedAt != 0 && c.BehindAt == 0 {
		c.BehindAt = now
	}
}

// MayClaim reports whether a device can have a version: one that was made for it, or none (0).
func (c *ConfigState) MayClaim(version int64) bool {
	return c.Version > 0 && version >= 0 && version <= c.Version
}

// Claim takes the version that a device reports to have, at an instant by its clock. A later report counts, and a version that was
// never meant for it is ignored. It returns whether the row changes.
func (c *ConfigState) Claim(version int64, at, now Instant) bool {
	at = min(at, now)
	if !c.MayClaim(version) || at < c.AppliedAt {
		return false
	}
	isFirst, before := c.AppliedAt == 0, c.AppliedVersion
	c.AppliedVersion, c.AppliedAt = version, at
	switch {
	case !isFirst && version == before:
		return false
	case version == c.Version:
		c.BehindAt, c.SentCount = 0, 0
	case isFirst, version == c.Version-1 && c.BehindAt != 0: // it lacks the newest alone, since there is one
		c.BehindAt = c.UpdatedAt
	case c.BehindAt == 0: // it lost what it had
		c.BehindAt = at
	}
	return true
}

// ConfigOutdated returns since when an asset's device has an older configuration than it should. A device that never reported one
// does not count: its version is unknown.
func ConfigOutdated(s *State) (since Instant, is bool) {
	return s.Config.BehindAt, s.Config.BehindAt != 0
}

// IsCurrent reports whether the device reported the version that it should have.
func (c *ConfigState) IsCurrent() bool { return c.AppliedAt != 0 && c.AppliedVersion == c.Version }

// Hand notes that the version is handed to the device.
func (c *ConfigState) Hand(now Instant) { c.SentAt, c.SentCount = now, c.SentCount+1 }

// IsDue reports whether the device must be told of its configuration again when it reports at an instant. The wait doubles each
// time: a device that does not know the command is told once a day, not with every report forever.
func (c *ConfigState) IsDue(now Instant) bool {
	return c.Version > 0 && !c.IsCurrent() && (c.SentAt == 0 || now >= c.SentAt.Add(configWait(c.SentCount)))
}

func configWait(sent int64) time.Duration {
	wait := configAgain
	for ; sent > 1 && wait < configAgainMost; sent-- {
		wait *= 2
	}
	return min(wait, configAgainMost)
}
