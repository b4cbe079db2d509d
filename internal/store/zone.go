package store

import (
	"context"

	"lightbar/internal/fleet"
)

var zones = table[fleet.Zone]{name: "zone", columns: func(z *fleet.Zone) []column {
	return []column{
		{"id", &z.ID, keyed}, {"organization_id", &z.OrganizationID, edit}, {"external_id", &z.ExternalID, edit}, {"kind", &z.Kind, edit},
		{"alert_message", &z.AlertMessage, edit}, {"description", &z.Description, edit}, {"features", jsonOf(&z.Features), edit},
		{"expiry_s", &z.ExpiryS, edit}, {"active", &z.Active, edit | aside}, {"began_at", &z.BeganAt, edit | aside},
		{"left_at", &z.LeftAt, edit | aside}, {"version", &z.Version, edit}, {"updated_at", &z.UpdatedAt, edit},
		{"deleted_at", &z.DeletedAt, edit},
	}
}, whole: func(z *fleet.Zone) error {
	_, err := z.Shapes()
	return err
}, wholeOf: "features"}

// Zones are alerting zones.
var Zones = recordsOf(zones)

const saveActivity = "UPDATE zone SET active = $1, began_at = $2, left_at = $3, updated_at = $4 WHERE id = $5"

// SaveZoneActivity writes the changes that assets make to a zone.
func (tx *Tx) SaveZoneActivity(ctx context.Context, z *fleet.Zone) error {
	_, err := tx.ExecContext(ctx, saveActivity, z.Active, int64(z.BeganAt), int64(z.LeftAt), int64(z.UpdatedAt), z.ID)
	return err
}

var listZones = zones.selects("WHERE deleted_at = 0 ORDER BY id")

// ListZones reads every zone that has not been removed. One that cannot be read is left out.
func ListZones(ctx context.Context, r Reader) ([]*fleet.Zone, error) {
	return listZones.refs(ctx, r)
}
