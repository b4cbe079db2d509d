package app

import (
	"context"
	"errors"
	"maps"
	"slices"

	"lightbar/internal/access"
	"lightbar/internal/feed"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// alertPurpose is the purpose for which the key that names alerts is derived.
const alertPurpose = "lightbar alerts 1"

// naming returns what the names of alerts are made from: the server's key and the region's roads.
func (a *App) naming() *feed.Naming {
	return &feed.Naming{Name: func(of string) string { return a.ServerKey.Name(alertPurpose, of) }, Carriageway: a.Live.Carriageway}
}

// alertDocument returns the document of an organization's own assets that alert drivers now. It is not cached.
func (a *App) alertDocument(source feed.Source, now fleet.Instant) FeedDocument {
	alerts := a.vehicleAlerts(source.ID, nil, now)
	a.shown.publish(source.ID, alerts, now)
	body := feed.AlertDocument(source, alerts)
	return FeedDocument{Body: body, ETag: tagOf(body), MediaType: feed.AlertsMediaType}
}

// vehicleAlerts returns the alerts of an organization's own assets at an instant. ids limits them to some assets; nil = all.
func (a *App) vehicleAlerts(organizationID string, ids []string, now fleet.Instant) (out []feed.Alert) {
	naming := a.naming()
	visit := func(t *fleet.Thing, s *fleet.State) {
		if one, ok := feed.AlertOf(t, s, now, naming); ok {
			out = append(out, one)
		}
	}
	if ids == nil {
		a.Live.VisitOwned(organizationID, visit)
	} else {
		a.Live.VisitOwnedOf(organizationID, ids, visit)
	}
	return out
}

// warningDocument returns the warnings of an organization: incidents at which its own assets alert drivers, alerting zones in which
// they do, and its hazards. What drivers may not see causes no warning.
func (a *App) warningDocument(ctx context.Context, r store.Reader, source feed.Source, now fleet.Instant) (FeedDocument, error) {
	naming, at := a.naming(), map[string][]feed.Alert{}
	for _, one := range a.vehicleAlerts(source.ID, nil, now) {
		if one.Location != "" {
			at[one.Location] = append(at[one.Location], one)
		}
	}
	var warnings []feed.Warning
	for _, id := range slices.Sorted(maps.Keys(at)) {
		l, err := a.Live.Location(ctx, id)
		if errors.Is(err, store.ErrNotFound) {
			continue // it ended meanwhile
		}
		if err != nil {
			return FeedDocument{}, err
		}
		warnings = append(warnings, feed.Scene(l, at[id], naming))
	}
	warnings = append(warnings, a.zoneWarnings(source.ID, now, naming)...)
	hazards, err := store.OpenHazards(ctx, r, source.ID)
	if err != nil {
		return FeedDocument{}, err
	}
	for _, h := range hazards {
		if one, ok := feed.HazardAlert(h, now, naming); ok {
			warnings = append(warnings, feed.HazardWarning(&one))
		}
	}
	body := feed.WarningDocument(source, warnings, now)
	return FeedDocument{Body: body, ETag: tagOf(body), MediaType: feed.WarningsMediaType}, nil
}

// zoneWarnings returns the zones that contain an asset which drivers may see, whatever else is there.
func (a *App) zoneWarnings(organizationID string, now fleet.Instant, naming *feed.Naming) (out []feed.Warning) {
	zones := map[string]fleet.Zone{}
	a.Live.VisitInZones(organizationID, func(z *fleet.Zone, t *fleet.Thing, s *fleet.State) {
		if _, ok := feed.AlertOf(t, s, now, naming); ok {
			zones[z.ID] = *z
		}
	})
	for _, id := range slices.Sorted(maps.Keys(zones)) {
		z := zones[id]
		out = append(out, feed.ZoneWarning(&z, naming))
	}
	return out
}

// AlertsOfThings returns the alerts of an organization's own assets that alert drivers now. ids limits them to some assets; nil =
// all.
func (a *App) AlertsOfThings(organizationID string, ids []string) []feed.Alert {
	now := a.now()
	out := a.vehicleAlerts(organizationID, ids, now)
	a.shown.publish(organizationID, out, now)
	return out
}

// AlertsOfPlaces returns the closures and hazards of an organization that concern drivers now, and the first instant at which time
// alone changes them; 0 = never.
func (a *App) AlertsOfPlaces(ctx context.Context, organizationID string) (out []feed.Alert, until fleet.Instant, err error) {
	naming, now := a.naming(), a.now()
	sooner := func(at fleet.Instant) {
		if at > now && (until == 0 || at < until) {
			until = at
		}
	}
	err = a.Store.Read(ctx, func(r store.Reader) error {
		closures, err := a.feeds.of(organizationID).standing(ctx, r, organizationID, now)
		if err != nil {
			return err
		}
		for _, stored := range closures {
			c := a.closureAt(stored)
			sooner(c.NextChange(now))
			if one, ok := feed.ClosureAlert(c, now, naming); ok {
				out = append(out, one)
			}
		}
		hazards, err := store.OpenHazards(ctx, r, organizationID)
		for _, h := range hazards {
			sooner(h.StartAt)
			if one, ok := feed.HazardAlert(h, now, naming); ok {
				out = append(out, one)
				sooner(one.ExpiresAt)
			}
		}
		return err
	})
	a.shown.publish(organizationID, out, now)
	return out, until, err
}

// FollowAlerts admits a reader of an organization's alerts by the same rules as Feed, and notes that it follows them. It returns
// the ID of the key that admits the reader: empty where the organization admits everyone. Refusals: those of Feed.
func (a *App) FollowAlerts(ctx context.Context, actor *access.Actor, organizationID string) (keyID string, isOpen bool, err error) {
	if keyID, isOpen, err = a.mayReadAlerts(ctx, actor, organizationID); err != nil {
		return "", false, err
	}
	if keyID != "" {
		a.ledger.note(organizationID, keyID, feed.AlertStreamPath, 0, a.now())
	}
	a.ledger.read(organizationID, keyID, a.now())
	return keyID, isOpen, nil
}

func (a *App) mayReadAlerts(ctx context.Context, actor *access.Actor, organizationID string) (keyID string, isOpen bool, err error) {
	own := actor != nil && actor.OrganizationID == organizationID && actor.KeyThingID == ""
	if own {
		if err := actor.MustReadAlerts(); err != nil {
			return "", false, err
		}
		keyID = actor.KeyID
	}
	err = a.Store.Read(ctx, func(r store.Reader) error {
		of, err := store.OrganizationByID(ctx, r, organizationID)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		isOpen = alerts(&of) && of.AlertsPublic
		return a.mayReadFeed(ctx, actor, own, &of, feed.AlertStreamPath)
	})
	return keyID, isOpen, err
}

// StillFollows reports whether a reader admitted by FollowAlerts may continue, with that key or without one.
func (a *App) StillFollows(ctx context.Context, organizationID, keyID string) (ok bool, err error) {
	err = a.Store.Read(ctx, func(r store.Reader) error {
		of, err := store.OrganizationByID(ctx, r, organizationID)
		switch {
		case errors.Is(err, store.ErrNotFound):
			return nil
		case err != nil || !alerts(&of):
			return err
		case keyID == "":
			ok = of.AlertsPublic
			return nil
		}
		ok, err = a.KeyHolds(ctx, r, keyID)
		return err
	})
	return ok, err
}
