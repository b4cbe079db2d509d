// Package wire holds the JSON shapes that more than one room uses, in one file
// for each noun: what verbs take and return, and what HTTP lists and the stream
// must send identically. It builds them from the nouns. A shape that only HTTP
// uses is in api. Field names follow requirements 3.thing and 7.thing.
package wire

import "lightbar/internal/fleet"

// Relationship is an organization's relation to an asset.
type Relationship struct {
	OrganizationUUID string `json:"organization_uuid" doc:"empty for another organization that is not yours to know"`
	OrganizationName string `json:"organization_name"`
	RelationshipType string `json:"relationship_type" enum:"manager,accessor"`
}

// ExternalIdentifier is an integration of an asset with a provider.
type ExternalIdentifier struct {
	IdentifierID string `json:"identifier_id"`
	SystemName   string `json:"system_name"`
	IsDeleted    bool   `json:"is_deleted"`
}

// Features are capabilities of an asset's transponder.
type Features struct {
	R2R bool `json:"r2r"`
}

// ClosureRef is an active closure of an asset; ExternalID is its WZDx id.
type ClosureRef struct {
	ID         string `json:"id"`
	ExternalID string `json:"external_id"`
}

// LocationRef is the incident an asset stands at.
type LocationRef struct {
	ID        string        `json:"id"`
	StartTime fleet.Instant `json:"start_time" nullable:"false" doc:"when the asset arrived"`
}

// RefusedRef counts an asset's reports that were not taken, and says why the last one was not.
type RefusedRef struct {
	Count  int64         `json:"count" doc:"since a week without one"`
	At     fleet.Instant `json:"at" nullable:"false" doc:"when the last one was received"`
	Error  string        `json:"error" doc:"the last one's machine code"`
	Reason string        `json:"reason" doc:"the same in words"`
}

// ThingSource is a way by which an asset's reports come.
type ThingSource struct {
	Source     string        `json:"source" enum:"http,osmand,mqtt,geotab,samsara"`
	Name       *string       `json:"name" doc:"of the integration; null for a device, and for those who may not read the owner's integrations"`
	LastAt     fleet.Instant `json:"last_at" nullable:"false" doc:"instant of its newest report; of a clock that is ahead, when that came"`
	ReceivedAt fleet.Instant `json:"received_at" nullable:"false" doc:"when that report came"`
	IsShown    bool          `json:"is_shown" doc:"the live position is from it; after a crash of the server nobody may have it until the next report"`
	Why        string        `json:"why" enum:"newest,clock_ahead,older,same_instant,no_position" doc:"sourceReasons in the catalog"`
}

// Live is what devices and the clock change: the body of point and heartbeat
// messages and a part of every Thing. Units: degrees, meters, meters a second.
type Live struct {
	ID     string   `json:"id"`
	Lat    *float64 `json:"lat"`
	Lng    *float64 `json:"lng"`
	Course *float64 `json:"course" doc:"degrees clockwise from north, null when unknown"`
	Speed  float64  `json:"speed" doc:"m/s, 0 when unknown"`
	// Accuracy is meters; null when the device did not say.
	Accuracy    *float64      `json:"accuracy"`
	Street      string        `json:"street"`
	Status      string        `json:"status" enum:"active_location,active,standby,stationary,pending,offline"`
	StatusAt    fleet.Instant `json:"status_at" doc:"since when the status holds"`
	IsActive    bool          `json:"is_active" doc:"alerting: lights on"`
	Enroute     bool          `json:"enroute" doc:"alerting while not on scene"`
	HeartbeatAt fleet.Instant `json:"heartbeat_datetime"`
	At          fleet.Instant `json:"at" doc:"effective time of the position"`
	ReceivedAt  fleet.Instant `json:"received_at"`
	StaleAt     fleet.Instant `json:"stale_at" doc:"from this server instant on the position must not be shown as live"`
	RunID       string        `json:"run_id" doc:"the run that it is on, or that brought it to the incident it is at; empty without one"`
	RunStartAt  fleet.Instant `json:"run_start_time"`
	RunPoints   int64         `json:"run_points_count" doc:"never falls while the run lasts, nor on scene"`
	Location    *LocationRef  `json:"location"`
	IncidentEnd fleet.Instant `json:"incident_end_time,omitempty" nullable:"false" doc:"when its last stay at an incident ended; absent while it is at one, without one, and in snapshots"`
	StationID   string        `json:"station_id"`
	Closures    []ClosureRef  `json:"closures"`
	Refused     *RefusedRef   `json:"refused,omitempty" doc:"its reports that were not taken; absent without one, and in snapshots"`
	CutAt       fleet.Instant `json:"cut_at,omitempty" nullable:"false" doc:"when its connection ended without a goodbye: it is silent since; absent when it did not, or was heard since, and in snapshots"`
	// Which configuration its device should have, and has.
	ConfigVersion        int64         `json:"config_version,omitempty" doc:"the one that its device should have; absent when it was never configured, and in snapshots, as the next three are"`
	AppliedConfigVersion *int64        `json:"applied_config_version,omitempty" nullable:"false" doc:"the one that its device said it has, 0 = none; absent when it never said"`
	ConfigSentAt         fleet.Instant `json:"config_sent_at,omitempty" nullable:"false" doc:"when config_version was last handed to the device; absent when it was not"`
	ConfigOutdatedSince  fleet.Instant `json:"config_outdated_since,omitempty" nullable:"false" doc:"since when the device has an older one than it should; absent when it has it, or never said"`
}

// Thing is an asset as lists, single reads and thing messages show it.
type Thing struct {
	Live
	ExternalID            string               `json:"external_id"`
	HaasID                string               `json:"haas_id" doc:"system name"`
	Nickname              string               `json:"nickname"`
	VINNumber             string               `json:"vin_number"`
	LicensePlateNumber    string               `json:"license_plate_number"`
	RegistryNumber        string               `json:"registry_number"`
	ThingTypeID           string               `json:"thing_type_id"`
	ThingSubtypeID        string               `json:"thing_subtype_id"`
	DeviceType            string               `json:"device_type" enum:"api,ha5,ha7"`
	InService             bool                 `json:"in_service"`
	IsPubliclyAlerting    bool                 `json:"is_publicly_alerting"`
	IsAllowedForClosures  bool                 `json:"is_allowed_for_closures"`
	IsAllowedForTestMode  bool                 `json:"is_allowed_for_test_mode"`
	TestMode              bool                 `json:"test_mode"`
	IsResponder           bool                 `json:"is_responder"`
	IsIntegrationOrg      bool                 `json:"is_integration_org"`
	Features              Features             `json:"features"`
	Organization          OrganizationRef      `json:"organization"`
	OrganizationRelations []Relationship       `json:"organization_relationships"`
	ExternalIdentifiers   []ExternalIdentifier `json:"external_identifiers"`
	FeedSubscriptions     []string             `json:"feed_subscriptions" doc:"the feeds of its owner that tell of it as far as it reports: alerts (to drivers, lights on), devices (arrow boards, work trucks with lights on)"`
	Sources               []ThingSource        `json:"sources,omitempty" doc:"by which ways its reports come; only when one asset is read, absent in lists and on the stream"`
	Version               int64                `json:"version"`
	IsDeleted             bool                 `json:"is_deleted,omitempty" doc:"gone, or out of the asking organization's reach; only id is then meaningful"`
}

// ThingType and ThingSubtype are the catalog's rows on the wire.
type ThingType struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	DisplayName string `json:"display_name"`
	IsEmergency bool   `json:"is_emergency"`
}

// ThingSubtype refines a thing type.
type ThingSubtype struct {
	ID          string `json:"id"`
	DisplayName string `json:"display_name"`
	ThingTypeID string `json:"thing_type_id"`
}

// ThingsMeta is that of a list of assets.
type ThingsMeta struct {
	Meta
	IsLarge bool `json:"is_large" doc:"poll the snapshot instead of listening to the stream"`
}

// ThingCreate is the body of POST /things.
type ThingCreate struct {
	OrganizationID     ID     `json:"organization_id,omitempty" doc:"the owner; none = the own organization"`
	HaasID             string `json:"haas_id" at:"SystemName" doc:"system name, unique within the organization, letter case aside"`
	ExternalID         string `json:"external_id,omitempty"`
	Nickname           string `json:"nickname,omitempty"`
	ThingTypeID        ID     `json:"thing_type_id" at:"Type"`
	ThingSubtypeID     ID     `json:"thing_subtype_id,omitempty" at:"Subtype"`
	DeviceType         string `json:"device_type,omitempty" doc:"none = api"`
	VINNumber          string `json:"vin_number,omitempty" at:"VIN"`
	LicensePlateNumber string `json:"license_plate_number,omitempty" at:"Plate"`
	RegistryNumber     string `json:"registry_number,omitempty" at:"Registry"`
}

// ThingWrite is the update payload of an asset (requirements 3.thing);
// the two switches are always said, other fields left out stay as they are, and
// an empty text clears an optional one.
type ThingWrite struct {
	ID                  *ID                       `json:"id,omitempty"`
	InService           *bool                     `json:"in_service" nullable:"false"`
	IsPubliclyAlerting  *bool                     `json:"is_publicly_alerting" nullable:"false" at:"PubliclyAlerting"`
	Nickname            *string                   `json:"nickname,omitempty" text:"nickname,required"`
	ThingTypeID         *ID                       `json:"thing_type_id,omitempty" at:"TypeID"`
	ThingSubtypeID      *ID                       `json:"thing_subtype_id,omitempty" at:"SubtypeID"`
	VINNumber           *string                   `json:"vin_number,omitempty" text:"vehicleId" at:"VIN"`
	LicensePlateNumber  *string                   `json:"license_plate_number,omitempty" text:"plate" at:"Plate"`
	RegistryNumber      *string                   `json:"registry_number,omitempty" text:"registry" at:"Registry"`
	ExternalIdentifiers []ExternalIdentifierWrite `json:"external_identifiers,omitempty"`
	// IfMatch is the version that the caller saw, of the header; 0 = not said.
	IfMatch int64 `json:"-"`
}

// ExternalIdentifierWrite sets or (is_deleted) removes an integration of an asset.
type ExternalIdentifierWrite struct {
	IdentifierID string `json:"identifier_id"`
	SystemName   string `json:"system_name"`
	IsDeleted    bool   `json:"is_deleted,omitempty"`
}

// RelationshipWrite sets or removes an organization's relation to an asset.
type RelationshipWrite struct {
	OrganizationUUID ID     `json:"organization_uuid"`
	OrganizationName string `json:"organization_name,omitempty" doc:"accepted and not used"`
	RelationshipType string `json:"relationship_type"`
}

// AssociationsWrite is the body of PUT /things/{thingId}/associations.
type AssociationsWrite struct {
	OrganizationRelationships []RelationshipWrite `json:"organization_relationships"`
}

// ThingTransfer is the body of PUT /things/{id}/organization.
type ThingTransfer struct {
	OrganizationID ID `json:"organization_id" doc:"the new owner"`
}

// NameOf finds an organization's name and type; rooms that hold the directory provide it.
type NameOf func(organizationID string) OrganizationRef

// LiveOf makes the live part of an asset. staleAt is fleet.StaleAt of the state.
func LiveOf(s *fleet.State, staleAt fleet.Instant, closures []ClosureRef) Live {
	l := Live{
		ID: s.ThingID, Street: s.Street, Status: s.Status.Wire(), StatusAt: s.StatusAt,
		IsActive: s.Alerting, Enroute: s.Alerting && s.LocationID == "",
		HeartbeatAt: s.HeartbeatAt, At: s.At, ReceivedAt: s.ReceivedAt, StaleAt: staleAt,
		StationID: s.StationID, Closures: closures,
	}
	if r, ok := fleet.PresentRun(s); ok {
		l.RunID, l.RunStartAt, l.RunPoints = r.ID, r.StartAt, r.Points
	}
	if l.Closures == nil {
		l.Closures = []ClosureRef{}
	}
	if s.HasPosition {
		lat, lng := s.Lat, s.Lng
		l.Lat, l.Lng = &lat, &lng
	}
	if s.HasCourse {
		c := s.CourseDeg
		l.Course = &c
	}
	if s.HasSpeed {
		l.Speed = s.SpeedMS
	}
	if s.HasAccuracy {
		a := s.AccuracyM
		l.Accuracy = &a
	}
	if s.LocationID != "" {
		l.Location = &LocationRef{ID: s.LocationID, StartTime: s.ArrivedAt}
	} else {
		l.IncidentEnd = s.LeftAt
	}
	l.CutAt = s.CutAt
	if c := &s.Config; c.Version > 0 {
		l.ConfigVersion, l.ConfigSentAt = c.Version, c.SentAt
		l.ConfigOutdatedSince, _ = fleet.ConfigOutdated(s)
		if c.AppliedAt != 0 {
			applied := c.AppliedVersion
			l.AppliedConfigVersion = &applied
		}
	}
	if r, ok := fleet.RefusalsOf(s); ok {
		l.Refused = &RefusedRef{Count: r.Count, At: r.At, Error: r.Code, Reason: fleet.RefusedBecause(r.Code)}
	}
	return l
}

// RelationsOf names an asset's managers and accessors.
func RelationsOf(t *fleet.Thing, name NameOf) []Relationship {
	out := make([]Relationship, 0, len(t.Relations))
	for _, r := range t.Relations {
		out = append(out, Relationship{OrganizationUUID: r.OrganizationID, OrganizationName: name(r.OrganizationID).Name,
			RelationshipType: r.Kind})
	}
	return out
}

// ThingOf makes the whole asset from what people edit and what is live.
func ThingOf(t *fleet.Thing, live Live, name NameOf) Thing {
	live.ID = t.ID
	out := Thing{
		Live: live, ExternalID: t.ExternalID, HaasID: t.SystemName, Nickname: t.Nickname,
		VINNumber: t.VIN, LicensePlateNumber: t.Plate, RegistryNumber: t.Registry,
		ThingTypeID: t.TypeID, ThingSubtypeID: t.SubtypeID, DeviceType: t.DeviceType,
		InService: t.InService, IsPubliclyAlerting: t.PubliclyAlerting,
		IsAllowedForClosures: t.AllowedForClosures, IsAllowedForTestMode: t.AllowedForTestMode,
		TestMode: t.TestMode, IsResponder: t.Responder, Features: Features{R2R: t.R2R},
		IsIntegrationOrg: len(t.Integrations) > 0,
		Organization:     name(t.OrganizationID), Version: t.Version, IsDeleted: t.DeletedAt != 0,
		OrganizationRelations: RelationsOf(t, name),
		ExternalIdentifiers:   IntegrationsOf(t),
		FeedSubscriptions:     []string{}, // the picture knows them
	}
	return out
}

// IntegrationsOf names an asset's integrations.
func IntegrationsOf(t *fleet.Thing) []ExternalIdentifier {
	out := make([]ExternalIdentifier, 0, len(t.Integrations))
	for _, i := range t.Integrations {
		out = append(out, ExternalIdentifier{IdentifierID: i.ID, SystemName: i.Provider})
	}
	return out
}

// GoneThing is the row of an asset that left the reader's sight: only its id means something.
func GoneThing(id string) Thing {
	return Thing{Live: Live{ID: id, Status: fleet.StatusOffline.Wire(), Closures: []ClosureRef{}}, IsDeleted: true, DeviceType: "api",
		OrganizationRelations: []Relationship{}, ExternalIdentifiers: []ExternalIdentifier{}, FeedSubscriptions: []string{}}
}
