package api_test

import (
	"encoding/json"
	"testing"

	"lightbar/catalog"
	"lightbar/internal/api"
)

// Tags of Go cannot read the catalog: what they say of its limits is what it says.
func TestTheDocumentSaysTheLimitsOfTheCatalog(t *testing.T) {
	var document struct {
		Paths map[string]map[string]struct {
			Parameters []struct {
				Name   string
				Schema struct{ Maximum, MaxItems int64 }
			}
		}
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct{ MaxItems int64 }
			}
		}
	}
	must(t, json.Unmarshal(api.Document(), &document))
	pages, lists := 0, 0
	for path, operations := range document.Paths {
		for _, operation := range operations {
			for _, p := range operation.Parameters {
				switch p.Name {
				case "per_page":
					if pages++; p.Schema.Maximum != catalog.LimitInt("lists", "thingsPerPage") {
						t.Errorf("%s: at most %d a page", path, p.Schema.Maximum)
					}
				case "org_ids[]":
					if lists++; p.Schema.MaxItems != catalog.LimitInt("http", "orgIdsPerCall") {
						t.Errorf("%s: at most %d organizations", path, p.Schema.MaxItems)
					}
				}
			}
		}
	}
	if pages < 4 || lists < 8 {
		t.Errorf("%d operations have pages, %d name organizations: is this test blind?", pages, lists)
	}
	for shape, property := range map[string]string{"IngestBatch": "items", "IngestAssets": "things"} {
		if most := document.Components.Schemas[shape].Properties[property].MaxItems; most != catalog.LimitInt("ingest", "itemsPerBatch") {
			t.Errorf("%s.%s: at most %d", shape, property, most)
		}
	}
}
