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
	Name    string
	Every   time.Duration
	Do      func(ctx context.Context) error
	Workers int // how many do it at a time
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
	return []Task{
		{"age", time.Second, a.AgeDue, 1},
		{"alerting", time.Second, a.ResetAlerting, 1},
		{"commands", time.Second, a.RunCommands, 1},
		{"states", time.Second, a.FlushStates, 1},
		{"closures", 30 * time.Second, a.RunClosures, 1},
		{"refusals", 10 * time.Second, a.Audit.FlushRefusals, 1},
		{"mail", 500 * time.Millisecond, a.RunMail, 1},
		{"passwords", time.Minute, a.NoticePasswords, 1},
		{"keys", 5 * time.Minute, a.NoticeKeys, 1},
		{"status mail", 5 * time.Minute, a.MailConcerns, 1}, // each person has their own morning
		{"answers", time.Minute, a.PurgeAnswers, 1},
		{"watchdog", 15 * time.Second, a.Watch, 1},
		{"feed ledger", 5 * time.Second, a.FlushFeedLedger, 1},
		{"driver alerts", 5 * time.Second, a.CountDrivers, 1},
		{"points", 5 * time.Minute, a.SealPoints, 1},
		{"exports", time.Second, a.MakeExports, 1},
		{"exports purge", time.Hour, a.PurgeExports, 1},
		{"monthly reports", time.Minute, a.MakeMonthlyReports, 1}, // each organization has its own hour
		{"monthly counts purge", time.Hour, a.PurgeMonthlyCounts, 1},
		{"purge", app.PurgeEvery, a.Purge, 1},
		{"audit", 10 * time.Second, a.Audit.Seal, 1},
		{"audit head", time.Hour, a.Audit.SayHead, 1},
		// Who waits for servers of others: one of each is always free to look for what is due.
		{"feeds of others", time.Second, a.FetchFeeds, app.AsksAtOnce},
		{"integrations", time.Second, a.PollIntegrations, app.AsksAtOnce},
	}
}

// Start runs each task once in its period, each of its workers never twice at a time, until ctx
// ends; wait returns when the last one has come home. An error is logged once
// until the task succeeds again: a full disk must not fill the log too.
func Start(ctx context.Context, log *slog.Logger, tasks []Task) (wait func()) {
	var running sync.WaitGroup
	for _, t := range tasks {
		for range t.Workers {
			running.Go(func() { t.run(ctx, log) })
		}
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
