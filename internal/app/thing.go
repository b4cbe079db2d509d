package app

import (
	"context"

	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

// ThingQuery asks for a page of assets.
type ThingQuery struct {
	OrganizationIDs []string
	Since           fleet.Instant // 0 = all; else rows changed at or after it, gone ones included
	Page, PerPage   int           // from 1; 0 = defaults (1, 500)
}

// ThingEdit is a profile update; nil fields stay as they are (specification section 3, Update payload).
type ThingEdit struct {
	InService           *bool
	IsPubliclyAlerting  *bool
	Nickname            *string
	ThingTypeID         *string
	ThingSubtypeID      *string
	VINNumber           *string
	LicensePlateNumber  *string
	RegistryNumber      *string
	ExternalIdentifiers *[]wire.ExternalIdentifier
	// IfMatch is the version the user saw; 0 = not said.
	IfMatch int64
}

// RelationEdit sets or removes ("delete") an organization's relation to an asset.
type RelationEdit struct {
	OrganizationUUID string
	RelationshipType string // manager, accessor, delete
}

// LocationQuery asks for events.
type LocationQuery struct {
	OrganizationIDs []string
	Start           fleet.Instant // 0 = 7 days back
	Since           fleet.Instant
	Page, PerPage   int
}

// ListThings answers assets the organizations may see, from the live picture. Requires VIEW_THINGS.
func (a *App) ListThings(ctx context.Context, actor *Actor, q ThingQuery) ([]wire.Thing, wire.Meta, error) {
	panic("seam")
}

// CountThings counts what ListThings would list.
func (a *App) CountThings(ctx context.Context, actor *Actor, organizationIDs []string) (int, error) {
	panic("seam")
}

// Thing answers one asset.
func (a *App) Thing(ctx context.Context, actor *Actor, id string) (wire.Thing, error) { panic("seam") }

// ThingsSnapshot answers all live assets in columns.
func (a *App) ThingsSnapshot(ctx context.Context, actor *Actor, organizationIDs []string) (*wire.Snapshot, error) {
	panic("seam")
}

// UpdateThing edits an asset's profile. Requires EDIT_THING.
func (a *App) UpdateThing(ctx context.Context, actor *Actor, id string, edit ThingEdit) (wire.Thing, error) {
	panic("seam")
}

// SetThingAssociations edits which organizations manage or access an asset. Requires EDIT_THING.
func (a *App) SetThingAssociations(ctx context.Context, actor *Actor, id string, edits []RelationEdit) (wire.Thing, error) {
	panic("seam")
}

// ListLocations answers events of a window. Requires VIEW_EVENTS.
func (a *App) ListLocations(ctx context.Context, actor *Actor, q LocationQuery) ([]wire.Location, wire.Meta, error) {
	panic("seam")
}

// ActiveLocations answers active events. Requires VIEW_EVENTS.
func (a *App) ActiveLocations(ctx context.Context, actor *Actor, organizationIDs []string) ([]wire.Location, wire.Meta, error) {
	panic("seam")
}
