package main

import (
	"context"
	"errors"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"lightbar/catalog"
	"lightbar/internal/alerts"
	"lightbar/internal/app"
	"lightbar/internal/budget"
	"lightbar/internal/cable"
	"lightbar/internal/people"
	"lightbar/internal/store/engine"
)

// meter publishes what the rooms count. A room tells it by a method, Stats when
// there is more than one figure, and does not know Prometheus; api alone does,
// which counts the requests that it answers and serves the page.
type meter struct{ to prometheus.Registerer }

func (m meter) gauge(name, help string, value func() float64) {
	m.to.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "lightbar_" + name, Help: help}, value))
}

func (m meter) count(name, help string, value func() float64) {
	m.to.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "lightbar_" + name, Help: help}, value))
}

// reader reads one figure of a room's stats each time.
func reader[S any](stats func() S) func(value func(S) float64) func() float64 {
	return func(value func(S) float64) func() float64 {
		return func() float64 { return value(stats()) }
	}
}

// registerMetrics adds what the rooms of a server count.
func registerMetrics(r prometheus.Registerer, s *server) {
	m := meter{r}
	m.gauge("build_info", "Always 1; the version is that of the binary.", func() float64 { return 1 })
	m.store(s)
	m.gauge("audit_broken", "1 when the audit is not sealed, because the database's chain is not the one that was sealed.",
		func() float64 { return number(s.app.Audit.Broken() != nil) })
	m.gauge("audit_refused_rows", "Audit rows that were put in, altered or removed before they were sealed, since the start.",
		func() float64 { return float64(s.app.Audit.Refused()) })
	m.gauge("picture_waiting", "Changes that wait for the live picture: groups of reports, edits, imports.",
		func() float64 { return float64(s.app.Live.Waiting()) })
	m.gauge("commands_waiting", "Devices that wait for commands.", func() float64 { return float64(s.app.WaitingDevices()) })
	m.gauge("ingest_waiting", "Reports that wait for a commit.", func() float64 { return float64(s.app.IngestWaiting()) })
	m.mail(s.app)
	m.gauge("keys_ending", "API keys that end within the next 30 days; -1 = they could not be counted.", func() float64 {
		n, err := s.app.EndingKeys(context.Background())
		if err != nil {
			return -1
		}
		return float64(n)
	})
	m.gauge("feeds_overdue", "Feeds of others that have been due for more than two periods; -1 = they could not be counted.", func() float64 {
		n, err := s.app.OverdueFeeds(context.Background())
		if err != nil {
			return -1
		}
		return float64(n)
	})
	m.integrations(s.app)
	m.watchdog(s.app)
	m.stream(s.hub.Stats)
	m.alerts(s.alerts.Stats)
	m.budget(s.held.Stats)
	if s.mqtt != nil {
		m.mqtt(s.mqtt.Stats)
		m.cuts(s.app.CutStats)
	}
}

func (m meter) store(s *server) {
	m.gauge("store_failed", "1 when the storage failed and nothing is acknowledged.", func() float64 { return number(s.store.Cause() != nil) })
	m.gauge("store_full", "1 while writes are refused because the disk is full.",
		func() float64 { return number(errors.Is(s.store.Refusing(), engine.ErrFull)) })
	m.gauge("store_read_only", "1 while writes are refused because the disk cannot be written.",
		func() float64 { return number(errors.Is(s.store.Refusing(), engine.ErrReadOnly)) })
	m.gauge("store_reads_failing", "1 when the disk failed a read within the last minute.",
		func() float64 { return number(s.store.ReadsFail()) })
	m.gauge("store_rows_unreadable", "Rows that could not be read since the start, each once: they are left out, and the log names them.",
		func() float64 { return float64(s.store.UnreadRows()) })
	m.gauge("store_wal_bytes", "Size of SQLite's journal.", func() float64 { return float64(s.store.WALBytes()) })
	m.gauge("store_disk_free_bytes", "Free space below the data folder.", func() float64 {
		d, err := engine.DiskOf(s.e.common.Data)
		if err != nil {
			return -1
		}
		return float64(d.Free)
	})
	m.gauge("store_points_unmerged", "Points that are stored and not merged into their table yet.",
		func() float64 { return float64(s.store.Unmerged()) })
	m.count("store_queries_total", "Queries asked of the database.", func() float64 { return float64(s.store.Queries()) })
}

// mail adds what the outbox counts; -1 = it could not be read.
func (m meter) mail(a *app.App) {
	of := func(value func(people.MailStats) float64) func() float64 {
		return func() float64 {
			st, err := a.MailStats(context.Background())
			if err != nil {
				return -1
			}
			return value(st)
		}
	}
	m.gauge("mail_waiting", "Mails that wait to be handed on.", of(func(st people.MailStats) float64 { return float64(st.Waiting) }))
	m.gauge("mail_failed", "Mails given up within the last 30 days.", of(func(st people.MailStats) float64 { return float64(st.Failed) }))
	m.gauge("mail_oldest_waiting_seconds", "Age of the oldest mail that waits, 0 = none does.", of(func(st people.MailStats) float64 {
		if st.Oldest == 0 {
			return 0
		}
		return a.Now().Sub(st.Oldest.Time()).Seconds()
	}))
	m.count("mail_sent_total", "Mails handed on since the start.", of(func(st people.MailStats) float64 { return float64(st.Sent) }))
}

// integrations adds how accounts at telematics providers are; -1 = it could not be read.
func (m meter) integrations(a *app.App) {
	of := func(value func(app.IntegrationStats) float64) func() float64 {
		return func() float64 {
			st, err := a.IntegrationStats(context.Background())
			if err != nil {
				return -1
			}
			return value(st)
		}
	}
	for _, health := range catalog.AllEnums().IntegrationHealth {
		m.gauge("integrations_"+health.Name, "Accounts at telematics providers: "+strings.ToLower(health.DisplayName)+".",
			of(func(st app.IntegrationStats) float64 { return float64(st.Health[health.Name]) }))
	}
	m.count("integrations_kept_total", "Reports of telematics providers that were taken since the start.",
		of(func(st app.IntegrationStats) float64 { return float64(st.Kept) }))
	m.count("integrations_repeated_total", "Reports of telematics providers that were there already.",
		of(func(st app.IntegrationStats) float64 { return float64(st.Repeated) }))
	m.count("integrations_unlinked_total", "Reports of vehicles that are linked with no asset.",
		of(func(st app.IntegrationStats) float64 { return float64(st.Unlinked) }))
	m.count("integrations_refused_total", "Reports of telematics providers that were refused.",
		of(func(st app.IntegrationStats) float64 { return float64(st.Refused) }))
	m.count("integrations_events_total", "Events of vehicles that telematics providers told by webhooks.",
		of(func(st app.IntegrationStats) float64 { return float64(st.Events) }))
	m.count("integrations_events_unknown_total", "Events of webhooks that are not used.",
		of(func(st app.IntegrationStats) float64 { return float64(st.UnknownEvents) }))
	m.count("integrations_events_refused_total", "Webhooks of telematics providers that were refused: not signed, or too old.",
		of(func(st app.IntegrationStats) float64 { return float64(st.RefusedEvents) }))
}

// watchdog adds what the watchdog found and is so now; -1 = it could not be read.
func (m meter) watchdog(a *app.App) {
	for _, rule := range catalog.AllEnums().WatchdogRules {
		of := func(isTrial bool) func() float64 {
			return func() float64 {
				st, err := a.WatchStats(context.Background())
				if err != nil {
					return -1
				}
				if isTrial {
					return float64(st.Trial[rule.Name])
				}
				return float64(st.Open[rule.Name])
			}
		}
		about := strings.ToLower(rule.DisplayName)
		m.gauge("findings_open_"+rule.Name, "Open findings of the watchdog: "+about+".", of(false))
		m.gauge("findings_trial_"+rule.Name, "Open findings of the watchdog whose rule is on trial: "+about+".", of(true))
	}
	m.gauge("watchdog_seconds", "How long the watchdog's last look at all assets took.", func() float64 { return a.WatchTook().Seconds() })
}

// stream adds what the hub of the sockets counts.
func (m meter) stream(stats func() cable.Stats) {
	of := reader(stats)
	m.gauge("stream_sockets", "Open sockets.", of(func(st cable.Stats) float64 { return float64(st.Sockets) }))
	m.gauge("stream_ring_bytes", "Frames kept for resumes.", of(func(st cable.Stats) float64 { return float64(st.RingBytes) }))
	m.count("stream_frames_total", "Frames taken from the bus.", of(func(st cable.Stats) float64 { return float64(st.Frames) }))
	m.count("stream_bytes_total", "Bytes handed to sockets.", of(func(st cable.Stats) float64 { return float64(st.Bytes) }))
	m.count("stream_slow_total", "Sockets ended because their reader was slow.",
		of(func(st cable.Stats) float64 { return float64(st.Ends[cable.ReasonSlow]) }))
}

// alerts adds what the hub of alerts to drivers counts. None of it says where a driver is.
func (m meter) alerts(stats func() alerts.Stats) {
	of := reader(stats)
	m.gauge("alerts_followers", "Readers that follow alerts to drivers.", of(func(st alerts.Stats) float64 { return float64(st.Followers) }))
	m.gauge("alerts_organizations", "Organizations whose alerts someone follows, or followed of late.",
		of(func(st alerts.Stats) float64 { return float64(st.Boards) }))
	m.count("alerts_events_total", "Events told, each counted once for all readers.",
		of(func(st alerts.Stats) float64 { return float64(st.Events) }))
	m.count("alerts_bytes_total", "Bytes handed to readers of alerts.", of(func(st alerts.Stats) float64 { return float64(st.Bytes) }))
	m.count("alerts_slow_total", "Readers of alerts ended because they were slow.",
		of(func(st alerts.Stats) float64 { return float64(st.Slow) }))
}

// budget adds what requests hold of the memory they may.
func (m meter) budget(stats func() budget.Stats) {
	of := reader(stats)
	m.gauge("http_held_bytes", "Bytes that requests hold in memory.", of(func(st budget.Stats) float64 { return float64(st.Held) }))
	m.gauge("http_held_requests", "Requests that hold them.", of(func(st budget.Stats) float64 { return float64(st.Calls) }))
	m.count("http_held_refused_total", "Requests refused because others hold too much.",
		of(func(st budget.Stats) float64 { return float64(st.Refused) }))
	m.count("http_bodies_stalled_total", "Bodies whose sender stopped.", of(func(st budget.Stats) float64 { return float64(st.Stalled) }))
}

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
