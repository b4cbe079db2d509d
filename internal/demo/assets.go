package demo

import (
	"fmt"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/simulate"
	"lightbar/internal/wire"
)

// assets registers the cast; those of the managed organizations carry the fire
// department as their manager.
func (s *seeding) assets(cast []Member) error {
	things := make([]app.NewThing, len(cast))
	for i, m := range cast {
		v := m.Vehicle
		things[i] = app.NewThing{OrganizationID: s.orgs[m.Tenant].ID, SystemName: v.HaasID, Nickname: v.Nickname, Type: v.ThingType,
			Subtype: m.Subtype, DeviceType: v.DeviceType, VIN: fmt.Sprintf("4S7AT2E97JC%06d", 83100+i),
			Plate: fmt.Sprintf("DE %04d", 4400+i), Registry: fmt.Sprintf("R%03d", i+1)}
		if v.DeviceType == "api" {
			things[i].ExternalID = fmt.Sprintf("BRT-%d", i)
		}
		if m.Tenant != simulate.FireDepartment {
			things[i].Relations = []fleet.Relation{{OrganizationID: s.orgs[0].ID, Kind: "manager"}}
		}
	}
	made, err := s.app.RegisterThings(s.ctx, s.actor, things)
	if err != nil {
		return err
	}
	s.made = made
	return s.closures(cast, made)
}

// outOfService takes assets out of service.
func (s *seeding) outOfService(cast []Member) error {
	out := false
	for i, m := range cast {
		if !m.OutOfService {
			continue
		}
		if _, err := s.app.UpdateThing(s.ctx, s.actor, s.made[i].ID, wire.ThingWrite{InService: &out}); err != nil {
			return err
		}
	}
	return nil
}
