package device

import "lightbar/internal/fleet"

// takeEvent reads the rest of an item that says it is an event, and keeps it
// or refuses it. r is what items of all types have.
func (d *decoder) takeEvent(r fleet.Report) {
	e := fleet.EventReport{Index: r.Index, At: r.At, Lat: r.Lat, Lng: r.Lng, HasLat: r.HasLat, HasLng: r.HasLng}
	for _, m := range d.event {
		value := decoder{c: scanner{s: m.text}}
		if refusal := value.eventMember(&e, m.name); refusal != nil {
			d.drop(r.Index, refusal.Code, refusal.Field, refusal.Message)
			return
		}
	}
	d.batch.Reports = d.batch.Reports[:len(d.batch.Reports)-1]
	d.batch.Events = append(d.batch.Events, e)
}

// eventMember reads a field that only events have; the decoder stands at its
// value, which is JSON. Of a name that comes twice the last one counts.
func (d *decoder) eventMember(e *fleet.EventReport, name string) (refusal *fleet.Refusal) {
	switch name {
	case "id":
		e.ID, _, _ = d.text(name)
	case "alert_message":
		e.AlertMessage, e.HasMessage, _ = d.text(name)
	case "alt":
		e.Alt, e.HasAlt, _ = d.number(name)
	case "is_active":
		said, _ := d.boolean(name)
		e.HasActive, e.Active = said != unsaid, said == saidYes
	case "expires_at":
		if text, said, _ := d.text(name); said {
			if e.ExpiresAt, said = parseInstant(text); !said || e.ExpiresAt <= 0 {
				d.wrong(name)
			}
		}
	case "features":
		if e.HasFeatures = true; d.null() {
			e.Features = nil
		} else if e.Features, refusal = fleet.ParseFeatures(d.c.s); refusal != nil {
			return refusal
		}
	}
	if d.bad != "" {
		return fleet.Refuse("wrong_type", d.bad, d.bad+" has the wrong type")
	}
	return nil
}
