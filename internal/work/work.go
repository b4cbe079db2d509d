// Package work decides when, never what: it holds tickers that call verbs.
package work

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"lightbar/internal/app"
)

// Task is something that happens by the clock.
type Task struct {
	Name  string
	Every time.Duration
	Do    func(ctx context.Context) error
}

// ofThePast are tasks that sum up the past: where that is still being made (the
// demo's history), they wait, or what they make would lack it for ever.
var ofThePast = []string{"exports", "monthly reports"}

// Split tells the tasks that wait for the past from the others.
func Split(tasks []Task) (now, later []Task) {
	for _, t := range tasks {
		if slices.Contains(ofThePast, t.Name) {
			later = append(later, t)
		} else {
			now = append(now, t)
		}
	}
	return now, later
}

// Tasks are the clock's share of the application.
func Tasks(a *app.App) []Task {
	return slices.Concat([]Task{
		{"age", time.Second, a.AgeDue},
		{"alerting", time.Second, a.ResetAlerting},
		{"commands", time.Second, a.RunCommands},
		{"states", time.Second, a.FlushStates},
		{"closures", 30 * time.Second, a.RunClosures},
		{"refusals", 10 * time.Second, a.Audit.FlushRefusals},
		{"mail", 500 * time.Millisecond, a.RunMail},
		{"passwords", time.Minute, a.NoticePasswords},
		{"keys", 5 * time.Minute, a.NoticeKeys},
		{"status mail", 5 * time.Minute, a.MailConcerns}, // each person has their own morning
		{"answers", time.Minute, a.PurgeAnswers},
		{"watchdog", 15 * time.Second, a.Watch},
		{"feed ledger", 5 * time.Second, a.FlushFeedLedger},
		{"driver alerts", 5 * time.Second, a.CountDrivers},
		{"points", 5 * time.Minute, a.SealPoints},
		{"exports", time.Second, a.MakeExports},
		{"exports purge", time.Hour, a.PurgeExports},
		{"monthly reports", time.Minute, a.MakeMonthlyReports}, // each organization has its own hour
		{"monthly counts purge", time.Hour, a.PurgeMonthlyCounts},
		{"purge", app.PurgeEvery, a.Purge},
		{"audit", 10 * time.Second, a.Audit.Seal},
		{"audit head", time.Hour, a.Audit.SayHead},
	},
		// Who waits for servers of others: one of each is always free to look for what is due.
		slices.Repeat([]Task{{"feeds of others", time.Second, a.FetchFeeds}}, app.AsksAtOnce),
		slices.Repeat([]Task{{"integrations", time.Second, a.PollIntegrations}}, app.AsksAtOnce))
}

// Start runs each task once in its period, never twice at a time, until ctx
// ends; wait returns when the last one has come home. An error is logged once
// until the task succeeds again: a full disk must not fill the log too.
func Start(ctx context.Context, log *slog.Logger, tasks []Task) (wait func()) {
	var running sync.WaitGroup
	for _, t := range tasks {
		running.Go(func() { t.run(ctx, log) })
	}
	return running.Wait
}

func (t Task) run(ctx context.Context, log *slog.Logger) {
	tick := time.NewTicker(t.Every)
	defer tick.Stop()
	failing := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		err := t.Do(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil && !failing:
			log.Warn("work fails", "task", t.Name, "error", err)
		case err == nil && failing:
			log.Info("work succeeds again", "task", t.Name)
		}
		failing = err != nil
	}
}
