// Package catalog holds what is said once: permissions, limits, enumerations,
// error texts and the vectors that pin the laws both sides must know.
// Go embeds these files, the web app imports them.
package catalog

import (
	"embed"
	"encoding/json"
	"fmt"
	"time"
)

// Files are the catalog's JSON documents as they lie in this folder.
//
//go:embed *.json vectors
var Files embed.FS

// ThingType is a kind of asset (requirements 3.type).
type ThingType struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	DisplayName string `json:"displayName"`
	IsEmergency bool   `json:"isEmergency"`
	IsResponder bool   `json:"isResponder"`
}

// ThingSubtype refines a ThingType, named by the type's name.
type ThingSubtype struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	DisplayName string `json:"displayName"`
	ThingType   string `json:"thingType"`
}

// Status is one row of the status enumeration; Wire is empty for OOS, which is a flag.
type Status struct {
	Name string `json:"name"`
	Rank int    `json:"rank"`
	Wire string `json:"wire"`
}

// AreaType is a type of areas (decisions, Areas).
type AreaType struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	DisplayName string `json:"displayName"`
	// IsStationView marks the types where units are at home.
	IsStationView bool `json:"isStationView"`
	// IsAVType marks the types of automated vehicles: only haas:manage changes such areas.
	IsAVType bool `json:"isAVType"`
	// IsExclusion marks the types that have at least 3 points or a circle, and are no lines.
	IsExclusion bool `json:"isExclusion"`
}

// ZoneType is a type of alerting zones; its name travels.
type ZoneType struct {
	Name        string `json:"name"`
	DisplayName string `json:"displayName"`
}

// FeedLicense is a license of published data; its id is that of SPDX.
type FeedLicense struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	URL  string `json:"url"`
}

// OrganizationType is a kind of organization; its name travels, its id is what an edit names.
type OrganizationType struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	DisplayName string `json:"displayName"`
}

// State is a state or province of a country whose states are a list.
type State struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

// AddressWords are the labels of a form that differ by country.
type AddressWords struct {
	State      string `json:"state"`
	PostalCode string `json:"postalCode"`
	// StateList tells that the state is chosen from States and not typed.
	StateList bool `json:"stateList"`
}

// Named is a value of the wire and what people read for it.
type Named struct {
	Name        string `json:"name"`
	DisplayName string `json:"displayName"`
}

// Enums are the enumerations of requirements 3.enum.
type Enums struct {
	Status           []Status          `json:"status"`
	ThingTypes       []ThingType       `json:"thingTypes"`
	ThingTypeAliases map[string]string `json:"thingTypeAliases"`
	ThingSubtypes    []ThingSubtype    `json:"thingSubtypes"`
	DeviceTypes      []string          `json:"deviceTypes"`
	R2RDeviceTypes   []string          `json:"r2rDeviceTypes"`
	// LightIntensities are how bright the lights of a device of ours can be.
	LightIntensities []string   `json:"lightIntensities"`
	AreaTypes        []AreaType `json:"areaTypes"`
	ZoneTypes        []ZoneType `json:"zoneTypes"`
	// ExportTypes are what exports have rows of, ExportFormats what files they are, PointFormats what files points can be as well.
	ExportTypes   []string `json:"exportTypes"`
	ExportFormats []string `json:"exportFormats"`
	PointFormats  []string `json:"pointFormats"`
	// Closures, with the names of WZDx 4.2.
	ClosureDirections []string           `json:"closureDirections"`
	LocationMethods   []Named            `json:"locationMethods"`
	VehicleImpacts    []Named            `json:"vehicleImpacts"`
	OrganizationTypes []OrganizationType `json:"organizationTypes"`
	// FeedLicenses are those that a feed may be published under, besides terms of an organization's own.
	FeedLicenses []FeedLicense      `json:"feedLicenses"`
	States       map[string][]State `json:"states"`
	// AddressWords by country; "default" for all others.
	AddressWords map[string]AddressWords `json:"addressWords"`
	// EventWording is what an organization calls its events.
	EventWording []string `json:"eventWording"`
	Compass      []string `json:"compass"`
	Providers    []string `json:"providers"`
	// IntegrationHealth is how an account at a provider is, VehicleMatches how one of its vehicles was found to be an asset.
	IntegrationHealth []Named `json:"integrationHealth"`
	VehicleMatches    []Named `json:"vehicleMatches"`
	// WatchdogRules are what the watchdog looks for, WatchdogModes whether it does and tells.
	WatchdogRules []Named  `json:"watchdogRules"`
	WatchdogModes []string `json:"watchdogModes"`
	// ProviderProblems are why a provider could not be read, ProviderRefusals why one of its records could not.
	ProviderProblems []Named `json:"providerProblems"`
	ProviderRefusals []Named `json:"providerRefusals"`
	// ReportSources are the ways by which an asset's reports come, SourceReasons why the position of one is shown or is not.
	ReportSources []Named `json:"reportSources"`
	SourceReasons []Named `json:"sourceReasons"`

	MphCountries []string `json:"mphCountries"`
	// KeyScopes are what API keys of an organization may be for.
	KeyScopes          []string `json:"keyScopes"`
	ArrowBoardPatterns []string `json:"arrowBoardPatterns"`
	// HazardTypes are what hazards may be; the last one is other.
	HazardTypes []HazardType `json:"hazardTypes"`
	// FeedFormats are those of feeds that are subscribed to, FeedHealth how such a feed is, FeedProblems why a
	// fetch failed, FeedReasons why a feature was refused.
	FeedFormats  []Named `json:"feedFormats"`
	FeedHealth   []Named `json:"feedHealth"`
	FeedProblems []Named `json:"feedProblems"`
	FeedReasons  []Named `json:"feedReasons"`
}

// HazardType is a type of hazards; Hours are how long one lasts that somebody reports without saying until when.
type HazardType struct {
	Name        string `json:"name"`
	DisplayName string `json:"displayName"`
	Hours       int    `json:"hours"`
}

// Role is a named set of permissions; Order is nil for roles that cannot be assigned.
type Role struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Label       string   `json:"label"`
	Order       *int     `json:"order"`
	Includes    string   `json:"includes"`
	Permissions []string `json:"permissions"`
}

// Section is a part of /dashboard and the requirement that opens it.
type Section struct {
	ID          string `json:"id"`
	Requirement string `json:"requirement"`
	Mobile      bool   `json:"mobile"`
	// Parts are the requirements of addresses below the section's own.
	Parts map[string]string `json:"parts"`
}

// Permissions is the table of requirements 6.req.
type Permissions struct {
	Permissions  []string                       `json:"permissions"`
	Requirements map[string][]string            `json:"requirements"`
	Sections     []Section                      `json:"sections"`
	Resources    map[string]map[string][]string `json:"resources"`
	Roles        []Role                         `json:"roles"`
}

// MonthlyFigure is a figure of a monthly report and what people read of it.
type MonthlyFigure struct {
	Name        string `json:"name"`
	Section     string `json:"section"`
	DisplayName string `json:"displayName"`
	Kind        string `json:"kind"` // count, span, time, distance, share
	IsMain      bool   `json:"isMain"`
	Unknown     string `json:"unknown"`
	Means       string `json:"means"`
}

// MonthlyWords are the sentences of a monthly report, with {places}.
type MonthlyWords struct {
	NoReport       string `json:"noReport"`
	NotKnown       string `json:"notKnown"`
	Was            string `json:"was"`
	Same           string `json:"same"`
	Changed        string `json:"changed"`
	ChangedBy      string `json:"changedBy"`
	DamagedOne     string `json:"damagedOne"`
	Damaged        string `json:"damaged"`
	Silence        string `json:"silence"`
	RefusedUnknown string `json:"refusedUnknown"`
	RefusedOne     string `json:"refusedOne"`
	Refused        string `json:"refused"`
	FeedsUnknown   string `json:"feedsUnknown"`
	MayChange      string `json:"mayChange"`
}

// Monthly are the sections of a monthly report and their figures.
type Monthly struct {
	Words    MonthlyWords         `json:"words"`
	Ways     map[string][2]string `json:"ways"` // by kind: of what is more, and of what is less
	Sections []Named              `json:"sections"`
	Figures  []MonthlyFigure      `json:"figures"`
}

var (
	monthly           = must[Monthly]("monthly.json")
	enums             = must[Enums]("enums.json")
	permissions       = must[Permissions]("permissions.json")
	limits, settables = readLimits()
)

// AllEnums returns the enumerations; callers must not change them.
func AllEnums() *Enums { return &enums }

// MonthlyReport returns the figures of monthly reports; callers must not change them.
func MonthlyReport() *Monthly { return &monthly }

// AllPermissions returns the permission table; callers must not change it.
func AllPermissions() *Permissions { return &permissions }

// Limit returns the number at group.name of limits.json. It panics on an
// unknown name, and on one that an operator may set (see Setting): every use is
// a package-level variable, so a wrong name fails at start.
func Limit(group, name string) float64 {
	v, ok := limits[group][name]
	if !ok {
		panic(fmt.Sprintf("catalog: no limit %s.%s", group, name))
	}
	if settables[group+"."+name] != nil {
		panic(fmt.Sprintf("catalog: %s.%s can be set; ask for it by Setting", group, name))
	}
	return v
}

// LimitInt is Limit for counts, bytes and milliseconds.
func LimitInt(group, name string) int64 { return int64(Limit(group, name)) }

// LimitMs is Limit for the names that end in Ms.
func LimitMs(group, name string) time.Duration {
	return time.Duration(LimitInt(group, name)) * time.Millisecond
}

// RoleByID finds a role of the catalog.
func RoleByID(id string) (Role, bool) {
	for _, r := range permissions.Roles {
		if r.ID == id {
			return r, true
		}
	}
	return Role{}, false
}

// RoleByName finds a role by its short name ("viewer", "super", …).
func RoleByName(name string) (Role, bool) {
	for _, r := range permissions.Roles {
		if r.Name == name {
			return r, true
		}
	}
	return Role{}, false
}

// Granted lists every permission of a role, those of the roles it includes first.
func Granted(r Role) []string {
	var out []string
	if r.Includes != "" {
		if parent, ok := RoleByName(r.Includes); ok {
			out = Granted(parent)
		}
	}
	return append(out, r.Permissions...)
}

func must[T any](name string) T {
	var v T
	b, err := Files.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(b, &v)
	}
	if err != nil {
		panic("catalog: " + name + ": " + err.Error())
	}
	return v
}

func readLimits() (map[string]map[string]float64, map[string]*Settable) {
	raw := must[map[string]json.RawMessage]("limits.json")
	out, settables := map[string]map[string]float64{}, map[string]*Settable{}
	for group, body := range raw {
		if group == "$comment" {
			continue
		}
		var entries map[string]struct {
			Value float64  `json:"value"`
			Min   *float64 `json:"min"`
			Max   *float64 `json:"max"`
		}
		if err := json.Unmarshal(body, &entries); err != nil {
			panic("catalog: limits.json: " + group + ": " + err.Error())
		}
		out[group] = map[string]float64{}
		for name, e := range entries {
			out[group][name] = e.Value
			if e.Min != nil && e.Max != nil {
				settables[group+"."+name] = newSettable(e.Value, *e.Min, *e.Max)
			}
		}
	}
	return out, settables
}
