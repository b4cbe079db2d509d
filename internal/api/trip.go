package api

import (
	"net/http"

	"lightbar/internal/app"
)

type (
	tripsInput struct {
		ID    ID     `path:"thingId" format:"uuid"`
		Start string `query:"start_time" doc:"required: an instant of the past"`
		End   string `query:"end_time" doc:"required: excluded; at most 24 hours later, and not in the future"`
		Run   string `query:"run_date" doc:"equals start_time"`
	}
	coverageInput struct {
		IDs   []ID   `query:"thing_ids[],explode" required:"true" minItems:"1"`
		Start string `query:"start_time" doc:"default: the first point"`
		End   string `query:"end_time" doc:"default: now"`
	}
)

func (s *server) tripRoutes() {
	trips := group{s, "Trips"}
	plain(trips, http.MethodGet, "getTrips", "/things/{thingId}/trips",
		"What an asset did. Runs that touch the asked time and movement outside of runs, newest first, with their points inside of it.",
		(*tripsInput).query, s.app.Trips)
	list(trips, "listCoverage", "/things/coverage", "When there are positions of assets",
		(*coverageInput).query, s.app.Coverage, http.StatusNotFound)
}

func (in *tripsInput) query() (q app.TripQuery, err error) {
	q.ThingID = in.ID.String()
	if q.Start, err = parseSince("start_time", in.Start); err != nil {
		return q, err
	}
	if q.End, err = parseSince("end_time", in.End); err != nil {
		return q, err
	}
	_, err = parseSince("run_date", in.Run)
	return q, err
}

func (in *coverageInput) query() (q app.CoverageQuery, err error) {
	for _, id := range in.IDs {
		q.ThingIDs = append(q.ThingIDs, id.String())
	}
	if q.Start, err = parseSince("start_time", in.Start); err != nil {
		return q, err
	}
	q.End, err = parseSince("end_time", in.End)
	return q, err
}
