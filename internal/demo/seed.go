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
// earlier start or makes one. Refusals: ErrOther, ErrUnfinished, those of CheckPassword.
func Seed(ctx context.Context, a *app.App, dir, url, password string, cast []Member) (File, error) {
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
	s := &seeding{ctx: ctx, app: a, actor: access.System(), file: &f}
	if err := s.all(cast); err != nil {
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

// newPassword fulfils every rule of the specification's password profile.
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
	orgs  [3]fleet.Organization
}

func (s *seeding) all(cast []Member) error {
	for _, step := range []func() error{s.organizations, s.users, s.areas, s.zones, func() error { return s.assets(cast) }, s.drawn, s.keys} {
		if err := step(); err != nil {
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
