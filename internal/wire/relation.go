package wire

import (
	"slices"

	"lightbar/internal/fleet"
)

// AnotherOrganization stands for a manager or accessor whose name is not the
// asker's to know; its id is empty then.
const AnotherOrganization = "Another organization"

// WithVisibleRelations is the asset with those of its relations that may be told; the others
// become AnotherOrganization, once for each kind.
func (t Thing) WithVisibleRelations(may func(organizationID string) bool) Thing {
	t.OrganizationRelations = VisibleRelations(t.OrganizationRelations, may)
	return t
}

// VisibleRelations leaves of relations those that may be told; see Thing.WithVisibleRelations.
func VisibleRelations(list []Relationship, may func(organizationID string) bool) []Relationship {
	out := make([]Relationship, 0, len(list))
	for _, r := range list {
		if !may(r.OrganizationUUID) {
			r.OrganizationUUID, r.OrganizationName = "", AnotherOrganization
		}
		if !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	return out
}

// OrganizationRelationWrite is the body of PUT /organizations/{id}/relations.
type OrganizationRelationWrite struct {
	OrganizationID   ID     `json:"organization_id" doc:"who may manage or read the assets"`
	RelationshipType string `json:"relationship_type" doc:"manager and accessor need a fresh proof"`
}

// RelationOutcome says what became of a change of a relation.
type RelationOutcome struct {
	State       string `json:"state" enum:"in_force,offered,ended" doc:"offered: an administrator of the other organization, if there is one of this id, decides within 30 days"`
	AssetsCount int    `json:"assets_count" doc:"assets with a relation of their own to the other organization; of an ended relation those that it ended with it"`
}

// RelatedOrganization is the answer of PUT /organizations/{id}/relations.
type RelatedOrganization struct {
	Data     OrganizationRow `json:"data"`
	Relation RelationOutcome `json:"relation"`
}

// Partner is an organization that manages or reads another one, or single assets of it.
type Partner struct {
	OrganizationID   string `json:"organization_id"`
	OrganizationName string `json:"organization_name"`
	RelationshipType string `json:"relationship_type" enum:"manager,accessor,none" doc:"none: only single assets are shared"`
	AssetsCount      int    `json:"assets_count" doc:"assets with a relation of their own to it"`
}

// Offer is a relation that waits for the other side.
type Offer struct {
	ID               string        `json:"id"`
	Direction        string        `json:"direction" enum:"made,received"`
	OrganizationID   string        `json:"organization_id" doc:"made: who was asked; received: whose assets are offered"`
	OrganizationName string        `json:"organization_name" doc:"empty when it is not yours to know"`
	City             string        `json:"city"`
	State            string        `json:"state"`
	RelationshipType string        `json:"relationship_type" enum:"manager,accessor"`
	CreatedAt        fleet.Instant `json:"created_at" nullable:"false"`
	ExpiresAt        fleet.Instant `json:"expires_at" nullable:"false"`
}

// Relations are what an organization gives others, and its open offers.
type Relations struct {
	Partners []Partner `json:"partners"`
	Offers   []Offer   `json:"offers"`
}
