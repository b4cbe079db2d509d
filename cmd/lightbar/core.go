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
	"lightbar/internal/geo"
	"lightbar/internal/live"
	"lightbar/internal/store"
)

// serverRole is what others read of the lock's holder.
const serverRole = "a server"

// core is the part of the server that verbs need: no listener, no ticker.
type core struct {
	store  *store.Store
	bus    *bus.Bus
	live   *live.Picture
	app    *app.App
	region *geo.Tiles
	roads  *geo.Roads
}

// openCore opens the database as its one owner and builds the verbs on it.
func openCore(e *env, role string) (*core, error) {
	o := storeOptions(e, false)
	if role == serverRole {
		o.BallastBytes = store.DefaultBallastBytes
	}
	if err := waitForCommands(e.ctx, o.Path, role); err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(e.common.Data, keyFile)); err == nil {
		if _, err := serverKey(e.common.Data); err != nil { // a bad key must not be found after the database was touched
			return nil, err
		}
	}
	s, err := store.Open(e.ctx, o)
	if err != nil {
		return nil, err
	}
	c := &core{store: s}
	if err := c.build(e, role); err != nil {
		return nil, errors.Join(err, c.close(context.WithoutCancel(e.ctx)))
	}
	return c, nil
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
		holder := store.SQLiteHolder(path)
		if holder == "" {
			return nil
		}
		if role != serverRole || strings.HasPrefix(holder, serverRole) || time.Now().After(end) {
			return &store.LockedError{Holder: holder}
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
	if err := os.MkdirAll(e.common.Data, 0o700); err != nil {
		return place("The folder %s cannot be made: %v.", e.common.Data, errors.Unwrap(err))
	}
	key, err := serverKey(e.common.Data)
	if err != nil {
		return err
	}
	if role == serverRole {
		if err := c.openRegion(e); err != nil {
			return err
		}
	}
	if c.bus, err = bus.Open(bus.Options{Log: e.log}); err != nil {
		return err
	}
	c.live = live.New(c.store, live.Options{Now: time.Now, NewID: app.NewID, Street: c.street(), Log: e.log})
	if err := c.live.Load(e.ctx); err != nil {
		return err
	}
	c.app = &app.App{Store: c.store, Live: c.live, Bus: c.bus, Log: e.log, Now: time.Now, NewID: app.NewID, ServerKey: key}
	return nil
}

// openRegion opens the imported streets when there are any.
func (c *core) openRegion(e *env) error {
	tiles := filepath.Join(mapDir(e.common.Data), geo.TilesFile)
	roads := filepath.Join(mapDir(e.common.Data), geo.RoadsFile)
	if _, err := os.Stat(tiles); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var err error
	if c.region, err = geo.OpenTiles(tiles); err != nil {
		return place("The map %s cannot be used: %v; make it again with lightbar map import.", tiles, err)
	}
	if c.roads, err = geo.OpenRoads(roads); err != nil {
		return place("The road index %s cannot be used: %v; make it again with lightbar map import.", roads, err)
	}
	return nil
}

// street names the street at a position; nil without a region.
func (c *core) street() func(lat, lng, heading float64) string {
	if c.roads == nil {
		return nil
	}
	return func(lat, lng, heading float64) string {
		if heading < 0 {
			heading = math.NaN()
		}
		s, ok := c.roads.Nearest(lat, lng, heading)
		if !ok {
			return ""
		}
		return s.Label()
	}
}

// close stops the parts in the reverse order; the database comes last.
func (c *core) close(ctx context.Context) error {
	var err error
	if c.live != nil {
		err = c.live.Flush(ctx)
	}
	err = errors.Join(err, c.bus.Close(ctx), c.store.Close())
	if c.region != nil {
		err = errors.Join(err, c.region.Close())
	}
	return err
}

// verbs are the operator's actions by name; see control.go.
var verbs = map[string]verb{
	"organization-create": verbOf(organizationCreate),
	"organization-relate": verbOf(organizationRelate),
	"user-create":         verbOf(userCreate),
	"user-password":       verbOf(userPassword),
	"user-break-glass":    verbOf(userBreakGlass),
	"key-create":          verbOf(keyCreate),
	"key-revoke":          verbOf(keyRevoke),
	"asset-create":        verbOf(assetCreate),
	"asset-import":        verbOf(assetImport),
	"asset-key":           verbOf(assetKey),
	"audit-verify":        verbOf(auditVerify),
}
