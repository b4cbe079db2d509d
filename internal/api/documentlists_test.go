package api

import (
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lightbar/catalog"
)

// listWords are the words that the fields of the catalog's lists end with: "impact" of vehicleImpacts, "mode" of watchdogModes.
func listWords() map[string]bool {
	words := map[string]bool{}
	last := regexp.MustCompile(`[A-Za-z][a-z]*$`)
	lists := reflect.TypeFor[catalog.Enums]()
	for i := range lists.NumField() {
		word := strings.ToLower(last.FindString(lists.Field(i).Tag.Get("json")))
		switch {
		case strings.HasSuffix(word, "ies"):
			word = strings.TrimSuffix(word, "ies") + "y"
		case !strings.HasSuffix(word, "ss") && word != "status":
			word = strings.TrimSuffix(word, "s")
		}
		words[word] = true
	}
	return words
}

// Each field of a body that is called like a list of the catalog says its values, or the table says why it has others.
func TestClosedListsAreSaid(t *testing.T) {
	type schema struct {
		Ref                  string `json:"$ref"`
		Type                 any
		Enum                 []string
		Items                *schema
		AdditionalProperties any
		Properties           map[string]*schema
	}
	var document struct {
		Paths map[string]map[string]struct {
			RequestBody struct {
				Content map[string]struct{ Schema *schema }
			}
		}
		Components struct{ Schemas map[string]*schema }
	}
	if err := json.Unmarshal(Document(), &document); err != nil {
		t.Fatal(err)
	}
	words, seen, said := listWords(), map[string]bool{}, 0
	var look func(owner string, s *schema)
	look = func(owner string, s *schema) {
		if s == nil {
			return
		}
		if s.Ref != "" {
			name := s.Ref[strings.LastIndex(s.Ref, "/")+1:]
			s, owner = document.Components.Schemas[name], editedBy(name)
			if seen[owner] {
				return
			}
			seen[owner] = true
		}
		look(owner, s.Items)
		for name, property := range s.Properties {
			look(owner, property)
			field, parts := owner+"."+name, strings.Split(strings.TrimSuffix(name, "_name"), "_")
			last := parts[len(parts)-1]
			values := property.Enum
			if property.Items != nil {
				values = property.Items.Enum
			}
			more, _ := property.AdditionalProperties.(map[string]any)
			isText := property.Type == "string" || property.Items != nil && property.Items.Type == "string" || more["type"] == "string"
			isListed := len(values) > 0 || more["enum"] != nil
			isOpen := openWords[field] != ""
			seen[field] = true
			switch {
			case isListed && isOpen:
				t.Errorf("%s says its values, and the table says why it has none", field)
			case isListed:
				said++
			case isText && !isOpen && (words[last] || words[strings.TrimSuffix(last, "s")]):
				t.Errorf("%s is called like a list of the catalog, says no values, and no table says why", field)
			}
		}
	}
	for _, item := range document.Paths {
		for _, op := range item {
			for _, body := range op.RequestBody.Content {
				look("", body.Schema)
			}
		}
	}
	if said < len(closedLists()) {
		t.Errorf("only %d fields say their values", said)
	}
	for _, field := range slices.Concat(slices.Collect(maps.Keys(openWords)), slices.Collect(maps.Keys(closedLists()))) {
		if !seen[field] {
			t.Errorf("no body has %s any more", field)
		}
	}
}
