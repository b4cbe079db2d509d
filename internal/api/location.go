package api

import (
	"lightbar/internal/app"
)

type locationsInput struct {
	OrganizationFilter
	ChangeFilter
	PageFilter
	StartDate string `query:"start_date" doc:"events that ended before it are left out; 7 days back by default, 31 at most"`
	Search    string `query:"search" doc:"part of an external id, a street or an asset's name or number, letter case aside"`
}

func (s *server) locationRoutes() {
	locations := group{s, "Locations"}
	list(locations, "listLocations", "/locations", "Events of a window", (*locationsInput).query, s.app.ListLocations)
	list(locations, "listActiveLocations", "/locations/active", "Active events", byOrgs, s.app.ActiveLocations)
	read(locations, "getLocation", "/locations/{id}", "One event, active or ended. Ours.", byID, s.app.Location)
	update(locations, "updateLocation", "/locations/{id}", "Move an event's marker or turn its direction. "+
		"Only another edit since the version of If-Match is a conflict; what assets did meanwhile is none.", s.app.UpdateLocation)
	undo(locations, "Location", "/locations", "an event", s.app.UndoLocation)
}

func (in *locationsInput) query() (q app.LocationQuery, err error) {
	q = app.LocationQuery{OrganizationIDs: texts(in.OrgIDs), Search: in.Search, Page: in.Page, PerPage: in.PerPage}
	if q.Since, err = in.since(); err != nil {
		return q, err
	}
	q.Start, err = parseSince("start_date", in.StartDate)
	return q, err
}
