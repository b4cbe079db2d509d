package api

import (
	"context"
	"encoding/json"
	"net/http"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/wire"
)

type (
	thingsInput struct {
		OrganizationFilter
		ChangeFilter
		PageFilter
	}
	snapshotInput struct {
		OrganizationFilter
		LastUpdated string `query:"last_updated_timestamp" doc:"as_of of the last answer; returns what changed since then, and gone"`
	}
	thingWriteInput struct {
		At
		Seen
		Once
		Body    wire.ThingWrite
		RawBody []byte
	}
	associationsInput struct {
		ID ID `path:"thingId" format:"uuid"`
		Once
		Body wire.AssociationsWrite
	}
)

// Things is a page of assets.
type Things struct {
	Data []wire.Thing    `json:"data"`
	Meta wire.ThingsMeta `json:"meta"`
}

// Count is a number of resources.
type Count struct {
	Count int `json:"count"`
}

// ThingsCount is the answer of things_count.
type ThingsCount struct {
	Data Count `json:"data"`
}

func (s *server) thingRoutes() {
	things := group{s, "Things"}
	list(things, "listThingTypes", "/thing_types", "Types of assets", nothing, s.thingTypes)
	list(things, "listThingSubtypes", "/thing_subtypes", "Subtypes of assets; other sorts last", nothing, s.thingSubtypes)
	unwrapped(things, http.MethodGet, "listThings", "/organization/things", "A page of assets", (*thingsInput).query, s.listThings)
	unwrapped(things, http.MethodGet, "snapshotThings", "/organization/things/snapshot",
		"Live assets in columns, all or only changes. "+
			"For large organizations. A column can end before count: rows past its end have not changed in it.", whole, s.snapshotThings)
	unwrapped(things, http.MethodGet, "countThings", "/organization/things_count", "How many assets", byOrgs, s.countThings)
	read(things, "getThing", "/things/{id}", "One asset.", byID, s.app.Thing)
	do(things, http.MethodPut, "updateThing", "/things/{id}", "Edit an asset's profile", whole, s.updateThing)
	do(things, http.MethodPut, "setThingAssociations", "/things/{thingId}/associations", "Which organizations manage or access an asset",
		whole, s.setThingAssociations)
}

func (in *thingsInput) query() (q app.ThingQuery, err error) {
	q = app.ThingQuery{OrganizationIDs: texts(in.OrgIDs), Page: in.Page, PerPage: in.PerPage}
	q.Since, err = in.since()
	return q, err
}

func (s *server) listThings(ctx context.Context, actor *access.Actor, q app.ThingQuery) (Things, error) {
	data, meta, err := s.app.ListThings(ctx, actor, q)
	return Things{Data: listed(data), Meta: meta}, err
}

func (s *server) snapshotThings(ctx context.Context, actor *access.Actor, in *snapshotInput) (out wire.ThingsSnapshot, err error) {
	from, err := parseSince("last_updated_timestamp", in.LastUpdated)
	if err != nil {
		return out, err
	}
	data, err := s.app.ThingsSnapshot(ctx, actor, texts(in.OrgIDs), from)
	if err != nil {
		return out, err
	}
	return wire.ThingsSnapshot{Data: *data}, nil
}

func (s *server) countThings(ctx context.Context, actor *access.Actor, organizationIDs []string) (ThingsCount, error) {
	n, err := s.app.CountThings(ctx, actor, organizationIDs)
	return ThingsCount{Data: Count{Count: n}}, err
}

func (s *server) updateThing(ctx context.Context, actor *access.Actor, in *thingWriteInput) (t wire.Thing, err error) {
	if in.Body.IfMatch, err = parseIfMatch(in.IfMatch); err != nil {
		return t, err
	}
	if err := sameID(&in.Body, in.ID.String()); err != nil {
		return t, err
	}
	if isNull(in.RawBody, "external_identifiers") {
		return t, refuseField("external_identifiers", "Use an empty list instead of null.")
	}
	return s.app.UpdateThing(ctx, actor, in.ID.String(), in.Body)
}

func (s *server) setThingAssociations(ctx context.Context, actor *access.Actor, in *associationsInput) (wire.Thing, error) {
	return s.app.SetThingAssociations(ctx, actor, in.ID.String(), in.Body.OrganizationRelationships)
}

func (s *server) thingTypes(_ context.Context, actor *access.Actor, _ noInput) ([]wire.ThingType, wire.Meta, error) {
	return s.app.ThingTypes(actor)
}

func (s *server) thingSubtypes(_ context.Context, actor *access.Actor, _ noInput) ([]wire.ThingSubtype, wire.Meta, error) {
	return s.app.ThingSubtypes(actor)
}

// isNull reports whether an optional field of a body was sent as null, which
// decodes like a field that was not sent.
func isNull(body []byte, field string) bool {
	var fields map[string]json.RawMessage
	return json.Unmarshal(body, &fields) == nil && string(fields[field]) == "null"
}
