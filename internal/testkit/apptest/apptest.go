// Package apptest helps tests and benchmarks: an app over a real database, with a
// clock that moves only when told, and basic records to fill it with.
package apptest

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// Kit is an app for a test. Its clock begins at Noon.
type Kit struct {
	*app.App
	t     testing.TB
	files string // of exports
	clock atomic.Int64
	ids   atomic.Int64
}

// Noon is where the clock of a Kit begins.
var Noon = fleet.InstantOf(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))

// New makes an app over a database; it stops with the test.
func New(t testing.TB, s *store.Store) *Kit { return NewWith(t, s, live.Options{}) }

// NewWith is New with streets.
func NewWith(t testing.TB, s *store.Store, o live.Options) *Kit {
	t.Helper()
	k := &Kit{t: t, files: filepath.Join(t.TempDir(), "exports")}
	k.clock.Store(int64(Noon))
	k.Open(s, o)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if err := k.StopIngest(ctx); err != nil {
			t.Errorf("stop: %v", err)
		}
	})
	return k
}

// Open gives the kit a new app over a database, as a restart of the server would.
func (k *Kit) Open(s *store.Store, o live.Options) {
	k.t.Helper()
	o.Now, o.NewID, o.Log = k.Now, k.NewID, slog.New(slog.NewTextHandler(io.Discard, nil))
	picture := live.New(s, o)
	if err := picture.Load(context.Background()); err != nil {
		k.t.Fatalf("load: %v", err)
	}
	k.App = app.New(app.Options{
		Base:      record.Base{Store: s, Live: picture, Log: o.Log, Now: k.Now, NewID: k.NewID, ServerKey: make([]byte, 32)},
		PublicURL: "http://localhost:8080", ExportFolder: k.files,
	})
}

// Now is the kit's clock.
func (k *Kit) Now() time.Time { return fleet.Instant(k.clock.Load()).Time() }

// At is the kit's clock as an instant.
func (k *Kit) At() fleet.Instant { return fleet.Instant(k.clock.Load()) }

// Pass moves the clock.
func (k *Kit) Pass(d time.Duration) { k.clock.Add(d.Milliseconds()) }

// NewID counts, so that ids are the same in every run and sort by age.
func (k *Kit) NewID() string { return fmt.Sprintf("01900000-0000-7000-8000-%012x", k.ids.Add(1)) }

// Organization adds a tenant.
func (k *Kit) Organization(name string) fleet.Organization {
	k.t.Helper()
	o, err := k.CreateOrganization(context.Background(), access.System(), fleet.Organization{Name: name, Timezone: "UTC", CountryCode: "US",
		TypeName: "fire", EventWording: "default"})
	if err != nil {
		k.t.Fatalf("organization: %v", err)
	}
	return o
}

// Things registers assets "<prefix>-0", "<prefix>-1", … of type fire.
func (k *Kit) Things(organizationID, prefix string, n int) []wire.Thing {
	k.t.Helper()
	rows := make([]app.NewThing, n)
	for i := range rows {
		rows[i] = app.NewThing{OrganizationID: organizationID, SystemName: fmt.Sprintf("%s-%d", prefix, i), Type: "fire", DeviceType: "ha7"}
	}
	made, err := k.RegisterThings(context.Background(), access.System(), rows)
	if err != nil {
		k.t.Fatalf("things: %v", err)
	}
	return made
}

// Key makes an API key of an organization, or of one asset, and answers its secret.
func (k *Kit) Key(organizationID, thingID string) string {
	k.t.Helper()
	in := wire.KeyCreate{OrganizationID: wire.ID(organizationID), Description: "test", Scopes: access.AllScopes()}
	if thingID != "" {
		in.Scopes, in.ThingID = nil, wire.ID(thingID)
	}
	_, secret, err := k.CreateKey(context.Background(), access.System(), in)
	if err != nil {
		k.t.Fatalf("key: %v", err)
	}
	return secret
}

// Device is the actor of an organization's key.
func (k *Kit) Device(organizationID string) *access.Actor {
	return &access.Actor{KeyID: "key", KeyScopes: access.AllScopes(), OrganizationID: organizationID, Permissions: map[string]bool{}, Organizations: map[string]access.Reach{organizationID: access.Full}}
}

// User is an actor of an organization with the permissions of a role, in a
// session that has just proved who is there.
func (k *Kit) User(organizationID, role string) *access.Actor {
	k.t.Helper()
	r, ok := catalog.RoleByName(role)
	if !ok {
		k.t.Fatalf("no role %s", role)
	}
	permissions := map[string]bool{}
	for _, p := range catalog.Granted(r) {
		permissions[p] = true
	}
	actor := &access.Actor{UserID: k.NewID(), SessionID: k.NewID(), OrganizationID: organizationID, Permissions: permissions,
		Organizations: map[string]access.Reach{organizationID: access.Full}}
	email := actor.UserID + "@kit.example"
	u := fleet.User{ID: actor.UserID, OrganizationID: organizationID, Email: email, EmailKey: email, FirstName: "Kit", LastName: role, RoleID: r.ID, CountryCode: "US",
		Version: 1, UpdatedAt: k.At()}
	s := fleet.Session{ID: actor.SessionID, UserID: actor.UserID, OrganizationID: organizationID, CreatedAt: k.At(), LastUsedAt: k.At(), Generation: 1,
		VerifiedAt: k.At(), Method: "password"}
	k.write(func(ctx context.Context, tx *store.Tx) error {
		if err := tx.InsertUser(ctx, u); err != nil {
			return err
		}
		return tx.InsertSession(ctx, s)
	})
	return actor
}

// Prove makes an actor of User prove anew, after time has passed, who they are.
func (k *Kit) Prove(actor *access.Actor) {
	k.t.Helper()
	k.write(func(ctx context.Context, tx *store.Tx) error {
		return tx.VerifySession(ctx, fleet.Session{ID: actor.SessionID, VerifiedAt: k.At()})
	})
}

func (k *Kit) write(change func(context.Context, *store.Tx) error) {
	k.t.Helper()
	ctx := context.Background()
	if err := k.Store.Write(ctx, func(tx *store.Tx) error { return change(ctx, tx) }); err != nil {
		k.t.Fatalf("write: %v", err)
	}
}
