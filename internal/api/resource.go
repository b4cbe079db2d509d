package api

import (
	"context"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/wire"
)

// rowsInput asks for the rows of a noun of organizations.
type rowsInput struct {
	OrganizationFilter
	ChangeFilter
	PageFilter
}

func (in *rowsInput) rows() (q app.Rows, err error) {
	q = app.Rows{OrganizationIDs: texts(in.OrgIDs), Page: in.Page, PerPage: in.PerPage}
	q.Since, err = in.since()
	return q, err
}

// collection is the verbs of a noun of organizations (record.Collection); W is its row, B what it is written with.
type collection[W, B any] interface {
	List(ctx context.Context, actor *access.Actor, in app.Rows) ([]W, wire.Meta, error)
	Read(ctx context.Context, actor *access.Actor, id string) (W, error)
	Create(ctx context.Context, actor *access.Actor, in B) (row W, again bool, err error)
	Edit(ctx context.Context, actor *access.Actor, id string, seen int64, in B) (W, error)
	Remove(ctx context.Context, actor *access.Actor, id string) error
	Editable() bool
	Needs() []string // the fields that a new one can't be without
}

// madeOf answers a resource that was made (201), or that was there already as it was sent (200).
type madeOf[T any] struct {
	Status int
	ETag   string `header:"ETag"`
	Body   wire.One[T]
}

// resource registers the five operations of a noun of organizations: its rows at
// path, one of them at path/{id}.
func resource[W, B any](g group, one, many, path, what string, v collection[W, B]) {
	g.s.resources = append(g.s.resources, reflect.TypeFor[W]())
	list(g, "list"+many, path, "The "+what+"s of organizations", (*rowsInput).rows, v.List)
	read(g, "get"+one, path+"/{id}", "One "+what+".", byID, v.Read)
	version := versionOf[W]()
	made := g.op(http.MethodPost, "create"+one, path, "Make "+what+"s, one at a time. "+
		"With an id from the caller, the same body again answers 200, a different body 409.", []int{http.StatusConflict})
	made.DefaultStatus = http.StatusCreated
	g.s.needs[made.OperationID] = v.Needs()
	made.Responses = map[string]*huma.Response{"200": {Description: "It already existed exactly as sent",
		Headers: map[string]*huma.Param{"ETag": {Schema: &huma.Schema{Type: huma.TypeString}}}, Content: map[string]*huma.MediaType{
			"application/json": {Schema: g.s.huma.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[wire.One[W]](), true, "")}}}}
	signedIn(g.s, made, func(ctx context.Context, actor *access.Actor, in *writeOf[B]) (*madeOf[W], error) {
		row, again, err := v.Create(ctx, actor, in.Body)
		out, err := versioned(version, row, err)
		if err != nil {
			return nil, err
		}
		status := http.StatusCreated
		if again {
			status = http.StatusOK
		}
		return &madeOf[W]{status, out.ETag, out.Body}, nil
	})
	if v.Editable() {
		update(g, "update"+one, path+"/{id}", "Edit "+withArticle(what)+"; fields left out don't change", v.Edit)
	}
	gone := g.op(http.MethodDelete, "delete"+one, path+"/{id}", "Delete "+withArticle(what), nil)
	gone.DefaultStatus = http.StatusNoContent
	signedIn(g.s, gone, func(ctx context.Context, actor *access.Actor, in *idInput) (*struct{}, error) {
		return nil, v.Remove(ctx, actor, in.ID.String())
	})
}

// withArticle is a noun with its article.
func withArticle(what string) string {
	if strings.ContainsRune("aeio", rune(what[0])) {
		return "an " + what
	}
	return "a " + what
}

type undoOf struct {
	At
	Once
	Body wire.Undo
}

// undo registers how a change of a noun is taken back (internal/record/undo.go).
func undo[W any](g group, one, path, what string,
	run func(ctx context.Context, actor *access.Actor, id string, version int64) (W, error)) {
	do(g, http.MethodPost, "undo"+one, path+"/{id}/undo", "Undo the last change of "+what+". For 24 hours.", whole[undoOf],
		func(ctx context.Context, actor *access.Actor, in *undoOf) (W, error) {
			return run(ctx, actor, in.ID.String(), in.Body.Version)
		}, http.StatusConflict)
}

// undoRoutes lists what can be undone.
func (s *server) undoRoutes() {
	list(group{s, "Map"}, "listUndo", "/organization/undo", "Changes in the last 24 hours that the caller can undo. "+
		"The last change of each record on the map, newest first, at most 200. POST …/{id}/undo at its path undoes it.",
		byOrgs, s.app.ListUndo)
}
