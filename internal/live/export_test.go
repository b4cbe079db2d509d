package live

// ActiveIncidents counts what an arrival looks through.
func (p *Picture) ActiveIncidents() int { return len(p.active) }
