package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
)

type assetCmd struct {
	Create assetCreateCmd `cmd:"" help:"Add an asset and print its id."`
	Import assetImportCmd `cmd:"" help:"Add many assets from a CSV file, all or none."`
	Key    assetKeyCmd    `cmd:"" help:"Make the secret of one asset, for a phone or tracker, and print it once."`
}

type assetCreateCmd struct {
	SystemName   string `help:"Name that devices report under, unique within the organization." required:"" placeholder:"TEXT"`
	Organization string `help:"Name or id of the owner; may be left out when there is only one organization." placeholder:"NAME"`
	Nickname     string `help:"Name that people see." placeholder:"TEXT"`
	Type         string `help:"fire, police, ambulance, emergency_response, arrow_board, maintenance, tow, waste or other." default:"other" placeholder:"TYPE"`
	Subtype      string `help:"Subtype of the type." placeholder:"TEXT"`
	ExternalID   string `help:"Id in another system; devices may report under it too." placeholder:"TEXT"`
	DeviceType   string `help:"api (phones, gateways), ha5 or ha7." default:"api" enum:"api,ha5,ha7"`
	VIN          string `help:"Vehicle identification number." name:"vin" placeholder:"TEXT"`
	Plate        string `help:"License plate." placeholder:"TEXT"`
	Registry     string `help:"Registry number." placeholder:"TEXT"`
}

// Help implements kong.HelpProvider.
func (assetCreateCmd) Help() string {
	return "Works before the first start and while the server runs.\n\n  lightbar asset create --system-name ENGINE-7 --nickname \"Engine 7\" --type fire"
}

func (c *assetCreateCmd) Run(e *env) error {
	var made created
	err := call(e, "asset-create", []app.NewThing{{OrganizationID: c.Organization, SystemName: c.SystemName, Nickname: c.Nickname, Type: c.Type, Subtype: c.Subtype,
		ExternalID: c.ExternalID, DeviceType: c.DeviceType, VIN: c.VIN, Plate: c.Plate, Registry: c.Registry}}, &made)
	return printMade(e, made, err)
}

// assetCreate adds assets, all or none; the organization may be a name.
func assetCreate(ctx context.Context, a *app.App, in []app.NewThing) (created, error) {
	known := map[string]string{}
	for i := range in {
		id, ok := known[in[i].OrganizationID]
		if !ok {
			var err error
			if id, err = theOrganization(ctx, a, in[i].OrganizationID); err != nil {
				return created{}, err
			}
			known[in[i].OrganizationID] = id
		}
		in[i].OrganizationID = id
	}
	things, err := a.RegisterThings(ctx, app.SystemActor(), in)
	if err != nil {
		return created{}, err
	}
	ids := make([]string, len(things))
	for i := range things {
		ids[i] = things[i].ID
	}
	return created{ID: strings.Join(ids, "\n")}, nil
}

type assetImportCmd struct {
	File         string `arg:"" help:"CSV file with a head line (- = standard input)."`
	Organization string `help:"Name or id of the owner where the file has no column organization." placeholder:"NAME"`
}

// assetColumns are the columns an import knows.
var assetColumns = []string{"system_name", "nickname", "type", "subtype", "external_id", "device_type", "vin", "plate", "registry", "organization"}

// Help implements kong.HelpProvider.
func (assetImportCmd) Help() string {
	return "The head line names the columns: " + strings.Join(assetColumns, ", ") + ".\nOnly system_name is required. Nothing is added when one line cannot be.\n\n  lightbar asset import fleet.csv"
}

// importLimit bounds one import; larger fleets come in several files.
const importLimit = 100_000

func (c *assetImportCmd) Run(e *env) error {
	var in io.Reader = os.Stdin
	if c.File != "-" {
		f, err := os.Open(c.File)
		if err != nil {
			return place("The file %s cannot be read: %v.", c.File, errors.Unwrap(err))
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	rows, err := readAssets(in, c.Organization)
	if err != nil {
		return place("%s: %v", c.File, err)
	}
	var made created
	if err := call(e, "asset-create", rows, &made); err != nil {
		return lineOf(err, len(rows))
	}
	_, err = fmt.Fprintf(e.stdout, "%d assets added.\n", len(rows))
	return err
}

// lineOf turns the verb's row ("2.system_name", from 0) into the line of the file.
func lineOf(err error, rows int) error {
	var r *fleet.Refusal
	if !errors.As(err, &r) || rows < 2 {
		return err
	}
	fields := map[string]string{}
	for name, why := range r.Fields {
		var row int
		var field string
		if n, _ := fmt.Sscanf(strings.Replace(name, ".", " ", 1), "%d %s", &row, &field); n == 2 {
			name = fmt.Sprintf("line %d, %s", row+2, field)
		}
		fields[name] = why
	}
	out := *r
	out.Fields = fields
	return &out
}

// readAssets reads the file; lines count from 1, the head line included.
func readAssets(in io.Reader, organization string) ([]app.NewThing, error) {
	r := csv.NewReader(in)
	head, err := r.Read()
	if err != nil {
		return nil, errors.New("the file has no head line")
	}
	column := map[string]int{}
	for i, name := range head {
		name = strings.ToLower(strings.TrimSpace(strings.TrimPrefix(name, "\ufeff"))) // spreadsheets begin with a byte order mark
		if !slices.Contains(assetColumns, name) {
			return nil, fmt.Errorf("the column %q is not known; the columns are %s", name, strings.Join(assetColumns, ", "))
		}
		column[name] = i
	}
	if _, ok := column["system_name"]; !ok {
		return nil, errors.New("there is no column system_name")
	}
	var out []app.NewThing
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if len(out) == importLimit {
			return nil, fmt.Errorf("more than %d lines; split the file", importLimit)
		}
		cell := func(name, otherwise string) string {
			if i, ok := column[name]; ok && strings.TrimSpace(row[i]) != "" {
				return strings.TrimSpace(row[i])
			}
			return otherwise
		}
		out = append(out, app.NewThing{OrganizationID: cell("organization", organization), SystemName: cell("system_name", ""), Nickname: cell("nickname", ""),
			Type: cell("type", "other"), Subtype: cell("subtype", ""), ExternalID: cell("external_id", ""), DeviceType: cell("device_type", "api"),
			VIN: cell("vin", ""), Plate: cell("plate", ""), Registry: cell("registry", "")})
	}
	if len(out) == 0 {
		return nil, errors.New("there are no lines after the head")
	}
	return out, nil
}

type assetKeyCmd struct {
	SystemName   string `help:"The asset's system name or external id." required:"" placeholder:"TEXT"`
	Organization string `help:"Name or id of the owner; may be left out when there is only one organization." placeholder:"NAME"`
}

// Help implements kong.HelpProvider.
func (assetKeyCmd) Help() string {
	return "The secret is the device identifier of a tracker app that speaks the OsmAnd protocol (POST /api/ingest/osmand?id=…) and\nthe API key of that one asset. Only its digest is stored; lightbar key revoke ends it.\n\n  lightbar asset key --system-name PHONE-1"
}

func (c *assetKeyCmd) Run(e *env) error {
	var made created
	if err := call(e, "asset-key", assetRef{c.Organization, c.SystemName}, &made); err != nil {
		return err
	}
	_, err := fmt.Fprintf(e.stdout, "id: %s\nkey: %s\n", made.ID, made.Secret)
	return err
}

type assetRef struct{ Organization, SystemName string }

func assetKey(ctx context.Context, a *app.App, in assetRef) (created, error) {
	org, err := theOrganization(ctx, a, in.Organization)
	if err != nil {
		return created{}, err
	}
	no, ok := a.Live.Find(org, in.SystemName)
	id := ""
	if ok {
		id, ok = a.Live.ThingByNo(no)
	}
	if !ok {
		return created{}, fleet.Refuse("thing_not_found", "system_name", "The organization has no asset of this name.")
	}
	k, secret, err := a.CreateKey(ctx, app.SystemActor(), app.NewKey{OrganizationID: org, Description: "Device of " + in.SystemName, Scope: app.ScopeThing, ThingID: id})
	return created{ID: k.ID, Secret: secret}, err
}
