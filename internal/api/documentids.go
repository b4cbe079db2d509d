package api

import (
	"maps"
	"regexp"

	"github.com/danielgtaylor/huma/v2"
)

// namedID is what the document calls a property that holds an id, or a list of them.
var namedID = regexp.MustCompile(`^(id|uuid)$|_(id|ids|uuid)$|^\w*Id$|_ids\[\]$`)

// otherIDs are the names of ids that are not ours, wherever they stand: whoever made them chose their form.
var otherIDs = map[string]string{
	"external_id":   "the sender's",
	"haas_id":       "the name on the device",
	"group_id":      "a word of the person who wrote the closure",
	"identifier_id": "the other program's",
	"billing_id":    "the accountant's",
	"wzdx_id":       "the id in feeds, which may be the publisher's",
	"request_id":    "may be the one that the caller sent",
	"stream_id":     "the name of a stream",
	"file_id":       "the name of a file; a report is known by it",
}

// looseIDs are ids that are not always a UUID, by shape or operation.
var looseIDs = map[string]string{
	"AuditActor.id":                          "the server itself has none",
	"AuditEntry.organization_id":             "empty outside of organizations",
	"AuditEntry.noun_id":                     "of any noun, and empty for none",
	"AreaType.id":                            "empty in the row of a deleted area",
	"AreaWrite.thing_id":                     "empty takes the asset away",
	"ClosureWrite.responsible_user_id":       "empty = nobody",
	"Concern.id":                             "empty for what is about the server",
	"HazardColumns.id":                       "the name of a column",
	"HazardEnder.id":                         "empty if the reader may not see it",
	"IngestItem.id":                          "the sender's",
	"IntegrationLink.thing_id":               "or the word new",
	"Live.run_id":                            "empty without a run",
	"Live.station_id":                        "empty outside of stations",
	"MapProvider.id":                         "a word of the operator",
	"MonthlyReport.id":                       "equals file_id",
	"MonthlyReportWhole.id":                  "equals file_id",
	"OrganizationRef.id":                     "empty in the row of something deleted",
	"OrganizationType.id":                    "empty for a name outside of the list",
	"OrganizationWrite.organization_type_id": "or the name of the type",
	"Passkey.id":                             "the authenticator's",
	"ProviderName.id":                        "a word of the operator",
	"Relationship.organization_uuid":         "empty for an organization that is not the reader's to know",
	"SignInProvider.id":                      "a word of the operator",
	"Snapshot.location_id":                   "empty at no incident",
	"Snapshot.run_id":                        "empty without a run",
	"Snapshot.station_id":                    "empty outside of stations",
	"ThingWrite.thing_subtype_id":            "empty takes the subtype away",
	"Trip.run_id":                            "of a movement outside of runs it begins with other-",
	"UserImportRow.role_id":                  "empty if the row names none",
	"Verifier.id":                            "the server itself has none",
	"removePasskey.id":                       "the authenticator's",
	"listAudit.organization_id":              "or the word none",
	"listAudit.noun_id":                      "of any noun",
	"exportAudit.organization_id":            "or the word none",
	"exportAudit.noun_id":                    "of any noun",
	"ingest-osmand.id":                       "the secret of an asset",
	"ingest-osmand-post.id":                  "the secret of an asset",
}

// idsAreUUIDs names the format of every id of ours that always is a UUID: generated clients have a type for it. It is not
// checked by it: the verbs refuse what is none in their own words, and empty still means none.
func idsAreUUIDs(api *huma.OpenAPI) {
	for name, shape := range api.Components.Schemas.Map() {
		_, mayBeGone := shape.Properties["is_deleted"]
		for property, s := range shape.Properties {
			if mayBeGone && property != "id" && !s.Nullable {
				continue // of a deleted row only the id is meaningful
			}
			nameUUID(name, property, s)
		}
	}
	eachOperation(api, func(op *huma.Operation) {
		for _, p := range op.Parameters {
			if p.In != "header" {
				nameUUID(op.OperationID, p.Name, p.Schema)
			}
		}
	})
}

func nameUUID(owner, name string, s *huma.Schema) {
	if !namedID.MatchString(name) || otherIDs[name] != "" || looseIDs[owner+"."+name] != "" {
		return
	}
	if s.Type == huma.TypeArray {
		s = s.Items
	}
	if s.Type == huma.TypeString && s.Format == "" {
		extend(s, "format", "uuid")
	}
}

// extend lets the document say more of a value than requests are checked by.
func extend(s *huma.Schema, word string, value any) {
	extensions := map[string]any{word: value}
	maps.Copy(extensions, s.Extensions)
	s.Extensions = extensions
}

// eachOperation visits the operations of the document.
func eachOperation(api *huma.OpenAPI, visit func(*huma.Operation)) {
	for _, item := range api.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Put, item.Post, item.Delete, item.Patch} {
			if op != nil {
				visit(op)
			}
		}
	}
}
