package app

import (
	"context"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

// DeviceOfKey is the system name of the asset whose own key this is. Refusals: forbidden, scope_ingest_missing, asset_unknown.
func (a *App) DeviceOfKey(actor *access.Actor) (systemName string, err error) {
	if actor.KeyThingID == "" {
		return "", fleet.Refuse("forbidden", "", "Only an asset's own key says which asset it is.")
	}
	t, err := a.commandedThing(actor, "")
	return t.SystemName, err
}

// followsAnew is how often who follows is asked whether it still may.
const followsAnew = time.Minute

// FollowCommands hands the commands of an asset to its device for as long as it
// is connected: those that wait, and each new one as it comes, once. who answers
// the asset's own key, asked again before each answer, since it may be revoked. It returns when the
// context ends or the server stops, and with an error when the device must come again.
func (a *App) FollowCommands(ctx context.Context, who func() (*access.Actor, error), hand func(*wire.PolledCommand)) error {
	handed := map[string]bool{}
	for ctx.Err() == nil {
		actor, err := who()
		if err != nil {
			return err
		}
		t, err := a.commandedThing(actor, "")
		if err != nil {
			return err
		}
		if isOver, err := a.followOnce(ctx, actor, &t, func(c *wire.PolledCommand) {
			if !handed[c.ID] {
				handed[c.ID] = true
				hand(c)
			}
		}); isOver || err != nil {
			return err
		}
	}
	return nil
}

// followOnce hands out what waits, and returns when there is more.
func (a *App) followOnce(ctx context.Context, actor *access.Actor, t *fleet.Thing, hand func(*wire.PolledCommand)) (isOver bool, err error) {
	p, err := a.desk.enter(followed(t.ID)) // first, so that what comes meanwhile wakes it
	if err != nil || p == nil {
		return true, err
	}
	defer a.desk.leave(followed(t.ID), p)
	found, err := a.commandsFor(ctx, actor, t)
	if err != nil {
		return true, err
	}
	for i := range found {
		hand(&found[i])
	}
	timer := time.NewTimer(followsAnew)
	defer timer.Stop()
	select {
	case <-p.wake:
	case <-timer.C:
	case <-ctx.Done():
	}
	return false, nil
}
