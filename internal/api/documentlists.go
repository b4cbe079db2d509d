package api

import (
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"lightbar/catalog"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
)

// closedLists are the fields of bodies that take one value of a closed list, most often of the catalog, or several.
func closedLists() map[string][]string {
	e := catalog.AllEnums()
	orNone := func(values []string) []string { return append([]string{""}, values...) }
	icons := orNone(namesOf(e.ThingTypes, func(t catalog.ThingType) string { return t.Name }))
	hazards := namesOf(e.HazardTypes, func(t catalog.HazardType) string { return t.Name })
	name := func(n catalog.Named) string { return n.Name }
	parties := []string{"manager", "accessor", "delete"}
	return map[string][]string{
		"ClosureWrite.closure_type":                   {fleet.ClosureManual, fleet.ClosureAutomated},
		"ClosureWrite.direction":                      orNone(e.ClosureDirections),
		"ClosureWrite.location_method":                orNone(namesOf(e.LocationMethods, name)),
		"ClosureWrite.vehicle_impact":                 orNone(namesOf(e.VehicleImpacts, name)),
		"ExportWrite.export_type":                     e.ExportTypes,
		"ExportWrite.formats":                         slices.Concat(e.ExportFormats, e.PointFormats),
		"FeedSubscriptionWrite.format":                namesOf(e.FeedFormats, name),
		"FeedSubscriptionWrite.types":                 hazards,
		"HazardImport.types":                          hazards,
		"HazardWrite.type":                            hazards,
		"IngestAsset.device_type":                     orNone(e.DeviceTypes),
		"IngestItem.pattern":                          orNone(e.ArrowBoardPatterns),
		"IntegrationWrite.provider":                   e.Providers,
		"KeyCreate.scopes":                            e.KeyScopes,
		"LightIntensity.light_intensity":              e.LightIntensities,
		"OrganizationWrite.event_wording":             e.EventWording,
		"OrganizationWrite.vehicle_icon_active":       icons,
		"OrganizationWrite.vehicle_icon_default":      icons,
		"OrganizationRelationWrite.relationship_type": parties,
		"RelationshipWrite.relationship_type":         parties,
		"ThingCreate.device_type":                     orNone(e.DeviceTypes),
		"WatchdogMode.mode":                           e.WatchdogModes,
		"WatchdogMode.rule":                           namesOf(e.WatchdogRules, name),
		"ZoneWrite.alerting_zone_type_name":           namesOf(e.ZoneTypes, func(t catalog.ZoneType) string { return t.Name }),
	}
}

// openWords are fields that are called like a list of the catalog and take other words.
var openWords = map[string]string{
	"AreaWrite.state":                   "by country, and free where a country has no list",
	"CommandWord.status":                "delivered or failed: what a device says, not the status of an asset",
	"DeviceConfigWrite.location_type":   "the device's own word",
	"FeedSubscriptionWrite.time_format": "a pattern",
	"HazardColumns.type":                "the name of a column",
	"HazardImport.time_format":          "a pattern",
	"IngestAsset.thing_type":            "name, former name or id of a type",
	"IngestItem.hazard_type":            "any other word is other",
	"KeyCreate.scope":                   "ingest or thing: what a key of one asset is, not what a key of an organization may be for",
	"LegalHoldCreate.reason":            "a person's sentence",
	"OrganizationWrite.feed_license":    "or the address of a license",
	"OrganizationWrite.state":           "by country, and free where a country has no list",
	"TokenRequest.grant_type":           "of the sign-in",
	"TokenRequest.method":               "of the sign-in",
	"UserWrite.state":                   "by country, and free where a country has no list",
}

func namesOf[T any](list []T, name func(T) string) (out []string) {
	for _, one := range list {
		out = append(out, name(one))
	}
	return out
}

// heldByLaw marks a closed list that no schema refuses, and names the required fields of a shape that none does. The web's types
// leave these out: its forms take their choices from the catalog, which both sides read, and a form may hold a text that is none
// of them, or lack a field, until the server has said so.
const heldByLaw = "x-held-by-law"

// describeLists writes the values of closed lists into the document: generated clients have names for them. Requests are not
// checked by it: the verbs refuse other values in their own words.
func describeLists(registry huma.Registry) {
	for field, values := range closedLists() {
		s := oneOfMany(fieldNamed(registry, field))
		extend(s, "enum", values)
		extend(s, heldByLaw, true)
	}
}

// describeNouns writes the nouns of answers that tell of several into the document: the lists of the verbs.
func describeNouns(registry huma.Registry) {
	extend(fieldNamed(registry, "Change.noun"), "enum", app.ChangingNouns())
	extend(fieldNamed(registry, "Undoable.noun"), "enum", app.UndoableNouns())
}

// fieldNamed is a field of a shape: "ZoneWrite.description".
func fieldNamed(registry huma.Registry, field string) *huma.Schema {
	shape, name, _ := strings.Cut(field, ".")
	if s := registry.Map()[shape]; s != nil && s.Properties[name] != nil {
		return s.Properties[name]
	}
	panic("api: the document has no field " + field) // shown by the tests that read it
}

// oneOfMany is what a list or a map holds, or the field itself.
func oneOfMany(s *huma.Schema) *huma.Schema {
	if s.Items != nil {
		return s.Items
	}
	if values, ok := s.AdditionalProperties.(*huma.Schema); ok {
		return values
	}
	return s
}
