// Package testkit is a whole server in process: real SQLite (or the store a
// test brings), the real handler, a clock that only moves when told, and a
// seeded cast of organizations, users and keys. For tests only.
package testkit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/api"
	"lightbar/internal/app"
	"lightbar/internal/bus"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/store/backup"
	"lightbar/internal/store/storetest"
	"lightbar/internal/wire"
)

// Password is that of every seeded user.
const Password = "Blue*Heron7 at dawn"

// Start is the instant at which every world begins.
var Start = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

// Clock moves only when told.
type Clock struct {
	mu sync.Mutex
	at time.Time
}

// NewClock is a clock that stands at Start.
func NewClock() *Clock { return &Clock{at: Start} }

// Now is the seam App.Now takes.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// Advance moves the clock.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// World is the server and its cast. Own manages Managed and accesses Accessed;
// Foreign has nothing to do with them.
type World struct {
	App    *app.App
	Server *httptest.Server
	Clock  *Clock
	Log    *Log

	Own, Managed, Accessed, Foreign fleet.Organization
	// Users by role name (viewer, operator, manager, administrator, super,
	// engineer) of Own, and outsider, an administrator of Foreign.
	Users map[string]fleet.User
	// Key reports for Own's assets, ForeignKey for Foreign's.
	Key, ForeignKey string

	t testing.TB
}

// Option changes how a world is made.
type Option func(*settings)

type settings struct {
	store *store.Store
	bus   *bus.Bus
	api   api.Options
	build func(*app.App, *api.Options)
	roads func(lat, lng, heading float64) (deg float64, known bool)
}

// WithStore runs the world on another database, such as PostgreSQL.
func WithStore(s *store.Store) Option { return func(o *settings) { o.store = s } }

// WithBus carries events on a real bus; without it nobody listens.
func WithBus(b *bus.Bus) Option { return func(o *settings) { o.bus = b } }

// WithAPI sets options of the handler: ingest, cable, tiles, the built app.
func WithAPI(options api.Options) Option { return func(o *settings) { o.api = options } }

// WithCarriageways gives the world one-way roads, as live.Options has them.
func WithCarriageways(roads func(lat, lng, heading float64) (deg float64, known bool)) Option {
	return func(o *settings) { o.roads = roads }
}

// WithBuild runs before the handler is made, so that rooms that need the App
// (ingest, cable) can be put into its options.
func WithBuild(build func(*app.App, *api.Options)) Option {
	return func(o *settings) { o.build = build }
}

// New makes a world that ends with the test.
func New(t testing.TB, options ...Option) *World {
	t.Helper()
	var o settings
	for _, option := range options {
		option(&o)
	}
	w := &World{t: t, Clock: NewClock(), Log: &Log{}, Users: map[string]fleet.User{}}
	var first *cast
	if o.store == nil {
		first = seeded(t)
		o.store = open(t, first.file, w.Log)
	}
	if o.bus == nil {
		o.bus = &bus.Bus{}
	}
	ids := w.serve(o.store, o.bus, o.roads)
	if first == nil {
		w.seed()
	} else {
		w.take(first, ids)
	}
	w.check(w.App.Live.Load(t.Context()))
	if o.build != nil {
		o.build(w.App, &o.api)
	}
	o.api.Version = "1.2.3-test"
	w.Server = httptest.NewServer(api.New(w.App, o.api))
	t.Cleanup(w.Server.Close)
	return w
}

// serve gives the world its App over a database.
func (w *World) serve(s *store.Store, b *bus.Bus, roads func(lat, lng, heading float64) (float64, bool)) *sequence {
	ids := &sequence{clock: w.Clock}
	w.App = app.New(app.Options{
		Base:         record.Base{Store: s, Bus: b, Log: w.Log.Logger(), Now: w.Clock.Now, NewID: ids.next, ServerKey: bytes.Repeat([]byte{7}, 32), Live: live.New(s, live.Options{Now: w.Clock.Now, NewID: ids.next, Carriageway: roads, Log: w.Log.Logger()})},
		ExportFolder: filepath.Join(w.t.TempDir(), "exports"), AuditHeadPath: filepath.Join(w.t.TempDir(), backup.AuditHeadName),
	})
	return ids
}

func open(t testing.TB, file []byte, log *Log) *store.Store {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lightbar.db")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatalf("testkit: the database: %v", err)
	}
	s, err := store.Open(t.Context(), store.Options{Path: path, Log: log.Logger()})
	if err != nil {
		t.Fatalf("testkit: open the store: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("testkit: close the store: %v", err)
		}
	})
	return s
}

// cast is a seeded world as it lies on disk, with who is in it.
type cast struct {
	file  []byte
	world World
	ids   int64
}

var (
	seedOnce sync.Once
	seedCast *cast
)

// seeded seeds a world once for the whole binary; each test starts from a copy.
// With the race detector seeding takes longer than most of the tests.
func seeded(t testing.TB) *cast {
	t.Helper()
	seedOnce.Do(func() {
		s := storetest.SQLite(t)
		path := s.Path()
		w := &World{t: t, Clock: NewClock(), Log: &Log{}, Users: map[string]fleet.User{}}
		ids := w.serve(s, &bus.Bus{}, nil)
		w.seed()
		w.check(s.Close())
		file, err := os.ReadFile(path)
		w.check(err)
		seedCast = &cast{file: file, world: *w, ids: ids.n}
	})
	if seedCast == nil {
		t.Fatal("testkit: the first world could not be seeded")
	}
	return seedCast
}

// take makes the seeded cast this world's own.
func (w *World) take(c *cast, ids *sequence) {
	ids.n = c.ids
	w.Own, w.Managed, w.Accessed, w.Foreign = c.world.Own, c.world.Managed, c.world.Accessed, c.world.Foreign
	w.Users, w.Key, w.ForeignKey = maps.Clone(c.world.Users), c.world.Key, c.world.ForeignKey
}

// sequence gives ids that are valid, ordered and the same in every run; their
// time is the clock's, as that of a UUID v7 is.
type sequence struct {
	mu    sync.Mutex
	clock *Clock
	n     int64
}

func (s *sequence) next() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	at := fmt.Sprintf("%012x", s.clock.Now().UnixMilli())
	return fmt.Sprintf("%s-%s-7000-8000-%012x", at[:8], at[8:], s.n)
}

// passwordHash is made once for all worlds: hashing is slow on purpose.
var passwordHash = sync.OnceValues(func() (string, error) {
	return argon2id.CreateHash(Password, &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32})
})

func (w *World) seed() {
	w.t.Helper()
	ctx, system := w.t.Context(), access.System()
	for _, row := range []struct {
		to *fleet.Organization
		o  fleet.Organization
	}{
		{&w.Own, fleet.Organization{Name: "Harbor County", ACS: true, InfiniteTimeout: true}},
		{&w.Managed, fleet.Organization{Name: "Managed Towing"}},
		{&w.Accessed, fleet.Organization{Name: "Accessed Waste"}},
		{&w.Foreign, fleet.Organization{Name: "Foreign Fleet"}},
	} {
		o, err := w.App.CreateOrganization(ctx, system, row.o)
		w.check(err)
		*row.to = o
	}
	w.check(w.App.RelateOrganizations(ctx, system, w.Managed.ID, w.Own.ID, "manager"))
	w.check(w.App.RelateOrganizations(ctx, system, w.Accessed.ID, w.Own.ID, "accessor"))
	for _, role := range catalog.AllPermissions().Roles {
		w.Users[role.Name] = w.AddUser(role.Name+"@demo.example", w.Own.ID, role.Name)
	}
	w.Users["outsider"] = w.AddUser("outsider@demo.example", w.Foreign.ID, "administrator")
	var err error
	_, w.Key, err = w.App.CreateKey(ctx, system, wire.KeyCreate{OrganizationID: wire.ID(w.Own.ID), Description: "fleet", Scopes: access.AllScopes()})
	w.check(err)
	_, w.ForeignKey, err = w.App.CreateKey(ctx, system, wire.KeyCreate{OrganizationID: wire.ID(w.Foreign.ID), Description: "fleet", Scopes: access.AllScopes()})
	w.check(err)
}

// AddUser adds a user with Password, without the cost of hashing it again.
func (w *World) AddUser(email, organizationID, role string) fleet.User {
	w.t.Helper()
	hash, err := passwordHash()
	w.check(err)
	r, ok := catalog.RoleByName(role)
	if !ok {
		w.t.Fatalf("testkit: no role %q", role)
	}
	now := fleet.InstantOf(w.Clock.Now())
	u := fleet.User{ID: w.App.NewID(), OrganizationID: organizationID, Email: email, EmailKey: email, FirstName: "Test", LastName: role,
		RoleID: r.ID, PasswordHash: hash, PasswordChangedAt: now, CountryCode: "US", Awareness: true, Version: 1, UpdatedAt: now}
	w.check(w.App.Store.Write(w.t.Context(), func(tx *store.Tx) error { return tx.InsertUser(w.t.Context(), u) }))
	return u
}

// Actor is a signed-in user's actor, for calling verbs without HTTP.
func (w *World) Actor(role string) *access.Actor {
	w.t.Helper()
	actor, err := w.App.Authenticate(w.t.Context(), w.SignIn(role).AccessToken, "192.0.2.1")
	w.check(err)
	return actor
}

// SignIn signs a seeded user in over HTTP.
func (w *World) SignIn(role string) wire.TokenPair {
	w.t.Helper()
	u, ok := w.Users[role]
	if !ok {
		w.t.Fatalf("testkit: no user %q", role)
	}
	answer := w.Do(Request{Method: "POST", Path: "/api/user_token", Body: map[string]any{"grant_type": "password", "application": "dashboard",
		"username": u.Email, "password": Password}})
	if answer.Status != http.StatusOK {
		w.t.Fatalf("testkit: sign in as %s: %d %s", role, answer.Status, answer.Text)
	}
	return Decode[wire.TokenPair](w.t, answer)
}

// Request is one HTTP request; Body is sent as JSON, a string as it is.
type Request struct {
	Method, Path string
	Token        string
	Body         any
	Headers      map[string]string
	Cookies      []*http.Cookie
}

// Response is what was answered.
type Response struct {
	Status  int
	Text    string
	Header  http.Header
	Cookies []*http.Cookie
}

// Do sends a request to the world's server; redirects are not followed.
func (w *World) Do(in Request) Response {
	w.t.Helper()
	var body io.Reader
	switch b := in.Body.(type) {
	case nil:
	case string:
		body = strings.NewReader(b)
	default:
		text, err := json.Marshal(b)
		w.check(err)
		body = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(context.WithoutCancel(w.t.Context()), in.Method, w.Server.URL+in.Path, body)
	w.check(err)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if in.Token != "" {
		r.Header.Set("Authorization", "Bearer "+in.Token)
	}
	for name, value := range in.Headers {
		r.Header.Set(name, value)
	}
	for _, c := range in.Cookies {
		r.AddCookie(c)
	}
	if host := in.Headers["Host"]; host != "" {
		r.Host = host
	}
	client := *w.Server.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, err := client.Do(r)
	w.check(err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	w.check(err)
	return Response{Status: answer.StatusCode, Text: string(text), Header: answer.Header, Cookies: answer.Cookies()}
}

// Get is Do for reading with a token.
func (w *World) Get(path, token string) Response {
	w.t.Helper()
	return w.Do(Request{Method: "GET", Path: path, Token: token})
}

// Decode reads an answer's JSON.
func Decode[T any](t testing.TB, r Response) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(r.Text), &v); err != nil {
		t.Fatalf("not JSON (%d): %v\n%s", r.Status, err, r.Text)
	}
	return v
}

func (w *World) check(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("testkit: %v", err)
	}
}

// Log keeps what the server logs, for tests that look for secrets in it.
type Log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Logger writes everything, from debug on, as JSON lines.
func (l *Log) Logger() *slog.Logger {
	return slog.New(slog.NewJSONHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// Write implements io.Writer.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// Text is everything logged so far.
func (l *Log) Text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// In ties a world to a test: for worlds that a test has put together itself.
func (w *World) In(t testing.TB) *World {
	out := *w
	out.t = t
	return &out
}

// SHA256 is the hexadecimal hash under which the server stores a secret.
func SHA256(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}
