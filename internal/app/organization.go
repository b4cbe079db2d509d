package app

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// SystemActor is who the command line and the first start act as: the owner of
// the data folder. Nothing on the network can become it.
func SystemActor() *Actor {
	return &Actor{Permissions: systemPermissions(), Organizations: map[string]Reach{}, Super: true, Network: "local"}
}

// systemPermissions are those of the super role; looked up each time, so that no caller can change another's.
func systemPermissions() map[string]bool { return permissionsOf(superRoleID) }

var superRoleID = roleID("super")

// CreateOrganization adds a tenant; ID, Version and UpdatedAt are set here.
// Requires MANAGE_PLATFORM.
func (a *App) CreateOrganization(ctx context.Context, actor *Actor, o fleet.Organization) (fleet.Organization, error) {
	if err := actor.Must("MANAGE_PLATFORM"); err != nil {
		return fleet.Organization{}, err
	}
	o, err := a.newOrganization(o)
	if err != nil {
		return fleet.Organization{}, err
	}
	err = a.Store.Write(ctx, func(tx *store.Tx) error { return a.insertOrganization(ctx, tx, actor, o) })
	if err != nil {
		return fleet.Organization{}, err
	}
	return o, a.organizationsChanged(ctx)
}

// organizationsChanged lets the live picture learn names; the command line has none.
func (a *App) organizationsChanged(ctx context.Context) error {
	if a.Live == nil {
		return nil
	}
	return a.Live.LoadOrganizations(ctx, a.Store.Reader())
}

// newOrganization applies the rules and the defaults.
func (a *App) newOrganization(o fleet.Organization) (fleet.Organization, error) {
	o.Name = strings.TrimSpace(o.Name)
	if o.Name == "" || len([]rune(o.Name)) > 100 {
		return o, fleet.Refuse("validation_failed", "name", "Required")
	}
	if o.Timezone == "" {
		o.Timezone = "America/New_York"
	}
	if _, err := time.LoadLocation(o.Timezone); err != nil {
		return o, fleet.Refuse("validation_failed", "timezone", "The time zone is not known.")
	}
	o.TypeName = orText(o.TypeName, "fleet")
	o.CountryCode = orText(o.CountryCode, "US")
	o.RespondersType = orText(o.RespondersType, "none")
	o.EventWording = orText(o.EventWording, "default")
	if !slices.Contains([]string{"none", "some", "all"}, o.RespondersType) {
		return o, fleet.Refuse("validation_failed", "responders_type", "The type of responders is none, some or all.")
	}
	if !slices.Contains([]string{"default", "events", "incidents"}, o.EventWording) {
		return o, fleet.Refuse("validation_failed", "event_wording", "The wording is default, events or incidents.")
	}
	if o.HasPosition && (o.Lat < -90 || o.Lat > 90 || o.Lng < -180 || o.Lng > 180) {
		return o, fleet.Refuse("validation_failed", "lat", "The position is not on the map.")
	}
	o.ID, o.Version, o.UpdatedAt, o.DeletedAt = a.NewID(), 1, a.now(), 0
	return o, nil
}

func (a *App) insertOrganization(ctx context.Context, tx *store.Tx, actor *Actor, o fleet.Organization) error {
	if err := tx.InsertOrganization(ctx, o); err != nil {
		return err
	}
	return a.writeAudit(ctx, tx, actor, audited{Verb: "create", Noun: "organization", NounID: o.ID, OrganizationID: o.ID, After: organizationWire(o, nil, nil)})
}

// RelateOrganizations lets another organization manage or access an
// organization's assets; kind is manager, accessor or delete. Requires MANAGE_PLATFORM.
func (a *App) RelateOrganizations(ctx context.Context, actor *Actor, organizationID, otherID, kind string) error {
	if err := actor.Must("MANAGE_PLATFORM"); err != nil {
		return err
	}
	if organizationID == otherID || !slices.Contains([]string{"manager", "accessor", "delete"}, kind) {
		return fleet.Refuse("validation_failed", "relationship_type", "The relation is manager, accessor or delete, to another organization.")
	}
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		for _, id := range []string{organizationID, otherID} {
			if err := mustBeOrganization(ctx, tx, id); err != nil {
				return err
			}
		}
		var err error
		if kind == "delete" {
			err = tx.DeleteOrganizationRelation(ctx, organizationID, otherID)
		} else {
			err = tx.PutOrganizationRelation(ctx, fleet.OrganizationRelation{OrganizationID: organizationID, OtherID: otherID, Kind: kind})
		}
		if err != nil {
			return err
		}
		return a.writeAudit(ctx, tx, actor, audited{Verb: "relate", Noun: "organization", NounID: organizationID, OrganizationID: organizationID,
			After: map[string]string{"organization_id": otherID, "relationship_type": kind}})
	})
	if err == nil {
		a.people.tokens.drop(func(actor *Actor) bool { return actor.OrganizationID == otherID })
		a.Bus.AccessChanged("", otherID)
	}
	return err
}

// mustBeOrganization refuses ids of organizations that do not exist or have been removed.
func mustBeOrganization(ctx context.Context, r store.Reader, id string) error {
	o, err := store.OrganizationByID(ctx, r, id)
	if errors.Is(err, store.ErrNotFound) || (err == nil && o.DeletedAt != 0) {
		return fleet.Refuse("organization_not_found", "organization_id", "Organization not found")
	}
	return err
}

// mustReachFully refuses organizations the actor may not change, as if they did not exist.
func mustReachFully(actor *Actor, organizationID string) error {
	if actor.Reach(organizationID) != ReachFull {
		return fleet.Refuse("organization_not_found", "organization_id", "Organization not found")
	}
	return nil
}

func orText(s, otherwise string) string {
	if s = strings.TrimSpace(s); s == "" {
		return otherwise
	}
	return s
}
