package simulate

import (
	"fmt"
	"time"
)

// Tenant says whose asset a cast member is in the demo.
type Tenant uint8

// The demo's organizations: the fire department manages the other two.
const (
	FireDepartment Tenant = iota
	PublicWorks
	Towing
)

// Member is one asset of the demo's cast.
type Member struct {
	Vehicle      *Vehicle
	Tenant       Tenant
	Subtype      string // name of the catalog
	OutOfService bool
	Station      int      // index into Stations, -1 for none
	Ahead        []LatLng // the street that an arrow board stands on; nil without a region
}

// Station is a fire or ambulance station of the demo.
type Station struct {
	Name string
	At   LatLng
}

// Wilmington is the center of the demo's city.
var Wilmington = LatLng{Lat: 39.7447, Lng: -75.5484}

// Stations of the demo, near where Wilmington has its own.
var Stations = []Station{
	{"Station 1", LatLng{Lat: 39.7437, Lng: -75.5466}},
	{"Station 2", LatLng{Lat: 39.7389, Lng: -75.5587}},
	{"Station 3", LatLng{Lat: 39.7556, Lng: -75.5617}},
	{"Station 4", LatLng{Lat: 39.7298, Lng: -75.5472}},
	{"Station 5", LatLng{Lat: 39.7561, Lng: -75.5362}},
	{"Station 6", LatLng{Lat: 39.7489, Lng: -75.5729}},
	{"Station 7", LatLng{Lat: 39.7622, Lng: -75.5405}},
	{"Station 8", LatLng{Lat: 39.7365, Lng: -75.5745}},
	{"Station 9", LatLng{Lat: 39.7612, Lng: -75.5735}},
	{"Station 10", LatLng{Lat: 39.7277, Lng: -75.5590}},
	{"Station 11", LatLng{Lat: 39.7470, Lng: -75.5275}},
	{"Station 12", LatLng{Lat: 39.7682, Lng: -75.5624}},
}

type casting struct {
	count     int
	name      string // with %d
	first     int
	prefix    string // of the system name
	kind      string
	subtype   string
	device    string
	role      Role
	tenant    Tenant
	atStation bool
}

var castings = []casting{
	{6, "Engine %d", 1, "HA7-004", "fire", "fire-engine", "ha7", Responder, FireDepartment, true},
	{3, "Ladder %d", 1, "HA7-005", "fire", "fire-ladder", "ha7", Responder, FireDepartment, true},
	{2, "Rescue %d", 1, "HA7-006", "fire", "fire-rescue", "ha7", Responder, FireDepartment, true},
	{3, "Battalion %d", 1, "HA5-007", "fire", "fire-chief", "ha5", Responder, FireDepartment, true},
	{8, "Medic %d", 1, "HA7-002", "ambulance", "ambulance-als", "ha7", Responder, FireDepartment, true},
	{2, "Command %d", 1, "HA5-003", "emergency_response", "emergency_response-command", "ha5", Responder, FireDepartment, true},
	{14, "Unit %d", 11, "HA5-011", "police", "police-patrol", "ha5", Patrol, FireDepartment, false},
	{6, "Arrow Board %d", 10, "HA5-020", "arrow_board", "arrow_board-trailer", "ha5", ArrowBoard, PublicWorks, false},
	{4, "DPW Truck %d", 5, "HA5-009", "maintenance", "maintenance-pickup", "ha5", RoadCrew, PublicWorks, false},
	{2, "Attenuator %d", 1, "HA5-030", "maintenance", "maintenance-attenuator", "ha5", RoadCrew, PublicWorks, false},
	{2, "Plow %d", 1, "HA5-091", "maintenance", "maintenance-plow", "ha5", RoadCrew, PublicWorks, false},
	{3, "Recycling %d", 3, "HA5-005", "waste", "waste-recycling", "ha5", Collection, PublicWorks, false},
	{2, "Refuse %d", 1, "HA5-006", "waste", "waste-collection", "ha5", Collection, PublicWorks, false},
	{3, "Brandywine Tow %d", 1, "API-", "tow", "tow-heavy", "api", Tow, Towing, false},
}

// Silent members: name → how long ago they last reported.
var silent = map[string]time.Duration{
	"Medic 6": 13 * time.Hour, "Battalion 3": 30 * time.Hour, "Unit 24": 6 * 24 * time.Hour,
	"Plow 1": 8 * 24 * time.Hour, "Plow 2": 7 * 24 * time.Hour, "Refuse 2": 11 * time.Hour, "Arrow Board 15": 2 * time.Hour,
}

var outOfService = map[string]bool{"Plow 2": true, "Engine 6": true}

// Cast is the demo's fleet of sixty. place finds somewhere on a street near a position.
func Cast(place func(near LatLng, radiusM float64) LatLng) []Member {
	var out []Member
	for _, c := range castings {
		for i := range c.count {
			n := c.first + i
			v := &Vehicle{
				Asset: Asset{HaasID: fmt.Sprintf("%s%02d", c.prefix, n), Nickname: fmt.Sprintf(c.name, n), ThingType: c.kind, DeviceType: c.device},
				Role:  c.role,
			}
			m := Member{Vehicle: v, Tenant: c.tenant, Subtype: c.subtype, Station: -1, OutOfService: outOfService[v.Nickname]}
			v.LastSeen, v.Idle = silent[v.Nickname], m.OutOfService
			if c.atStation {
				m.Station = len(out) % len(Stations)
				v.Home = offset(Stations[m.Station].At, float64(i%3)*9-9, float64(i%2)*9)
			} else {
				v.Home = place(Wilmington, 2200)
			}
			out = append(out, m)
		}
	}
	return out
}
