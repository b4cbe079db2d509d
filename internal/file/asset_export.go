package file

import (
	"strings"

	"lightbar/internal/fleet"
)

// ExportAsset is an asset in an export, with its data from the export's period.
type ExportAsset struct {
	fleet.Thing
	Owned                []fleet.Stretch // when it was the organization's, inside of the export's time; an open end is the export's
	FirstAt, LastAt      fleet.Instant   // of its points
	PointCount           int64
	RunCount, RunSeconds int64
}

// Name is the name of an asset for people.
func (a *ExportAsset) Name() string {
	if a.Nickname != "" {
		return a.Nickname
	}
	return strings.ToUpper(a.SystemName)
}

// AssetExportColumns are the columns of the table of assets: their current data, and what they did in the export's period.
var AssetExportColumns = []string{"thing_id", "haas_id", "external_id", "nickname", "thing_type", "device_type", "vin_number",
	"license_plate_number", "registry_number", "in_service", "owned_from", "owned_until", "points", "first_point_at", "last_point_at", "runs",
	"run_s"}

// WriteAssetRow writes an asset; kind is the name of its type.
func WriteAssetRow(row ExportRow, a *ExportAsset, kind string) error {
	return row([]any{a.ID, a.SystemName, a.ExternalID, a.Nickname, kind, a.DeviceType, a.VIN, a.Plate, a.Registry, a.InService,
		a.Owned[0].Start, a.Owned[len(a.Owned)-1].End, a.PointCount, a.FirstAt, a.LastAt, a.RunCount, a.RunSeconds}, nil)
}
