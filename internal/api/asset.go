package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"lightbar/catalog"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

const importPath = "/organization/things/import"

// importBodyLimit leaves room for what JSON adds to a file of 1 MiB.
var importBodyLimit = catalog.LimitInt("import", "bodyBytes")

type (
	thingCreateInput struct {
		Once string `header:"Idempotency-Key" doc:"the same key gets the same answer again"`
		Body wire.ThingCreate
	}
	thingTransferInput struct {
		ID      ID     `path:"id" format:"uuid"`
		IfMatch string `header:"If-Match" doc:"the version that was seen; another one answers 409 with the present state"`
		Once    string `header:"Idempotency-Key" doc:"the same key gets the same answer again"`
		Body    wire.ThingTransfer
	}
	importInput struct {
		Once string `header:"Idempotency-Key" doc:"the same key gets the same answer again"`
		Body wire.ThingsImport
	}
)

func (s *server) assetRoutes() {
	tags := []string{"Things"}
	signedIn(s, huma.Operation{OperationID: "createThing", Method: http.MethodPost, Path: "/things", Tags: tags, DefaultStatus: http.StatusCreated,
		Summary: "Register an asset", Description: "Ours; thing:admin:manage."}, s.createThing)
	signedIn(s, huma.Operation{OperationID: "transferThing", Method: http.MethodPut, Path: "/things/{id}/organization", Tags: tags,
		Summary: "Give an asset to another organization", Description: "Ours; thing:admin:manage. History stays with the earlier owner, relations are dropped, the asset's keys are revoked."}, s.transferThing)
	signedIn(s, huma.Operation{OperationID: "deleteThing", Method: http.MethodDelete, Path: "/things/{id}", Tags: tags,
		Summary: "Remove an asset", Description: "Ours; thing:admin:manage and a fresh proof of identity. History stays with its owner."}, s.deleteThing)
	signedIn(s, huma.Operation{OperationID: "exportThings", Method: http.MethodGet, Path: "/organization/things/export", Tags: tags,
		Summary: "The owned assets as a CSV file", Description: "Ours; thing:admin:manage. The import takes it back unchanged; cells like formulas carry an apostrophe.",
		Responses: map[string]*huma.Response{"200": {Description: "A file", Content: map[string]*huma.MediaType{"text/csv": {Schema: &huma.Schema{Type: huma.TypeString}}}}}}, s.exportThings)
	signedIn(s, huma.Operation{OperationID: "importThings", Method: http.MethodPost, Path: importPath, Tags: tags,
		Summary: "Preview or apply a CSV file of assets", Description: "Ours; thing:admin:manage. Without a digest nothing is written; with the digest of the preview all rows are, or none.",
		Errors: []int{409}}, s.importThings)
	signedIn(s, huma.Operation{OperationID: "undoImport", Method: http.MethodPost, Path: importPath + "/{id}/undo", Tags: tags,
		Summary: "Take an import back", Description: "Ours; thing:admin:manage, for 15 minutes and once. What has reported or was changed since is left as it is and named with the reason.",
		Errors: []int{409}}, s.undoImport)
}

func (s *server) createThing(ctx context.Context, actor *app.Actor, in *thingCreateInput) (*versionedOf[wire.Thing], error) {
	if in.Body.OrganizationID == "" {
		in.Body.OrganizationID = wire.ID(actor.OrganizationID)
	}
	var asked app.NewThing
	wire.Same(&asked, &in.Body)
	t, err := s.app.RegisterThing(ctx, actor, asked)
	if err != nil {
		return nil, err
	}
	return oneThing(t), nil
}

func (s *server) transferThing(ctx context.Context, actor *app.Actor, in *thingTransferInput) (*versionedOf[wire.Thing], error) {
	version, err := parseIfMatch(in.IfMatch)
	if err != nil {
		return nil, err
	}
	t, err := s.app.TransferThing(ctx, actor, in.ID.String(), in.Body.OrganizationID.String(), version)
	if err != nil {
		return nil, err
	}
	return oneThing(t), nil
}

func (s *server) deleteThing(ctx context.Context, actor *app.Actor, in *idInput) (*doneOutput, error) {
	return done(s.app.DeleteThing(ctx, actor, in.ID.String()))
}

func (s *server) exportThings(ctx context.Context, actor *app.Actor, in *orgsInput) (*huma.StreamResponse, error) {
	rows, err := s.app.ExportThings(ctx, actor, texts(in.OrgIDs))
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		hc.SetHeader("Content-Type", "text/csv; charset=utf-8; header=present")
		hc.SetHeader("Cache-Control", "no-store")
		hc.SetHeader("Content-Disposition", `attachment; filename="assets-`+s.app.Now().UTC().Format("2006-01-02")+`.csv"`)
		if err := fleet.WriteAssetCSV(hc.BodyWriter(), rows); err != nil {
			panic(http.ErrAbortHandler) // the client must not take a part for the whole
		}
	}}, nil
}

func (s *server) importThings(ctx context.Context, actor *app.Actor, in *importInput) (*oneOf[wire.ImportResult], error) {
	return one(s.app.ImportThings(ctx, actor, app.ThingImport{OrganizationID: in.Body.OrganizationID.String(), CSV: in.Body.CSV, Digest: in.Body.Digest}))
}

func (s *server) undoImport(ctx context.Context, actor *app.Actor, in *idInput) (*oneOf[wire.ImportUndo], error) {
	return one(s.app.UndoImport(ctx, actor, in.ID.String()))
}
