package feed

import "lightbar/internal/fleet"

// Preview is what a document shows of a closure, as its readers see it; the fields are those of wire.ClosurePreview.
type Preview struct {
	Reader, Document   string
	Kind               string // CIFS: its subtype; WZDx and CWZ: the vehicle impact
	Title, Road        string
	Direction          string // in the document's terms
	StartTime, EndTime fleet.Instant
	Lanes              []string // status of each lane from the left; empty = it has none
}

// Previews are what the documents for vehicles and navigation apps would show of a closure at an instant, whatever rules it breaks;
// none without a time to come.
func Previews(c *fleet.Closure, now fleet.Instant) []Preview {
	at, phase := c.At(now), Scheduled
	switch {
	case at.IsActiveAt(now):
		phase = Active
	case at.StartAt <= now:
		return nil
	}
	said := incidentOf(at, phase)
	waze := Preview{Reader: "Waze", Document: cifsJSON.Path, Kind: said.Subtype, Title: said.Description, Road: said.Street,
		Direction: said.Direction, StartTime: at.StartAt, EndTime: at.EndAt, Lanes: []string{}}
	if said.Lanes != nil {
		for _, l := range said.Lanes.Lanes {
			waze.Lanes = append(waze.Lanes, l.Status)
		}
	}
	event := roadEventOf(at, phase).Properties
	zone := Preview{Kind: event.VehicleImpact, Title: event.Core.Description, Road: event.Core.RoadNames[0], Direction: event.Core.Direction,
		StartTime: at.StartAt, EndTime: at.EndAt, Lanes: []string{}}
	for _, l := range event.Lanes {
		zone.Lanes = append(zone.Lanes, l.Status)
	}
	out := []Preview{waze, zone, zone}
	out[1].Reader, out[1].Document = "WZDx 4.2", wzdx.Path
	out[2].Reader, out[2].Document = "CWZ 1.0", cwz.Path
	return out
}
