package app

import (
	"context"
	"errors"
	"sync"
	"time"
	"unicode/utf8"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/feed"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

var (
	consumerText       = int(catalog.LimitInt("alerts", "consumerText"))
	impressionsAtOnce  = int(catalog.LimitInt("alerts", "impressionsAtOnce"))
	impressionsWaiting = int(catalog.LimitInt("alerts", "impressionsWaiting"))
	consumerKept       = catalog.LimitMs("alerts", "consumerKeptMs")
	alertLate          = catalog.LimitMs("alerts", "lateMs")
)

const (
	consumerPurpose = "lightbar alert consumers 1"
	// alertsKnown limits how many alerts are remembered with what they are about.
	alertsKnown = 200_000
	// alertsLooked is how often the alerts of an organization are looked up for an id that nobody has read here.
	alertsLooked = 5 * time.Second
	// impressionsPerChange is how many are written while the picture's writer is held.
	impressionsPerChange = 1000
)

// shown holds the alerts shown to drivers: those published recently, and what apps report about them until it is written. The zero
// value works.
type shown struct {
	mu      sync.Mutex
	known   map[string]map[string]*shownAlert // by organization and id
	n       int                               // of known
	looked  map[string]fleet.Instant          // by organization
	waiting map[impression]struct{}
	heard   map[string]struct{} // organizations for which an app reported
	purged  fleet.Instant
}

// shownAlert is what an alert's id refers to.
type shownAlert struct {
	category, source, location string
	since, until               fleet.Instant // until: the alert was active until then at least
	isCounted                  bool
}

// impression is an alert that was shown to a driver.
type impression struct{ organization, alert, consumer string }

// publish remembers alerts that are published.
func (s *shown) publish(organizationID string, alerts []feed.Alert, now fleet.Instant) {
	if len(alerts) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	of := s.known[organizationID]
	if of == nil {
		if s.known == nil {
			s.known = map[string]map[string]*shownAlert{}
		}
		of = map[string]*shownAlert{}
		s.known[organizationID] = of
	}
	for i := range alerts {
		a := &alerts[i]
		is := of[a.ID]
		if is == nil {
			if s.n >= alertsKnown {
				continue
			}
			is = &shownAlert{category: a.Category, source: a.Source, since: a.Since}
			of[a.ID] = is
			s.n++
		}
		if is.location == "" {
			is.location = a.Location
		}
		is.until = max(is.until, now)
		if a.Category != feed.AlertVehicle { // they are published only when they change
			is.until = a.ExpiresAt
		}
	}
}

// count stores impressions of a reader whose alerts are known, and returns the unknown ids. false: too many wait.
func (s *shown) count(organizationID, consumer string, ids []string) (unknown []string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting == nil {
		s.waiting, s.heard = map[impression]struct{}{}, map[string]struct{}{}
	}
	if len(s.waiting)+len(ids) > impressionsWaiting {
		return nil, false
	}
	s.heard[organizationID] = struct{}{}
	for _, id := range ids {
		if is := s.known[organizationID][id]; is != nil {
			is.isCounted = true
			s.waiting[impression{organizationID, id, consumer}] = struct{}{}
		} else {
			unknown = append(unknown, id)
		}
	}
	return unknown, true
}

// mayLook reports whether an organization's alerts may be looked up now for an unknown id.
func (s *shown) mayLook(organizationID string, now fleet.Instant) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at, ok := s.looked[organizationID]; ok && now >= at && now.Sub(at) < alertsLooked {
		return false
	}
	if s.looked == nil || len(s.looked) > feedsKept {
		s.looked = map[string]fleet.Instant{}
	}
	s.looked[organizationID] = now
	return true
}

// ConsumerName is what is stored in place of an app's name for its driver: a keyed hash.
func (a *App) ConsumerName(organizationID, consumer string) string {
	return a.ServerKey.Name(consumerPurpose, organizationID+" "+consumer)
}

// RecordImpressions records which alerts an app showed to its driver: each counts once for a driver. It is written within seconds
// (CountDrivers). The actor is as in FollowAlerts. Refusals: validation_failed, busy, those of Feed.
func (a *App) RecordImpressions(ctx context.Context, actor *access.Actor, organizationID string, in wire.AlertImpressions) (
	out wire.AlertImpressed, err error) {
	if _, _, err := a.mayReadAlerts(ctx, actor, organizationID); err != nil {
		return out, err
	}
	fields := map[string]string{}
	if n := utf8.RuneCountInString(in.Consumer); n == 0 || n > consumerText {
		fields["consumer"] = "The consumer must be a text of 1 to 64 characters."
	}
	if len(in.Alerts) > impressionsAtOnce {
		fields["alerts"] = "At most 100 alerts can be sent at once."
	}
	if len(fields) > 0 {
		return out, fleet.RefuseFields(fields)
	}
	ids := make(map[string]struct{}, len(in.Alerts))
	for _, id := range in.Alerts {
		ids[id] = struct{}{}
	}
	asked := make([]string, 0, len(ids))
	for id := range ids {
		asked = append(asked, id)
	}
	consumer := a.ConsumerName(organizationID, in.Consumer)
	unknown, ok := a.shown.count(organizationID, consumer, asked)
	if ok && len(unknown) > 0 && a.shown.mayLook(organizationID, a.now()) { // published before a restart, or read elsewhere
		if err := a.lookUpAlerts(ctx, organizationID); err != nil {
			return out, err
		}
		unknown, ok = a.shown.count(organizationID, consumer, unknown)
	}
	if !ok {
		return out, &fleet.Refusal{Code: "busy", RetryAfterS: int(alertsLooked / time.Second)}
	}
	return wire.AlertImpressed{Counted: len(asked) - len(unknown), Ignored: len(unknown)}, nil
}

func (a *App) lookUpAlerts(ctx context.Context, organizationID string) error {
	a.AlertsOfThings(organizationID, nil)
	_, _, err := a.AlertsOfPlaces(ctx, organizationID)
	return err
}

// counting is what is written together.
type counting struct {
	impressions []impression
	heard       map[string]struct{}
	ended       map[impression]fleet.Instant // without consumers
	alerts      map[impression]shownAlert    // without consumers
}

// take takes what waits, and drops alerts that ended long ago.
func (s *shown) take(now fleet.Instant) (out counting) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out = counting{heard: s.heard, ended: map[impression]fleet.Instant{}, alerts: map[impression]shownAlert{}}
	for i := range s.waiting {
		out.impressions = append(out.impressions, i)
		out.alerts[impression{i.organization, i.alert, ""}] = *s.known[i.organization][i.alert]
	}
	s.waiting, s.heard = nil, nil
	for organization, of := range s.known {
		for id, is := range of {
			if now.Sub(is.until) <= alertLate {
				continue
			}
			if is.isCounted {
				out.ended[impression{organization, id, ""}] = is.until
			}
			delete(of, id)
			s.n--
		}
		if len(of) == 0 {
			delete(s.known, organization)
		}
	}
	return out
}

// again puts back impressions that could not be written.
func (s *shown) again(c *counting, from int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting == nil {
		s.waiting, s.heard = map[impression]struct{}{}, map[string]struct{}{}
	}
	for _, i := range c.impressions[from:] {
		if s.known[i.organization][i.alert] != nil {
			s.waiting[i] = struct{}{}
		}
	}
	for id := range c.heard {
		s.heard[id] = struct{}{}
	}
}

// CountDrivers writes which drivers were shown which alerts since the last call, and deletes who they were after 48 hours.
func (a *App) CountDrivers(ctx context.Context) error {
	now := a.now()
	c := a.shown.take(now)
	var failed error
	if len(c.heard) > 0 {
		failed = a.Change(ctx, func(change *live.Change, tx *store.Tx) error {
			for id := range c.heard {
				if err := tx.AddDriverHour(ctx, id, now); err != nil {
					return err
				}
				change.MeasureDrivers(id)
			}
			return nil
		})
	}
	for from := 0; failed == nil && from < len(c.impressions); from += impressionsPerChange {
		some := c.impressions[from:min(from+impressionsPerChange, len(c.impressions))]
		failed = a.Change(ctx, func(change *live.Change, tx *store.Tx) error { return c.write(ctx, change, tx, some, now) })
		if failed != nil {
			a.shown.again(&c, from)
			return failed
		}
	}
	if failed != nil {
		a.shown.again(&c, 0)
		return failed
	}
	if len(c.ended) == 0 && now.Sub(a.shown.purged) < time.Hour {
		return nil
	}
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		for i, at := range c.ended {
			if err := tx.EndDriverAlert(ctx, i.organization, i.alert, at); err != nil {
				return err
			}
		}
		return tx.PurgeImpressions(ctx, now.Add(-consumerKept+time.Hour))
	})
	if err == nil {
		a.shown.purged = now
	}
	return err
}

// write counts impressions in a transaction.
func (c *counting) write(ctx context.Context, change *live.Change, tx *store.Tx, some []impression, now fleet.Instant) error {
	drivers, there := map[impression]int64{}, map[string]int64{}
	for _, i := range some {
		id := impression{i.organization, i.alert, ""}
		is := c.alerts[id]
		if _, put := drivers[id]; !put {
			if err := tx.PutDriverAlert(ctx, &store.DriverAlert{OrganizationID: i.organization, ID: i.alert, Category: is.category,
				SourceID: is.source, LocationID: is.location, BeganAt: is.since, FirstAt: now}); err != nil {
				return err
			}
			drivers[id] = 0
		}
		isNew, isNewThere, err := tx.AddImpression(ctx, i.organization, i.consumer, i.alert, is.location, now)
		if err != nil {
			return err
		}
		if isNew {
			drivers[id]++
		}
		if isNewThere {
			there[is.location]++
		}
	}
	var err error
	for id, n := range drivers {
		if n > 0 {
			err = errors.Join(err, tx.AddDrivers(ctx, id.organization, id.alert, n))
		}
	}
	for location, n := range there {
		if !change.AlertDrivers(location, n) {
			err = errors.Join(err, tx.AddLocationDrivers(ctx, location, n))
		}
	}
	return err
}
