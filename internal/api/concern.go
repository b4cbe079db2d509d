package api

import (
	"context"
	"net/http"

	"lightbar/internal/access"
	"lightbar/internal/wire"
)

func (s *server) statusRoutes() {
	status := group{s, "Status"}
	read(status, "getConcerns", "/organizations/{id}/status", "What of an organization needs an administrator.", byID, s.app.Concerns)
	read(status, "getServerStatus", "/status", "What of this installation needs an administrator.", nothing,
		func(ctx context.Context, actor *access.Actor, _ noInput) (wire.ServerStatus, error) {
			return s.app.ServerStatus(ctx, actor)
		})
	do(status, http.MethodPut, "chooseStatusMail", "/status/mail", "Say whether the caller is mailed once a day what needs them.",
		body[wire.StatusMail], func(ctx context.Context, actor *access.Actor, in wire.StatusMail) (wire.StatusMail, error) {
			return s.app.ChooseStatusMail(ctx, actor, in)
		})
	do(status, http.MethodPost, "sendTestMail", "/status/test_mail", "Send the caller a test mail, and answer what the mail server said.",
		nothing, func(ctx context.Context, actor *access.Actor, _ noInput) (wire.TestMail, error) {
			return s.app.SendTestMail(ctx, actor)
		})
}
