package wire

import (
	"lightbar/internal/fleet"
)

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
	return l
}

// RelationsOf names an asset's managers and accessors.
func RelationsOf(t *fleet.Thing, name NameOf) []Relationship {
	out := make([]Relationship, 0, len(t.Relations))
	for _, r := range t.Relations {
		out = append(out, Relationship{OrganizationUUID: r.OrganizationID, OrganizationName: name(r.OrganizationID).Name, RelationshipType: r.Kind})
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
		FeedSubscriptions:     []string{},
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
