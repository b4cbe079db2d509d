package app

import (
	"context"
	"errors"
	"slices"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// press is a device action in progress: the asset, and the command that it creates.
type press struct {
	thing   fleet.Thing
	command fleet.Command
	// wasTesting reports whether the asset was in test mode.
	wasTesting bool
	version    int64
	updatedAt  fleet.Instant
}

// presses returns the doors of device actions. A press is audited as the command that it creates.
func presses(requires string) *record.Noun[*App, press, wire.Commanded] {
	return &record.Noun[*App, press, wire.Commanded]{
		Name: "command", Word: "asset", Verb: "create", Requires: requires, Pictured: true, Unnamed: true,
		Load: func(e *record.Editing[*App, press]) (p press, err error) {
			p.thing, err = things.Load(&record.Editing[*App, fleet.Thing]{Base: e.Base, Actor: e.Actor, ID: e.ID})
			p.wasTesting = p.thing.TestMode
			return p, err
		},
		Of: func(p *press) record.Header {
			return record.Header{Owner: p.thing.OrganizationID, Version: &p.version, UpdatedAt: &p.updatedAt}
		},
		Same: func(x, y *press) bool { return x.command.ID == y.command.ID },
		Save: func(e *record.Editing[*App, press]) (bool, error) {
			err := e.By.saveNewCommand(e, e.Tx, e.Picture, e.Actor, &e.Next)
			e.ID = e.Next.command.ID
			return err == nil, err
		},
		Saved: func(*record.Editing[*App, press]) error { return nil },
		Doc:   func(p *press) any { return commandDoc(&p.command, p.thing.TestMode) },
		Show:  func(context.Context, *App, *access.Actor, string) (none wire.Commanded, err error) { return none, nil },
	}
}

var r2rPresses, lightPresses = presses("INVOKE_R2R"), presses("CHANGE_LIGHT_INTENSITY")

// commandDocument is what the audit stores about a command.
type commandDocument struct {
	wire.DeviceCommand
	TestMode bool          `json:"test_mode"` // of the asset
	DeviceAt fleet.Instant `json:"said_at"`   // by the device's clock
}

func commandDoc(c *fleet.Command, testMode bool) any {
	return commandDocument{wire.CommandOf(c), testMode, c.DeviceAt}
}

// ToggleTestMode turns the test mode of an asset on, with a test alert, or off. once is the caller's key of the press: sending the
// same press again does not repeat it. Requires INVOKE_R2R and full reach. Refusals: forbidden, thing_not_found,
// device_unsupported, r2r_not_enabled, asset_status_invalid, idempotency_key_reused.
func (a *App) ToggleTestMode(ctx context.Context, actor *access.Actor, id, once string) (wire.Commanded, error) {
	return a.press(ctx, actor, r2rPresses, id, once, toggle)
}

func toggle(t *fleet.Thing, target fleet.CommandTarget, now fleet.Instant) (fleet.Command, error) {
	if refusal := fleet.RefuseR2R(target); refusal != nil {
		return fleet.Command{}, refusal
	}
	t.PutInTestMode(!t.TestMode, now)
	if t.TestMode {
		return fleet.Command{Type: fleet.CommandR2RTest}, nil
	}
	return fleet.Command{Type: fleet.CommandTestMode, Value: "off"}, nil
}

// SetLightIntensity requests another brightness of the lights from an asset's device. Requires CHANGE_LIGHT_INTENSITY and full
// reach. Refusals: as ToggleTestMode, and validation_failed.
func (a *App) SetLightIntensity(ctx context.Context, actor *access.Actor, id, once, value string) (wire.Commanded, error) {
	return a.press(ctx, actor, lightPresses, id, once, func(_ *fleet.Thing, target fleet.CommandTarget,
		_ fleet.Instant) (fleet.Command, error) {
		if refusal := fleet.RefuseLight(target); refusal != nil {
			return fleet.Command{}, refusal
		}
		if !fleet.IsLightIntensity(value) {
			return fleet.Command{}, fleet.RefuseFields(map[string]string{"light_intensity": "Must be low, medium, or high"})
		}
		return fleet.Command{Type: fleet.CommandLight, Value: value}, nil
	})
}

// press creates the command that law returns, and changes the asset as law does; or is refused by it.
func (a *App) press(ctx context.Context, actor *access.Actor, n *record.Noun[*App, press, wire.Commanded], id, once string,
	law func(t *fleet.Thing, target fleet.CommandTarget, now fleet.Instant) (fleet.Command, error)) (out wire.Commanded, err error) {
	defer a.desk.stir(id)
	_, err = record.Edit(ctx, a, actor, n, id, nil, func(e *record.Editing[*App, press]) error {
		name := record.OnceName(actor, once)
		if old, err := store.CommandByOnce(e, e.Tx, name); err == nil {
			if out, err = a.pressedBefore(actor, &old, id, n); err != nil {
				return err
			}
			return nil
		} else if !errors.Is(err, store.ErrNotFound) {
			return err
		}
		c, err := law(&e.Next.thing, a.commandTarget(&e.Old.thing), e.At)
		if err != nil {
			return err
		}
		if err := a.issue(e, e.Tx, &c, &e.Next.thing, e.Actor, e.At); err != nil {
			return err
		}
		c.OnceKey = name
		e.Next.command = c
		out = wire.Commanded{Command: a.commandWire(&c, actor.OrganizationID), TestMode: e.Next.thing.TestMode}
		return nil
	})
	if err != nil {
		return wire.Commanded{}, asNotAuthorized(err)
	}
	return out, nil
}

// pressedBefore answers a press that is sent again with what it did; it never does the opposite.
func (a *App) pressedBefore(actor *access.Actor, c *fleet.Command, thingID string, n *record.Noun[*App, press, wire.Commanded]) (
	out wire.Commanded, err error) {
	if c.ThingID != thingID || (c.Type == fleet.CommandLight) != (n == lightPresses) {
		return out, fleet.Refuse("idempotency_key_reused", "Idempotency-Key", "This Idempotency-Key was already used for a different request.")
	}
	t, _, _, _ := a.Live.Thing(thingID)
	out = wire.Commanded{Command: a.commandWire(c, actor.OrganizationID), TestMode: t.TestMode}
	if c.Type != fleet.CommandLight {
		out.TestMode = c.Type == fleet.CommandR2RTest
	}
	return out, nil
}

// issue fills in a new command for an asset.
func (a *App) issue(ctx context.Context, tx *store.Tx, c *fleet.Command, t *fleet.Thing, actor *access.Actor,
	now fleet.Instant) (err error) {
	c.ID, c.ThingID, c.OrganizationID, c.Status, c.Version = a.NewID(), t.ID, t.OrganizationID, fleet.CommandAccepted, 1
	c.IssuedAt, c.ExpiresAt = now, fleet.CommandEnd(now)
	if c.IssuedKind = "system"; actor.UserID != "" {
		c.IssuedKind, c.IssuedID, c.IssuedIn = "user", actor.UserID, actor.OrganizationID
		c.IssuedName, err = store.ActorName(ctx, tx, actor.UserID, "")
	}
	return err
}

// saveNewCommand stores a press: a waiting command of the same kind ends, the asset's test mode changes with it, and all of it is
// published.
func (a *App) saveNewCommand(ctx context.Context, tx *store.Tx, c *live.Change, actor *access.Actor, p *press) error {
	open, err := store.OpenCommandsOf(ctx, tx, p.thing.ID)
	if err != nil {
		return err
	}
	for i := range open {
		if p.command.Replaces(&open[i]) {
			if err := a.replaceCommand(ctx, tx, c, actor, &open[i], p); err != nil {
				return err
			}
		}
	}
	if was, _, _, _ := a.Live.Thing(p.thing.ID); was.TestMode != p.thing.TestMode {
		if err := a.saveTestMode(ctx, tx, c, &was, &p.thing); err != nil {
			return err
		}
	}
	if err := tx.InsertCommand(ctx, &p.command); err != nil {
		return err
	}
	a.tellCommand(c, &p.command, &p.thing)
	return nil
}

// replaceCommand ends the waiting command; the new one decides about test mode.
func (a *App) replaceCommand(ctx context.Context, tx *store.Tx, c *live.Change, actor *access.Actor, old *fleet.Command, p *press) error {
	next := *old
	next.Expire()
	next.Version++
	if err := tx.SaveCommand(ctx, &next); err != nil {
		return err
	}
	a.tellCommand(c, &next, &p.thing)
	return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "replace", Noun: "command", NounID: next.ID, OrganizationID: next.OrganizationID,
		Before: commandDoc(old, p.wasTesting), After: commandDoc(&next, p.thing.TestMode)})
}

// saveTestMode stores an asset whose test mode changes and publishes it to everybody who sees it.
func (a *App) saveTestMode(ctx context.Context, tx *store.Tx, c *live.Change, was, next *fleet.Thing) error {
	next.Version, next.UpdatedAt = was.Version+1, c.Now()
	if err := tx.UpdateThing(ctx, next); errors.Is(err, store.ErrNotFound) {
		return fleet.Refuse("conflict", "", "Someone else changed this asset at the same time.")
	} else if err != nil {
		return err
	}
	own := *next
	sayThing(c, was, &own, a.Live.Describe(&own))
	c.Put(&own)
	return nil
}

// commandVerbs are the audit's names for the ends of commands.
var commandVerbs = map[string]string{fleet.CommandDelivered: "deliver", fleet.CommandFailed: "fail", fleet.CommandExpired: "expire"}

// saveCommand stores a command's new state and publishes it. A test alert that was not delivered takes its asset out of test mode
// in the same commit. The end of a command is audited; handing it out is not, since nobody did it.
func (a *App) saveCommand(ctx context.Context, tx *store.Tx, c *live.Change, actor *access.Actor, old, next *fleet.Command) error {
	next.Version = old.Version + 1
	if err := tx.SaveCommand(ctx, next); err != nil {
		return err
	}
	t, _, _, isThere := a.Live.Thing(next.ThingID)
	if !isThere {
		t = fleet.Thing{ID: next.ThingID, OrganizationID: next.OrganizationID}
	}
	if next.Status != old.Status {
		a.tellCommand(c, next, &t)
	}
	if next.Status == fleet.CommandSent {
		return nil
	}
	row := audit.Row{Verb: commandVerbs[next.Status], Noun: "command", NounID: next.ID, OrganizationID: next.OrganizationID,
		Before: commandDoc(old, t.TestMode)}
	if !old.IsOpen() {
		row.Verb = "acknowledge_late"
	} else if t.TestMode && next.UndoesTestMode() {
		was := t
		t.PutInTestMode(false, c.Now())
		if err := a.saveTestMode(ctx, tx, c, &was, &t); err != nil {
			return err
		}
	}
	row.After = commandDoc(next, t.TestMode)
	return a.Audit.Write(ctx, tx, actor, row)
}

// tellCommand publishes a command to those who reach the asset in full: the name of the person who issued it goes only to that
// person's organization.
func (a *App) tellCommand(c *live.Change, x *fleet.Command, t *fleet.Thing) {
	audience := []string{x.OrganizationID}
	if t.OrganizationID == x.OrganizationID {
		for _, r := range t.Relations {
			if r.Kind == fleet.RelationManager && !slices.Contains(audience, r.OrganizationID) {
				audience = append(audience, r.OrganizationID)
			}
		}
	}
	for _, organization := range audience {
		tell(c, fleet.MessageCommand, x.ID, []string{organization}, wire.EncodeRow(fleet.MessageCommand, a.commandWire(x, organization)))
	}
}

// commandWire is a command as an organization's people see it: for a person of another organization it has only that organization.
func (a *App) commandWire(c *fleet.Command, organization string) wire.DeviceCommand {
	out := wire.CommandOf(c)
	if c.IssuedIn != "" && c.IssuedIn != organization {
		of, _ := a.Live.Organization(c.IssuedIn)
		out.IssuedBy.ID, out.IssuedBy.Name = "", of.Name
	}
	return out
}

// commandTarget is what the law of device actions checks; the permission has been checked before.
func (a *App) commandTarget(t *fleet.Thing) fleet.CommandTarget {
	kind, _ := typeByID(t.TypeID)
	_, _, shown, _ := a.Live.Thing(t.ID)
	return fleet.CommandTarget{DeviceType: t.DeviceType, ThingType: kind.Name, Status: shown.Status, R2R: t.R2R,
		AllowedForTestMode: t.AllowedForTestMode, TestMode: t.TestMode, IsAllowed: true}
}

// asNotAuthorized words a missing permission as device actions do.
func asNotAuthorized(err error) error {
	var refusal *fleet.Refusal
	if errors.As(err, &refusal) && refusal.Code == "forbidden" {
		return fleet.RefuseCommander()
	}
	return err
}

// CommandQuery requests a page of an asset's commands.
type CommandQuery struct {
	ThingID       string
	Page, PerPage int
}

// ListThingCommands returns the commands for an asset's device, newest first, without those of former owners. Requires VIEW_THINGS
// and full reach. Refusals: not_found.
func (a *App) ListThingCommands(ctx context.Context, actor *access.Actor, q CommandQuery) ([]wire.DeviceCommand, wire.Meta, error) {
	if err := actor.Must("VIEW_THINGS"); err != nil {
		return nil, wire.Meta{}, err
	}
	t, _, _, ok := a.Live.Thing(q.ThingID)
	if !ok || reachOfThing(actor, &t) != access.Full {
		return nil, wire.Meta{}, fleet.Refuse("not_found", "", "Asset not found")
	}
	page, perPage := fleet.Page(q.Page, q.PerPage)
	meta := wire.Meta{Page: page, PerPage: perPage, AsOf: a.now()}
	var out []wire.DeviceCommand
	err := a.Store.Read(ctx, func(r store.Reader) error {
		rows, total, err := store.CommandsPage(ctx, r, t.ID, t.OrganizationID, page, perPage)
		meta.Total = total
		for i := range rows {
			out = append(out, a.commandWire(&rows[i], actor.OrganizationID))
		}
		return err
	})
	return out, meta, err
}
