package live

import "lightbar/internal/fleet"

// ActiveIncidents counts what an arrival looks through.
func (p *Picture) ActiveIncidents() int { return len(p.active) }

// Around are the surroundings of an organization's assets as the picture has them now.
func (p *Picture) Around(organizationID string) fleet.Surroundings {
	a := &around{index: p.areas.Load()}
	return a.of(&fleet.Thing{OrganizationID: organizationID})
}
