package feed

import (
	"bytes"
	"encoding/xml"
	"slices"
	"strconv"
	"time"
)

// standsFor is how long a stopped vehicle stays in the feed after its last report: CIFS is read about every two minutes, so an end
// within seconds would be over before anyone has read of it.
const standsFor = 5 * time.Minute

// vehicleHazards are the CIFS types of stopped vehicles, by thing type. Arrow boards are in CIFS as closures.
var vehicleHazards = map[string]string{
	"fire": "HAZARD_ON_ROAD_EMERGENCY_VEHICLE", "police": "HAZARD_ON_ROAD_EMERGENCY_VEHICLE", "ambulance": "HAZARD_ON_ROAD_EMERGENCY_VEHICLE",
	"emergency_response": "HAZARD_ON_ROAD_EMERGENCY_VEHICLE", "maintenance": "HAZARD_ON_ROAD_CONSTRUCTION",
	"tow": "HAZARD_ON_ROAD_CAR_STOPPED", "waste": "HAZARD_ON_ROAD_CAR_STOPPED",
}

// TellsVehicles reports whether a document has vehicles beside its closures.
func (f *Format) TellsVehicles() bool { return f.Path == cifsJSON.Path || f.Path == cifsXML.Path }

// WithVehicles adds to a document of CIFS the vehicles among alerts that are stopped on a street: at an incident, or slower than a
// moving vehicle. A moving one is a mile away before the document is read; the stream has it.
func (f *Format) WithVehicles(body []byte, alerts []Alert) []byte {
	var parts [][]byte
	for i := range alerts {
		in, ok := vehicleIncident(&alerts[i])
		if !ok {
			continue
		}
		if f.Path == cifsJSON.Path {
			parts = append(parts, mustJSON(map[string]incident{"incident": in}))
			continue
		}
		part, err := xml.Marshal(in)
		if err != nil {
			panic("feed: " + err.Error()) // plain data always encodes
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return body
	}
	out := slices.Clone(bytes.TrimSuffix(body, []byte(f.foot)))
	if f.separator != "" && !bytes.HasSuffix(out, []byte("[")) {
		out = append(out, f.separator...)
	}
	return append(append(out, bytes.Join(parts, []byte(f.separator))...), f.foot...)
}

func vehicleIncident(a *Alert) (in incident, ok bool) {
	stands := a.OnScene || a.SpeedKPH != nil && *a.SpeedKPH < movingKPH
	subtype := vehicleHazards[a.Kind]
	if a.Category != AlertVehicle || !stands || subtype == "" || a.Street == "" { // a street is required
		return in, false
	}
	// One position has no direction: that of the traffic is known only as an angle.
	return incident{ID: a.ID, Type: "HAZARD", Subtype: subtype, Street: a.Street, Direction: "BOTH_DIRECTIONS",
		Polyline:  strconv.FormatFloat(a.Lat, 'f', 6, 64) + " " + strconv.FormatFloat(a.Lng, 'f', 6, 64),
		StartTime: offset(a.Since), EndTime: offset(a.UpdatedAt.Add(standsFor)), UpdateTime: offset(a.UpdatedAt),
		Description: shortened(a.Message, cifsDescription)}, true
}
