package fleet

import (
	"time"

	"lightbar/catalog"
)

var (
	watchNotAlerting = catalog.Setting("watchdog", "notAlertingMs")
	watchAtStation   = catalog.Setting("watchdog", "atStationMs")
	watchUnsaid      = catalog.Setting("watchdog", "unsaidMs")
	watchUnplaced    = catalog.Setting("watchdog", "unplacedMs")
	watchSilent      = catalog.Setting("watchdog", "silentMs")
	watchFailing     = catalog.Setting("watchdog", "failingMs")
	watchConfig      = catalog.Setting("watchdog", "configMs")
	watchFresh       = catalog.Setting("watchdog", "freshMs")
	watchWithinM     = catalog.Setting("watchdog", "enrouteWithinM")
	watchCloserM     = catalog.Setting("watchdog", "enrouteCloserM")
	watchSpeed       = catalog.Setting("watchdog", "enrouteSpeedMS")
	watchMoving      = catalog.Setting("watchdog", "movingMS")
)

// WatchHold is how long something must be true before it is a finding. about is its subject: an integration that fails is another
// matter than its one asset that is silent.
func WatchHold(rule string, isOfAsset bool) time.Duration {
	switch rule {
	case RuleAlertingAtStation:
		return watchAtStation.Duration()
	case RulePositionWithoutLights:
		return watchUnsaid.Duration()
	case RuleLightsWithoutPosition:
		return watchUnplaced.Duration()
	case RuleOldConfiguration:
		return watchConfig.Duration()
	case RuleClosureLeft:
		return watchLeft.Duration()
	case RuleProviderSilent:
		if isOfAsset {
			return watchSilent.Duration()
		}
		return watchFailing.Duration()
	}
	return watchNotAlerting.Duration()
}

// Sight is that what a rule looks for is so at an instant.
type Sight struct {
	Rule  string
	Since Instant // as in the reports; 0 = they don't have it, it counts from when it is first seen
	Began Instant // since when it is so, where that is longer than it counts; 0 = it isn't
	About FindingAbout
}

// Spot is an incident that units may be on the way to.
type Spot struct {
	ID       string
	Lat, Lng float64
}

// Feed is an account at a provider that has been read well.
type Feed struct {
	Account *Integration
	IsOnly  bool    // it is the organization's only one at the provider
	Since   Instant // since when it has been, without a failure
}

// Watched is an asset as the watchdog looks at it.
type Watched struct {
	Thing *Thing
	State *State
	Now   Instant
	// Station finds the owner's station at a position, "" = none.
	Station func(lat, lng float64) string
	// Closure is the closure that the asset makes active now, "" = none.
	Closure string
	// Incidents are the open ones of its owner, Feeds its owner's accounts at providers.
	Incidents []Spot
	Feeds     []Feed
	Memory    *WatchMemory
}

// WatchMemory is what the watchdog remembers about an asset from one pass to the next. A restart clears it.
type WatchMemory struct {
	ReportsLights bool    // its positions contain whether its lights are on
	LitAt         Instant // since which look its lights are on; 0 = they are off
	// It has come nearer to an incident without a break since ApproachAt: from FromM to NearM meters.
	ApproachID   string
	ApproachAt   Instant
	FromM, NearM float64
}

// IsFresh reports whether the asset's last report is new enough to show its current state. An asset out of service is not checked.
func (w *Watched) IsFresh() bool {
	s := w.State
	return s.HeartbeatAt != 0 && s.CutAt == 0 && w.Now.Sub(s.HeartbeatAt) <= watchFresh.Duration()
}

// IsDoubtful: nothing was reported for a while, but not so long that the asset counts as silent: what was true may still be.
func (w *Watched) IsDoubtful() bool { return !w.IsFresh() && !IsStale(w.State, w.Now) }

// Look returns what is true now. An asset that is out of service is not the watchdog's business; in test mode its lights mean
// nothing, so that only what is not about lights is checked.
func (w *Watched) Look(see func(Sight)) {
	if !w.Thing.InService {
		return
	}
	w.silent(see)
	if since, is := ConfigOutdated(w.State); is && w.IsFresh() {
		// An asset that was away gets it when it comes back: it counts while it reports.
		see(Sight{Rule: RuleOldConfiguration, Began: since, About: FindingAbout{Type: AboutConfiguration, ID: w.Thing.ID}})
	}
	if w.Thing.TestMode || !w.IsFresh() {
		w.Memory.ApproachID, w.Memory.LitAt = "", 0
		return
	}
	w.learn()
	w.dark(see)
	w.lit(see)
	w.halfTold(see)
}

func (w *Watched) learn() {
	s := w.State
	if s.HasPosition && s.AlertingAt == s.At && s.AlertingAt > s.AlertingAbsentAt {
		w.Memory.ReportsLights = true
	}
	switch {
	case !s.Alerting:
		w.Memory.LitAt = 0
	case w.Memory.LitAt == 0:
		w.Memory.LitAt = w.Now
	}
}

// isMoving: false also when its speed is not known.
func (w *Watched) isMoving(from *catalog.Settable) bool {
	return w.State.HasSpeed && w.State.SpeedMS >= from.Float()
}

// isPlaced reports whether its position is one of now.
func (w *Watched) isPlaced() bool {
	return w.State.HasPosition && w.Now.Sub(w.State.At) <= watchFresh.Duration()
}

// dark finds lights that should be on. An asset that never reported its lights is not known to have them off.
func (w *Watched) dark(see func(Sight)) {
	s := w.State
	if s.Alerting || s.AlertingAt == 0 {
		w.Memory.ApproachID = ""
		return
	}
	switch {
	case s.LocationID != "" && s.LightsOffAt != 0:
		see(Sight{Rule: RuleNotAlertingAtIncident, Since: s.LightsOffAt, About: FindingAbout{Type: AboutIncident, ID: s.LocationID}})
	case w.Closure != "":
		see(Sight{Rule: RuleNotAlertingOnClosure, About: FindingAbout{Type: AboutClosure, ID: w.Closure}})
	}
	if id, since := w.approach(); id != "" {
		see(Sight{Rule: RuleNotAlertingEnroute, Since: since, About: FindingAbout{Type: AboutIncident, ID: id}})
	}
}

// approach finds the incident that a responder is driving to: the nearest one, to which it has come much nearer in a straight line
// and never farther from it. It is not known who was sent, so that this is a guess, and a careful one.
func (w *Watched) approach() (id string, since Instant) {
	s, m := w.State, w.Memory
	near, at := "", watchWithinM.Float()
	if w.Thing.Responder && s.LocationID == "" && w.isPlaced() && w.isMoving(watchSpeed) {
		for _, spot := range w.Incidents {
			if d := DistanceM(s.Lat, s.Lng, spot.Lat, spot.Lng); d < at {
				near, at = spot.ID, d
			}
		}
	}
	if near == "" || near != m.ApproachID || at > m.NearM {
		m.ApproachID, m.ApproachAt, m.FromM, m.NearM = near, w.Now, at, at
		return "", 0
	}
	if m.NearM = at; m.FromM-at < watchCloserM.Float() {
		return "", 0
	}
	return near, m.ApproachAt
}

// lit looks for lights that should be off.
func (w *Watched) lit(see func(Sight)) {
	s := w.State
	if !s.Alerting || s.LocationID != "" || !w.isPlaced() || w.isMoving(watchMoving) || w.Station == nil {
		return
	}
	if id := w.Station(s.Lat, s.Lng); id != "" {
		see(Sight{Rule: RuleAlertingAtStation, About: FindingAbout{Type: AboutStation, ID: id}})
	}
}

// halfTold finds devices that report only a part of what they used to.
func (w *Watched) halfTold(see func(Sight)) {
	s := w.State
	if w.Memory.ReportsLights && w.isPlaced() && s.AlertingAbsentAt > s.AlertingAt {
		see(Sight{Rule: RulePositionWithoutLights})
	}
	if s.Alerting && s.AlertingAt > s.At && w.Now.Sub(s.AlertingAt) <= watchFresh.Duration() {
		since := max(s.At, w.Memory.LitAt)
		// Between two positions it has none: one that comes ends it.
		if w.Now.Sub(since) >= watchUnplaced.Duration() {
			see(Sight{Rule: RuleLightsWithoutPosition, Since: since})
		}
	}
}

// silent finds vehicles of a provider that fell silent while they drove or had their lights on, though the account can be read. One
// that was stopped may just have been switched off.
func (w *Watched) silent(see func(Sight)) {
	s := w.State
	if len(w.Feeds) == 0 || s.HeartbeatAt == 0 || !s.Alerting && !w.isMoving(watchMoving) {
		return
	}
	heard := max(s.HeartbeatAt, s.TakenAt)
	if w.Now.Sub(heard) < watchSilent.Duration() {
		return
	}
	for i := range w.Feeds {
		f := &w.Feeds[i]
		for _, id := range w.Thing.Integrations {
			// What was silent before the account could be read is not known to be silent because of it.
			if id.Names(f.Account, f.IsOnly) && heard >= f.Since {
				see(Sight{Rule: RuleProviderSilent, Since: heard, About: FindingAbout{Type: AboutIntegration, ID: f.Account.ID}})
				return
			}
		}
	}
}
