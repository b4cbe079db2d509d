package live

import (
	"slices"

	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

// An organization sees an incident if it sees one of its assets. So a change of
// an asset's owner or relations changes who sees the incidents where it is or
// was, and which assets they see there.

// visibility is what an organization saw of an incident before a change of its assets.
type visibility struct {
	location     *fleet.Location
	organization string
	saw          bool
	altered      bool // an asset of the incident became visible or invisible
}

// audienceChange is a change in which organizations see an asset.
type audienceChange struct {
	before, after []string
	handed        bool // to another owner
}

// audienceChanges finds the assets whose audience this change alters; callers
// hold mu.
func (c *Change) audienceChanges() map[string]audienceChange {
	var found map[string]audienceChange
	for _, t := range c.things {
		slot, known := c.p.byID[t.ID]
		if !known {
			continue
		}
		e := c.p.entries[slot]
		s := audienceChange{before: e.audience, handed: e.thing.OrganizationID != t.OrganizationID}
		if t.DeletedAt == 0 {
			s.after = Audience(t)
		}
		if s.handed || !slices.Equal(s.before, s.after) {
			if found == nil {
				found = map[string]audienceChange{}
			}
			found[t.ID] = s
		}
	}
	return found
}

// visibilities records, before the change is applied, which organizations see the incidents of assets whose audience changes. The
// incident's own organization is left out: it sees the same as before. Callers hold mu.
func (c *Change) visibilities() (out []visibility) {
	changes := c.audienceChanges()
	if len(changes) == 0 {
		return nil
	}
	for _, l := range c.p.locations {
		first := len(out)
		for i := range l.Presences {
			s, ok := changes[l.Presences[i].ThingID]
			if !ok {
				continue
			}
			for _, org := range append(slices.Clone(s.before), s.after...) {
				if org == l.OrganizationID {
					continue
				}
				at := slices.IndexFunc(out[first:], func(o visibility) bool { return o.organization == org })
				if at < 0 {
					at = len(out) - first
					out = append(out, visibility{location: l, organization: org, saw: c.p.seesLocation([]string{org}, l)})
				}
				o := &out[first+at]
				o.altered = o.altered || s.handed || slices.Contains(s.before, org) != slices.Contains(s.after, org)
			}
		}
	}
	return out
}

// markVisibilityChanges updates UpdatedAt of incidents whose visible assets
// change for some organization, so that incremental lists return them. Callers
// hold mu.
func (c *Change) markVisibilityChanges(stamp fleet.Instant) {
	for i := range c.seen {
		if s := &c.seen[i]; s.altered && c.p.seesLocation([]string{s.organization}, s.location) {
			s.location.UpdatedAt = stamp
		}
	}
}

// visibilityMessages notifies organizations of the incidents that they no longer see, newly see, or see with other assets than
// before. Incidents that the change itself altered are sent to everybody who sees them anyway.
func (c *Change) visibilityMessages(at fleet.Instant) (out []fleet.Message) {
	for i := range c.seen {
		s := &c.seen[i]
		l, org := s.location, []string{s.organization}
		var shown wire.Location
		switch sees := c.p.seesLocation(org, l); {
		case s.saw && !sees:
			shown = wire.GoneLocation(l.ID)
		case sees && s.altered && c.places[l.ID] == nil:
			shown = c.p.locationOf(l, org)
		default:
			continue
		}
		out = append(out, fleet.Message{Type: fleet.MessageLocation, Key: l.ID, Audience: org, At: at,
			Body: wire.EncodeRow(fleet.MessageLocation, shown)})
	}
	return out
}

// loss records that an organization stopped seeing an asset, and who owned it then.
type loss struct {
	owner string
	at    fleet.Instant
}

// losses finds the assets that one of the organizations stopped seeing at or
// after an instant. Through such an asset it only ever saw incidents of the
// organization that owned the asset at that time. Callers hold mu.
func (p *Picture) losses(organizations []string, since fleet.Instant) map[string][]loss {
	found := map[string][]loss{}
	for id, list := range p.pastOwners {
		for _, o := range list { // the owner changed, or the asset was removed
			asked := func(org string) bool { return slices.Contains(organizations, org) }
			if o.Until >= since && o.Doc != nil && slices.ContainsFunc(Audience(o.Doc), asked) {
				found[id] = append(found[id], loss{o.OrganizationID, o.Until})
			}
		}
	}
	for _, org := range organizations {
		v := p.orgs[org]
		if v == nil {
			continue
		}
		for id, at := range v.gone { // its relation was ended
			slot, known := p.byID[id]
			if at < since || !known || !p.entries[slot].live {
				continue
			}
			t := p.entries[slot].thing
			if t.OwnedAt != 0 && at <= t.OwnedAt.Add(doubt) {
				continue // already lost with the earlier owner
			}
			found[id] = append(found[id], loss{t.OrganizationID, at})
		}
	}
	return found
}

// goneLocations lists the incidents that the organizations stopped seeing at or
// after an instant. Stays that began after the loss were never visible to them.
// Callers hold mu.
func (p *Picture) goneLocations(organizations []string, since fleet.Instant) (ids []string) {
	lost := p.losses(organizations, since.Add(-doubt)) // rather report it twice than not at all
	if len(lost) == 0 {
		return nil
	}
	for id, l := range p.locations {
		by := func(stay fleet.Presence) bool {
			return slices.ContainsFunc(lost[stay.ThingID], func(o loss) bool { return o.owner == l.OrganizationID && stay.StartAt <= o.at })
		}
		if slices.ContainsFunc(l.Presences, by) && !p.seesLocation(organizations, l) {
			ids = append(ids, id)
		}
	}
	sortStrings(ids)
	return ids
}
