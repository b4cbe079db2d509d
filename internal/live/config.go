package live

import (
	"context"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// The configuration version that a device should have, and the one it has, are a part of its asset's state: everybody who sees the
// asset sees them, and each report is compared with them. They are stored in the configuration's row, which is written with the
// change.

// SetConfig notes that an asset's device should have a version from now on. The caller has written it.
func (c *Change) SetConfig(thingID string, version int64) {
	if slot, ok := c.p.byID[thingID]; ok {
		t := c.touch(slot)
		t.state.Config.Set(version, c.now)
		t.changes |= fleet.ChangeConfig
	}
}

// ClaimConfig takes the version that a device reports to have.
func (c *Change) ClaimConfig(thingNo, version int64, at fleet.Instant) {
	slot, ok := c.taker(thingNo, at)
	if !ok {
		return
	}
	if t := c.touch(slot); t.state.Config.Claim(version, at, c.now) {
		t.changes |= fleet.ChangeConfig
	}
}

// HandConfig notes that a device has been told which version it should have.
func (c *Change) HandConfig(thingID string) {
	if slot, ok := c.p.byID[thingID]; ok {
		t := c.touch(slot)
		t.state.Config.Hand(c.now)
		t.changes |= fleet.ChangeConfig
	}
}

// Config returns the versions that an asset's device should have and has, as of the change.
func (c *Change) Config(thingID string) fleet.ConfigState {
	slot, ok := c.p.byID[thingID]
	if !ok {
		return fleet.ConfigState{}
	}
	if i, touched := c.index[slot]; touched {
		return c.touched[i].state.Config
	}
	return c.p.entries[slot].state.Config
}

// Config returns the versions that an asset's device should have and has.
func (p *Picture) Config(thingID string) fleet.ConfigState {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if slot, ok := p.byID[thingID]; ok {
		return p.entries[slot].state.Config
	}
	return fleet.ConfigState{}
}

// MayClaim reports whether the device of an asset can have a version of its configuration.
func (r Resolver) MayClaim(thingNo, version int64) bool {
	slot, ok := r.p.byNo[thingNo]
	return ok && r.p.entries[slot].state.Config.MayClaim(version)
}

func (c *Change) saveConfigs(ctx context.Context, tx *store.Tx) error {
	for i := range c.touched {
		t := &c.touched[i]
		if t.changes&fleet.ChangeConfig == 0 {
			continue
		}
		if err := tx.SaveConfigState(ctx, &store.ConfigStateRow{ThingID: t.state.ThingID, ConfigState: t.state.Config}); err != nil {
			return err
		}
	}
	return nil
}

// loadConfigs puts them into the states at start. Callers hold mu.
func (p *Picture) loadConfigs(ctx context.Context, r store.Reader) error {
	rows, err := store.ListConfigStates(ctx, r)
	for i := range rows {
		if slot, ok := p.byID[rows[i].ThingID]; ok {
			p.entries[slot].state.Config = rows[i].ConfigState
		}
	}
	return err
}

// Cut notes that connections of assets ended without a normal disconnect, each at its instant.
func (c *Change) Cut(ends map[string]fleet.Instant) {
	for id, at := range ends {
		slot, ok := c.p.byID[id]
		if !ok || !c.p.entries[slot].live {
			continue
		}
		t := c.touch(slot)
		t.changes |= fleet.Cut(&t.state, at)
	}
}
