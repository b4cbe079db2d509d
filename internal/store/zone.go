package store

import (
	"context"

	"lightbar/internal/fleet"
)

var zones = table[fleet.Zone]{name: "zone", columns: func(z *fleet.Zone) []column {
	return []column{
		{"id", &z.ID, keyed}, {"organization_id", &z.OrganizationID, edit}, {"external_id", &z.ExternalID, edit}, {"kind", &z.Kind, edit},
		{"alert_message", &z.AlertMessage, edit}, {"description", &z.Description, edit}, {"features", jsonOf(&z.Features), edit},
		{"expiry_s", &z.ExpiryS, edit}, {"active", &z.Active, edit}, {"left_at", &z.LeftAt, edit},
		{"version", &z.Version, edit}, {"updated_at", &z.UpdatedAt, edit}, {"deleted_at", &z.DeletedAt, edit},
	}
}}

// Zones are alerting zones.
var Zones = recordsOf(zones)

var listZones = zones.selects("WHERE deleted_at = 0 ORDER BY id")

// ListZones reads every zone that has not been removed.
func ListZones(ctx context.Context, r Reader) ([]*fleet.Zone, error) { return listZones.refs(ctx, r) }
