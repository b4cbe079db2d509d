package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/file"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

type assetCmd struct {
	Create assetCreateCmd `cmd:"" help:"Add an asset and print its id."`
	Import assetImportCmd `cmd:"" help:"Add or change many assets from a CSV file, all or nothing."`
	Key    assetKeyCmd    `cmd:"" help:"Create a key for one asset, for a phone or tracker, and print it once."`
}

type assetCreateCmd struct {
	SystemName   string `help:"Name that the device reports with, unique within the organization." required:"" placeholder:"TEXT"`
	Organization string `help:"Name or id of the owner. Optional if there is only one organization." placeholder:"NAME"`
	Nickname     string `help:"Name that people see." placeholder:"TEXT"`
	Type         string `help:"fire, police, ambulance, emergency_response, arrow_board, maintenance, tow, waste or other." default:"other" placeholder:"TYPE"`
	Subtype      string `help:"Subtype of the type." placeholder:"TEXT"`
	ExternalID   string `help:"Id in another system. Devices can report with it too." placeholder:"TEXT"`
	DeviceType   string `help:"api (phones, gateways), ha5 or ha7." default:"api" enum:"api,ha5,ha7"`
	VIN          string `help:"Vehicle identification number." name:"vin" placeholder:"TEXT"`
	Plate        string `help:"License plate." placeholder:"TEXT"`
	Registry     string `help:"Registry number." placeholder:"TEXT"`
}

// Help implements kong.HelpProvider.
func (assetCreateCmd) Help() string {
	return "Works before the first start and while the server runs.\n\n" +
		"  lightbar asset create --system-name ENGINE-7 --nickname \"Engine 7\" --type fire"
}

func (c *assetCreateCmd) Run(e *env) error {
	var made created
	asked := []app.NewThing{{OrganizationID: c.Organization}}
	wire.Same(&asked[0], c)
	err := call(e, "asset-create", asked, &made)
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
	things, err := a.RegisterThings(ctx, access.System(), in)
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
	File         string `arg:"" help:"CSV file with a header line (- = standard input)."`
	Organization string `help:"Name or id of the owner, if the file has no organization_id column." placeholder:"NAME"`
}

// Help implements kong.HelpProvider.
func (assetImportCmd) Help() string {
	return "The header line names the columns: " + strings.Join(file.AssetColumns, ", ") +
		".\nOnly haas_id (the system name) is required, and thing_type for new assets. An empty cell keeps the value. " +
		"At most 10,000 rows and 1 MiB. If any row has an error, nothing is changed.\n\n  lightbar asset import fleet.csv"
}

// fileLimit is more than the law of imports takes, so that it can say so.
const fileLimit = 8 << 20

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
	bytes, err := io.ReadAll(io.LimitReader(in, fileLimit))
	if err != nil {
		return place("%s: %v", c.File, err)
	}
	text := fleet.TextOf(fleet.PlainText(string(bytes)))
	if _, err := file.ReadAssetCSV(context.Background(), text); err != nil {
		return err
	}
	var done wire.ImportResult
	if err := call(e, "asset-import", app.ThingImport{OrganizationID: c.Organization, CSV: text}, &done); err != nil {
		return err
	}
	if !done.Applied {
		return refusedRows(done.Rows)
	}
	said := counted(done.Create, "asset") + " added."
	if done.Update > 0 {
		said += fmt.Sprintf(" %d changed.", done.Update)
	}
	if done.Unchanged > 0 {
		said += fmt.Sprintf(" %d unchanged.", done.Unchanged)
	}
	for _, row := range done.Rows {
		for _, column := range slices.Sorted(maps.Keys(row.Notes)) {
			said += fmt.Sprintf("\nLine %d, %s: %s", row.Line, column, row.Notes[column])
		}
	}
	_, err = fmt.Fprintln(e.stdout, said)
	return err
}

// refusedRows names the first lines of a file that cannot be taken.
func refusedRows(rows []wire.ImportRow) error {
	const shown = 20
	refusal := &fleet.Refusal{Code: "import_refused", Fields: map[string]string{}}
	n := 0
	for _, row := range rows {
		if len(row.Errors) == 0 {
			continue
		}
		if n++; n <= shown {
			for _, column := range slices.Sorted(maps.Keys(row.Errors)) {
				refusal.Fields[fmt.Sprintf("line %d, %s", row.Line, column)] = row.Errors[column]
			}
		}
	}
	refusal.Message = "Nothing was changed; errors are in " + counted(n, "row") + "."
	return refusal
}

// assetImport applies a file at once, or answers what is wrong with it.
func assetImport(ctx context.Context, a *app.App, in app.ThingImport) (wire.ImportResult, error) {
	org, err := theOrganization(ctx, a, in.OrganizationID)
	if err != nil && in.OrganizationID != "" {
		return wire.ImportResult{}, err
	}
	in.OrganizationID = org // none: then the rows must name theirs
	preview, err := a.ImportThings(ctx, access.System(), in)
	if err != nil || preview.Refused > 0 {
		return preview, err
	}
	in.Digest = preview.Digest
	return a.ImportThings(ctx, access.System(), in)
}

type assetKeyCmd struct {
	SystemName   string `help:"The asset's system name or external id." required:"" placeholder:"TEXT"`
	Organization string `help:"Name or id of the owner. Optional if there is only one organization." placeholder:"NAME"`
}

// Help implements kong.HelpProvider.
func (assetKeyCmd) Help() string {
	return "The secret is the device identifier for a tracker app that supports the OsmAnd protocol (POST /api/ingest/osmand?id=…) and\n" +
		"the API key for that one asset. Only its digest is stored; lightbar key revoke ends it.\n\n  lightbar asset key --system-name PHONE-1"
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
	k, secret, err := a.CreateKey(ctx, access.System(), wire.KeyCreate{OrganizationID: wire.ID(org), Description: "Device of " + in.SystemName,
		ThingID: wire.ID(id)})
	return created{ID: k.ID, Secret: secret}, err
}
