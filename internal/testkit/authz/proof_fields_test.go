package authz_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"lightbar/internal/testkit"
)

// Why nobody has to prove who they are to send a field.
const (
	words        = "words, numbers, or a shape: nobody's access hangs on them"
	whose        = "whose row it is, or which row: full reach is asked, and a row moves only where its writer reaches both"
	choice       = "a choice of everyday work: it gives nobody access and loosens no rule"
	hidesOne     = "shows or hides one row where its organization publishes; that the organization does was proved"
	platformOwn  = "only the installation's owner may send it; it changes how screens work, not who reaches what"
	mailsOneself = "mails the caller alone, or no longer"
	content      = "content or digest of an import: applying it is a row of its own"
	preview      = "a preview changes nothing"
)

// proved names the row of proofs in which a field is refused without a proof.
func proved(operation, what string) string { return "proof: " + operation + "/" + what }

// fieldProofs says of each field of each body whether a fresh proof is asked for
// it: by a row of proofs, or why not. Fields are separated by spaces.
var fieldProofs = andResources(map[string]map[string]string{
	"AccessTokenText":           {noSession: "access_token"},
	"AreasImport":               {words: "content name_from", choice: "ez_type_id format preview", whose: "organization_id"},
	"AssociationsWrite":         {words: "organization_relationships.organization_name", proved("setThingAssociations", "accessor"): "organization_relationships.organization_uuid organization_relationships.relationship_type"},
	"ChangePasswordInputBody":   {askedInIt: "current_password password"},
	"ChoosePasswordInputBody":   {noSession: "password token"},
	"ClosureConfirm":            {choice: "answer end_time"},
	"CommandWord":               {ofADevice: "at config_version message status"},
	"CoverWrite":                {words: "after_minutes", choice: "thing_type_ids"},
	"DeviceConfigWrite":         {proved("setDeviceConfig", ""): "file_name heartbeat_interval indicator_pin location_type model platform warning_light_pin"},
	"DirectionsAsked":           {words: "distance_m heading_deg near.lat near.lng text waypoints.lat waypoints.lng", choice: "choice"},
	"EmailInputBody":            {noSession: "email"},
	"ExportWrite":               {words: "export_end_time export_start_time title", choice: "closures_to_include export_type formats include_no_thing_il use_utc", mailsOneself: "mail_when_done", whose: "id organization_id thing_uuids"},
	"FeedAccept":                {choice: "missing"},
	"FeedCheck":                 {words: "content url"},
	"HazardImport":              {words: "columns.description columns.id columns.lat columns.lng columns.start columns.type columns.updated content name time_format timezone", choice: "format guess preview types", whose: "organization_id"},
	"IngestAssets":              {ofADevice: "things.device_type things.external_id things.haas_id things.nickname things.thing_type"},
	"IngestBatch":               {ofADevice: "items.accuracy items.active items.alert_message items.alerting items.alt items.asset items.at items.config_version items.course items.description items.expires_at items.features.features.geometry items.features.features.geometry.coordinates items.features.features.geometry.type items.features.features.properties.radius_dist items.features.features.type items.features.type items.hazard_type items.id items.is_active items.lat items.lng items.on items.pattern items.speed items.type items.valid"},
	"IntegrationLinks":          {words: "vehicles.external_id", whose: "vehicles.thing_id"},
	"KeyCreate":                 {proved("createKey", "of an organization"): "description expires_at never_ends organization_id scope scopes", proved("createKey", "of an asset"): "thing_id"},
	"LegalHoldCreate":           {"a hold keeps data and takes nothing from anybody": "ends_at from organization_id reason thing_id to"},
	"LightIntensity":            {choice: "light_intensity"},
	"LinkTexts":                 {noSession: "access_token refresh_token"},
	"LocationWrite":             {words: "lat lng roadway_heading", whose: "organization_id"},
	"MailPreferences":           {mailsOneself: "other_closures own_closures"},
	"MonthlyMailChoice":         {mailsOneself: "mail"},
	"NewPasskey":                {proved("addPasskey", ""): "challenge credential name"},
	"OrganizationRelationWrite": {proved("relateOrganizations", "manager"): "organization_id relationship_type"},
	"OrganizationWrite": {
		words:       "address1 address2 cell_phone_number city contact_name country_code email name phone_number postal_code state timezone feed_license",
		choice:      "event_wording organization_type_id vehicle_icon_active vehicle_icon_default",
		platformOwn: "acs billing_id is_large_org",
		proved("updateOrganization", "public alerts"):             "alerts_public",
		proved("updateOrganization", "public feeds"):              "feeds_public",
		proved("updateOrganization", "publishes as it is public"): "is_wzdx_org",
		proved("updateOrganization", "no second factor"):          "mfa_required",
		proved("updateOrganization", "passwords too"):             "sso_only",
		proved("updateOrganization", "locks later"):               "lock_screen_ms",
		proved("updateOrganization", "sessions without an end"):   "show_infinite_timeout_option",
	},
	"QuestionAnswer":  {noSession: "answer token"},
	"QuestionToken":   {noSession: "token"},
	"SavedAreasWrite": {"a list of one's own": "area_ids"},
	"StatusMail":      {mailsOneself: "mail"},
	"StepUp":          {proving: "challenge code credential extend password unlock"},
	"StepUpBySSO":     {proving: "extend"},
	"TOTPCode":        {proved("confirmTOTP", ""): "code"},
	"ThingCreate":     {words: "external_id haas_id license_plate_number nickname registry_number vin_number", choice: "device_type thing_subtype_id thing_type_id", whose: "organization_id"},
	"ThingTransfer":   {proved("transferThing", ""): "organization_id"},
	"ThingWrite":      {words: "external_identifiers.identifier_id external_identifiers.system_name license_plate_number nickname registry_number vin_number", choice: "external_identifiers.is_deleted in_service thing_subtype_id thing_type_id", hidesOne: "is_publicly_alerting", whose: "id"},
	"ThingsImport":    {proved("importThings", "apply"): "csv digest organization_id"},
	"TokenRequest": {noSession: "access_token application challenge code credential grant_type method password refresh_token token_delivery unlock_token username",
		proved("createUserToken", "awareness mode on"): "awareness_mode"},
	"TokenText":  {oneself: "token"},
	"Undo":       {"an undo is an edit: what its noun asks, it asks": "version"},
	"UserCreate": {proved("createUser", "an administrator"): "email firstname lastname organization_id role_id"},
	"UserWrite": {words: "address1 address2 city country_code firstname lastname phonenumber postal_code state", proved("updateUser", "role"): "role_id",
		proved("updateUser", "moved"): "organization_id", proved("updateUser", "suspended"): "suspended", proved("updateUser", "awareness mode"): "awareness_mode_access"},
	"UsersImport":   {proved("importUsers", "apply"): "csv digest organization_id"},
	"WatchdogMail":  {mailsOneself: "mail"},
	"WatchdogWrite": {words: "quiet_from quiet_to version", choice: "rules.mode rules.rule"},
}, (*resource).fieldProofs)

// A field that somebody adds to a body must be decided upon: does it need a proof, and if not, why.
func TestEveryFieldSaysWhetherItNeedsAProof(t *testing.T) {
	shapes := writeShapes(t)
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		decided := map[string]string{}
		for why, fields := range fieldProofs[name] {
			for field := range strings.FieldsSeq(fields) {
				if decided[field] != "" {
					t.Errorf("%s.%s stands twice", name, field)
				}
				decided[field] = why
				mustBeProved(t, name+"."+field, why)
				if !slices.Contains(shapes[name], field) {
					t.Errorf("the table has %s.%s, which no body has", name, field)
				}
			}
		}
		for _, field := range shapes[name] {
			if decided[field] == "" {
				t.Errorf("%s.%s has no row: does it need a fresh proof? Say in which row of proofs, or why not", name, field)
			}
		}
	}
	for name := range fieldProofs {
		if shapes[name] == nil {
			t.Errorf("the table has %s, which no call takes", name)
		}
	}
	if len(shapes) < 40 {
		t.Errorf("only %d shapes", len(shapes))
	}
}

// mustBeProved holds a row that says "proof" against the row that walks it.
func mustBeProved(t *testing.T, field, why string) {
	t.Helper()
	row, ok := strings.CutPrefix(why, "proof: ")
	if !ok {
		return
	}
	operation, what, _ := strings.Cut(row, "/")
	if !slices.ContainsFunc(proofs[operation], func(a asks) bool { return a.what == what && a.free == "" }) {
		t.Errorf("%s: proofs has no row %s that asks for one", field, row)
	}
}

// writeShapes are the bodies of the document with the paths of their fields. A body without a name of its own has none.
func writeShapes(t *testing.T) map[string][]string {
	t.Helper()
	type schema = map[string]any
	var document struct {
		Paths map[string]map[string]struct {
			RequestBody struct {
				Content map[string]struct{ Schema schema }
			}
		}
		Components struct{ Schemas map[string]schema }
	}
	if err := json.Unmarshal([]byte(testkit.New(t).Do(testkit.Request{Path: "/api/openapi.json"}).Text), &document); err != nil {
		t.Fatal(err)
	}
	nameOf := func(s schema) string {
		reference, _ := s["$ref"].(string)
		name := strings.TrimPrefix(reference, "#/components/schemas/")
		if edited := strings.TrimSuffix(name, "Create") + "Write"; document.Components.Schemas[edited]["properties"] != nil &&
			document.Components.Schemas[name]["x-held-by-law"] != nil {
			return edited // with other fields required
		}
		return name
	}
	out := map[string][]string{}
	var walk func(of, path string, s schema, above []string)
	walk = func(of, path string, s schema, above []string) {
		if name := nameOf(s); name != "" {
			if slices.Contains(above, name) {
				return
			}
			s, above = document.Components.Schemas[name], append(slices.Clone(above), name)
		}
		for _, key := range []string{"allOf", "oneOf", "anyOf"} {
			parts, _ := s[key].([]any)
			for _, part := range parts {
				walk(of, path, part.(schema), above)
			}
		}
		if items, ok := s["items"].(schema); ok {
			walk(of, path, items, above)
			return
		}
		properties, _ := s["properties"].(schema)
		for name, of2 := range properties {
			walk(of, strings.TrimPrefix(path+"."+name, "."), of2.(schema), above)
		}
		if len(properties) == 0 && path != "" && !slices.Contains(out[of], path) {
			out[of] = append(out[of], path)
		}
	}
	for _, methods := range document.Paths {
		for _, o := range methods {
			for _, c := range o.RequestBody.Content {
				if name := nameOf(c.Schema); name != "" {
					walk(name, "", c.Schema, nil)
				}
			}
		}
	}
	for name := range out {
		slices.Sort(out[name])
	}
	return out
}
