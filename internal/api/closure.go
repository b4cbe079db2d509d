package api

import (
	"context"
	"net/http"

	"lightbar/internal/access"
	"lightbar/internal/wire"
)

const closuresPath = "/organization/closure"

func (s *server) closureRoutes() {
	g := s.noun("Closures", "Work zones, and the feeds that publish them.")
	resource(g, "Closure", "Closures", closuresPath, "closure", s.app.Closures)
	do(g, http.MethodPost, "checkClosure", closuresPath+"/check", "Check a closure without saving it. "+
		"problems are broken feed rules; conflicts are overlapping closures in reach.", body[wire.ClosureWrite], s.app.CheckClosure)
	do(g, http.MethodPost, "confirmClosure", closuresPath+"/{id}/confirm", "Answer whether a closure is still there. "+
		"still: it is verified now, and ends at end_time if given. moved and finished end it.", whole[confirmOf],
		func(ctx context.Context, actor *access.Actor, in *confirmOf) (wire.Closure, error) {
			return s.app.ConfirmClosure(ctx, actor, in.ID.String(), in.Body)
		})
	undo(g, "Closure", closuresPath, "a closure. What was deleted comes back; to undo that deletes it again", s.app.Closures.Undo)
}

// questionPath is where someone who holds the link of a mail about a closure asks and answers.
const questionPath = "/closure_question"

// questionRoutes need nobody signed in: the token of the link says who answers.
func (s *server) questionRoutes() {
	g := group{s, "Closures"}
	open(g, http.MethodPost, "lookUpClosureQuestion", questionPath,
		"The question behind an emailed closure link, and its current state. Reading it answers nothing.",
		func(ctx context.Context, _ *call, in *bodyOf[QuestionToken]) (*oneOf[wire.ClosureQuestion], error) {
			return one(s.app.ClosureQuestion(ctx, in.Body.Token))
		}, 400, 403, 404, 422, 429, 503)
	open(g, http.MethodPost, "answerClosureQuestion", questionPath+"/answer",
		"Answer the question from an emailed closure link. A second answer gets who answered first, and when.",
		func(ctx context.Context, c *call, in *bodyOf[QuestionAnswer]) (*oneOf[wire.ClosureQuestion], error) {
			return one(s.app.AnswerClosureQuestion(ctx, in.Body.Token, in.Body.Answer, c.caller()))
		}, 400, 403, 404, 422, 429, 503)
	mails := group{s, "People"}
	read(mails, "getMails", "/user/mails", "Which closure emails the caller gets.", nothing, actorOnly(s.app.Mails))
	do(mails, http.MethodPut, "chooseMails", "/user/mails", "Choose which closure emails the caller gets.", written, s.app.ChooseMails)
}

// QuestionToken is the token of an emailed link.
type QuestionToken struct {
	Token string `json:"token" maxLength:"600" doc:"of the emailed link"`
}

// QuestionAnswer is an answer by an emailed link.
type QuestionAnswer struct {
	Token  string `json:"token" maxLength:"600" doc:"of the emailed link"`
	Answer string `json:"answer" maxLength:"20" doc:"still or finished; edit a moved closure on the map instead"`
}

type confirmOf struct {
	At
	Once
	Body wire.ClosureConfirm
}
