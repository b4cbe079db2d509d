package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

type organizationCmd struct {
	Create organizationCreateCmd `cmd:"" help:"Add an organization and print its id."`
	Relate organizationRelateCmd `cmd:"" help:"Let another organization manage or view an organization's assets."`
}

type organizationCreateCmd struct {
	Name         string `arg:"" help:"Name, such as \"Town of Elsmere\"."`
	Timezone     string `help:"IANA time zone." default:"America/New_York" placeholder:"ZONE"`
	Country      string `help:"ISO 3166 country code." default:"US" placeholder:"CC"`
	Email        string `help:"Address of the organization." placeholder:"EMAIL"`
	WZDx         bool   `help:"Let it publish work zones." name:"wzdx"`
	ACS          bool   `help:"Let its users switch to organizations in reach." name:"acs"`
	StaySignedIn bool   `help:"Offer situational-awareness mode."`
}

// Help implements kong.HelpProvider.
func (organizationCreateCmd) Help() string {
	return "Works before the first start and while the server runs.\n\n" +
		"  lightbar organization create \"Town of Elsmere\" --timezone America/New_York"
}

func (c *organizationCreateCmd) Run(e *env) error {
	var made created
	err := call(e, "organization-create", fleet.Organization{Name: c.Name, Timezone: c.Timezone, CountryCode: c.Country, Email: c.Email,
		WZDx: c.WZDx, ACS: c.ACS, InfiniteTimeout: c.StaySignedIn}, &made)
	return printMade(e, made, err)
}

// created is the result of a verb that makes something; Secret is shown once.
type created struct{ ID, Secret string }

func printMade(e *env, made created, err error) error {
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(e.stdout, made.ID)
	return err
}

func organizationCreate(ctx context.Context, a *app.App, in fleet.Organization) (created, error) {
	o, err := a.CreateOrganization(ctx, access.System(), in)
	return created{ID: o.ID}, err
}

type organizationRelateCmd struct {
	Organization string `arg:"" help:"Id of the organization that owns the assets."`
	Other        string `arg:"" help:"Id of the organization that gets access."`
	Kind         string `help:"manager, accessor, or delete (ends the relation and all access through single assets)." default:"manager" enum:"manager,accessor,delete"`
}

func (c *organizationRelateCmd) Run(e *env) error {
	var none created
	return call(e, "organization-relate", relate{c.Organization, c.Other, c.Kind}, &none)
}

type relate struct{ Organization, Other, Kind string }

func organizationRelate(ctx context.Context, a *app.App, in relate) (created, error) {
	return created{}, a.RelateOrganizations(ctx, access.System(), in.Organization, in.Other, in.Kind)
}

type userCmd struct {
	Create     userCreateCmd     `cmd:"" help:"Add a user."`
	Password   userPasswordCmd   `cmd:"" help:"Set a user's password and end the user's sessions."`
	BreakGlass userBreakGlassCmd `cmd:"" help:"Let a user sign in with a password although the organization uses a provider."`
}

type userCreateCmd struct {
	Email        string `arg:"" help:"Address the user signs in with."`
	Organization string `help:"Name or id of the user's organization. Optional if there is only one." placeholder:"NAME"`
	FirstName    string `help:"First name." required:"" placeholder:"TEXT"`
	LastName     string `help:"Last name." required:"" placeholder:"TEXT"`
	Role         string `help:"viewer, operator, manager, administrator, super or engineer." default:"viewer" enum:"viewer,operator,manager,administrator,super,engineer"`
	Awareness    bool   `help:"Let the user use situational-awareness mode."`
	PasswordFile string `help:"File with the password on its first line (- = standard input). If left out, a password is generated and printed." placeholder:"FILE"`
}

// Help implements kong.HelpProvider.
func (userCreateCmd) Help() string {
	return "Works before the first start and while the server runs. Passwords are never read from the command line,\n" +
		"where every user of the machine can read them.\n\n" +
		"  lightbar user create chief@example.org --first-name Ada --last-name Cole --role administrator"
}

func (c *userCreateCmd) Run(e *env) error {
	role, ok := catalog.RoleByName(c.Role)
	if !ok {
		return fmt.Errorf("the role %s is not in the catalog", c.Role)
	}
	password, generated, err := passwordFrom(c.PasswordFile)
	if err != nil {
		return err
	}
	var made created
	in := newUser{Password: password, Awareness: c.Awareness}
	in.Body.Email, in.Body.FirstName, in.Body.LastName, in.Body.RoleID = c.Email, c.FirstName, c.LastName, wire.ID(role.ID)
	in.Organization = c.Organization
	err = call(e, "user-create", in, &made)
	if err == nil && generated {
		_, err = fmt.Fprintln(e.stdout, "password:", password)
	}
	return printMade(e, made, err)
}

// within is what is to be made in an organization, which may be named.
type within[T any] struct {
	Organization string
	Body         T
}

// newUser is what the wire says of a user, and what this command line alone may say.
type newUser struct {
	within[wire.UserCreate]
	Password  string
	Awareness bool
}

func userCreate(ctx context.Context, a *app.App, in newUser) (created, error) {
	org, err := theOrganization(ctx, a, in.Organization)
	if err != nil {
		return created{}, err
	}
	in.Body.OrganizationID, in.Body.Password, in.Body.Awareness = wire.ID(org), &in.Password, in.Awareness
	u, err := a.CreateUser(ctx, access.System(), in.Body)
	return created{ID: u.ID}, err
}

// theOrganization is the one named by id or name, or the only one there is.
func theOrganization(ctx context.Context, a *app.App, named string) (string, error) {
	all, err := store.ListOrganizations(ctx, a.Store.Reader())
	if err != nil {
		return "", err
	}
	var matches, names []string
	for _, o := range all {
		if o.DeletedAt != 0 {
			continue
		}
		if o.ID == named {
			return o.ID, nil
		}
		if named == "" || strings.EqualFold(o.Name, strings.TrimSpace(named)) {
			matches = append(matches, o.ID)
		}
		names = append(names, o.ID+" ("+o.Name+")")
	}
	switch {
	case len(matches) == 1:
		return matches[0], nil
	case len(names) == 0:
		return "", fleet.Refuse("organization_not_found", "organization",
			"There is no organization yet. Open the one-time link that lightbar serve prints, or create one with lightbar organization create.")
	case len(matches) > 1:
		return "", fleet.Refuse("organization_not_found", "organization",
			"Choose one of the organizations with --organization ID: "+strings.Join(names, ", ")+".")
	}
	return "", fleet.Refuse("organization_not_found", "organization",
		"There is no organization "+named+"; there are "+strings.Join(names, ", ")+".")
}

type userPasswordCmd struct {
	Email        string `arg:"" help:"Address the user signs in with."`
	PasswordFile string `help:"File with the password on its first line (- = standard input). If left out, a password is generated and printed." placeholder:"FILE"`
}

func (c *userPasswordCmd) Run(e *env) error {
	password, generated, err := passwordFrom(c.PasswordFile)
	if err != nil {
		return err
	}
	var none created
	if err := call(e, "user-password", credentials{c.Email, password}, &none); err != nil || !generated {
		return err
	}
	_, err = fmt.Fprintln(e.stdout, "password:", password)
	return err
}

type credentials struct{ Email, Password string }

func userPassword(ctx context.Context, a *app.App, in credentials) (created, error) {
	return created{}, a.SetUserPassword(ctx, access.System(), in.Email, in.Password)
}

// passwordFrom reads the first line of a file, or makes a password.
func passwordFrom(file string) (password string, generated bool, err error) {
	if file == "" {
		return newPassword(), true, nil
	}
	if file == "-" {
		file = "/dev/stdin"
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return "", false, place("The password file %s cannot be read: %v.", file, errors.Unwrap(err))
	}
	line, _, _ := strings.Cut(string(b), "\n")
	return strings.TrimRight(line, "\r"), false, nil
}

// newPassword is 20 characters with every class the password rules ask for (about 100 bits).
func newPassword() string { return rand.Text()[:19] + "a1!" }
