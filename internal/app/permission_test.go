package app_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/testkit"
)

var update = flag.Bool("update", false, "write the golden files anew")

// open are the verbs that need no permission, each with its reason.
var open = map[string]string{
	"Feed":              "everybody may read what an organization publishes; of a key its scope is asked",
	"Profile":           "everybody may read who they are",
	"Once":              "keeps answers; the verb inside checks",
	"NoteSuperAccess":   "leaves an audit row of what has been answered",
	"NoteLooks":         "leaves an audit row of what has been answered",
	"FollowAlerts":      "asks who may read public alerts, as Feed does",
	"RecordImpressions": "asks who may read public alerts, as Feed does",
	"NoteRead":          "leaves an audit row of what its verb has checked",
	"ChangePassword":    "everybody may change their own password",
	"ActorNow":          "reads the actor itself afresh",
	"Audit.Write":       "leaves the row of what its verb has checked",
	"MustBeFresh":       "is a check itself",
	"MustBeFreshIn":     "is a check itself",
	"OrganizationNow":   "answers for verbs that have checked",
	"TellRelation":      "tells of what its verb has checked",
}

// verbsOf are the methods by name: those of the audit begin with "Audit.", those of a resource with its name.
func verbsOf(a *app.App) map[string]reflect.Value {
	out := map[string]reflect.Value{}
	of := map[string]reflect.Value{"": reflect.ValueOf(a), "Audit.": reflect.ValueOf(a.Audit)}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[app.App]()) {
		if strings.HasPrefix(f.Type.Name(), "Collection[") {
			of[f.Name+"."] = reflect.ValueOf(a).Elem().FieldByIndex(f.Index)
		}
	}
	for prefix, value := range of {
		for i := range value.NumMethod() {
			out[prefix+value.Type().Method(i).Name] = value.Method(i)
		}
	}
	return out
}

// spec: 6.model.04
func TestEveryVerbRefusesAnActorWithoutPermissions(t *testing.T) {
	w := testkit.New(t)
	nobody := &access.Actor{UserID: w.Users["viewer"].ID, OrganizationID: w.Own.ID, Permissions: map[string]bool{},
		Organizations: map[string]access.Reach{w.Own.ID: access.Full}}
	actorType, errorType := reflect.TypeFor[*access.Actor](), reflect.TypeFor[error]()
	checked, verbs := 0, verbsOf(w.App)
	for name, method := range verbs {
		at := -1
		for n := range method.Type().NumIn() {
			if method.Type().In(n) == actorType {
				at = n
			}
		}
		if at < 0 || open[name] != "" {
			continue
		}
		args := make([]reflect.Value, method.Type().NumIn())
		for n := range args {
			args[n] = reflect.Zero(method.Type().In(n))
		}
		if method.Type().In(0).String() == "context.Context" {
			args[0] = reflect.ValueOf(t.Context())
		}
		args[at] = reflect.ValueOf(nobody)
		last := method.Type().NumOut() - 1
		if last < 0 || method.Type().Out(last) != errorType {
			t.Errorf("%s takes an actor but cannot refuse", name)
			continue
		}
		err, _ := method.Call(args)[last].Interface().(error)
		var refusal *fleet.Refusal
		if !errors.As(err, &refusal) || refusal.Code != "forbidden" {
			t.Errorf("%s lets an actor without permissions through: %v", name, err)
		}
		checked++
	}
	for _, resource := range []string{"Areas", "Closures", "Exports", "Hazards", "Integrations", "Subscriptions", "Zones"} {
		if !verbs[resource+".Create"].IsValid() {
			t.Errorf("the verbs of %s are not walked", resource)
		}
	}
	if checked < 10 {
		t.Fatalf("only %d verbs were found", checked)
	}
	for name := range open {
		if !verbs[name].IsValid() {
			t.Errorf("%s is in the list of exceptions but not a verb", name)
		}
	}
}

// The golden matrix requirement × role, for a reviewer to read.
// spec: 6.model.03 6.model.04 6.model.05
func TestPermissionMatrix(t *testing.T) {
	w := testkit.New(t)
	roles := []string{"viewer", "operator", "manager", "administrator", "super", "engineer"}
	var requirements []string
	for name := range catalog.AllPermissions().Requirements {
		requirements = append(requirements, name)
	}
	sort.Strings(requirements)
	var out strings.Builder
	fmt.Fprintf(&out, "%-24s %s\n", "requirement", strings.Join(roles, " "))
	actors := map[string]*access.Actor{}
	for _, role := range roles {
		actors[role] = w.Actor(role)
	}
	for _, name := range requirements {
		fmt.Fprintf(&out, "%-24s", name)
		for _, role := range roles {
			mark := "-"
			if actors[role].Meets(name) {
				mark = "yes"
			}
			fmt.Fprintf(&out, " %-*s", len(role), mark)
		}
		fmt.Fprintln(&out)
	}
	text := regexp.MustCompile(` +\n`).ReplaceAllString(out.String(), "\n")
	golden := filepath.Join("testdata", "permissions.golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("the matrix has changed; if that is meant, run go test ./internal/app -run TestPermissionMatrix -update\n%s", text)
	}
}

// spec: 6.model.01 6.model.02
func TestPermissionStrings(t *testing.T) {
	form := regexp.MustCompile(`^[a-z0-9_]+(:admin|:closure)?:(manage|create|read|update|delete)$`)
	others := []string{"thing:invoke_r2r", "thing:ha5_light_intensity_change", "engineer:test"}
	for _, p := range catalog.AllPermissions().Permissions {
		if !form.MatchString(p) && !slices.Contains(others, p) {
			t.Errorf("%q is not of the form resource[:admin]:action", p)
		}
	}
	for name, any := range catalog.AllPermissions().Requirements {
		for _, p := range any {
			if !slices.Contains(catalog.AllPermissions().Permissions, p) {
				t.Errorf("%s names the unknown permission %q", name, p)
			}
		}
	}
}

// Each listed permission alone opens its requirement, ours too; none of them does not.
func TestEachPermissionAloneSuffices(t *testing.T) {
	for name, any := range catalog.AllPermissions().Requirements {
		for _, p := range any {
			actor := access.Actor{UserID: "u", Permissions: map[string]bool{p: true}}
			if !actor.Meets(name) {
				t.Errorf("%s alone does not open %s", p, name)
			}
		}
		rest := access.Actor{UserID: "u", Permissions: map[string]bool{}}
		for _, p := range catalog.AllPermissions().Permissions {
			rest.Permissions[p] = !slices.Contains(any, p)
		}
		if len(any) > 0 && rest.Meets(name) {
			t.Errorf("%s opens without any of its permissions", name)
		}
	}
	if (&access.Actor{UserID: "u", Permissions: map[string]bool{"haas:manage": true}}).Meets("NO_SUCH_REQUIREMENT") {
		t.Error("an unknown requirement is met")
	}
}

func TestManageGrantsTheFourActions(t *testing.T) {
	w := testkit.New(t)
	manager := w.Actor("manager")
	for _, p := range []string{"closure:read", "closure:create", "closure:update", "closure:delete", "exclusion:delete", "export:delete"} {
		if !manager.Can(p) {
			t.Errorf("closure:manage and the like do not grant %s", p)
		}
	}
	administrator := w.Actor("administrator")
	for _, p := range []string{"thing:invoke_r2r", "thing:ha5_light_intensity_change"} {
		if (&access.Actor{Permissions: map[string]bool{"thing:manage": true}}).Can(p) {
			t.Errorf("thing:manage grants %s", p)
		}
		if !administrator.Can(p) {
			t.Errorf("administrators lack %s", p)
		}
	}
}
