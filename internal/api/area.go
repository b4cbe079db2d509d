package api

import (
	"context"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/file"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

const areasPath, areasImportPath = "/organization/exclusion_zone", "/organization/exclusion_zone/import"

// fileBodyLimit leaves room for what JSON adds to a file of 10 MB, within one user's share of the memory of requests.
const fileBodyLimit = 14 << 20

func (s *server) areaRoutes() {
	areas := s.noun("Areas", "Points of interest, stations and exclusion zones.")
	list(areas, "listAreaTypes", "/ez_types", "Types of areas", nothing, s.areaTypes)
	s.exportAreasRoute(areas)
	resource(areas, "Area", "Areas", areasPath, "area", s.app.Areas)
	read(areas, "getSavedAreas", "/user/saved_areas", "The caller's bookmarked areas", nothing, actorOnly(s.app.SavedAreas))
	do(areas, http.MethodPut, "saveAreas", "/user/saved_areas", "Replace the caller's bookmarked areas", written, s.app.SaveAreas)
	undo(areas, "Area", areasPath, "an area. A deleted one comes back; undoing that deletes it again", s.app.Areas.Undo)
	do(areas, http.MethodPost, "importAreas", areasImportPath, "Create and change areas from a GeoJSON or KML file. "+
		"A feature with an area's id updates that area; a deleted area comes back. Valid features are imported; the others are "+
		"reported one by one. The same file again changes nothing that it has already imported.", written, s.app.ImportAreas)
	do(areas, http.MethodPost, "undoAreaImport", areasImportPath+"/{id}/undo",
		"Undo an import of areas, for 24 hours. Areas that were changed or deleted since then are kept and listed with the reason.",
		byID, s.app.UndoAreaImport, http.StatusConflict)
	const one = areasPath + "/{id}"
	list(areas, "listVisits", one+"/visits", "Who was at a station, newest arrivals first.", (*visitsInput).query, s.app.Visits)
	list(areas, "listCovers", "/user/covers", "The stations that the caller watches.", nothing, actorOnlyList(s.app.Covers))
	read(areas, "getCover", one+"/cover", "The caller's watch on a station, and whether the station has its units now.", byID,
		s.app.Cover)
	do(areas, http.MethodPut, "setCover", one+"/cover", "Watch a station: notify the caller when it is without its units.",
		(*coverInput).query, s.app.SetCover)
	gone := areas.op(http.MethodDelete, "deleteCover", one+"/cover", "Stop watching a station.", nil)
	gone.DefaultStatus = http.StatusNoContent
	signedIn(s, gone, func(ctx context.Context, actor *access.Actor, in *idInput) (*struct{}, error) {
		return nil, s.app.DeleteCover(ctx, actor, in.ID.String())
	})
}

type visitsInput struct {
	At
	Since string `query:"since" doc:"stays that ended at or after this time; default all"`
	PageFilter
}

func (in *visitsInput) query() (q app.VisitQuery, err error) {
	q = app.VisitQuery{AreaID: in.ID.String(), Page: in.Page, PerPage: in.PerPage}
	q.Since, err = parseSince("since", in.Since)
	return q, err
}

type coverInput struct {
	At
	Body wire.CoverWrite
}

func (in *coverInput) query() (app.CoverRequest, error) {
	return app.CoverRequest{AreaID: in.ID.String(), CoverWrite: in.Body}, nil
}

func (s *server) areaTypes(_ context.Context, actor *access.Actor, _ noInput) ([]wire.AreaType, wire.Meta, error) {
	return s.app.AreaTypes(actor)
}

type areaExport struct {
	OrganizationFilter
	Format string `query:"format" enum:"geojson,kml" default:"geojson"`
}

// areaFiles are the formats of an export.
var areaFiles = map[string]struct {
	media string
	write func(io.Writer, []fleet.Area) error
}{
	"geojson": {"application/geo+json", file.WriteAreasGeoJSON},
	"kml":     {"application/vnd.google-earth.kml+xml", file.WriteAreasKML},
}

func (s *server) exportAreasRoute(areas group) {
	op := areas.op(http.MethodGet, "exportAreas", areasPath+"/export", "Areas as a GeoJSON or KML file. "+
		"The file can be imported again unchanged.", nil)
	file := &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString}}
	op.Responses = map[string]*huma.Response{"200": {Description: "A file", Content: map[string]*huma.MediaType{}}}
	for _, f := range areaFiles {
		op.Responses["200"].Content[f.media] = file
	}
	signedIn(s, op, s.exportAreas)
}

func (s *server) exportAreas(ctx context.Context, actor *access.Actor, in *areaExport) (*huma.StreamResponse, error) {
	rows, err := s.app.ExportAreas(ctx, actor, texts(in.OrgIDs))
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		file := areaFiles[in.Format]
		hc.SetHeader("Content-Type", file.media)
		hc.SetHeader("Cache-Control", "no-store")
		hc.SetHeader("Content-Disposition", `attachment; filename="areas-`+s.app.Now().UTC().Format("2006-01-02")+"."+in.Format+`"`)
		if err := file.write(fileWriter(hc), rows); err != nil {
			panic(http.ErrAbortHandler) // the client must not take a part for the whole
		}
	}}, nil
}
