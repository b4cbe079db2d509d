package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"lightbar/internal/access"
	"lightbar/internal/wire"
)

// Operations are registered by kind: list, read, create, update, remove, and do
// for verbs that are none of these. A kind says the method and the status, which
// headers and parameters come along, and which failures the document names. A
// route adds its name, its address, a text whose first sentence is the summary,
// what the verb is told of the input, the verb, and failures that only it has.

// group is the operations under one heading of the document.
type group struct {
	s   *server
	tag string
}

// noun is a group that brings its own heading into the document: text says what the noun is.
func (s *server) noun(tag, text string) group {
	s.tags = append(s.tags, &huma.Tag{Name: tag, Description: text})
	return group{s, tag}
}

// Verbs of the application, by what they answer: a resource, rows, nothing. An
// edit is told which resource, and the version that it began with; 0 = any.
type (
	verb[A, T any]       = func(ctx context.Context, actor *access.Actor, arg A) (T, error)
	rows[A, T any]       = func(ctx context.Context, actor *access.Actor, arg A) ([]T, wire.Meta, error)
	noContentVerb[A any] = func(ctx context.Context, actor *access.Actor, arg A) error
	edit[B, T any]       = func(ctx context.Context, actor *access.Actor, id string, seen int64, b B) (T, error)
)

func (g group) op(method, id, path, about string, errors []int) huma.Operation {
	summary, text, _ := strings.Cut(about, ". ")
	return huma.Operation{OperationID: id, Method: method, Path: path, Tags: []string{g.tag}, Summary: summary, Description: text,
		Errors: errors}
}

// list answers rows, a page of them when the input has a PageFilter.
func list[I, A, T any](g group, id, path, about string, of func(*I) (A, error), run rows[A, T], errors ...int) {
	signedIn(g.s, g.op(http.MethodGet, id, path, about, errors), func(ctx context.Context, actor *access.Actor, in *I) (*listOf[T], error) {
		arg, err := of(in)
		if err != nil {
			return nil, err
		}
		return many(run(ctx, actor, arg))
	})
}

// read answers one resource.
func read[I, A, T any](g group, id, path, about string, of func(*I) (A, error), run verb[A, T], errors ...int) {
	do(g, http.MethodGet, id, path, about, of, run, errors...)
}

// create makes a resource and answers it with 201.
func create[I, A, T any](g group, id, path, about string, of func(*I) (A, error), run verb[A, T], errors ...int) {
	op := g.op(http.MethodPost, id, path, about, errors)
	op.DefaultStatus = http.StatusCreated
	answer(g.s, op, of, run)
}

// update changes a resource that was seen in a version, and answers it.
func update[B, T any](g group, id, path, about string, run edit[B, T], errors ...int) {
	do(g, http.MethodPut, id, path, about, whole[editOf[B]],
		func(ctx context.Context, actor *access.Actor, in *editOf[B]) (data T, err error) {
			seen, err := parseIfMatch(in.IfMatch)
			if err != nil {
				return data, err
			}
			if err := sameID(&in.Body, in.ID.String()); err != nil {
				return data, err
			}
			return run(ctx, actor, in.ID.String(), seen, in.Body)
		}, errors...)
}

// sameID refuses a body that names another resource than its address.
func sameID(body any, id string) error {
	if field, own := wire.OwnID(body); own != "" && own != id {
		return refuseField(field, "The id doesn't match the address.")
	}
	return nil
}

// remove ends a resource; there is nothing to tell of it.
func remove[I, A any](g group, id, path, about string, of func(*I) (A, error), run noContentVerb[A], errors ...int) {
	noContent(g, http.MethodDelete, id, path, about, of, run, errors...)
}

// do is a verb that is none of the other kinds; it answers a resource.
func do[I, A, T any](g group, method, id, path, about string, of func(*I) (A, error), run verb[A, T], errors ...int) {
	answer(g.s, g.op(method, id, path, about, errors), of, run)
}

// noContent is a verb that answers nothing.
func noContent[I, A any](g group, method, id, path, about string, of func(*I) (A, error), run noContentVerb[A], errors ...int) {
	signedIn(g.s, g.op(method, id, path, about, errors), func(ctx context.Context, actor *access.Actor, in *I) (*doneOutput, error) {
		arg, err := of(in)
		if err != nil {
			return nil, err
		}
		return done(run(ctx, actor, arg))
	})
}

// unwrapped is a verb whose answer has a shape of its own, without the envelope of a resource.
func unwrapped[I, A, T any](g group, method, id, path, about string, of func(*I) (A, error), run verb[A, T], errors ...int) {
	signedIn(g.s, g.op(method, id, path, about, errors), func(ctx context.Context, actor *access.Actor, in *I) (*bareOf[T], error) {
		return bare(runVerb(ctx, actor, in, of, run))
	})
}

// answer registers a verb that answers a resource, with its version as ETag when it has one.
func answer[I, A, T any](s *server, op huma.Operation, of func(*I) (A, error), run verb[A, T]) {
	version := versionOf[T]()
	if version == nil {
		signedIn(s, op, func(ctx context.Context, actor *access.Actor, in *I) (*oneOf[T], error) {
			return one(runVerb(ctx, actor, in, of, run))
		})
		return
	}
	signedIn(s, op, func(ctx context.Context, actor *access.Actor, in *I) (*versionedOf[T], error) {
		data, err := runVerb(ctx, actor, in, of, run)
		return versioned(version, data, err)
	})
}

// runVerb runs a verb with what it is told of the input.
func runVerb[I, A, T any](ctx context.Context, actor *access.Actor, in *I, of func(*I) (A, error), run verb[A, T]) (data T, err error) {
	arg, err := of(in)
	if err != nil {
		return data, err
	}
	return run(ctx, actor, arg)
}

// Verbs that need to know only who asks.
func actorOnly[T any](run func(context.Context, *access.Actor) (T, error)) verb[noInput, T] {
	return func(ctx context.Context, actor *access.Actor, _ noInput) (T, error) { return run(ctx, actor) }
}

func actorOnlyList[T any](run func(context.Context, *access.Actor) ([]T, wire.Meta, error)) rows[noInput, T] {
	return func(ctx context.Context, actor *access.Actor, _ noInput) ([]T, wire.Meta, error) {
		return run(ctx, actor)
	}
}

func actorOnlyNoContent(run func(context.Context, *access.Actor) error) noContentVerb[noInput] {
	return func(ctx context.Context, actor *access.Actor, _ noInput) error { return run(ctx, actor) }
}
