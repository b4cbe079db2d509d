package main

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/bus"
	"lightbar/internal/directions"
	"lightbar/internal/durable"
	"lightbar/internal/fleet"
	"lightbar/internal/geo"
	"lightbar/internal/geo/places"
	"lightbar/internal/geo/route"
	"lightbar/internal/geo/tiles"
	"lightbar/internal/live"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/store/engine"
)

// serverRole is what others read of the lock's holder.
const serverRole = "a server"

// core is the part of the server that verbs need: no listener, no ticker.
type core struct {
	streets
	store *store.Store
	bus   *bus.Bus
	live  *live.Picture
	app   *app.App
}

// openCore opens the database as its one owner and builds the verbs on it. st
// may be empty; it is the core's from then on, also when the opening fails.
// existing refuses where there is no installation instead of making one.
func openCore(e *env, role string, st streets, existing bool) (*core, error) {
	s, err := openStore(e, role, existing)
	if err != nil {
		return nil, errors.Join(err, st.close())
	}
	c := &core{streets: st, store: s}
	if err := c.build(e, role); err != nil {
		if u := s.Damage(s.Notice(err)); u != nil {
			err = u
		}
		return nil, errors.Join(err, c.close(context.WithoutCancel(e.ctx)))
	}
	return c, nil
}

// openStore opens the database when nobody owns it and the key is good: that
// must not be found out after the database was touched.
func openStore(e *env, role string, existing bool) (*store.Store, error) {
	o := storeOptions(e, false)
	o.Existing = existing
	if role == serverRole {
		o.BallastBytes = engine.DefaultBallastBytes
	}
	if err := waitForCommands(e.ctx, o.Path, role); err != nil {
		return nil, err
	}
	read := func() ([]byte, error) { return serverKey(e.common.Data) }
	if existing {
		read = func() ([]byte, error) { return keyOfInstallation(e) }
	}
	key, err := read()
	if err != nil {
		return nil, err
	}
	if key != nil {
		o.Existing = true // what was there before is not made again
	}
	o.Examine = func(ctx context.Context, r store.Reader, schema int64) error { return keyFits(ctx, e, r, schema, key) }
	s, err := store.Open(e.ctx, o)
	if !existing && errors.Is(err, engine.ErrNone) {
		return nil, orphanKey(e)
	}
	return s, err
}

func missing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// waitForCommands asks who owns the file before it is touched at all. A server
// waits for a command of an operator, which takes moments.
func waitForCommands(ctx context.Context, path, role string) error {
	if path == "" {
		return nil
	}
	tick := time.NewTicker(controlRetry)
	defer tick.Stop()
	for end := time.Now().Add(controlWait); ; {
		holder := engine.SQLiteHolder(path)
		if holder == "" {
			return nil
		}
		if role != serverRole || strings.HasPrefix(holder, serverRole) || time.Now().After(end) {
			return &engine.LockedError{Holder: holder}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

func (c *core) build(e *env, role string) error {
	if err := c.store.LockServer(e.ctx, role); err != nil {
		return err
	}
	if err := durable.MakeFolder(e.common.Data); err != nil {
		return place("The folder %s cannot be made: %v.", e.common.Data, errors.Unwrap(err))
	}
	key, err := ownKey(e, c.store)
	if err != nil {
		return err
	}
	if c.bus, err = bus.Open(bus.Options{Log: e.log}); err != nil {
		return err
	}
	c.live = live.New(c.store, live.Options{Now: e.now, NewID: app.NewID, Street: c.street(), Roadway: c.roadway(),
		Carriageway: c.carriageway(), Downstream: c.downstream(), Log: e.log})
	if err := c.live.Load(e.ctx); err != nil {
		return err
	}
	c.app = app.New(app.Options{
		Base:          record.Base{Store: c.store, Live: c.live, Bus: c.bus, Log: e.log, Now: e.now, NewID: app.NewID, ServerKey: key},
		AuditHeadPath: auditHeadPath(e), ExportFolder: filepath.Join(e.common.Data, "exports"),
	})
	c.app.RoadOf = c.roadOf()
	return nil
}

// streets are the imported region; all are nil without one.
type streets struct {
	region *tiles.Tiles
	roads  *route.Roads
	places *places.Places // nil, too, where the region was imported before there was a search
}

// openStreets opens the imported region of a data folder when there is one.
func openStreets(data string) (st streets, err error) {
	tilesFile := filepath.Join(mapDir(data), geo.TilesFile)
	roadsFile := filepath.Join(mapDir(data), geo.RoadsFile)
	_, err = os.Stat(tilesFile)
	if errors.Is(err, fs.ErrNotExist) {
		return st, nil
	}
	if errors.Is(err, fs.ErrPermission) { // of a folder above; the file itself is opened below
		return st, place("The folder %s lost its rights, or is not this user's: %v; make it one that this user owns (chown, chmod 700).",
			closedFolder(data), errors.Unwrap(err))
	}
	if st.region, err = tiles.OpenTiles(tilesFile); err != nil {
		return streets{}, place("The map %s cannot be used: %v; make it again with lightbar map import.", tilesFile, err)
	}
	if st.roads, err = route.OpenRoads(roadsFile); err != nil {
		return streets{}, errors.Join(place("The road index %s cannot be used: %v; make it again with lightbar map import.", roadsFile, err),
			st.close())
	}
	placesFile := filepath.Join(mapDir(data), places.PlacesFile)
	if st.places, err = places.OpenPlaces(placesFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return streets{}, errors.Join(place("The search index %s cannot be used: %v; make it again with lightbar map import.", placesFile, err),
			st.close())
	}
	return st, nil
}

// closedFolder is the outermost of the data folders that this user may not enter.
func closedFolder(data string) string {
	if _, err := os.Stat(filepath.Join(data, ".") + string(filepath.Separator) + "."); err != nil {
		return data
	}
	return mapDir(data)
}

func (st streets) close() error {
	if st.region == nil {
		return nil
	}
	return st.region.Close()
}

// street names the street at a position; nil without a region.
func (st streets) street() func(lat, lng, heading float64) string {
	if st.roads == nil {
		return nil
	}
	return func(lat, lng, heading float64) string {
		if heading < 0 {
			heading = math.NaN()
		}
		s, ok := st.roads.Nearest(lat, lng, heading)
		if !ok {
			return ""
		}
		return s.Label()
	}
}

// roadOf names the road in the middle of a line; nil without a region.
func (st streets) roadOf() func(line []fleet.LatLng) string {
	if st.roads == nil {
		return nil
	}
	finder := directions.Finder{Roads: st.roads}
	return func(line []fleet.LatLng) string {
		points := make([]geo.LatLng, len(line))
		for i, p := range line {
			points[i] = geo.LatLng(p)
		}
		return finder.RoadOf(points)
	}
}

func (st streets) roadway() func(lat, lng, heading float64) (float64, bool) {
	if st.roads == nil {
		return nil
	}
	return func(lat, lng, heading float64) (float64, bool) {
		if heading < 0 {
			heading = math.NaN()
		}
		return st.roads.Roadway(lat, lng, heading)
	}
}

func (st streets) carriageway() func(lat, lng, heading float64) (float64, bool) {
	if st.roads == nil {
		return nil
	}
	return func(lat, lng, heading float64) (float64, bool) {
		if heading < 0 {
			heading = math.NaN()
		}
		return st.roads.Carriageway(lat, lng, heading)
	}
}

func (st streets) downstream() live.Downstream {
	if st.roads == nil {
		return nil
	}
	return st.roads.Downstream
}

// close stops the parts in the reverse order; the database comes last.
func (c *core) close(ctx context.Context) error {
	var err error
	if c.live != nil {
		err = c.live.Flush(ctx)
	}
	return errors.Join(err, c.bus.Close(ctx), c.store.Close(), c.streets.close())
}

// verbs are the operator's actions by name; see control.go.
var verbs = map[string]verb{
	firstVerb:             verbOf(organizationCreate),
	"organization-relate": verbOf(organizationRelate),
	"user-create":         verbOf(userCreate),
	"user-password":       verbOf(userPassword),
	"user-break-glass":    verbOf(userBreakGlass),
	"key-create":          verbOf(keyCreate),
	"key-revoke":          verbOf(keyRevoke),
	"asset-create":        verbOf(assetCreate),
	"asset-import":        verbOf(assetImport),
	"asset-key":           verbOf(assetKey),
	auditVerb:             verbOf(auditVerify),
	auditHeadVerb:         verbOf(auditHead),
}
