package api

import (
	"encoding/json"
	"strings"
	"testing"
)

// Each id of the document says that it is a UUID, or the tables say why it isn't always one; no row of the tables is left over.
func TestEveryIDSaysItsFormat(t *testing.T) {
	type schema struct {
		Type       any
		Format     string
		Items      *schema
		Properties map[string]schema
	}
	var document struct {
		Paths map[string]map[string]struct {
			OperationID string
			Parameters  []struct {
				Name, In string
				Schema   schema
			}
		}
		Components struct{ Schemas map[string]schema }
	}
	if err := json.Unmarshal(Document(), &document); err != nil {
		t.Fatal(err)
	}
	said, used := 0, map[string]bool{}
	look := func(owner, name string, s schema) {
		formed := s.Format == "uuid" || s.Items != nil && s.Items.Format == "uuid"
		_, others := otherIDs[name]
		_, loose := looseIDs[owner+"."+name]
		used[name], used[owner+"."+name] = true, true
		switch {
		case formed && (others || loose):
			t.Errorf("%s.%s is said to be a UUID, and not to be one", owner, name)
		case formed:
			said++
		case !others && !loose:
			t.Errorf("%s.%s doesn't say that it is a UUID, and no table says why", owner, name)
		}
	}
	isID := func(name string) bool {
		name = strings.TrimSuffix(name, "[]")
		return name == "id" || name == "uuid" || name == "thingId" || name == "orgId" ||
			strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "_ids") || strings.HasSuffix(name, "_uuid")
	}
	for owner, shape := range document.Components.Schemas {
		owner = editedBy(owner)
		_, mayBeGone := shape.Properties["is_deleted"]
		for name, s := range shape.Properties {
			if mayBeGone && name != "id" && s.Type == "string" && s.Format == "" {
				used[name] = true // empty in the row of something deleted
			} else if isID(name) {
				look(owner, name, s)
			}
		}
	}
	for _, item := range document.Paths {
		for _, op := range item {
			for _, p := range op.Parameters {
				if isID(p.Name) {
					look(op.OperationID, p.Name, p.Schema)
				}
			}
		}
	}
	if said < 200 {
		t.Errorf("only %d ids say it", said)
	}
	for _, table := range []map[string]string{otherIDs, looseIDs} {
		for name := range table {
			if !used[name] {
				t.Errorf("the document has no %s any more", name)
			}
		}
	}
}

// Every operation stands under a heading that says what it is about.
func TestEveryHeadingIsDescribed(t *testing.T) {
	var document struct {
		Paths map[string]map[string]struct{ Tags []string }
		Tags  []struct{ Name, Description string }
	}
	if err := json.Unmarshal(Document(), &document); err != nil {
		t.Fatal(err)
	}
	described := map[string]int{}
	for _, tag := range document.Tags {
		if described[tag.Name]++; described[tag.Name] > 1 || tag.Description == "" {
			t.Errorf("the heading %s is described %d times, now as %q", tag.Name, described[tag.Name], tag.Description)
		}
	}
	for path, methods := range document.Paths {
		for method, o := range methods {
			if len(o.Tags) != 1 || described[o.Tags[0]] == 0 {
				t.Errorf("%s %s: nothing describes its heading %v: let server.noun make the group of a noun; others stand in tagOrder",
					method, path, o.Tags)
			}
		}
	}
}
