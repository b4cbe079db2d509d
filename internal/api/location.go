package api

import (
	"lightbar/internal/app"
)

type locationsInput struct {
	OrganizationFilter
	ChangeFilter
	PageFilter
	StartDate string `query:"start_date" doc:"leaves out events that ended before; default 7 days back, at most 31"`
	Search    string `query:"search" doc:"part of an external id, a street, or an asset's name or number; case doesn't matter"`
}

func (s *server) locationRoutes() {
	locations := group{s, "Locations"}
	list(locations, "listLocations", "/locations", "Events in a time window", (*locationsInput).query, s.app.ListLocations)
	list(locations, "listActiveLocations", "/locations/active", "Active events", byOrgs, s.app.ActiveLocations)
	read(locations, "getLocation", "/locations/{id}", "One event, active or ended.", byID, s.app.Location)
	update(locations, "updateLocation", "/locations/{id}", "Move an event's marker or change its direction. "+
		"Only another edit since the version in If-Match is a conflict, not what assets did in the meantime.", s.app.UpdateLocation)
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
