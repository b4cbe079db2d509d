package api

import "net/http"

func (s *server) hazardRoutes() {
	const path = "/organization/hazards"
	hazards := group{s, "Hazards"}
	list(hazards, "listHazards", path, "The hazards of organizations. Those that ended within the last 24 hours too.", (*rowsInput).rows,
		s.app.ListHazards)
	read(hazards, "getHazard", path+"/{id}", "One hazard, however long ago it ended. Ours.", byID, s.app.Hazard)
	do(hazards, http.MethodPost, "confirmHazard", path+"/{id}/confirm", "Say that a hazard is still there. It lives for another hour "+
		"at least; one that ended within the last 24 hours is there again. Ours.", byID, s.app.ConfirmHazard, http.StatusUnprocessableEntity)
	do(hazards, http.MethodPost, "clearHazard", path+"/{id}/clear", "Say that a hazard is gone. One that has ended stays as it is. Ours.",
		byID, s.app.ClearHazard)
}
