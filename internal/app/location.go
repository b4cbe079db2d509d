package app

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// LocationQuery requests events.
type LocationQuery struct {
	OrganizationIDs []string
	Start           fleet.Instant // 0 = 7 days back
	Since           fleet.Instant
	Search          string // part of an external id, a street or an asset's identifiers
	Page, PerPage   int
}

// locationHistory limits how far back one list may read in the database.
var locationHistory = catalog.LimitMs("lists", "locationHistoryMs")

var searchMax = int(catalog.LimitInt("lists", "searchText"))

var locationWindow = catalog.LimitMs("lists", "locationWindowMs")

// ListLocations returns events that are active or ended in a window, active ones first; with Since those changed at or after it.
// Requires VIEW_EVENTS. Refusals: validation_failed when Start lies more than 31 days back or Search is longer than 100 characters.
func (a *App) ListLocations(ctx context.Context, actor *access.Actor, q LocationQuery) ([]wire.Location, wire.Meta, error) {
	if err := actor.Must("VIEW_EVENTS"); err != nil {
		return nil, wire.Meta{}, err
	}
	organizations, err := actor.Reachable(q.OrganizationIDs)
	if err != nil {
		return nil, wire.Meta{}, err
	}
	page, perPage := fleet.Page(q.Page, q.PerPage)
	if q.Start == 0 {
		q.Start = a.now().Add(-locationWindow)
	}
	if q.Start < a.now().Add(-locationHistory) {
		return nil, wire.Meta{}, fleet.Refuse("validation_failed", "start_date", "Events are listed for 31 days.")
	}
	if q.Search = strings.ToLower(strings.TrimSpace(q.Search)); utf8.RuneCountInString(q.Search) > searchMax {
		return nil, wire.Meta{}, fleet.Refuse("validation_failed", "search", tooLong(searchMax))
	}
	rows, total, asOf, err := a.Live.Locations(ctx, live.LocationQuery{Organizations: organizations, Start: q.Start, Since: q.Since,
		Search: q.Search, Page: page, PerPage: perPage})
	return rows, wire.Meta{Page: page, PerPage: perPage, Total: total, AsOf: asOf}, err
}

// ActiveLocations returns active events. Requires VIEW_EVENTS.
func (a *App) ActiveLocations(ctx context.Context, actor *access.Actor, organizationIDs []string) ([]wire.Location, wire.Meta, error) {
	if err := actor.Must("VIEW_EVENTS"); err != nil {
		return nil, wire.Meta{}, err
	}
	organizations, err := actor.Reachable(organizationIDs)
	if err != nil {
		return nil, wire.Meta{}, err
	}
	rows, total, asOf, err := a.Live.Locations(ctx, live.LocationQuery{Organizations: organizations, ActiveOnly: true})
	return rows, wire.Meta{Page: 1, PerPage: max(total, 1), Total: total, AsOf: asOf}, err
}

// Location returns one event, active or ended. Requires VIEW_EVENTS and an organization in reach that sees it. Refusals: not_found.
func (a *App) Location(ctx context.Context, actor *access.Actor, id string) (wire.Location, error) {
	if err := actor.Must("VIEW_EVENTS"); err != nil {
		return wire.Location{}, err
	}
	return a.showLocation(ctx, actor, id)
}

func (a *App) showLocation(ctx context.Context, actor *access.Actor, id string) (wire.Location, error) {
	l, err := a.Live.Location(ctx, id)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return wire.Location{}, err
	}
	if l != nil {
		if by := a.sightOf(actor, l); len(by) > 0 {
			return a.Live.DescribeLocation(l, by), nil
		}
	}
	return wire.Location{}, fleet.Refuse("not_found", "", "Location not found")
}

// sightOf returns the organizations in the actor's reach that see an event.
func (a *App) sightOf(actor *access.Actor, l *fleet.Location) (by []string) {
	for _, org := range a.Live.LocationAudience(l) {
		if actor.Organizations[org] != access.None {
			by = append(by, org)
		}
	}
	if len(by) == 0 && actor.Reach(l.OrganizationID) != access.None { // by haas:manage alone: that is a look
		by = append(by, l.OrganizationID)
	}
	return by
}

// UpdateLocation moves an event's marker or turns its direction. seen is the version that the actor saw, 0 = not given; only
// another person's edit since then is a conflict, not what assets did in the meantime. Requires EDIT_EVENT and full reach of the
// event's organization. Refusals: location_not_found, location_no_access, location_not_active, location_not_editable (422),
// conflict (409, Current), validation_failed (422, Fields).
func (a *App) UpdateLocation(ctx context.Context, actor *access.Actor, id string, seen int64,
	said wire.LocationWrite) (wire.Location, error) {
	law := func(e *record.Editing[*App, fleet.Location]) error {
		if said.OrganizationID.IsSent() && said.OrganizationID.String() != e.Old.OrganizationID {
			return refuseNoAccess()
		}
		return e.Next.Edit(fleet.LocationEdit{Lat: said.Lat, Lng: said.Lng, RoadwayHeading: said.RoadwayHeading})
	}
	return record.Edit(ctx, a, actor, &locations, id, record.VersionSeen(seen), law)
}

var locations = record.Noun[*App, fleet.Location, wire.Location]{
	Name: "location", Word: "event", Requires: "EDIT_EVENT", Pictured: true,
	Load: func(e *record.Editing[*App, fleet.Location]) (fleet.Location, error) {
		l, err := e.Live.Location(e, e.ID)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return fleet.Location{}, err
		}
		if l == nil || len(e.By.sightOf(e.Actor, l)) == 0 {
			return fleet.Location{}, fleet.Refuse("location_not_found", "", "Location not found")
		}
		if e.Actor.Reach(l.OrganizationID) != access.Full {
			return fleet.Location{}, refuseNoAccess()
		}
		return *l, nil
	},
	Of: func(l *fleet.Location) record.Header {
		return record.Header{Owner: l.OrganizationID, Version: &l.Version, UpdatedAt: &l.EditedAt, Edited: &l.EditedVersion}
	},
	Same: func(x, y *fleet.Location) bool { return reflect.DeepEqual(x, y) },
	Save: func(e *record.Editing[*App, fleet.Location]) (bool, error) {
		e.Picture.PutLocation(&e.Next)
		return true, nil
	},
	Saved: func(*record.Editing[*App, fleet.Location]) error { return nil }, // the picture publishes it to everybody who sees it
	Doc:   func(l *fleet.Location) any { return locationDoc(l) },
	Show: func(ctx context.Context, a *App, actor *access.Actor, id string) (wire.Location, error) {
		return a.showLocation(ctx, actor, id)
	},
}

// UndoLocation undoes an edit of an event: seen is the version that the edit made or a later one, since assets make versions too.
// It works for 24 hours, and by the law of edits. Requires EDIT_EVENT and full reach. Refusals: as UpdateLocation, undo_expired,
// undo_nothing.
func (a *App) UndoLocation(ctx context.Context, actor *access.Actor, id string, seen int64) (wire.Location, error) {
	door := locations
	door.Verb, door.Since = "undo", record.UndoConflict(locations.Word)
	return record.Edit(ctx, a, actor, &door, id, &seen, func(e *record.Editing[*App, fleet.Location]) error {
		if err := e.Next.Edit(fleet.LocationEdit{}); err != nil { // an event that cannot be edited
			return err
		}
		if e.Old.EditedVersion == 0 {
			return fleet.Refuse("undo_nothing", "", "This event hasn't been edited.")
		}
		row, err := a.ChangeToUndo(e, e.Tx, locations.Name, id, e.Old.EditedVersion)
		if err != nil {
			return err
		}
		var was locationDocument
		if err := json.Unmarshal(row.Before, &was); err != nil {
			return err
		}
		if was.RoadwayHeading == nil {
			e.Next.HasHeading, e.Next.RoadwayHeading = false, 0
		}
		return e.Next.Edit(fleet.LocationEdit{Lat: &was.Lat, Lng: &was.Lng, RoadwayHeading: was.RoadwayHeading})
	})
}

// undoableEvents are events in the list of what can be undone, for as long as they can be edited.
var undoableEvents = undoable{noun: "location", edits: "EDIT_EVENT", deletes: "EDIT_EVENT",
	name: func(doc json.RawMessage) string {
		var was locationDocument
		if json.Unmarshal(doc, &was) != nil {
			return ""
		}
		return was.Street
	},
	stands: func(ctx context.Context, a *App, actor *access.Actor, id string, version int64) (bool, error) {
		l, err := a.Live.Location(ctx, id)
		if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrUnreadable) || err == nil && l == nil {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		return l.IsActive && l.EditedVersion == version && actor.Reach(l.OrganizationID) == access.Full, nil
	},
}

func refuseNoAccess() error {
	return fleet.Refuse("location_no_access", "", "User does not have access to Location")
}

// locationDocument is what the audit stores about an event: the fields that an edit changes.
type locationDocument struct {
	Lat            float64  `json:"lat"`
	Lng            float64  `json:"lng"`
	RoadwayHeading *float64 `json:"roadway_heading"`
	Street         string   `json:"street"`
	Version        int64    `json:"version"`
}

func locationDoc(l *fleet.Location) locationDocument {
	doc := locationDocument{Lat: l.Lat, Lng: l.Lng, Street: l.Street, Version: l.Version}
	if l.HasHeading {
		doc.RoadwayHeading = &l.RoadwayHeading
	}
	return doc
}

func itoa(n int) string { return strconv.Itoa(n) }
