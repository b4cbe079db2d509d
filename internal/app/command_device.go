package app

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// CommandsForKey hands out the commands that wait for an asset's device, oldest first, and notes that they were sent; a command
// whose outcome is unknown is sent again until it expires. asset is as in DeviceConfigForKey. Only API keys that may report may
// call it. Refusals: forbidden, scope_ingest_missing, asset_unknown, asset_ambiguous.
func (a *App) CommandsForKey(ctx context.Context, actor *access.Actor, asset string) ([]wire.PolledCommand, error) {
	t, err := a.commandedThing(actor, asset)
	if err != nil {
		return nil, err
	}
	return a.commandsFor(ctx, actor, &t)
}

func (a *App) commandedThing(actor *access.Actor, asset string) (fleet.Thing, error) {
	if actor.KeyID == "" {
		return fleet.Thing{}, fleet.Refuse("forbidden", "", "Only an API key can request a device's commands.")
	}
	if err := actor.MustIngest(); err != nil {
		return fleet.Thing{}, err
	}
	return a.thingOfKey(actor, asset)
}

// commandsFor is CommandsForKey for an asset that was already found.
func (a *App) commandsFor(ctx context.Context, actor *access.Actor, t *fleet.Thing) ([]wire.PolledCommand, error) {
	if err := a.renewConfig(ctx, t); err != nil {
		return nil, err
	}
	if first, err := a.desk.first(ctx, a.Store.Reader(), t.ID); err != nil || first == 0 {
		return nil, err
	}
	open, err := store.OpenCommandsOf(ctx, a.Store.Reader(), t.ID)
	if err != nil {
		return nil, err
	}
	now, isNew := a.now(), false
	for i := range open {
		isNew = isNew || open[i].Status == fleet.CommandAccepted && open[i].MayReach(now)
	}
	if isNew {
		err = a.Change(ctx, func(c *live.Change, tx *store.Tx) (err error) {
			now = c.Now()
			open, err = a.sendCommands(ctx, tx, c, actor, t.ID)
			return err
		})
		a.desk.stirLines(t.ID)
		if err != nil {
			return nil, err
		}
	}
	var out []wire.PolledCommand
	for i := range open {
		if x := &open[i]; x.Status == fleet.CommandSent && x.MayReach(now) && x.OrganizationID == t.OrganizationID {
			out = append(out, wire.PolledCommand{DeviceCommand: a.commandWire(x, actor.OrganizationID), Asset: t.SystemName,
				LeftMs: int64(x.ExpiresAt - now)})
		}
	}
	return out, nil
}

// only returns the number of the one asset of all reports; 0 = there is none, or several.
func (s *submission) only() (no int64) {
	for i := range s.points {
		if n := s.points[i].ThingNo; no == 0 || n == no {
			no = n
		} else {
			return 0
		}
	}
	for i := range s.signals {
		if n := s.signals[i].ThingNo; no == 0 || n == no {
			no = n
		} else {
			return 0
		}
	}
	return no
}

// commandsBeside returns the commands for a device whose reports are being answered. The reports are stored: if something fails
// here, the commands come with the next ones.
func (a *App) commandsBeside(ctx context.Context, actor *access.Actor, thingNo int64) []wire.PolledCommand {
	id, known := a.Live.ThingByNo(thingNo)
	if thingNo == 0 || !known {
		return nil
	}
	if at := a.Live.Config(id); a.desk.isEmpty() && !at.IsDue(a.now()) {
		return nil
	}
	t, _, _, ok := a.Live.Thing(id)
	if !ok || t.OrganizationID != actor.OrganizationID {
		return nil
	}
	out, err := a.commandsFor(ctx, actor, &t)
	if err != nil {
		a.Log.Warn("commands not handed out", "error", err)
	}
	return out
}

// sendCommands notes that an asset's waiting commands are handed out, and returns all that are open.
func (a *App) sendCommands(ctx context.Context, tx *store.Tx, c *live.Change, actor *access.Actor,
	thingID string) ([]fleet.Command, error) {
	open, err := store.OpenCommandsOf(ctx, tx, thingID)
	if err != nil {
		return nil, err
	}
	for i := range open {
		old := open[i]
		if old.OrganizationID == actor.OrganizationID && open[i].Send(c.Now()) {
			if err := a.saveCommand(ctx, tx, c, actor, &old, &open[i]); err != nil {
				return nil, err
			}
			if old.Type == fleet.CommandConfig {
				c.HandConfig(thingID)
			}
		}
	}
	return open, nil
}

// AwaitCommands returns when commands wait for an asset's device, after a timeout, when the caller leaves, or when the server
// stops. Refusals: as CommandsForKey, and busy.
func (a *App) AwaitCommands(ctx context.Context, actor *access.Actor, asset string, wait time.Duration) error {
	t, err := a.commandedThing(actor, asset)
	if err != nil {
		return err
	}
	p, err := a.desk.enter(t.ID)
	if err != nil || p == nil {
		return err
	}
	defer a.desk.leave(t.ID, p)
	// A command that arrived before this device began to wait woke nobody.
	if first, err := a.desk.first(ctx, a.Store.Reader(), t.ID); err != nil || first > a.now() {
		return err
	}
	timer := time.NewTimer(fleet.CommandPoll(wait))
	defer timer.Stop()
	select {
	case <-p.wake:
	case <-timer.C:
	case <-ctx.Done():
	}
	return nil
}

// AcknowledgeCommand takes a device's answer to a command of one of the key's assets. Refusals: forbidden, scope_ingest_missing,
// command_unknown, validation_failed (Fields).
func (a *App) AcknowledgeCommand(ctx context.Context, actor *access.Actor, id string, word fleet.CommandWord) (heard wire.CommandHeard,
	err error) {
	if actor.KeyID == "" {
		return heard, fleet.Refuse("forbidden", "", "Only an API key can acknowledge a command.")
	}
	if err := actor.MustIngest(); err != nil {
		return heard, err
	}
	if uuid.Validate(id) != nil {
		return heard, refuseCommandUnknown()
	}
	word.Message = fleet.ReadCommandMessage(word.Message)
	thingID, beganLate := "", false
	err = a.Change(ctx, func(c *live.Change, tx *store.Tx) error {
		old, err := store.CommandByID(ctx, tx, id)
		if err == nil && !a.mayAcknowledge(actor, &old) {
			err = store.ErrNotFound
		}
		if errors.Is(err, store.ErrNotFound) {
			return refuseCommandUnknown()
		}
		if err != nil {
			return err
		}
		if err := refuseClaim(c.Config(old.ThingID), word); err != nil {
			return err
		}
		next, changed := old, false
		if heard.Status, changed = next.Acknowledge(word, c.Now()); !changed {
			return nil
		}
		thingID = old.ThingID
		beganLate = next.BeganLate(word)
		a.claimConfig(c, &old, word)
		return a.saveCommand(ctx, tx, c, actor, &old, &next)
	})
	if thingID != "" {
		a.desk.stirLines(thingID)
	}
	if err == nil && beganLate {
		a.endLateTest(ctx, thingID)
	}
	return heard, err
}

// endLateTest tells a device to leave test mode if it started it without the server knowing in time: on this side its alerts are
// real. The device's answer is accepted whatever the outcome, so that it need not be repeated.
func (a *App) endLateTest(ctx context.Context, thingID string) {
	err := a.Change(ctx, func(c *live.Change, tx *store.Tx) error {
		if t, _, _, ok := a.Live.Thing(thingID); ok && !t.TestMode {
			return a.orderOutOfTestMode(ctx, tx, c, t)
		}
		return nil
	})
	a.desk.stir(thingID)
	if err != nil {
		a.Log.Error("a device that began a test too late could not be told to end it", "thing", thingID, "error", err)
	}
}

func refuseCommandUnknown() error {
	return fleet.Refuse("command_unknown", "", "This key has no asset with that command.")
}

// mayAcknowledge reports whether the command is for an asset of the key and was issued for its current owner.
func (a *App) mayAcknowledge(actor *access.Actor, x *fleet.Command) bool {
	t, _, _, ok := a.Live.Thing(x.ThingID)
	return ok && t.OrganizationID == actor.OrganizationID && x.OrganizationID == actor.OrganizationID &&
		(actor.KeyThingID == "" || actor.KeyThingID == t.ID)
}

// commandsAtOnce is how many commands the clock ends in one transaction.
const commandsAtOnce = 200

// RunCommands ends commands that expire, and test mode that has lasted long enough. The server's own clock calls it every second;
// both are rows, so they survive a restart.
func (a *App) RunCommands(ctx context.Context) error {
	return errors.Join(a.expireCommands(ctx), a.endTestModes(ctx))
}

func (a *App) expireCommands(ctx context.Context) error {
	for {
		if first, err := a.desk.first(ctx, a.Store.Reader(), ""); err != nil || first == 0 || first > a.now() {
			return err
		}
		var ended []string
		err := a.Change(ctx, func(c *live.Change, tx *store.Tx) error {
			due, err := store.CommandsDue(ctx, tx, c.Now(), commandsAtOnce)
			if err != nil {
				return err
			}
			for i := range due {
				ended = append(ended, due[i].ThingID)
				next := due[i]
				next.Expire()
				if err := a.saveCommand(ctx, tx, c, access.System(), &due[i], &next); err != nil {
					return err
				}
			}
			return nil
		})
		a.desk.stirLines(ended...)
		if err != nil || len(ended) == 0 {
			return err
		}
	}
}

// endTestModes ends test mode that nobody turned off: a real alert must not stay hidden.
func (a *App) endTestModes(ctx context.Context) error {
	due, err := store.TestModesDue(ctx, a.Store.Reader(), a.now())
	for _, id := range due {
		err = errors.Join(err, a.Change(ctx, func(c *live.Change, tx *store.Tx) error { return a.endTestMode(ctx, tx, c, id) }))
		a.desk.stir(id)
	}
	return err
}

func (a *App) endTestMode(ctx context.Context, tx *store.Tx, c *live.Change, id string) error {
	t, _, _, ok := a.Live.Thing(id)
	if !ok || t.TestModeUntil == 0 || t.TestModeUntil > c.Now() {
		return nil
	}
	return a.orderOutOfTestMode(ctx, tx, c, t)
}

// orderOutOfTestMode ends an asset's test mode on the server, if it is on, and in its device, as a press by the system.
func (a *App) orderOutOfTestMode(ctx context.Context, tx *store.Tx, c *live.Change, t fleet.Thing) error {
	system := access.System()
	p := press{thing: t, wasTesting: t.TestMode, command: fleet.Command{Type: fleet.CommandTestMode, Value: "off"}}
	p.thing.PutInTestMode(false, c.Now())
	if err := a.issue(ctx, tx, &p.command, &p.thing, system, c.Now()); err != nil {
		return err
	}
	if err := a.saveNewCommand(ctx, tx, c, system, &p); err != nil {
		return err
	}
	return a.Audit.Write(ctx, tx, system, audit.Row{Verb: "create", Noun: "command", NounID: p.command.ID,
		OrganizationID: t.OrganizationID, After: commandDoc(&p.command, false)})
}
