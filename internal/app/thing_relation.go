package app

import (
	"context"
	"slices"
	"strings"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// SetThingAssociations edits which organizations manage or access an asset. Requires EDIT_THING and full reach. An organization can
// be given a relation when it manages or accesses the owner, or has one to the asset already; haas:manage may name any. A relation
// that shows or gives more than before needs a fresh proof. Refusals: thing_not_found, organization_not_found, validation_failed,
// step_up_required.
func (a *App) SetThingAssociations(ctx context.Context, actor *access.Actor, id string,
	edits []wire.RelationshipWrite) (wire.Thing, error) {
	return record.Edit(ctx, a, actor, &things, id, nil, func(e *record.Editing[*App, fleet.Thing]) error {
		e.Verb = "associate"
		t := &e.Next
		related, err := store.RelationsOf(ctx, e.Tx, t.OrganizationID)
		if err != nil {
			return err
		}
		may := func(org string) bool {
			if actor.Super {
				_, known := a.Live.Organization(org)
				return known
			}
			return slices.ContainsFunc(t.Relations, func(r fleet.Relation) bool { return r.OrganizationID == org }) ||
				slices.ContainsFunc(related, func(r fleet.OrganizationRelation) bool {
					return r.OrganizationID == t.OrganizationID && r.OtherID == org
				})
		}
		before := t.Relations
		if err := applyRelations(t, edits, may); err != nil || !givesMore(before, t.Relations) {
			return err
		}
		return e.Prove()
	})
}

// givesMore reports whether any organization gets more rights to an asset.
func givesMore(before, after []fleet.Relation) bool {
	return slices.ContainsFunc(after, func(r fleet.Relation) bool {
		return !slices.ContainsFunc(before, func(b fleet.Relation) bool {
			return b.OrganizationID == r.OrganizationID && (b.Kind == r.Kind || b.Kind == fleet.RelationManager)
		})
	})
}

// applyRelations is the law of relations; may tells which organizations can be named.
func applyRelations(t *fleet.Thing, edits []wire.RelationshipWrite, may func(organizationID string) bool) error {
	said := map[string]bool{}
	next := slices.Clone(t.Relations)
	for _, e := range edits {
		org := e.OrganizationUUID.String()
		switch {
		case e.RelationshipType != fleet.RelationManager && e.RelationshipType != fleet.RelationAccessor &&
			e.RelationshipType != fleet.RelationDelete:
			return fleet.RefuseFields(map[string]string{"relationship_type": "The relation must be manager, accessor, or delete."})
		case said[org]:
			return fleet.RefuseFields(map[string]string{"organization_uuid": "Name each organization only once."})
		case org == t.OrganizationID:
			return fleet.RefuseFields(map[string]string{"organization_uuid": "The owner can't also be a manager or accessor."})
		case !may(org):
			return fleet.Refuse("organization_not_found", "organization_uuid", "Organization not found")
		}
		said[org] = true
		next = slices.DeleteFunc(next, func(r fleet.Relation) bool { return r.OrganizationID == org })
		if e.RelationshipType != fleet.RelationDelete {
			next = append(next, fleet.Relation{OrganizationID: org, Kind: e.RelationshipType})
		}
	}
	slices.SortFunc(next, func(a, b fleet.Relation) int { return strings.Compare(a.OrganizationID, b.OrganizationID) })
	t.Relations = next
	return nil
}
