package demo

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"lightbar/internal/geo/route"
	"lightbar/internal/simulate"
)

// Member is one asset of the demo.
type Member = simulate.Member

var center = simulate.Wilmington

const (
	radiusM = 2200.0
	seed    = 19801 // Wilmington's postal code: the same city every time
)

// trafficCenter reports the demo's hazards; it is no asset.
const trafficCenter = "traffic center"

// Cast is the demo's fleet; roads may be nil when there is no region.
func Cast(roads *route.Roads) []Member {
	rng := rand.New(rand.NewPCG(seed, 0))
	r := simulate.Roads{Index: roads}
	cast := simulate.Cast(func(near simulate.LatLng, radius float64) simulate.LatLng { return r.Place(rng, near, radius) })
	for i := range cast {
		if v := cast[i].Vehicle; v.Role == simulate.ArrowBoard {
			cast[i].Ahead = r.Ahead(v.Home, closureM)
		}
	}
	return cast
}

// Run drives the fleet until ctx ends, as clients of the server at f.URL.
func Run(ctx context.Context, f File, roads *route.Roads, cast []Member, now func() time.Time, log *slog.Logger) error {
	clients := make([]*simulate.Client, len(f.Keys))
	for i, key := range f.Keys {
		clients[i] = simulate.NewClient(f.URL, key, 4)
	}
	of := map[string]*simulate.Client{}
	var vehicles []*simulate.Vehicle
	for _, m := range cast {
		of[m.Vehicle.HaasID] = clients[m.Tenant]
		vehicles = append(vehicles, m.Vehicle)
	}
	sayParade(ctx, clients[0], now(), log)
	ctx, cancel := context.WithCancel(ctx)
	devices := answerCommands(ctx, f, cast, log)
	defer func() {
		cancel()
		devices.Wait()
	}()
	begin := now().Add(-simulate.Warmup)
	fleet := simulate.NewFleet(vehicles, simulate.Roads{Index: roads}, center, radiusM, seed+uint64(begin.Unix()/60), begin)
	of[trafficCenter] = clients[0]
	fleet.Hazards = simulate.NewHazards(trafficCenter, seed, begin)
	return fleet.Run(ctx, func(asset string) *simulate.Client { return of[asset] }, now, log)
}

// answerCommands lets the light devices of the demo's organization wait for commands, until ctx ends.
func answerCommands(ctx context.Context, f File, cast []Member, log *slog.Logger) *sync.WaitGroup {
	var devices sync.WaitGroup
	client := simulate.NewClient(f.URL, f.Keys[0], len(cast))
	client.HTTP.Timeout = time.Minute // a poll takes long
	for _, m := range cast {
		if m.Tenant != 0 || m.Vehicle.DeviceType != "ha5" && m.Vehicle.DeviceType != "ha7" || m.Vehicle.LastSeen != 0 {
			continue
		}
		d := &simulate.Device{Asset: m.Vehicle.HaasID}
		devices.Go(func() {
			if err := d.Answer(ctx, client); err != nil {
				log.Warn("a simulated device gets no commands", "asset", d.Asset, "error", err)
			}
		})
	}
	return &devices
}
