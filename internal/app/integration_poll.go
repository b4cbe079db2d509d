package app

import (
	"context"
	"errors"
	"slices"
	"time"

	"lightbar/catalog"
	"lightbar/internal/fleet"
	"lightbar/internal/outbound"
	"lightbar/internal/provider"
	"lightbar/internal/record"
	"lightbar/internal/store"
)

var (
	pagesPerPoll = int(catalog.LimitInt("integrations", "pages"))
	pollMs       = catalog.LimitMs("integrations", "pollMs")
)

const (
	dueAtOnce = 2000 // how many due accounts are looked at: more than wait for slow servers
	// pollRests is how long an account pauses after our own store refused some of its data.
	pollRests = 30 * time.Second
)

// PollIntegrations polls the providers of accounts that are due, one after the other, until none is; it may run several times at
// once, each account in only one of them. A provider's answer is never an error here: the account shows it. The secrets of accounts
// whose deletion can't be undone anymore are deleted.
func (a *App) PollIntegrations(ctx context.Context) error {
	if err := a.forgetSecrets(ctx); err != nil {
		return err
	}
	done := map[string]bool{}
	for {
		now := a.now()
		due, err := store.IntegrationsDue(ctx, a.Store.Reader(), now, dueAtOnce)
		if err != nil {
			return err
		}
		due = slices.DeleteFunc(due, func(x fleet.Integration) bool { return done[x.ID] })
		asking, place, one := a.telematics.begin(ctx, due, now)
		if place == nil {
			return nil
		}
		done[place.Key] = true
		if one != nil {
			err = a.pollIntegration(ctx, asking, one, place.Key, now)
			one.give()
		}
		if place.Done(a.now().Time()); err != nil {
			return err
		}
	}
}

// forgetSecrets deletes the secrets of accounts that were deleted long enough ago.
func (a *App) forgetSecrets(ctx context.Context) error {
	before := a.now().Add(-record.UndoLife)
	any, err := store.AnySecretLeft(ctx, a.Store.Reader(), before)
	if err != nil || !any {
		return err
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error { return tx.ForgetSecrets(ctx, before) })
}

// errIntegrationChanged means that someone has edited, paused or deleted the account since it was read.
var errIntegrationChanged = errors.New("app: the integration has changed")

// pollIntegration reads pages of an account that is still due. The caller has its turn. An account that is put off while it waits
// for the provider stays due.
func (a *App) pollIntegration(ctx, asking context.Context, one *telematicsAccount, id string, now fleet.Instant) error {
	if now < one.rests {
		return nil
	}
	x, err := integrations.Rows.ByID(ctx, a.Store.Reader(), id)
	if err != nil || !x.IsActive || x.DeletedAt != 0 || x.NextFetchAt > now {
		return err
	}
	asking, cancel := context.WithTimeout(asking, pollMs)
	defer cancel()
	for range pagesPerPoll {
		more, err := a.pollPage(ctx, asking, one, &x)
		switch {
		case errors.Is(err, errIntegrationChanged), errors.Is(err, outbound.ErrPutOff):
			return nil // it is polled again, as it is then
		case err != nil:
			one.rests = a.now().Add(pollRests)
			return err
		case !more:
			return nil
		}
	}
	return nil
}

// pollPage requests a page, stores its reports, and only then the position in the feed: a page that is read twice is already
// stored, and nothing is lost.
func (a *App) pollPage(ctx, asking context.Context, one *telematicsAccount, x *fleet.Integration) (more bool, err error) {
	page, err := a.askPage(asking, one, x)
	if ctx.Err() != nil { // the server stops: nothing was learned
		return false, ctx.Err()
	}
	if put := context.Cause(asking); err != nil && errors.Is(put, outbound.ErrPutOff) {
		return false, put
	}
	if err != nil {
		return false, a.notePollFailed(ctx, x, problemOf(err))
	}
	if err := a.stillAsRead(ctx, x); err != nil {
		return false, err
	}
	counts, err := a.takeReports(ctx, x, page.Reports)
	if err != nil {
		return false, err
	}
	for reason, n := range page.Refused {
		counts.Refused[fleet.ProviderRefusal(reason)] += int64(n)
	}
	now := a.now()
	counts.Webhook = a.telematics.heardOf(x.ID, true)
	a.telematics.counted.add(counts)
	x.State.Count(counts, now)
	x.Worked(now, page.Wait)
	if page.More {
		x.NextFetchAt = now // behind the others that are due
	}
	if page.Cursor != "" {
		x.FeedCursor = page.Cursor
	}
	return page.More, a.saveIntegrationState(ctx, x, nil)
}

func (a *App) askPage(ctx context.Context, one *telematicsAccount, x *fleet.Integration) (provider.Page, error) {
	client, err := a.clientOf(one, x)
	if err != nil {
		return provider.Page{}, err
	}
	return client.Feed(ctx, x.FeedCursor)
}

// stillAsRead refuses to continue with an account that has changed since it was read.
func (a *App) stillAsRead(ctx context.Context, x *fleet.Integration) error {
	is, err := integrations.Rows.ByID(ctx, a.Store.Reader(), x.ID)
	if err == nil && is.Version != x.Version {
		err = errIntegrationChanged
	}
	return err
}

// notePollFailed notes why a provider could not be read. People who can renew a refused account are mailed, once.
func (a *App) notePollFailed(ctx context.Context, x *fleet.Integration, problem *provider.Error) error {
	now := a.now()
	x.Failed(now, fleet.ProviderProblem(problem.Reason), problem.Message, problem.RetryAfter)
	if problem.Reason != provider.Unauthorized || x.State.MailedAt != 0 {
		return a.saveIntegrationState(ctx, x, nil)
	}
	x.State.MailedAt = now
	return a.saveIntegrationState(ctx, x, func(tx *store.Tx) error {
		return a.TellWhoMay(ctx, tx, x.OrganizationID, integrations.Edits, "integration_unauthorized",
			map[string]string{"what": x.Name, "provider": x.Provider})
	})
}

// saveIntegrationState writes the result of a poll, unless somebody edited the account in the meantime; then it does what follows
// from the result.
func (a *App) saveIntegrationState(ctx context.Context, x *fleet.Integration, then func(tx *store.Tx) error) error {
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		saved, err := tx.SaveIntegrationState(ctx, x)
		if err == nil && !saved {
			err = errIntegrationChanged
		}
		if err != nil || then == nil {
			return err
		}
		return then(tx)
	})
}

// takeReports passes reports to the intake of devices, as reports of the assets that have the vehicles' identifiers. It returns
// after the commit that holds them.
func (a *App) takeReports(ctx context.Context, x *fleet.Integration, reports []provider.Report) (fleet.IntegrationCounts, error) {
	counts := fleet.IntegrationCounts{Refused: map[string]int64{}}
	isOnly, err := isOnlyAccount(ctx, a.Store.Reader(), x)
	if err != nil || len(reports) == 0 {
		return counts, err
	}
	assets := a.assetsOf(x, isOnly)
	// Incidents process reports in the order of their times.
	slices.SortStableFunc(reports, func(a, b provider.Report) int { return a.At.Compare(b.At) })
	for group := range slices.Chunk(reports, pointsPerCommit) {
		sub := newSubmission(a.now())
		sub.source = fleet.SourceOf(x.Provider)
		for i := range group {
			sub.take(&group[i], assets, &counts)
		}
		if err := a.submit(ctx, sub); err != nil {
			return counts, err
		}
		counts.Kept, counts.Repeated = counts.Kept+int64(sub.accepted), counts.Repeated+int64(sub.duplicates)
	}
	return counts, nil
}

// severalAssets stands for an identifier that several assets have: its reports are not assigned.
const severalAssets = -1

// assetsOf returns the numbers of an account's assets by the provider's ids.
func (a *App) assetsOf(x *fleet.Integration, isOnly bool) map[string]int64 {
	out := map[string]int64{}
	a.Live.VisitOwned(x.OrganizationID, func(t *fleet.Thing, _ *fleet.State) {
		for _, i := range t.Integrations {
			if !i.Names(x, isOnly) {
				continue
			}
			if _, taken := out[i.ID]; taken {
				out[i.ID] = severalAssets
			} else {
				out[i.ID] = t.No
			}
		}
	})
	return out
}

// take judges a report of a vehicle by the law of reports, and adds it.
func (s *submission) take(v *provider.Report, assets map[string]int64, counts *fleet.IntegrationCounts) {
	no, known := assets[v.ExternalID]
	switch {
	case !known:
		counts.Unlinked++
		return
	case no == severalAssets:
		counts.Refused[fleet.ProviderRefusal(fleet.MatchTwice)]++
		return
	}
	r := reportOf(v)
	if refusal := r.Check(s.at); refusal != nil {
		counts.Refused[fleet.ProviderRefusal(refusal.Code)]++
		s.refuse(no, refusal.Code, &r)
		return
	}
	counts.Newest = max(counts.Newest, r.At)
	if r.Kind == fleet.ReportPoint {
		s.points = append(s.points, r.Point(no, s.at))
	} else {
		s.signals, s.before = append(s.signals, r.Signal(no, s.at)), append(s.before, len(s.points))
	}
}

// reportOf is a provider's report as devices send them: a change of the lights can come without a position.
func reportOf(v *provider.Report) fleet.Report {
	r := fleet.Report{Asset: v.ExternalID, Kind: fleet.ReportHeartbeat, At: fleet.InstantOf(v.At)}
	if v.Lights != nil {
		r.Kind, r.HasAlerting, r.Alerting = fleet.ReportAlert, true, *v.Lights
	}
	if !v.HasFix {
		return r
	}
	r.Kind, r.HasLat, r.HasLng, r.Lat, r.Lng = fleet.ReportPoint, true, true, v.Lat, v.Lng
	if v.SpeedMS != nil {
		r.HasSpeed, r.SpeedMS = true, *v.SpeedMS
	}
	if v.CourseDeg != nil {
		r.HasCourse, r.CourseDeg = true, *v.CourseDeg
	}
	return r
}
