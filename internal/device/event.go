package device

import "lightbar/internal/fleet"

// takeEvent reads the rest of an item that says it is an event, and keeps it
// or refuses it. r is what items of all types have.
func (d *decoder) takeEvent(r fleet.Report) {
	var e fleet.EventReport
	if d.takeMark(r, &e.MarkReport, func(value *decoder, name string) {
		switch name {
		case "alert_message":
			e.AlertMessage, e.HasMessage, _ = value.text(name)
		case "alt":
			e.Alt, e.HasAlt, _ = value.number(name)
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
			h.Kind, h.HasKind, _ = value.text(name)
		case "description":
			h.Description, h.HasDescription, _ = value.text(name)
		}
	}) {
		d.batch.Hazards = append(d.batch.Hazards, h)
	}
}

// takeMark reads what events and hazards have in common; own reads what only
// one of them has, the decoder standing at the value. False where it was refused.
func (d *decoder) takeMark(r fleet.Report, m *fleet.MarkReport, own func(value *decoder, name string)) bool {
	m.Index, m.At, m.Lat, m.Lng, m.HasLat, m.HasLng = r.Index, r.At, r.Lat, r.Lng, r.HasLat, r.HasLng
	for _, member := range d.mark {
		value := decoder{c: scanner{s: member.text}}
		refusal := value.markMember(m, member.name)
		own(&value, member.name)
		if value.bad != "" {
			refusal = fleet.Refuse("wrong_type", value.bad, value.bad+" has the wrong type")
		}
		if refusal != nil {
			d.drop(r.Index, refusal.Code, refusal.Field, refusal.Message)
			return false
		}
	}
	d.batch.Reports = d.batch.Reports[:len(d.batch.Reports)-1]
	return true
}

// markMember reads a field that events and hazards have in common; the decoder
// stands at its value, which is JSON. Of a name that comes twice the last one counts.
func (d *decoder) markMember(m *fleet.MarkReport, name string) (refusal *fleet.Refusal) {
	switch name {
	case "id":
		m.ID, _, _ = d.text(name)
	case "is_active":
		said, _ := d.boolean(name)
		m.HasActive, m.Active = said != unsaid, said == saidYes
	case "expires_at":
		if text, said, _ := d.text(name); said {
			if m.ExpiresAt, said = parseInstant(text); !said || m.ExpiresAt <= 0 {
				d.wrong(name)
			}
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
