package app

import (
	"context"
	"encoding/json"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// A device learns of its configuration by an ordinary command, which lives for a minute. The command is not stored for a device
// that is away: what waits for it is the configuration itself, and a new command is issued when the device reports again and has
// not confirmed this version. So an old version is never applied late. The law sets the pace (fleet.ConfigState.IsDue).

// orderConfig tells an asset's device to take a configuration, in place of an older one that it was told to take.
func (a *App) orderConfig(ctx context.Context, tx *store.Tx, c *live.Change, actor *access.Actor, t fleet.Thing,
	config fleet.DeviceConfig) error {
	value, err := json.Marshal(wire.DeviceConfigOf(config))
	if err != nil {
		return err
	}
	p := press{thing: t, wasTesting: t.TestMode, command: fleet.Command{Type: fleet.CommandConfig, Value: string(value)}}
	if err := a.issue(ctx, tx, &p.command, &p.thing, actor, c.Now()); err != nil {
		return err
	}
	if err := a.saveNewCommand(ctx, tx, c, actor, &p); err != nil {
		return err
	}
	return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "create", Noun: "command", NounID: p.command.ID,
		OrganizationID: t.OrganizationID, After: commandDoc(&p.command, t.TestMode)})
}

// renewConfig tells a device that reports to take its configuration, if it is due to be told.
func (a *App) renewConfig(ctx context.Context, t *fleet.Thing) error {
	if at := a.Live.Config(t.ID); !fleet.HasDeviceConfig(t.DeviceType) || !at.IsDue(a.now()) {
		return nil
	}
	err := a.Change(ctx, func(c *live.Change, tx *store.Tx) error {
		if at := c.Config(t.ID); !at.IsDue(c.Now()) { // another connection was faster
			return nil
		}
		open, err := store.OpenCommandsOf(ctx, tx, t.ID)
		if err != nil {
			return err
		}
		for i := range open {
			if open[i].Type == fleet.CommandConfig && open[i].MayReach(c.Now()) {
				return nil
			}
		}
		now, _, _, ok := a.Live.Thing(t.ID)
		if !ok || now.OrganizationID != t.OrganizationID {
			return nil
		}
		config, err := store.DeviceConfigOf(ctx, tx, t.ID)
		if err != nil {
			return err
		}
		return a.orderConfig(ctx, tx, c, access.System(), now, config)
	})
	a.desk.stirLines(t.ID)
	return err
}

// offerConfig wakes a connected device that is due to be told: it is reachable.
func (a *App) offerConfig(thingID string) {
	if at := a.Live.Config(thingID); thingID != "" && at.IsDue(a.now()) {
		a.desk.nudge(thingID)
	}
}

// claimConfig takes what a device's answer to a command says about its configuration: the version that it names, or the one that it
// was told to take and took. An answer that came too late counts as well.
func (a *App) claimConfig(c *live.Change, x *fleet.Command, word fleet.CommandWord) {
	version := word.Config
	if !word.HasConfig {
		var asked wire.DeviceConfig
		if x.Type != fleet.CommandConfig || word.Status != fleet.CommandDelivered || json.Unmarshal([]byte(x.Value), &asked) != nil {
			return
		}
		version = asked.Version
	}
	at := word.At
	if !fleet.UsableAt(at, c.Now()) {
		at = c.Now()
	}
	if t, _, _, ok := a.Live.Thing(x.ThingID); ok {
		c.ClaimConfig(t.No, version, at)
	}
}

// refuseClaim returns why a device can't have the version that its answer names; nil = it can, or the answer names none.
func refuseClaim(at fleet.ConfigState, word fleet.CommandWord) error {
	if !word.HasConfig || at.MayClaim(word.Config) {
		return nil
	}
	return fleet.RefuseFields(map[string]string{"config_version": "Must be a version of this device's configuration, or 0 for none"})
}
