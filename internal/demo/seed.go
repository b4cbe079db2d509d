// Package demo sets up the demo through the same verbs as any installation, and
// runs its simulated fleet over the same API as any device.
package demo

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/durable"
	"lightbar/internal/fleet"
	"lightbar/internal/geo/route"
	"lightbar/internal/simulate"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// File is demo.json: what a person or a script needs to use the demo.
type File struct {
	URL            string `json:"url"`
	Password       string `json:"password"`
	OrganizationID string `json:"organization_id"`
	APIKey         string `json:"api_key"`
	Users          []User `json:"users"`
	// Keys are the API keys of the demo's organizations, in the order of tenants.
	Keys []string `json:"keys"`
}

// User is one of the demo's accounts; all share the password.
type User struct {
	Email string `json:"email"`
	Role  string `json:"role"`
}

// FileName lies in the data folder, readable by its owner only.
const FileName = "demo.json"

// account is one of the demo's: name of the address, role of the catalog.
type account struct{ name, role, first, last string }

// accounts of the demo organization.
var accounts = []account{
	{"viewer", "viewer", "Vera", "Young"},
	{"operator", "operator", "Omar", "Reed"},
	{"manager", "manager", "Mia", "Grant"},
	{"admin", "administrator", "Dana", "Moore"},
	{"super", "super", "Sam", "Upton"},
	{"engineer", "engineer", "Eli", "Nash"},
}

// outsider belongs to an organization that nobody of the demo reaches.
var outsider = account{"outsider", "administrator", "Olga", "Stone"}

func (u account) email() string { return u.name + "@demo.example" }

// Seed makes sure that the demo's organizations, accounts, stations, assets
// and keys exist, and writes demo.json. password "" keeps the one of an
// earlier start or makes one. A clock that stands in the past plans a history
// from there on (KeepPast makes it). Refusals: ErrOther, ErrUnfinished, those of CheckPassword.
func Seed(ctx context.Context, a *app.App, clock *Clock, dir, url, password string, roads *route.Roads, cast []Member) (File, error) {
	defer clock.release()
	path := filepath.Join(dir, FileName)
	old, err := read(path)
	if err != nil {
		return File{}, err
	}
	if err := CheckPassword(password); err != nil {
		return File{}, err
	}
	// The preparation takes half a second. A signal waits for its end: half a demo is good for nothing.
	ctx = context.WithoutCancel(ctx)
	if old.OrganizationID != "" {
		return again(ctx, a, path, old, url, password)
	}
	if err := MayBegin(ctx, a.Store, dir); err != nil {
		return File{}, err
	}
	if err := begin(dir); err != nil {
		return File{}, err
	}
	f := File{URL: url, Password: password}
	if f.Password == "" {
		f.Password = newPassword()
	}
	s := &seeding{ctx: ctx, app: a, actor: access.System(), file: &f, clock: clock}
	if err := s.all(roads, cast); err != nil {
		return File{}, fmt.Errorf("prepare the demo: %w", err)
	}
	if err := write(path, f); err != nil {
		return File{}, err
	}
	return f, finish(dir)
}

// again brings an earlier demo up to date with this start's address and password.
func again(ctx context.Context, a *app.App, path string, f File, url, password string) (File, error) {
	f.URL = url
	if password != "" && password != f.Password {
		for _, u := range f.Users {
			if err := a.SetUserPassword(ctx, access.System(), u.Email, password); err != nil {
				return File{}, fmt.Errorf("set the demo's password: %w", err)
			}
		}
		f.Password = password
	}
	return f, write(path, f)
}

func read(path string) (File, error) {
	var f File
	body, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return f, nil
	}
	if err == nil {
		err = json.Unmarshal(body, &f)
	}
	if err != nil {
		return f, fmt.Errorf("%s cannot be read (%w): delete the demo's data folder to begin anew", path, err)
	}
	return f, nil
}

func write(path string, f File) error {
	body, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	return durable.Write(path, append(body, '\n'))
}

// newPassword fulfils every rule of the required password profile.
func newPassword() string {
	raw := make([]byte, 10)
	_, _ = rand.Read(raw) // crypto/rand never fails
	text := strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(raw))
	return "Demo#1-" + text
}

type seeding struct {
	ctx   context.Context
	app   *app.App
	actor *access.Actor
	file  *File
	clock *Clock
	orgs  [3]fleet.Organization
	made  []wire.Thing // beside the cast
}

// all prepares the demo: first what was there all through its history, then what is of now.
func (s *seeding) all(roads *route.Roads, cast []Member) error {
	at := progress{Began: fleet.InstantOf(s.clock.began), Days: s.clock.days}
	past := at.plan(roads, cast)
	steps := []func() error{
		s.organizations, s.areas, s.zones, func() error { return s.assets(cast) }, func() error { return s.works(past.Works) },
		func() error { s.clock.release(); return nil },
		s.users, func() error { return s.outOfService(cast) }, s.drawn, s.keys,
	}
	if at.Days > 0 {
		steps = append(steps, func() error { return s.lastWords(past, cast) }, func() error { return s.planned(&at) })
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// planned notes that the history is to be made.
func (s *seeding) planned(at *progress) error {
	value, err := json.Marshal(at)
	if err != nil {
		return err
	}
	return s.app.Store.Write(s.ctx, func(tx *store.Tx) error { return tx.PutSetting(s.ctx, pastSetting, string(value)) })
}

// lastWords are the newest reports of the history. They come as any device's do:
// with them the live picture knows where the fleet has been since.
func (s *seeding) lastWords(past *simulate.Past, cast []Member) error {
	batches := make([]app.ReportBatch, len(s.file.Keys))
	for i, m := range cast {
		v, to := m.Vehicle, &batches[m.Tenant]
		board := v.Role == simulate.ArrowBoard
		said := fleet.Report{Index: len(to.Reports), Asset: v.HaasID, At: fleet.InstantOf(past.Ends(i)), HasLat: true, Lat: v.Home.Lat,
			HasLng: true, Lng: v.Home.Lng, HasSpeed: true, HasAccuracy: true, AccuracyM: 4, HasAlerting: !board}
		to.Reports = append(to.Reports, said)
		if board {
			to.Reports = append(to.Reports, fleet.Report{Index: len(to.Reports), Kind: fleet.ReportClosure, Asset: v.HaasID, At: said.At,
				HasAlerting: true})
		}
	}
	for i, batch := range batches {
		device, err := s.app.AuthenticateKey(s.ctx, s.file.Keys[i], s.actor.Network)
		if err != nil {
			return err
		}
		answer, err := s.app.RecordPoints(s.ctx, device, batch)
		if err == nil && len(answer.Refused) > 0 {
			err = fmt.Errorf("a report is refused: %s", answer.Refused[0].Message)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *seeding) organizations() error {
	common := fleet.Organization{City: "Wilmington", State: "DE", PostalCode: "19801", CountryCode: "US", Timezone: "America/New_York",
		HasPosition: true, Lat: center.Lat, Lng: center.Lng}
	fire, works, towing := common, common, common
	fire.Name, fire.Email, fire.Address1 = "Wilmington Fire Dept", "fire@demo.example", "300 N Walnut St"
	fire.ACS, fire.InfiniteTimeout, fire.WZDx = true, true, true
	fire.TypeName = "emergency"
	works.Name, works.Email, works.TypeName, works.WZDx = "City Public Works", "works@demo.example", "maintenance", true
	towing.Name, towing.Email, towing.TypeName = "Brandywine Towing", "towing@demo.example", "towing"
	for i, o := range []fleet.Organization{fire, works, towing} {
		made, err := s.app.CreateOrganization(s.ctx, s.actor, o)
		if err != nil {
			return err
		}
		s.orgs[i] = made
		if i > 0 {
			if err := s.app.RelateOrganizations(s.ctx, s.actor, made.ID, s.orgs[0].ID, "manager"); err != nil {
				return err
			}
		}
	}
	s.file.OrganizationID = s.orgs[0].ID
	return nil
}

func (s *seeding) users() error {
	outside, err := s.app.CreateOrganization(s.ctx, s.actor, fleet.Organization{Name: "Unrelated County EMS", Timezone: "America/Chicago",
		CountryCode: "US"})
	if err != nil {
		return err
	}
	add := func(org string, u account) error {
		r, ok := catalog.RoleByName(u.role)
		if !ok {
			return fmt.Errorf("the catalog has no role %s", u.role)
		}
		_, err := s.app.CreateUser(s.ctx, s.actor, wire.UserCreate{OrganizationID: wire.ID(org), Email: u.email(), FirstName: u.first,
			LastName: u.last, RoleID: wire.ID(r.ID), Password: &s.file.Password, Awareness: true})
		s.file.Users = append(s.file.Users, User{Email: u.email(), Role: u.role})
		return err
	}
	for _, u := range accounts {
		if err := add(s.orgs[0].ID, u); err != nil {
			return err
		}
	}
	return add(outside.ID, outsider)
}

func (s *seeding) keys() error {
	for i, o := range s.orgs {
		_, secret, err := s.app.CreateKey(s.ctx, s.actor, wire.KeyCreate{OrganizationID: wire.ID(o.ID), Description: "Demo fleet",
			Scopes: access.AllScopes()})
		if err != nil {
			return err
		}
		s.file.Keys = append(s.file.Keys, secret)
		if i == 0 {
			s.file.APIKey = secret
		}
	}
	return nil
}
