package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/file"
	"lightbar/internal/wire"
)

const importPath = "/organization/things/import"

// importBodyLimit leaves room for what JSON adds to a file of 1 MiB.
var importBodyLimit = catalog.LimitInt("import", "bodyBytes")

func (s *server) assetRoutes() {
	things := group{s, "Things"}
	create(things, "createThing", "/things", "Register an asset. Requires thing:admin:manage.", written, s.createThing)
	update(things, "transferThing", "/things/{id}/organization",
		"Transfer an asset to another organization. "+
			"Requires thing:admin:manage. Its history stays with the earlier owner, its relations end, and its keys are revoked.", s.transferThing)
	remove(things, "deleteThing", "/things/{id}",
		"Remove an asset. Requires thing:admin:manage and a fresh proof of identity. History stays with its owner.", byID, s.app.DeleteThing)
	s.exportRoute(things)
	do(things, http.MethodPost, "importThings", importPath,
		"Preview or apply a CSV file of assets. "+
			"Requires thing:admin:manage. Without a digest nothing is written. With the digest of the preview, all rows are written, or none.",
		written, s.importThings, http.StatusConflict)
	do(things, http.MethodPost, "undoImport", importPath+"/{id}/undo",
		"Undo an import. Requires thing:admin:manage. Possible once, within 15 minutes. "+
			"Assets that have reported or changed since then are kept and listed with the reason.",
		byID, s.app.UndoImport, http.StatusConflict)
}

func (s *server) createThing(ctx context.Context, actor *access.Actor, b wire.ThingCreate) (wire.Thing, error) {
	if b.OrganizationID == "" {
		b.OrganizationID = wire.ID(actor.OrganizationID)
	}
	var asked app.NewThing
	wire.Same(&asked, &b)
	return s.app.RegisterThing(ctx, actor, asked)
}

func (s *server) transferThing(ctx context.Context, actor *access.Actor, id string, seen int64, b wire.ThingTransfer) (wire.Thing, error) {
	return s.app.TransferThing(ctx, actor, id, b.OrganizationID.String(), seen)
}

func (s *server) importThings(ctx context.Context, actor *access.Actor, b wire.ThingsImport) (wire.ImportResult, error) {
	return s.app.ImportThings(ctx, actor, app.ThingImport{OrganizationID: b.OrganizationID.String(), CSV: b.CSV, Digest: b.Digest})
}

func (s *server) exportRoute(things group) {
	op := things.op(http.MethodGet, "exportThings", "/organization/things/export",
		"The owned assets as a CSV file. Requires thing:admin:manage. The file can be imported again unchanged; "+
			"cells that look like formulas get an apostrophe.", nil)
	op.Responses = map[string]*huma.Response{"200": {Description: "A file",
		Content: map[string]*huma.MediaType{"text/csv": {Schema: &huma.Schema{Type: huma.TypeString}}}}}
	signedIn(s, op, s.exportThings)
}

func (s *server) exportThings(ctx context.Context, actor *access.Actor, in *orgsInput) (*huma.StreamResponse, error) {
	rows, err := s.app.ExportThings(ctx, actor, texts(in.OrgIDs))
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		hc.SetHeader("Content-Type", "text/csv; charset=utf-8; header=present")
		hc.SetHeader("Cache-Control", "no-store")
		hc.SetHeader("Content-Disposition", `attachment; filename="assets-`+s.app.Now().UTC().Format("2006-01-02")+`.csv"`)
		if err := file.WriteAssetCSV(fileWriter(hc), rows); err != nil {
			panic(http.ErrAbortHandler) // the client must not take a part for the whole
		}
	}}, nil
}
