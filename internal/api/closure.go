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
	undo(g, "Closure", closuresPath, "a closure. What was deleted comes back; to undo that deletes it again", s.app.UndoClosure)
}

// questionPath is where somebody who holds the link of a mail about a closure asks and answers.
const questionPath = "/closure_question"

// questionRoutes need nobody signed in: the token of the link says who answers.
func (s *server) questionRoutes() {
	g := group{s, "Closures"}
	open(g, http.MethodPost, "lookUpClosureQuestion", questionPath,
		"What the link of a mail about a closure asks, and what has become of it. Ours. It answers nothing.",
		func(ctx context.Context, _ *call, in *bodyOf[QuestionToken]) (*oneOf[wire.ClosureQuestion], error) {
			return one(s.app.ClosureQuestion(ctx, in.Body.Token))
		}, 400, 403, 404, 422, 429, 503)
	open(g, http.MethodPost, "answerClosureQuestion", questionPath+"/answer",
		"Answer by the link of a mail whether a closure still stands. Ours. Who comes second is told who answered, and when.",
		func(ctx context.Context, c *call, in *bodyOf[QuestionAnswer]) (*oneOf[wire.ClosureQuestion], error) {
			return one(s.app.AnswerClosureQuestion(ctx, in.Body.Token, in.Body.Answer, c.caller()))
		}, 400, 403, 404, 422, 429, 503)
	mails := group{s, "People"}
	read(mails, "getMails", "/user/mails", "Which mails about closures the caller wants. Ours.", nothing, alone(s.app.Mails))
	do(mails, http.MethodPut, "chooseMails", "/user/mails", "Choose which mails about closures one gets. Ours.", written, s.app.ChooseMails)
}

// QuestionToken is the token of a mailed link.
type QuestionToken struct {
	Token string `json:"token" maxLength:"600" doc:"of the mailed link"`
}

// QuestionAnswer is an answer by a mailed link.
type QuestionAnswer struct {
	Token  string `json:"token" maxLength:"600" doc:"of the mailed link"`
	Answer string `json:"answer" maxLength:"20" doc:"still or finished; one that has moved is edited on the map"`
}

type confirmOf struct {
	At
	Once
	Body wire.ClosureConfirm
}
