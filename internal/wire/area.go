package wire

import "lightbar/internal/fleet"

// Area is a point of interest, a station or an exclusion zone (requirements 3.area).
type Area struct {
	ID               string        `json:"id"`
	OrganizationID   string        `json:"organization_id"`
	OrganizationName string        `json:"organization_name"`
	ThingID          *string       `json:"thing_id" doc:"an asset it belongs to; null = none"`
	Name             string        `json:"name"`
	Desc             string        `json:"desc"`
	Lat              float64       `json:"lat"`
	Lng              float64       `json:"lng"`
	RadiusDist       float64       `json:"radius_dist" doc:"meters, of a circle; 0 for every other shape"`
	IsActive         bool          `json:"is_active" doc:"false: shown, but assets aren't matched to it"`
	AreaGeom         Geometry      `json:"area_geom" doc:"Polygon, MultiPolygon or LineString; null for a circle"`
	PointGeom        PointGeom     `json:"point_geom" doc:"the center of a circle; for other shapes, the position of the marker"`
	EZType           AreaType      `json:"ez_type"`
	Address1         string        `json:"address1"`
	Address2         string        `json:"address2"`
	City             string        `json:"city"`
	State            string        `json:"state"`
	PostalCode       string        `json:"postal_code"`
	CountryCode      string        `json:"country_code"`
	Version          int64         `json:"version"`
	UpdatedAt        fleet.Instant `json:"updated_at" doc:"null where is_deleted"`
	IsDeleted        bool          `json:"is_deleted,omitempty" doc:"deleted; then only id is meaningful"`
}

// PointGeom is a position as areas say it.
type PointGeom struct {
	Lat float64 `json:"lat" minimum:"-90" maximum:"90"`
	Lon float64 `json:"lon" minimum:"-180" maximum:"180"`
}

// AreaType is a type of areas (GET /ez_types).
type AreaType struct {
	ID            string `json:"id"`
	DBName        string `json:"db_name"`
	DisplayName   string `json:"display_name"`
	IsStationView bool   `json:"is_station_view"`
	IsAVType      bool   `json:"is_av_type"`
}

// AreaWrite is what an area is made and edited with: what is left out stays as
// it is, or as a new area has it.
type AreaWrite struct {
	ID             *ID        `json:"id,omitempty" format:"uuid" doc:"for a new area; sending the same request again creates no second one"`
	OrganizationID *ID        `json:"organization_id,omitempty" format:"uuid" doc:"for a new area; default the caller's organization"`
	ThingID        *ID        `json:"thing_id,omitempty" doc:"an asset of the organization; empty = none"`
	Name           *string    `json:"name,omitempty" text:"name,required"`
	Desc           *string    `json:"desc,omitempty" text:"description" at:"Description"`
	EZTypeID       *ID        `json:"ez_type_id,omitempty"`
	AreaGeom       Geometry   `json:"area_geom,omitempty" doc:"Polygon, MultiPolygon or LineString; null = a circle about point_geom"`
	PointGeom      *PointGeom `json:"point_geom,omitempty"`
	RadiusDist     *float64   `json:"radius_dist,omitempty" doc:"meters, of a circle; default 100"`
	IsActive       *bool      `json:"is_active,omitempty"`
	Address1       *string    `json:"address1,omitempty"`
	Address2       *string    `json:"address2,omitempty"`
	City           *string    `json:"city,omitempty"`
	State          *string    `json:"state,omitempty"`
	PostalCode     *string    `json:"postal_code,omitempty"`
	CountryCode    *string    `json:"country_code,omitempty"`
}
