package app

import (
	"context"
	"errors"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// DeviceConfigEdit is a whole configuration. IfMatch is the version that the user saw (0 = there was none); nil = not given.
type DeviceConfigEdit struct {
	fleet.DeviceConfig
	IfMatch *int64
}

// refuseNoDevice refuses assets that have no device of ours.
func refuseNoDevice() error {
	return fleet.Refuse("validation_failed", "device_type", "Only ha5 and ha7 devices have a configuration; this asset reports over the API.")
}

// DeviceConfig returns the configuration of an asset's device; version 0 = it never had one. Requires MANAGE_THINGS. Refusals:
// not_found, validation_failed (no such device).
func (a *App) DeviceConfig(ctx context.Context, actor *access.Actor, id string) (wire.DeviceConfig, error) {
	if err := actor.Must("MANAGE_THINGS"); err != nil {
		return wire.DeviceConfig{}, err
	}
	t, _, _, ok := a.Live.Thing(id)
	if !ok || reachOfThing(actor, &t) == access.None {
		return wire.DeviceConfig{}, fleet.Refuse("not_found", "", "Asset not found")
	}
	c, err := a.deviceConfigOf(ctx, a.Store.Reader(), &t)
	return wire.DeviceConfigOf(c), err
}

func (a *App) deviceConfigOf(ctx context.Context, r store.Reader, t *fleet.Thing) (fleet.DeviceConfig, error) {
	if !fleet.HasDeviceConfig(t.DeviceType) {
		return fleet.DeviceConfig{}, refuseNoDevice()
	}
	c, err := store.DeviceConfigOf(ctx, r, t.ID)
	if errors.Is(err, store.ErrNotFound) {
		return fleet.DeviceConfig{ThingID: t.ID}, nil
	}
	return c, err
}

// SetDeviceConfig replaces the configuration of an asset's device. Requires MANAGE_THINGS, full reach and a fresh proof: it names
// the program that runs in a vehicle. Refusals: thing_not_found, validation_failed (Fields), step_up_required, conflict (409,
// Current). The device is notified by a command.
func (a *App) SetDeviceConfig(ctx context.Context, actor *access.Actor, id string, said DeviceConfigEdit) (wire.DeviceConfig, error) {
	defer a.desk.stir(id)
	return record.Edit(ctx, a, actor, &deviceConfigs, id, said.IfMatch, func(e *record.Editing[*App, deviceConfig]) error {
		if fields := said.Check(); fields != nil {
			return fleet.RefuseFields(fields)
		}
		e.Next.DeviceConfig = said.DeviceConfig
		e.Next.ThingID, e.Next.Version, e.Next.UpdatedAt = id, e.Old.Version, e.Old.UpdatedAt
		return e.Prove()
	})
}

// deviceConfig is a configuration with the organization whose device it is for.
type deviceConfig struct {
	fleet.DeviceConfig
	owner string
	thing fleet.Thing
}

var deviceConfigs = record.Noun[*App, deviceConfig, wire.DeviceConfig]{
	Name: "thing", Word: "configuration", Verb: "configure", Requires: "MANAGE_THINGS", Unnamed: true, Pictured: true,
	Load: func(e *record.Editing[*App, deviceConfig]) (c deviceConfig, err error) {
		t, _, _, ok := e.Live.Thing(e.ID)
		if !ok || reachOfThing(e.Actor, &t) != access.Full {
			return c, refuseNoThing()
		}
		// The picture may have released the asset since: its row decides.
		owner, err := store.OrganizationOfThing(e, e.Tx, e.ID)
		if errors.Is(err, store.ErrNotFound) || (err == nil && owner != t.OrganizationID) {
			return c, refuseNoThing()
		}
		if err != nil {
			return c, err
		}
		c.owner, c.thing = owner, t
		c.DeviceConfig, err = e.By.deviceConfigOf(e, e.Tx, &t)
		return c, err
	},
	Of: func(c *deviceConfig) record.Header {
		return record.Header{Owner: c.owner, Version: &c.Version, UpdatedAt: &c.UpdatedAt}
	},
	Same: func(x, y *deviceConfig) bool { return x.DeviceConfig == y.DeviceConfig },
	Save: func(e *record.Editing[*App, deviceConfig]) (bool, error) {
		err := e.Tx.SaveDeviceConfig(e, e.Next.DeviceConfig)
		return err == nil, err
	},
	Saved: func(e *record.Editing[*App, deviceConfig]) error {
		e.Picture.SetConfig(e.ID, e.Next.Version)
		return e.By.orderConfig(e, e.Tx, e.Picture, e.Actor, e.Next.thing, e.Next.DeviceConfig)
	},
	Doc: func(c *deviceConfig) any { return wire.DeviceConfigOf(c.DeviceConfig) },
	Show: func(ctx context.Context, a *App, actor *access.Actor, id string) (wire.DeviceConfig, error) {
		return a.DeviceConfig(ctx, actor, id)
	},
}

// DeviceConfigForKey returns the configuration to the device itself. asset is a system name or external id among the key's assets;
// it may be empty with a key of one asset. Only API keys that may report may call it. Refusals: forbidden, scope_ingest_missing,
// asset_unknown, validation_failed (no such device), not_found (not configured yet).
func (a *App) DeviceConfigForKey(ctx context.Context, actor *access.Actor, asset string) (wire.DeviceConfig, error) {
	if actor.KeyID == "" {
		return wire.DeviceConfig{}, fleet.Refuse("forbidden", "", "Only an API key can request a device's configuration.")
	}
	if err := actor.MustIngest(); err != nil {
		return wire.DeviceConfig{}, err
	}
	t, err := a.thingOfKey(actor, asset)
	if err != nil {
		return wire.DeviceConfig{}, err
	}
	c, err := a.deviceConfigOf(ctx, a.Store.Reader(), &t)
	if err == nil && c.Version == 0 {
		err = fleet.Refuse("not_found", "", "This device hasn't been configured yet.")
	}
	return wire.DeviceConfigOf(c), err
}

// thingOfKey finds an asset by the name that a device uses for it. Refusals: asset_unknown, asset_ambiguous.
func (a *App) thingOfKey(actor *access.Actor, name string) (fleet.Thing, error) {
	names := a.Live.Resolve(actor.OrganizationID, actor.KeyThingID)
	no, known := names.No(name)
	refusal := unnamed(names, name)
	names.Done()
	if known {
		id, _ := a.Live.ThingByNo(no)
		if t, _, _, ok := a.Live.Thing(id); ok && t.OrganizationID == actor.OrganizationID {
			return t, nil
		}
	}
	return fleet.Thing{}, refusal
}
