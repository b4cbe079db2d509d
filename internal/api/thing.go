package api

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

type (
	// OrganizationFilter, ChangeFilter and PageFilter are the parameters of lists
	// (exported, because reflection must set them). Each id is a parameter of its own.
	OrganizationFilter struct {
		OrgIDs OrgIDs `query:"org_ids[],explode" doc:"organizations in reach; none = the own one"`
	}
	ChangeFilter struct {
		LastUpdated string `query:"last_updated_timestamp" doc:"meta.as_of of the last answer: rows changed since, gone ones with is_deleted"`
	}
	PageFilter struct {
		Page    int `query:"page" minimum:"1" default:"1"`
		PerPage int `query:"per_page" minimum:"1" maximum:"500" default:"500"`
	}
	thingsInput struct {
		OrganizationFilter
		ChangeFilter
		PageFilter
	}
	orgsInput     struct{ OrganizationFilter }
	snapshotInput struct {
		OrganizationFilter
		LastUpdated string `query:"last_updated_timestamp" doc:"as_of of the last answer: what changed since, and gone"`
	}
	idInput struct {
		ID ID `path:"id" format:"uuid"`
	}
	thingWriteInput struct {
		ID      ID     `path:"id" format:"uuid"`
		IfMatch string `header:"If-Match" doc:"the version that was seen; another one answers 409 with the present state"`
		Once    string `header:"Idempotency-Key" doc:"the same key gets the same answer again"`
		Body    wire.ThingWrite
		RawBody []byte
	}
	associationsInput struct {
		ID   ID     `path:"thingId" format:"uuid"`
		Once string `header:"Idempotency-Key" doc:"the same key gets the same answer again"`
		Body wire.AssociationsWrite
	}
	thingsOutput   struct{ Body wire.Things }
	countOutput    struct{ Body wire.ThingsCount }
	snapshotOutput struct{ Body wire.ThingsSnapshot }
)

func (s *server) thingRoutes() {
	tags := []string{"Things"}
	signedIn(s, huma.Operation{OperationID: "listThingTypes", Method: http.MethodGet, Path: "/thing_types", Tags: tags, Summary: "Types of assets"}, s.thingTypes)
	signedIn(s, huma.Operation{OperationID: "listThingSubtypes", Method: http.MethodGet, Path: "/thing_subtypes", Tags: tags,
		Summary: "Subtypes of assets; other sorts last"}, s.thingSubtypes)
	signedIn(s, huma.Operation{OperationID: "listThings", Method: http.MethodGet, Path: "/organization/things", Tags: tags, Summary: "A page of assets"}, s.listThings)
	signedIn(s, huma.Operation{OperationID: "snapshotThings", Method: http.MethodGet, Path: "/organization/things/snapshot", Tags: tags,
		Summary: "Live assets in columns, all or what changed", Description: "Ours; for large organizations. A column may end before count: rows behind its end have not changed in it."}, s.snapshotThings)
	signedIn(s, huma.Operation{OperationID: "countThings", Method: http.MethodGet, Path: "/organization/things_count", Tags: tags, Summary: "How many assets"}, s.countThings)
	signedIn(s, huma.Operation{OperationID: "getThing", Method: http.MethodGet, Path: "/things/{id}", Tags: tags, Summary: "One asset", Description: "Ours."}, s.getThing)
	signedIn(s, huma.Operation{OperationID: "updateThing", Method: http.MethodPut, Path: "/things/{id}", Tags: tags, Summary: "Edit an asset's profile"}, s.updateThing)
	signedIn(s, huma.Operation{OperationID: "setThingAssociations", Method: http.MethodPut, Path: "/things/{thingId}/associations", Tags: tags,
		Summary: "Which organizations manage or access an asset"}, s.setThingAssociations)
}

func (s *server) listThings(ctx context.Context, actor *app.Actor, in *thingsInput) (*thingsOutput, error) {
	from, err := parseSince("last_updated_timestamp", in.LastUpdated)
	if err != nil {
		return nil, err
	}
	data, meta, err := s.app.ListThings(ctx, actor, app.ThingQuery{OrganizationIDs: texts(in.OrgIDs), Since: from, Page: in.Page, PerPage: in.PerPage})
	if err != nil {
		return nil, err
	}
	return &thingsOutput{Body: wire.Things{Data: listed(data), Meta: meta}}, nil
}

func (s *server) snapshotThings(ctx context.Context, actor *app.Actor, in *snapshotInput) (*snapshotOutput, error) {
	from, err := parseSince("last_updated_timestamp", in.LastUpdated)
	if err != nil {
		return nil, err
	}
	data, err := s.app.ThingsSnapshot(ctx, actor, texts(in.OrgIDs), from)
	if err != nil {
		return nil, err
	}
	return &snapshotOutput{Body: wire.ThingsSnapshot{Data: *data}}, nil
}

func (s *server) countThings(ctx context.Context, actor *app.Actor, in *orgsInput) (*countOutput, error) {
	n, err := s.app.CountThings(ctx, actor, texts(in.OrgIDs))
	if err != nil {
		return nil, err
	}
	return &countOutput{Body: wire.ThingsCount{Data: wire.Count{Count: n}}}, nil
}

func (s *server) getThing(ctx context.Context, actor *app.Actor, in *idInput) (*versionedOf[wire.Thing], error) {
	t, err := s.app.Thing(ctx, actor, in.ID.String())
	if err != nil {
		return nil, err
	}
	return oneThing(t), nil
}

func oneThing(t wire.Thing) *versionedOf[wire.Thing] {
	return versioned(t, t.Version)
}

func (s *server) updateThing(ctx context.Context, actor *app.Actor, in *thingWriteInput) (*versionedOf[wire.Thing], error) {
	var err error
	if in.Body.IfMatch, err = parseIfMatch(in.IfMatch); err != nil {
		return nil, err
	}
	if in.Body.ID != nil && in.Body.ID.String() != in.ID.String() {
		return nil, refuseField("id", "The id is not that of the address.")
	}
	if isNull(in.RawBody, "external_identifiers") {
		return nil, refuseField("external_identifiers", "Null is not an empty list.")
	}
	t, err := s.app.UpdateThing(ctx, actor, in.ID.String(), in.Body)
	if err != nil {
		return nil, err
	}
	return oneThing(t), nil
}

func (s *server) setThingAssociations(ctx context.Context, actor *app.Actor, in *associationsInput) (*versionedOf[wire.Thing], error) {
	t, err := s.app.SetThingAssociations(ctx, actor, in.ID.String(), in.Body.OrganizationRelationships)
	if err != nil {
		return nil, err
	}
	return oneThing(t), nil
}

func (s *server) thingTypes(_ context.Context, actor *app.Actor, _ *noInput) (*listOf[wire.ThingType], error) {
	return many(s.app.ThingTypes(actor))
}

func (s *server) thingSubtypes(_ context.Context, actor *app.Actor, _ *noInput) (*listOf[wire.ThingSubtype], error) {
	return many(s.app.ThingSubtypes(actor))
}

// parseSince reads an instant of the query; nothing said is none.
func parseSince(name, text string) (fleet.Instant, error) {
	if text == "" {
		return 0, nil
	}
	at, err := fleet.ParseInstant(text)
	if err != nil {
		return 0, refuseField(name, "The time is a text such as 2026-11-21T10:42:07.250Z.")
	}
	return at, nil
}

// isNull tells whether an optional field of a body was sent as null, which
// decodes like a field that was not sent.
func isNull(body []byte, field string) bool {
	var fields map[string]json.RawMessage
	return json.Unmarshal(body, &fields) == nil && string(fields[field]) == "null"
}

// packedTag begins what the ETag of a compressed answer ends with ("1-c-gzip"): its bytes are others.
const packedTag = "-c"

// etagOf and parseIfMatch carry a resource's version (RFC 9110, 8.8.3 and 13.1.1).
func etagOf(version int64) string { return `"` + strconv.FormatInt(version, 10) + `"` }

func parseIfMatch(text string) (int64, error) {
	text = strings.TrimSpace(text)
	if text == "" || text == "*" {
		return 0, nil
	}
	text, _, _ = strings.Cut(strings.Trim(strings.TrimPrefix(text, "W/"), `"`), packedTag)
	version, err := strconv.ParseInt(text, 10, 64)
	if err != nil || version < 1 {
		return 0, refuseField("If-Match", "The version is the number of an ETag.")
	}
	return version, nil
}
