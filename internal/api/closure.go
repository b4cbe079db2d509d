package api

import (
	"context"
	"net/http"

	"lightbar/internal/access"
	"lightbar/internal/wire"
)

const closuresPath = "/organization/closure"

func (s *server) closureRoutes() {
	g := group{s, "Closures"}
	quiet(g, "Closure", "Closures", closuresPath, "closure", quietVerbs[wire.Closure, wire.ClosureWrite]{
		s.app.ListClosures, s.app.Closure, s.app.CreateClosure, s.app.UpdateClosure, s.app.DeleteClosure})
	do(g, http.MethodPost, "checkClosure", closuresPath+"/check", "What a closure would run into if it were saved. Ours; it saves nothing. "+
		"problems are rules of feeds, conflicts other closures in reach.", body[wire.ClosureWrite], s.app.CheckClosure)
	do(g, http.MethodPost, "confirmClosure", closuresPath+"/{id}/confirm", "Answer whether a closure still stands. Ours. "+
		"still: it is verified now, and ends at end_time where that is said; moved and finished end it.", whole[confirmOf],
		func(ctx context.Context, actor *access.Actor, in *confirmOf) (wire.Closure, error) {
			return s.app.ConfirmClosure(ctx, actor, in.ID.String(), in.Body)
		})
}

type confirmOf struct {
	At
	Once
	Body wire.ClosureConfirm
}
