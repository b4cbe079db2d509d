package people

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// CreateOrganization adds a tenant; ID, Version and UpdatedAt are set here.
// Requires MANAGE_PLATFORM.
func (a *Accounts) CreateOrganization(ctx context.Context, actor *access.Actor, o fleet.Organization) (fleet.Organization, error) {
	return record.Create(ctx, a, actor, &organizations, func(e *record.Editing[*Accounts, fleet.Organization]) (err error) {
		e.Next, err = a.newOrganization(o)
		e.ID = e.Next.ID
		return err
	}, func(e *record.Editing[*Accounts, fleet.Organization]) error {
		e.Afterwards(func() error { return a.OrganizationsChanged(ctx) })
		return e.Tx.InsertOrganization(ctx, e.Next)
	})
}

// OrganizationsChanged updates names in the live picture; the command line has none.
func (a *Accounts) OrganizationsChanged(ctx context.Context) error {
	if a.Live == nil {
		return nil
	}
	return a.Live.LoadOrganizations(ctx, a.Store.Reader())
}

// isLarge reports whether an organization must be polled: as set by hand, else by how many assets it sees now.
func (a *Accounts) isLarge(o fleet.Organization) bool { return fleet.IsLarge(o.Large, a.seenBy(o.ID)) }

// seenBy is how many assets an organization sees; the command line does not know.
func (a *Accounts) seenBy(organizationID string) int {
	if a.Live == nil {
		return 0
	}
	return a.Live.Count([]string{organizationID})
}

// respondersOf is the kind of an organization's assets now; the command line does not know it.
func (a *Accounts) respondersOf(organizationID string) string {
	if a.Live == nil {
		return fleet.RespondersType(0, 0)
	}
	return a.Live.RespondersType(organizationID)
}

// shownOrganization is the wire shape with what follows from the organization's
// assets, and without what the actor may not read.
func (a *Accounts) shownOrganization(actor *access.Actor, o fleet.Organization, relations []fleet.OrganizationRelation,
	byID map[string]fleet.Organization) wire.Organization {
	out := billed(actor, OrganizationWire(o, relations, byID))
	out.IsLargeOrg, out.RespondersType = a.isLarge(o), a.respondersOf(o.ID)
	return out
}

// newOrganization applies the defaults, and checks the given values by the
// rules of edits.
func (a *Accounts) newOrganization(o fleet.Organization) (fleet.Organization, error) {
	o.Timezone = orText(o.Timezone, "America/New_York")
	o.TypeName = orText(o.TypeName, "fleet")
	o.CountryCode = orText(o.CountryCode, "US")
	o.EventWording = orText(o.EventWording, "default")
	publishes := o.WZDx
	o.WZDx = false
	o.Publish(publishes)
	said := o
	edit, kind := wire.AllTextsOf[wire.OrganizationWrite](&said), wire.ID(said.TypeName)
	edit.Email, edit.OrganizationTypeID, edit.Timezone, edit.EventWording = &said.Email, &kind, &said.Timezone, &said.EventWording
	edit.Address1, edit.Address2, edit.City, edit.State, edit.PostalCode = &said.Address1, &said.Address2, &said.City, &said.State,
		&said.PostalCode
	edit.CountryCode = &said.CountryCode
	o.CountryCode, o.TypeName = strings.ToUpper(o.CountryCode), ""
	if err := a.applyOrganizationEdit(access.System(), &o, edit); err != nil {
		return o, err
	}
	if o.HasPosition && (o.Lat < -90 || o.Lat > 90 || o.Lng < -180 || o.Lng > 180) {
		return o, fleet.Refuse("validation_failed", "lat", "The position is not on the map.")
	}
	o.ID, o.Version, o.UpdatedAt, o.DeletedAt, o.MFARequiredAt = a.NewID(), 1, a.now(), 0, 0
	if o.MFARequired {
		o.MFARequiredAt = o.UpdatedAt
	}
	return o, nil
}

func orText(s, otherwise string) string {
	if s = strings.TrimSpace(s); s == "" {
		return otherwise
	}
	return s
}

// organizationTypeWire names the type of an organization.
func organizationTypeWire(o fleet.Organization) wire.OrganizationType {
	out := wire.OrganizationType{Name: o.TypeName, ACS: o.ACS}
	for _, t := range catalog.AllEnums().OrganizationTypes {
		if t.Name == o.TypeName {
			out.ID = t.ID
		}
	}
	return out
}

// The relations of an organization to the actor.
const (
	organizationOwn      = "own"
	organizationManaged  = "managed"
	organizationAccessed = "accessed"
)

// ListOrganizations returns the organizations in reach with how much belongs to them: first the actor's own, then managed and
// accessed ones by name. Requires VIEW_ORGANIZATION.
func (a *Accounts) ListOrganizations(ctx context.Context, actor *access.Actor) ([]wire.OrganizationRow, wire.Meta, error) {
	if err := actor.Must("VIEW_ORGANIZATION"); err != nil {
		return nil, wire.Meta{}, err
	}
	out := []wire.OrganizationRow{}
	err := a.Store.Read(ctx, func(r store.Reader) error {
		reach, err := a.organizationsInReach(ctx, r, actor)
		if err != nil {
			return err
		}
		users, err := store.CountUsersByOrganization(ctx, r)
		if err != nil {
			return err
		}
		related, err := store.RelationsByOrganization(ctx, r)
		if err != nil {
			return err
		}
		for _, o := range reach.ordered {
			row := a.organizationRow(actor, o, related[o.ID], reach.byID)
			row.UsersCount = users[o.ID]
			out = append(out, row)
		}
		return nil
	})
	if err != nil {
		return nil, wire.Meta{}, err
	}
	rank := map[string]int{organizationOwn: 0, organizationManaged: 1, organizationAccessed: 2}
	slices.SortStableFunc(out, func(x, y wire.OrganizationRow) int {
		return cmp.Or(cmp.Compare(rank[x.Relation], rank[y.Relation]), cmp.Compare(strings.ToLower(x.Name), strings.ToLower(y.Name)))
	})
	return out, wire.SinglePage(len(out), a.now()), nil
}

// Organization returns one organization in reach (requirements 8.org). Requires VIEW_ORGANIZATION. Refusals: not_found.
func (a *Accounts) Organization(ctx context.Context, actor *access.Actor, id string) (wire.OrganizationRow, error) {
	if err := actor.Must("VIEW_ORGANIZATION"); err != nil {
		return wire.OrganizationRow{}, err
	}
	return a.OrganizationNow(ctx, actor, id)
}

// RefuseNoOrganization is the refusal when an organization does not exist or is out of reach.
func RefuseNoOrganization() error {
	return fleet.Refuse("not_found", "", "Organization not found")
}

// OrganizationNow is the current organization, for verbs that have already
// checked access.
func (a *Accounts) OrganizationNow(ctx context.Context, actor *access.Actor, id string) (wire.OrganizationRow, error) {
	if actor.Reach(id) == access.None {
		return wire.OrganizationRow{}, RefuseNoOrganization()
	}
	var row wire.OrganizationRow
	err := a.Store.Read(ctx, func(r store.Reader) error {
		reach, err := a.organizationsInReach(ctx, r, actor)
		if err != nil {
			return err
		}
		o, ok := reach.byID[id]
		if !ok {
			return RefuseNoOrganization()
		}
		related, err := store.RelationsOf(ctx, r, id)
		if err != nil {
			return err
		}
		row = a.organizationRow(actor, o, related, reach.byID)
		row.UsersCount, _, err = store.CountBelonging(ctx, r, id)
		return err
	})
	return row, err
}

func (a *Accounts) organizationRow(actor *access.Actor, o fleet.Organization, relations []fleet.OrganizationRelation,
	byID map[string]fleet.Organization) wire.OrganizationRow {
	row := wire.OrganizationRow{Organization: a.shownOrganization(actor, o, actor.VisibleOrganizationRelations(o.ID, relations), byID),
		Relation: organizationManaged}
	switch {
	case o.ID == actor.OrganizationID:
		row.Relation = organizationOwn
	case actor.Reach(o.ID) == access.Read:
		row.Relation = organizationAccessed
	}
	if actor.Meets("VIEW_THINGS") {
		n := a.Live.Count([]string{o.ID})
		row.ThingsCount = &n
	}
	return row
}
