package device

import "lightbar/internal/fleet"

// takeEvent reads the rest of an item that is an event, and stores or refuses it. r has the members that items of all types have.
func (d *decoder) takeEvent(r fleet.Report) {
	var e fleet.EventReport
	if d.takeMark(r, &e.MarkReport, func(value *decoder, name string) {
		switch name {
		case "alert_message":
			e.AlertMessage, e.HasMessage, _ = value.text(0)
		case "alt":
			e.Alt, e.HasAlt, _ = value.number(fleet.FieldAlt)
		}
	}) {
		d.batch.Events = append(d.batch.Events, e)
	}
}

// takeHazard does the same for a hazard.
func (d *decoder) takeHazard(r fleet.Report) {
	var h fleet.HazardReport
	if d.takeMark(r, &h.MarkReport, func(value *decoder, name string) {
		switch name {
		case "hazard_type":
			h.Kind, h.HasKind, _ = value.text(0)
		case "description":
			h.Description, h.HasDescription, _ = value.text(0)
		}
	}) {
		d.batch.Hazards = append(d.batch.Hazards, h)
	}
}

// takeMark reads the members that events and hazards have in common; own reads those that only one of them has, with the decoder at
// the value. False where it was refused.
func (d *decoder) takeMark(r fleet.Report, m *fleet.MarkReport, own func(value *decoder, name string)) bool {
	m.Index, m.At, m.Lat, m.Lng, m.HasLat, m.HasLng = r.Index, r.At, r.Lat, r.Lng, r.HasLat, r.HasLng
	if bad := d.bad & (fleet.FieldAt | fleet.FieldLat | fleet.FieldLng); bad != 0 {
		name := bad.Names()[0]
		d.drop(r.Index, "wrong_type", name, name+" has the wrong type")
		return false
	}
	for _, member := range d.mark {
		value := decoder{c: scanner{s: member.text}}
		refusal := value.markMember(m, member.name)
		own(&value, member.name)
		if value.bad&^fleet.FieldAlt != 0 {
			refusal = fleet.Refuse("wrong_type", member.name, member.name+" has the wrong type")
		}
		m.Ignored |= value.none | value.bad&fleet.FieldAlt
		if refusal != nil {
			d.drop(r.Index, refusal.Code, refusal.Field, refusal.Message)
			return false
		}
	}
	d.batch.Reports = d.batch.Reports[:len(d.batch.Reports)-1]
	return true
}

const year2000 fleet.Instant = 946_684_800_000

// markMember reads a field that events and hazards have in common; the decoder is at its value, which is JSON. If a name comes
// twice, the last one counts.
func (d *decoder) markMember(m *fleet.MarkReport, name string) (refusal *fleet.Refusal) {
	switch name {
	case "id":
		m.ID, _, _ = d.text(0)
	case "is_active":
		said, _ := d.boolean(fleet.FieldIsActive)
		m.HasActive, m.Active = said != unsaid, said == saidYes
	case "expires_at":
		if m.ExpiresAt, _ = d.instant(fleet.FieldExpiresAt); m.ExpiresAt != 0 && m.ExpiresAt < year2000 { // such as a number of hours
			d.fail(fleet.FieldExpiresAt)
		}
	case "features":
		if m.HasFeatures = true; d.null() {
			m.Features = nil
		} else if m.Features, refusal = fleet.ParseFeatures(d.c.s); refusal != nil {
			return refusal
		}
	}
	return nil
}
