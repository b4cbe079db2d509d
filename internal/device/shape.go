package device

import (
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

// The shapes of the wire, as the API's document describes them (docs/ingest.md). Items are read by hand, not through IngestItem:
// see decode.go.

// IngestBatch is the body of POST /api/ingest.
type IngestBatch struct {
	Items []IngestItem `json:"items" maxItems:"10000"`
}

// IngestItem is one report; which fields count depends on its type. Unknown fields are ignored.
type IngestItem struct {
	Type     string        `json:"type" enum:"point,heartbeat,alert,closure,on_scene,event,hazard"`
	Asset    string        `json:"asset,omitempty" doc:"system name or external id among the key's assets; may be left out with the key of one asset"`
	At       fleet.Instant `json:"at" nullable:"false" doc:"at most 30 days old and 24 h ahead"`
	Lat      *float64      `json:"lat,omitempty" minimum:"-90" maximum:"90" doc:"point, new event or hazard: required, degrees"`
	Lng      *float64      `json:"lng,omitempty" minimum:"-180" maximum:"180" doc:"point, new event or hazard: required, degrees"`
	Course   *float64      `json:"course,omitempty" minimum:"0" maximum:"360" doc:"point: degrees"`
	Speed    *float64      `json:"speed,omitempty" minimum:"0" maximum:"1000" doc:"point: m/s"`
	Accuracy *float64      `json:"accuracy,omitempty" minimum:"0" maximum:"10000000" doc:"point: meters"`
	Valid    *bool         `json:"valid,omitempty" doc:"point: false = the receiver has no fix"`
	Alerting *bool         `json:"alerting,omitempty" doc:"point: lights on; left out = unchanged"`
	On       *bool         `json:"on,omitempty" doc:"alert: required"`
	Active   *bool         `json:"active,omitempty" doc:"closure: required"`
	Pattern  string        `json:"pattern,omitempty" doc:"closure: a WZDx ArrowBoardPattern"`

	ConfigVersion *int64 `json:"config_version,omitempty" minimum:"0" doc:"of an asset: the version of its configuration that its device has, 0 = none; left out = unchanged"`

	ID           string                   `json:"id,omitempty" doc:"event, hazard: required, the sender's own name of it; a repeat updates and extends it"`
	Features     *fleet.FeatureCollection `json:"features,omitempty" doc:"event, hazard: its shapes, at most 2,000 vertices"`
	Alt          *float64                 `json:"alt,omitempty" minimum:"-1000" maximum:"20000" doc:"event: meters"`
	AlertMessage string                   `json:"alert_message,omitempty" maxLength:"40" doc:"event"`
	ExpiresAt    fleet.Instant            `json:"expires_at,omitempty" nullable:"false" doc:"event, hazard: at most 7 days ahead; left out = 8 h, of a hazard 1 h"`
	IsActive     *bool                    `json:"is_active,omitempty" doc:"event, hazard: false ends it"`
	HazardType   string                   `json:"hazard_type,omitempty" doc:"hazard: a name of catalog/enums.json, hazardTypes; any other word is other"`
	Description  string                   `json:"description,omitempty" maxLength:"100" doc:"hazard"`
}

// IngestAnswer is the result of a batch: all of it is committed.
type IngestAnswer struct {
	Data   app.ReportResult `json:"data"`
	Result string           `json:"result,omitempty" enum:"ok" doc:"OsmAnd protocol: the word that an app waits for"`
}

// IngestCommands are the commands that wait for an asset's device.
type IngestCommands struct {
	Data []wire.PolledCommand `json:"data"`
}

// IngestAssets is what a gateway sends about the assets for which it will report.
type IngestAssets struct {
	Things []IngestAsset `json:"things" maxItems:"10000"`
}

// IngestAsset is one asset that is made known.
type IngestAsset struct {
	HaasID     string `json:"haas_id" doc:"system name"`
	ExternalID string `json:"external_id,omitempty"`
	Nickname   string `json:"nickname,omitempty"`
	ThingType  string `json:"thing_type,omitempty" doc:"a name of the catalog; left out = other"`
	DeviceType string `json:"device_type,omitempty"`
}

// IngestAssetsAnswer counts what was made known.
type IngestAssetsAnswer struct {
	Data app.Registered `json:"data"`
}

// IngestFailure is every error answer of ingest.
type IngestFailure struct {
	Error   string            `json:"error" doc:"machine code, never changes once released"`
	Message string            `json:"message"`
	Fields  map[string]string `json:"fields,omitempty" doc:"registering assets: what is wrong, by \"row.field\" where there are several (rows from 0)"`
	Data    *app.Registered   `json:"data,omitempty" doc:"registering assets: what was made before the error"`
}
