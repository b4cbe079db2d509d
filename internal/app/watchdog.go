package app

import (
	"context"
	"slices"
	"strconv"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// foundDays is the number of days for which the settings show how often a rule found something.
const foundDays = 7

// watchdogs are the organizations' settings of the watchdog.
var watchdogs = record.Noun[*App, fleet.Watchdog, wire.Watchdog]{
	Name: "watchdog", Word: "watchdog", Requires: "EDIT_ORGANIZATION",
	Load: func(e *record.Editing[*App, fleet.Watchdog]) (w fleet.Watchdog, err error) {
		if err := e.Actor.MustReachFully(e.ID); err != nil {
			return w, err
		}
		if err := record.LockOrganizations(e, e.Tx, e.ID); err != nil {
			return w, err
		}
		return store.WatchdogOf(e, e.Tx, e.ID)
	},
	Of: func(w *fleet.Watchdog) record.Header {
		return record.Header{Owner: w.OrganizationID, Version: &w.Version, UpdatedAt: &w.UpdatedAt}
	},
	Same: (*fleet.Watchdog).Same,
	Save: func(e *record.Editing[*App, fleet.Watchdog]) (bool, error) {
		return e.Tx.SaveWatchdog(e, &e.Next, e.Old.Version)
	},
	Saved: func(*record.Editing[*App, fleet.Watchdog]) error { return nil },
	Doc: func(w *fleet.Watchdog) any {
		modes := map[string]string{}
		for _, rule := range fleet.WatchdogRules() {
			modes[rule] = w.Mode(rule)
		}
		return map[string]any{"rules": modes, "quiet_from": w.QuietFrom, "quiet_to": w.QuietTo, "version": w.Version}
	},
	Show: func(ctx context.Context, a *App, actor *access.Actor, id string) (wire.Watchdog, error) {
		return a.showWatchdog(ctx, actor, id)
	},
}

// Watchdog returns an organization's settings of the watchdog ("" = the caller's own). Requires VIEW_THINGS and full reach.
// Refusals: not_found.
func (a *App) Watchdog(ctx context.Context, actor *access.Actor, organizationID string) (out wire.Watchdog, err error) {
	if err := actor.Must("VIEW_THINGS"); err != nil {
		return out, err
	}
	if organizationID == "" {
		organizationID = actor.OrganizationID
	}
	if actor.Reach(organizationID) != access.Full {
		return out, fleet.Refuse("not_found", "organization_id", "Organization not found")
	}
	return a.showWatchdog(ctx, actor, organizationID)
}

func (a *App) showWatchdog(ctx context.Context, actor *access.Actor, organizationID string) (out wire.Watchdog, err error) {
	var w fleet.Watchdog
	var found map[string]int
	err = a.Store.Read(ctx, func(r store.Reader) (err error) {
		if w, err = store.WatchdogOf(ctx, r, organizationID); err != nil {
			return err
		}
		if found, err = store.FindingsSince(ctx, r, organizationID, a.now().Add(-foundDays*24*time.Hour)); err != nil {
			return err
		}
		if actor.UserID != "" && organizationID == actor.OrganizationID {
			choice, err := store.MailChoiceOf(ctx, r, actor.UserID)
			out.Mail = choice.Findings
			return err
		}
		return nil
	})
	for _, rule := range fleet.WatchdogRules() {
		out.Rules = append(out.Rules, wire.WatchdogRule{Rule: rule, Mode: w.Mode(rule), Found7d: found[rule]})
	}
	if out.Version = w.Version; w.QuietFrom != "" {
		out.QuietFrom, out.QuietTo = &w.QuietFrom, &w.QuietTo
	}
	return out, err
}

// WatchdogEdit is an edit of an organization's settings.
type WatchdogEdit struct {
	OrganizationID string // "" = the caller's own
	Seen           int64  // the version that the caller has, 0 = not given
	wire.WatchdogWrite
}

// EditWatchdog changes an organization's settings of the watchdog. Requires EDIT_ORGANIZATION and full reach. Refusals:
// organization_not_found, validation_failed, conflict (409, Current).
func (a *App) EditWatchdog(ctx context.Context, actor *access.Actor, in WatchdogEdit) (wire.Watchdog, error) {
	if in.OrganizationID == "" {
		in.OrganizationID = actor.OrganizationID
	}
	return record.Edit(ctx, a, actor, &watchdogs, in.OrganizationID, record.VersionSeen(in.Seen),
		func(e *record.Editing[*App, fleet.Watchdog]) error { return applyWatchdog(&e.Next, &in.WatchdogWrite) })
}

// applyWatchdog writes the sent settings over the old ones, by the law of rules and quiet hours.
func applyWatchdog(w *fleet.Watchdog, in *wire.WatchdogWrite) error {
	wrong, modes := map[string]string{}, map[string]string{}
	for _, rule := range fleet.WatchdogRules() {
		modes[rule] = w.Mode(rule)
	}
	if in.Rules != nil {
		isSaid := map[string]bool{}
		for i, said := range *in.Rules {
			at := "rules." + strconv.Itoa(i)
			switch {
			case !fleet.IsWatchdogRule(said.Rule):
				wrong[at+".rule"] = "Unknown rule"
			case isSaid[said.Rule]:
				wrong[at+".rule"] = "Name each rule only once"
			case !slices.Contains(catalog.AllEnums().WatchdogModes, said.Mode):
				wrong[at+".mode"] = "Must be off, trial, or on"
			}
			isSaid[said.Rule], modes[said.Rule] = true, said.Mode
			if len(wrong) > mostWrong {
				break // a hostile list is not repeated
			}
		}
	}
	if in.QuietFrom != nil {
		w.QuietFrom = *in.QuietFrom
	}
	if in.QuietTo != nil {
		w.QuietTo = *in.QuietTo
	}
	w.Modes = modes
	if w.CheckQuiet(wrong); len(wrong) > 0 {
		return fleet.RefuseFields(wrong)
	}
	return nil
}

// mostWrong is how many rules a refusal lists.
const mostWrong = 20

// ChooseWatchdogMail sets whether the caller gets mails about what the watchdog finds about assets of their own organization.
// Requires VIEW_THINGS, of a user. It leaves no row in the audit: the choice is the user's own.
func (a *App) ChooseWatchdogMail(ctx context.Context, actor *access.Actor, in wire.WatchdogMail) (wire.WatchdogMail, error) {
	if err := actor.Must("VIEW_THINGS"); err != nil {
		return in, err
	}
	if actor.UserID == "" {
		return in, fleet.Refuse("forbidden", "", "An API key gets no mail.")
	}
	return in, a.Store.Write(ctx, func(tx *store.Tx) error {
		choice, err := store.MailChoiceOf(ctx, tx, actor.UserID)
		if err != nil {
			return err
		}
		choice.Findings = in.Mail
		return tx.PutMailChoice(ctx, choice)
	})
}
