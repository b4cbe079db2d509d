package feed

import (
	"encoding/xml"
	"strconv"
	"strings"

	"lightbar/internal/fleet"
)

// CIFS is the format that Waze reads (developers.google.com/waze/data-feed/cifs-specification).
var (
	cifsJSON = Format{
		Path: "cifs.json", MediaType: "application/json", separator: ",", foot: "]}",
		head: func(Source) []byte { return []byte(`{"incidents":[`) },
		feature: func(c *fleet.Closure, phase Phase) []byte {
			return mustJSON(map[string]incident{"incident": incidentOf(c, phase)})
		},
	}
	cifsXML = Format{
		Path: "cifs.xml", MediaType: "application/xml", foot: "</incidents>",
		head: func(Source) []byte {
			return []byte(xml.Header + `<incidents xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ` +
				`xsi:noNamespaceSchemaLocation="http://www.gstatic.com/road-incidents/cifsv2.xsd">`)
		},
		feature: func(c *fleet.Closure, phase Phase) []byte {
			b, err := xml.Marshal(incidentOf(c, phase))
			if err != nil {
				panic("feed: " + err.Error()) // plain data always encodes
			}
			return b
		},
	}
)

// incident is a closure in CIFS. Its description has less than 40 characters.
type incident struct {
	XMLName     xml.Name   `json:"-" xml:"incident"`
	ID          string     `json:"id" xml:"id,attr"`
	Type        string     `json:"type" xml:"type"`
	Subtype     string     `json:"subtype" xml:"subtype"`
	Polyline    string     `json:"polyline" xml:"polyline"` // latitude first
	Street      string     `json:"street" xml:"street"`
	Direction   string     `json:"direction" xml:"direction"`
	StartTime   string     `json:"starttime" xml:"starttime"`
	EndTime     string     `json:"endtime" xml:"endtime"`
	Description string     `json:"description,omitempty" xml:"description,omitempty"`
	UpdateTime  string     `json:"updatetime" xml:"updatetime"`
	Lanes       *cifsLanes `json:"lanes,omitempty" xml:"lanes"`
}

type cifsLanes struct {
	Lanes []cifsLane `json:"lane" xml:"lane"`
}

type cifsLane struct {
	Order  int    `json:"order" xml:"order"`
	Type   string `json:"type" xml:"type"`
	Status string `json:"status" xml:"status"`
}

const cifsDescription = 39

func incidentOf(c *fleet.Closure, phase Phase) incident {
	from, to := span(c, phase)
	out := incident{ID: c.ExternalID, Type: "HAZARD", Subtype: "HAZARD_ON_ROAD_CONSTRUCTION", Polyline: polyline(Route(c)), Street: c.RoadName,
		Direction: "ONE_DIRECTION", StartTime: offset(from), EndTime: offset(to), UpdateTime: offset(c.UpdatedAt),
		Description: shortened(c.Description, cifsDescription)}
	if c.AlertMessage != "" {
		out.Description = shortened(c.AlertMessage, cifsDescription)
	}
	switch {
	case c.VehicleImpact == "all-lanes-closed":
		out.Type, out.Subtype = "ROAD_CLOSED", "ROAD_CLOSED_CONSTRUCTION"
	case strings.HasPrefix(c.VehicleImpact, "some-lanes-closed"):
		out.Subtype = "HAZARD_ON_ROAD_LANE_CLOSED"
	}
	for _, l := range lanesOf(c) {
		if out.Lanes == nil {
			out.Lanes = &cifsLanes{}
		}
		status := "OPEN"
		if l.Status == "closed" {
			status = "CLOSED"
		}
		out.Lanes.Lanes = append(out.Lanes.Lanes, cifsLane{l.Order, "LANE", status})
	}
	return out
}

// offset is an instant as CIFS wants it: with a numeric offset and no fraction.
func offset(at fleet.Instant) string { return at.Time().Format("2006-01-02T15:04:05+00:00") }

func polyline(route []fleet.LatLng) string {
	b := make([]byte, 0, 24*len(route))
	for i, at := range route {
		if i > 0 {
			b = append(b, ' ')
		}
		b = append(strconv.AppendFloat(b, at.Lat, 'f', 6, 64), ' ')
		b = strconv.AppendFloat(b, at.Lng, 'f', 6, 64)
	}
	return string(b)
}

// shortened is a text of at most so many characters, cut between words where possible.
func shortened(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	cut := string(runes[:most-1])
	if at := strings.LastIndexByte(cut, ' '); at > most/2 {
		cut = cut[:at]
	}
	return strings.TrimRight(cut, " ,.;") + "…"
}
