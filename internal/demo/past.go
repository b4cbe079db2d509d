package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/geo/route"
	"lightbar/internal/simulate"
	"lightbar/internal/store"
)

// pastSetting names the setting that says how far the past is kept.
const pastSetting = "demo_past"

// progress is how far the past of a demo is kept. What a day needs of the days before it is here.
type progress struct {
	Began fleet.Instant `json:"began"` // when the demo was prepared
	Days  int           `json:"days"`
	Kept  int           `json:"kept"`
	// AtStation tells since when an asset has been at a station when the last kept day ended.
	AtStation map[string]visiting `json:"at_station,omitempty"`
}

type visiting struct {
	AreaID string        `json:"area"`
	Since  fleet.Instant `json:"since"`
}

// plan is the past of a demo. It ends with the last hour of which all points rest.
func (p *progress) plan(roads *route.Roads, cast []Member) *simulate.Past {
	until := p.Began.Time().Add(-app.RestAfter()).Truncate(time.Hour)
	return simulate.NewPast(cast, simulate.Roads{Index: roads}, seed, p.Days, until, p.Began.Time())
}

func readProgress(ctx context.Context, r store.Reader) (p progress, err error) {
	text, err := store.Setting(ctx, r, pastSetting)
	if errors.Is(err, store.ErrNotFound) {
		return p, nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &p)
	}
	if err != nil {
		return p, fmt.Errorf("the setting %s cannot be read: %w", pastSetting, err)
	}
	return p, nil
}

// sayEvery is how many days of the past are kept between two lines of the log.
const sayEvery = 20

// KeepPast makes the days of the demo's past that are not kept yet, beside the
// server that serves; a demo without a past is done at once. Each day is kept
// whole or not at all, so a start after a crash goes on where that cut it off.
func KeepPast(ctx context.Context, a *app.App, roads *route.Roads, cast []Member, log *slog.Logger) error {
	at, err := readProgress(ctx, a.Store.Reader())
	if err != nil || at.Kept >= at.Days {
		return err
	}
	things, err := thingsOf(ctx, a.Store.Reader(), cast)
	if err != nil {
		return err
	}
	areas, err := store.ListAreas(ctx, a.Store.Reader())
	if err != nil {
		return err
	}
	past, f := at.plan(roads, cast), newPastFleet(things, areas, roads, a.NewID)
	f.resume(&at)
	began, points := time.Now(), 0
	log.Info(fmt.Sprintf("History: %d of %d days", at.Kept, at.Days))
	err = past.Each(ctx, at.Kept, func(n int, said []simulate.PastReport) error {
		day := &app.PastDay{Setting: pastSetting}
		if err := f.keep(past, n, said, day); err != nil {
			return err
		}
		at.Kept, at.AtStation = n+1, f.atStations()
		value, err := json.Marshal(&at)
		if err != nil {
			return err
		}
		day.Value = string(value)
		if err := a.StorePastDay(ctx, access.System(), day); err != nil {
			return fmt.Errorf("keep day %d of the past: %w", n+1, err)
		}
		if points += len(day.Points); at.Kept%sayEvery == 0 && at.Kept < at.Days {
			log.Info(fmt.Sprintf("History: %d of %d days", at.Kept, at.Days))
		}
		return nil
	})
	if err == nil {
		log.Info(fmt.Sprintf("History: all %d days", at.Days), "points", points, "took", time.Since(began).Round(100*time.Millisecond).String())
	}
	return err
}

// thingsOf are the assets of the cast, as the installation has them now.
func thingsOf(ctx context.Context, r store.Reader, cast []Member) ([]*fleet.Thing, error) {
	all, err := store.ListAllThings(ctx, r)
	if err != nil {
		return nil, err
	}
	named := map[string]*fleet.Thing{}
	for _, t := range all {
		named[t.SystemName] = t
	}
	out := make([]*fleet.Thing, len(cast))
	for i, m := range cast {
		out[i] = named[m.Vehicle.HaasID]
	}
	return out, nil
}

// keep takes a day through the laws.
func (f *pastFleet) keep(past *simulate.Past, n int, said []simulate.PastReport, day *app.PastDay) error {
	f.begin(day)
	for i := range said {
		if err := f.take(&said[i]); err != nil {
			return err
		}
	}
	_, to := past.Span(n)
	return f.end(fleet.InstantOf(to), func(asset int) fleet.Instant { return fleet.InstantOf(past.Ends(asset)) })
}

func (f *pastFleet) resume(at *progress) {
	for i := range f.states {
		s := &f.states[i]
		if v, ok := at.AtStation[s.ThingID]; ok {
			s.StationID, s.StationAt = v.AreaID, v.Since
		}
	}
}

func (f *pastFleet) atStations() map[string]visiting {
	out := map[string]visiting{}
	for i := range f.states {
		if s := &f.states[i]; s.StationID != "" {
			out[s.ThingID] = visiting{s.StationID, s.StationAt}
		}
	}
	return out
}
