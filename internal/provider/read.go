package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"runtime"
)

// brokenJSON is an answer that cannot be read any further.
type brokenJSON struct{ err error }

func (b *brokenJSON) Error() string { return "provider: broken JSON: " + b.err.Error() }

// errShape is a value of another shape than is documented; what follows it can be read.
var errShape = errors.New("provider: another shape")

func isCut(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// deepest is how far objects and lists may be nested in what is passed over.
const deepest = 1000

// askEvery is after how many elements a reader asks whether anybody still waits for it.
const askEvery = 1000

// reader reads JSON value by value, so that only what is kept is held.
type reader struct {
	ctx      context.Context
	json     *json.Decoder
	elements int
}

func read(ctx context.Context, in io.Reader) *reader {
	return &reader{ctx: ctx, json: json.NewDecoder(in)}
}

// value reads the next one. errShape: it was passed over, and the value holds what of it could be read.
func (r *reader) value(into any) error {
	err := r.json.Decode(into)
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &kind), errors.Is(err, errShape):
		return errShape
	}
	return &brokenJSON{err}
}

func (r *reader) skip() error { return r.value(&ignored{}) }

type ignored struct{}

func (*ignored) UnmarshalJSON([]byte) error { return nil }

// object calls each for the members of the next value, at their values. errShape: it is no object.
func (r *reader) object(each func(name string) error) error {
	return r.inside('{', func() error {
		name, err := r.json.Token()
		if err != nil {
			return &brokenJSON{err}
		}
		text, _ := name.(string) // a decoder answers nothing else here
		return each(text)
	})
}

// list calls each at the elements of the next value. errShape: it is no list.
func (r *reader) list(each func() error) error { return r.inside('[', each) }

func (r *reader) inside(open json.Delim, each func() error) error {
	first, err := r.json.Token()
	if err != nil {
		return &brokenJSON{err}
	}
	if first != open {
		return r.over(first)
	}
	for r.json.More() {
		if r.elements++; r.elements%askEvery == 0 {
			runtime.Gosched() // reports do not wait for a long answer
			if err := r.ctx.Err(); err != nil {
				return err
			}
		}
		if err := each(); err != nil {
			return err
		}
	}
	if _, err := r.json.Token(); err != nil {
		return &brokenJSON{err}
	}
	return nil
}

// over passes over a value that has begun, and says that it has another shape.
func (r *reader) over(first json.Token) error {
	for depth := 0; ; {
		switch first {
		case json.Delim('{'), json.Delim('['):
			if depth++; depth > deepest {
				return &brokenJSON{errors.New("too deep")}
			}
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return errShape
		}
		var err error
		if first, err = r.json.Token(); err != nil {
			return &brokenJSON{err}
		}
	}
}

// end reports whether nothing follows.
func (r *reader) end() error {
	if _, err := r.json.Token(); !errors.Is(err, io.EOF) {
		return &brokenJSON{errors.New("something follows")}
	}
	return nil
}

// named is a reference to something: an object with an id, or a bare id.
type named string

func (n *named) UnmarshalJSON(raw []byte) error {
	var object struct {
		ID string `json:"id"`
	}
	var text string
	switch raw = bytes.TrimSpace(raw); {
	case len(raw) > 0 && raw[0] == '{' && json.Unmarshal(raw, &object) == nil:
		*n = named(object.ID)
	case len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &text) == nil:
		*n = named(text)
	default:
		*n = ""
		return errShape
	}
	return nil
}
