package people_test

import (
	"slices"
	"strings"
	"testing"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/testkit"
)

// specified are the permission strings of requirements 6.string, written down here and not read from the catalog.
const specified = `
organization:manage organization:create organization:read organization:update organization:delete
user:admin:manage user:admin:create user:manage user:create user:read user:update user:delete
thing:manage thing:read thing:update thing:admin:manage thing:invoke_r2r thing:ha5_light_intensity_change
incident:read incident:update zone:manage zone:read trip:read hazard:read
heatmap:create heatmap:read
exclusion:manage exclusion:create exclusion:read exclusion:update exclusion:delete
closure:manage closure:create closure:read closure:update closure:delete
mobile:closure:manage mobile:closure:create mobile:closure:update
report:manage report:create report:read report:update report:delete
export:manage export:create export:read export:delete
integration_configuration:manage integration_configuration:create integration_configuration:read integration_configuration:delete
billing:read haas:manage engineer:test`

// canDo says what each role can do: reading for viewers, and what each next one adds. manage is written out as what it grants.
var canDo = map[string]string{
	"viewer":   "thing:read incident:read exclusion:read closure:read zone:read hazard:read heatmap:read",
	"operator": "thing:update incident:update closure:create closure:update mobile:closure:create mobile:closure:update thing:invoke_r2r trip:read",
	"manager": `closure:manage closure:delete mobile:closure:manage exclusion:manage exclusion:create exclusion:update exclusion:delete
		report:manage report:create report:read report:update report:delete export:manage export:create export:read export:delete
		thing:ha5_light_intensity_change user:read`,
	"administrator": `user:admin:manage user:admin:create user:manage user:create user:update user:delete
		organization:manage organization:create organization:read organization:update organization:delete thing:manage thing:admin:manage zone:manage
		integration_configuration:manage integration_configuration:create integration_configuration:read integration_configuration:delete billing:read`,
	"super":    "haas:manage",
	"engineer": "engineer:test",
}

var includes = map[string]string{"operator": "viewer", "manager": "operator", "administrator": "manager", "super": "administrator", "engineer": "viewer"}

// Every role can do what is written here of the specified permissions, and nothing else of them.
//
// spec: 6.string.01 6.string.02 6.string.03 6.string.04 6.model.03
func TestWhatEachRoleCanDo(t *testing.T) {
	w := testkit.New(t)
	all := strings.Fields(specified)
	if sorted := slices.Sorted(slices.Values(catalog.AllPermissions().Permissions)); !slices.Equal(sorted, slices.Sorted(slices.Values(all))) {
		t.Errorf("the catalog's permissions are %v", sorted)
	}
	for role := range canDo {
		var want []string
		for r := role; r != ""; r = includes[r] {
			want = append(want, strings.Fields(canDo[r])...)
		}
		actor := w.Actor(role)
		p, err := w.App.Profile(t.Context(), actor)
		must(t, err)
		if told := slices.Sorted(slices.Values(want)); !slices.Equal(p.User.Permissions, told) {
			t.Errorf("the profile of %s says %v", role, p.User.Permissions)
		}
		for _, permission := range all {
			if got := actor.Can(permission); got != slices.Contains(want, permission) {
				t.Errorf("%s, %s: %v", role, permission, got)
			}
		}
	}
}

// anyOf is the table of requirements 6.req; trips and hazards are open to haas:manage as all sections are.
var anyOf = map[string]string{
	"VIEW_THINGS": "thing:read thing:manage haas:manage", "EDIT_THING": "thing:update thing:manage",
	"VIEW_EVENTS": "incident:read haas:manage", "EDIT_EVENT": "incident:update haas:manage",
	"VIEW_AREAS": "exclusion:read exclusion:manage haas:manage", "ADD_AREA": "exclusion:create exclusion:manage",
	"EDIT_AREA": "exclusion:update exclusion:manage", "DELETE_AREA": "exclusion:delete exclusion:manage",
	"VIEW_CLOSURES": "closure:read closure:manage haas:manage", "ADD_CLOSURE": "closure:create closure:manage",
	"EDIT_CLOSURE": "closure:update closure:manage", "DELETE_CLOSURE": "closure:delete closure:manage",
	"ADD_CLOSURE_MOBILE": "mobile:closure:create mobile:closure:manage", "EDIT_CLOSURE_MOBILE": "mobile:closure:update mobile:closure:manage",
	"VIEW_ZONES": "zone:read zone:manage haas:manage", "VIEW_TRIPS": "trip:read haas:manage", "VIEW_HAZARDS": "hazard:read haas:manage",
	"VIEW_DATA":     "report:read report:manage export:read export:manage haas:manage",
	"VIEW_REPORTS":  "report:read report:manage haas:manage",
	"VIEW_EXPORTS":  "export:read export:manage haas:manage",
	"CREATE_EXPORT": "export:create export:manage", "DELETE_EXPORT": "export:delete export:manage",
	"VIEW_ACCOUNTS": `user:admin:manage user:admin:create user:manage user:create user:read user:update user:delete
		organization:manage organization:create organization:read organization:update organization:delete thing:admin:manage`,
	"VIEW_ACCOUNTS_NEW": "engineer:test", "MOBILE": "",
}

// Each specified permission alone, against each of its requirements.
//
// spec: 6.req.01 6.req.02 6.req.03 6.req.05 6.req.06 6.req.07 6.req.09 6.req.10 6.req.11 6.req.12 6.req.13 6.req.14 6.req.15
func TestRequirementsOfTheRequirements(t *testing.T) {
	for requirement, any := range anyOf {
		opens := strings.Fields(any)
		for _, permission := range strings.Fields(specified) {
			actor := access.Actor{UserID: "u", Permissions: map[string]bool{permission: true}}
			if got := actor.Meets(requirement); got != (len(opens) == 0 || slices.Contains(opens, permission)) {
				t.Errorf("%s alone, %s: %v", permission, requirement, got)
			}
		}
	}
}
