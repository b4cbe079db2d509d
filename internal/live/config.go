package live

import (
	"context"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// Which configuration a device should have and has is a part of its asset's state: everybody who sees the asset sees it,
// and each report is compared with it. It is kept in the configuration's row, written with the change that changes it.

// SetConfig notes that an asset's device should have a version from now on. The caller has written it.
func (c *Change) SetConfig(thingID string, version int64) {
	if slot, ok := c.p.byID[thingID]; ok {
		t := c.touch(slot)
		t.state.Config.Set(version, c.now)
		t.changes |= fleet.ChangeConfig
	}
}

// ClaimConfig takes a device's word on the version that it has.
func (c *Change) ClaimConfig(thingNo, version int64, at fleet.Instant) {
	slot, ok := c.taker(thingNo, at)
	if !ok {
		return
	}
	if t := c.touch(slot); t.state.Config.Claim(version, at, c.now) {
		t.changes |= fleet.ChangeConfig
	}
}

// HandConfig notes that a device is told of the version that it should have.
func (c *Change) HandConfig(thingID string) {
	if slot, ok := c.p.byID[thingID]; ok {
		t := c.touch(slot)
		t.state.Config.Hand(c.now)
		t.changes |= fleet.ChangeConfig
	}
}

// Config is which configuration an asset's device should have and has, as the change has it.
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

// Config is which configuration an asset's device should have and has.
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

// Cut notes that connections of assets ended without a goodbye, each at its instant.
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
