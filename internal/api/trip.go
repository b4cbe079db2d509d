package api

import (
	"context"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/file"
)

type (
	tripsInput struct {
		ID    ID     `path:"thingId" format:"uuid"`
		Start string `query:"start_time" doc:"required: an instant of the past"`
		End   string `query:"end_time" doc:"required: excluded; at most 24 hours later, and not in the future"`
		Run   string `query:"run_date" doc:"equals start_time"`
	}
	// AssetSpan is some assets and a stretch of time.
	AssetSpan struct {
		IDs   []ID   `query:"thing_ids[],explode" required:"true" minItems:"1"`
		Start string `query:"start_time" doc:"of coverage: default the first point"`
		End   string `query:"end_time" doc:"of coverage: default now"`
	}
	coverageInput struct{ AssetSpan }
	tripExport    struct {
		AssetSpan
		Format string `query:"format" enum:"gpx,kml,geojson" default:"gpx"`
	}
)

func (s *server) tripRoutes() {
	trips := group{s, "Trips"}
	unwrapped(trips, http.MethodGet, "getTrips", "/things/{thingId}/trips",
		"What an asset did. Runs that touch the asked time and movement outside of runs, newest first, with their points inside of it.",
		(*tripsInput).query, s.app.Trips)
	list(trips, "listCoverage", "/things/coverage", "When there are positions of assets",
		(*coverageInput).query, s.app.Coverage, http.StatusNotFound)
	s.exportTripsRoute(trips)
}

const tripFilesPath = "/things/trips/export"

// tripFiles are the formats of an export.
var tripFiles = map[string]struct {
	media string
	write func(io.Writer, []file.AssetTrips) error
}{
	"gpx":     {"application/gpx+xml", file.WriteTripsGPX},
	"kml":     {"application/vnd.google-earth.kml+xml", file.WriteTripsKML},
	"geojson": {"application/geo+json", file.WriteTripsGeoJSON},
}

func (s *server) exportTripsRoute(trips group) {
	op := trips.op(http.MethodGet, "exportTrips", tripFilesPath, "Trips of 1 to 5 assets as a file. Instants are UTC.",
		[]int{http.StatusNotFound})
	content := &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString}}
	op.Responses = map[string]*huma.Response{"200": {Description: "A file", Content: map[string]*huma.MediaType{}}}
	for _, f := range tripFiles {
		op.Responses["200"].Content[f.media] = content
	}
	signedIn(s, op, s.exportTrips)
}

func (s *server) exportTrips(ctx context.Context, actor *access.Actor, in *tripExport) (*huma.StreamResponse, error) {
	q, err := in.query()
	if err != nil {
		return nil, err
	}
	assets, err := s.app.ExportTrips(ctx, actor, q)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		f := tripFiles[in.Format]
		hc.SetHeader("Content-Type", f.media)
		hc.SetHeader("Cache-Control", "no-store")
		hc.SetHeader("Content-Disposition", `attachment; filename="trips-`+q.Start.Time().Format("20060102T1504Z")+"."+in.Format+`"`)
		if err := f.write(fileWriter(hc), assets); err != nil {
			panic(http.ErrAbortHandler) // the client must not take a part for the whole
		}
	}}, nil
}

func (in *tripsInput) query() (q app.TripQuery, err error) {
	q.ThingID = in.ID.String()
	if q.Start, err = parseSince("start_time", in.Start); err != nil {
		return q, err
	}
	if q.End, err = parseSince("end_time", in.End); err != nil {
		return q, err
	}
	_, err = parseSince("run_date", in.Run)
	return q, err
}

func (in *AssetSpan) query() (q app.CoverageQuery, err error) {
	for _, id := range in.IDs {
		q.ThingIDs = append(q.ThingIDs, id.String())
	}
	if q.Start, err = parseSince("start_time", in.Start); err != nil {
		return q, err
	}
	q.End, err = parseSince("end_time", in.End)
	return q, err
}
