package app

import (
	"lightbar/internal/access"
	"lightbar/internal/fleet"
)

// DeviceOfKey is the system name of the asset whose own key this is. Refusals: forbidden, scope_ingest_missing, asset_unknown.
func (a *App) DeviceOfKey(actor *access.Actor) (systemName string, err error) {
	if actor.KeyThingID == "" {
		return "", fleet.Refuse("forbidden", "", "Only an asset's own key says which asset it is.")
	}
	t, err := a.commandedThing(actor, "")
	return t.SystemName, err
}

// Following is a device that is notified of its commands for as long as it is connected. A goroutine for each would take more
// memory than its connection.
type Following struct {
	thingID string
	wake    func()
}

// FollowCommands calls wake whenever a command may wait for an asset's device; CommandsForKey then hands it out. wake must not
// block. A second device of the same asset replaces the first. Nil when the server stops.
func (a *App) FollowCommands(thingID string, wake func()) *Following {
	f := &Following{thingID, wake}
	a.desk.mu.Lock()
	defer a.desk.mu.Unlock()
	if a.desk.closed {
		return nil
	}
	if a.desk.follows == nil {
		a.desk.follows = map[string]*Following{}
	}
	a.desk.follows[thingID] = f
	return f
}

// LeaveCommands ends a Following.
func (a *App) LeaveCommands(f *Following) {
	a.desk.mu.Lock()
	defer a.desk.mu.Unlock()
	if f != nil && a.desk.follows[f.thingID] == f {
		delete(a.desk.follows, f.thingID)
	}
}
