package app

import (
	"context"
	"errors"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// DeviceConfigEdit is a whole configuration. IfMatch is the version the user
// saw (0 = there was none); nil = not said.
type DeviceConfigEdit struct {
	fleet.DeviceConfig
	IfMatch *int64
}

// refuseNoDevice is what is said of assets without a device of ours.
func refuseNoDevice() error {
	return fleet.Refuse("validation_failed", "device_type", "Only ha5 and ha7 devices have a configuration; this asset reports over the API.")
}

// DeviceConfig answers the configuration of an asset's device; version 0 = it
// never had one. Requires MANAGE_THINGS. Refusals: not_found, validation_failed (no such device).
func (a *App) DeviceConfig(ctx context.Context, actor *Actor, id string) (wire.DeviceConfig, error) {
	if err := actor.Must("MANAGE_THINGS"); err != nil {
		return wire.DeviceConfig{}, err
	}
	t, _, _, ok := a.Live.Thing(id)
	if !ok || reachOfThing(actor, &t) == ReachNone {
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

// SetDeviceConfig replaces the configuration of an asset's device. Requires
// MANAGE_THINGS, full reach and a fresh proof: it names the program that runs in
// a vehicle. Refusals: thing_not_found, validation_failed (Fields),
// step_up_required, conflict (409, Current).
func (a *App) SetDeviceConfig(ctx context.Context, actor *Actor, id string, edit DeviceConfigEdit) (wire.DeviceConfig, error) {
	if err := actor.Must("MANAGE_THINGS"); err != nil {
		return wire.DeviceConfig{}, err
	}
	t, _, _, ok := a.Live.Thing(id)
	if !ok || reachOfThing(actor, &t) != ReachFull {
		return wire.DeviceConfig{}, fleet.Refuse("thing_not_found", "", "Asset not found")
	}
	next := edit.DeviceConfig
	if !fleet.HasDeviceConfig(t.DeviceType) {
		return wire.DeviceConfig{}, refuseNoDevice()
	}
	if fields := next.Check(); fields != nil {
		return wire.DeviceConfig{}, refuseFields(fields)
	}
	if err := a.mustBeFresh(ctx, actor); err != nil {
		return wire.DeviceConfig{}, err
	}
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		// The picture may have let the asset go since: its row decides.
		if owner, err := store.OrganizationOfThing(ctx, tx, id); err != nil || owner != t.OrganizationID {
			if err == nil || errors.Is(err, store.ErrNotFound) {
				return fleet.Refuse("thing_not_found", "", "Asset not found")
			}
			return err
		}
		old, err := a.deviceConfigOf(ctx, tx, &t)
		if err != nil {
			return err
		}
		if edit.IfMatch != nil && *edit.IfMatch != old.Version {
			return refuseConfigConflict(old)
		}
		next.ThingID, next.Version, next.UpdatedAt = old.ThingID, old.Version, old.UpdatedAt
		if next == old {
			return nil
		}
		next.Version, next.UpdatedAt = old.Version+1, a.now()
		if err := tx.SaveDeviceConfig(ctx, next); err != nil {
			if errors.Is(err, store.ErrNotFound) {
				return refuseConfigConflict(old)
			}
			return err
		}
		row := audited{Verb: "configure", Noun: "thing", NounID: id, OrganizationID: t.OrganizationID, After: wire.DeviceConfigOf(next)}
		if old.Version > 0 {
			row.Before = wire.DeviceConfigOf(old)
		}
		return a.writeAudit(ctx, tx, actor, row)
	})
	return wire.DeviceConfigOf(next), err
}

func refuseConfigConflict(current fleet.DeviceConfig) error {
	return &fleet.Refusal{Code: "conflict", Message: "Someone else changed this configuration while you were editing.", Current: wire.DeviceConfigOf(current)}
}

// DeviceConfigForKey answers the configuration to the device itself: asset is a
// system name or external id among the key's assets, and may be left out with
// the key of one asset. Only API keys that may report may ask. Refusals: forbidden,
// scope_ingest_missing, asset_unknown, validation_failed (no such device), not_found (not configured yet).
func (a *App) DeviceConfigForKey(ctx context.Context, actor *Actor, asset string) (wire.DeviceConfig, error) {
	if actor.KeyID == "" {
		return wire.DeviceConfig{}, fleet.Refuse("forbidden", "", "Only an API key can request a device's configuration.")
	}
	if err := actor.MustIngest(); err != nil {
		return wire.DeviceConfig{}, err
	}
	t, ok := a.thingOfKey(actor, asset)
	if !ok {
		return wire.DeviceConfig{}, fleet.Refuse("asset_unknown", "asset", "This key has no asset with that system name or external ID.")
	}
	c, err := a.deviceConfigOf(ctx, a.Store.Reader(), &t)
	if err == nil && c.Version == 0 {
		err = fleet.Refuse("not_found", "", "This device hasn't been configured yet.")
	}
	return wire.DeviceConfigOf(c), err
}

// thingOfKey finds an asset by the name a device gives it.
func (a *App) thingOfKey(actor *Actor, name string) (fleet.Thing, bool) {
	names := a.Live.Resolve(actor.OrganizationID, actor.KeyThingID)
	no, ok := names.No(name)
	names.Done()
	if !ok {
		return fleet.Thing{}, false
	}
	id, ok := a.Live.ThingByNo(no)
	if !ok {
		return fleet.Thing{}, false
	}
	t, _, _, ok := a.Live.Thing(id)
	return t, ok && t.OrganizationID == actor.OrganizationID
}
