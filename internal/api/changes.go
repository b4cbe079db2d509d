package api

import (
	"net/http"

	"lightbar/internal/app"
)

type changesInput struct {
	OrganizationFilter
	Since string `query:"since" doc:"from this time on (meta.as_of of an answer); at most 7 days back"`
}

func (s *server) changesRoutes() {
	unwrapped(group{s, "Organizations"}, http.MethodGet, "listChanges", "/organization/changes", "What has changed since a given time. "+
		"The newest 500, and counts of all.", (*changesInput).query, s.app.Changes)
}

func (in *changesInput) query() (q app.ChangesQuery, err error) {
	q = app.ChangesQuery{OrganizationIDs: texts(in.OrgIDs)}
	q.Since, err = parseSince("since", in.Since)
	return q, err
}
