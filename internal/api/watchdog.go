package api

import (
	"context"
	"net/http"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/wire"
)

type (
	// WatchdogOf is the organization whose watchdog is meant.
	WatchdogOf struct {
		OrganizationID ID `query:"organization_id" format:"uuid" doc:"in full reach; default the caller's own"`
	}
	watchdogInput     struct{ WatchdogOf }
	watchdogEditInput struct {
		WatchdogOf
		Seen
		Once
		Body wire.WatchdogWrite
	}
	findingsInput struct {
		OrganizationFilter
		PageFilter
		State   string `query:"state" enum:"open,ended" doc:"open: it is still so; default all"`
		Rule    string `query:"rule" maxLength:"100" doc:"watchdogRules in the catalog; default all"`
		ThingID ID     `query:"thing_id" format:"uuid" doc:"of this asset alone"`
	}
)

func (s *server) watchdogRoutes() {
	dog := group{s, "Watchdog"}
	const path = "/organization/watchdog"
	read(dog, "getWatchdog", path, "Which rules the watchdog follows, its quiet hours, and whether the caller is mailed.",
		func(in *watchdogInput) (string, error) { return in.OrganizationID.String(), nil }, s.app.Watchdog)
	do(dog, http.MethodPut, "updateWatchdog", path, "Change the rules and the quiet hours. Requires organization:update.",
		(*watchdogEditInput).edit, s.app.EditWatchdog)
	do(dog, http.MethodPut, "chooseWatchdogMail", path+"/mail", "Say whether the caller is mailed what is found about assets of "+
		"their own organization.", body[wire.WatchdogMail], func(ctx context.Context, actor *access.Actor, in wire.WatchdogMail) (
		wire.WatchdogMail, error) {
		return s.app.ChooseWatchdogMail(ctx, actor, in)
	})
	list(dog, "listFindings", "/organization/findings", "What the watchdog found, newest first.",
		func(in *findingsInput) (app.FindingQuery, error) {
			return app.FindingQuery{OrganizationIDs: texts(in.OrgIDs), State: in.State, Rule: in.Rule, ThingID: in.ThingID.String(),
				Page: in.Page, PerPage: in.PerPage}, nil
		}, s.app.ListFindings)
}

func (in *watchdogEditInput) edit() (out app.WatchdogEdit, err error) {
	out = app.WatchdogEdit{OrganizationID: in.OrganizationID.String(), WatchdogWrite: in.Body, Seen: in.Body.Version}
	if out.Seen == 0 {
		out.Seen, err = parseIfMatch(in.IfMatch)
	}
	return out, err
}
