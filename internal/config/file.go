package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// Loader reads the file of --config: one JSON object whose names are those of
// the flags, with _ for -; groups may be nested ({"brand": {"name": "…"}}). A
// name that no flag has is refused: a misspelled setting must not be silently ignored.
func Loader(r io.Reader) (kong.Resolver, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var raw map[string]any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&raw); err != nil {
		return nil, fmt.Errorf("it is not a JSON object: %w", err)
	}
	if err := strict(text); err != nil {
		return nil, err
	}
	values := map[string]any{}
	if limits, ok := raw["limits"]; ok { // groups of their own, which no flag has
		b, err := json.Marshal(limits)
		if err != nil {
			return nil, err
		}
		delete(raw, "limits")
		values["limits"] = string(b)
	}
	if err := flatten(values, "", raw); err != nil {
		return nil, err
	}
	return &file{values}, nil
}

type file struct{ values map[string]any }

// flatten names each value by its flag. One name written in two ways
// ("brand_name" and {"brand": {"name": …}}) is refused: either could win.
func flatten(into map[string]any, prefix string, from map[string]any) error {
	for name, v := range from {
		if group, ok := v.(map[string]any); ok {
			if err := flatten(into, prefix+name+"_", group); err != nil {
				return err
			}
			continue
		}
		if _, twice := into[prefix+name]; twice {
			return fmt.Errorf("%s is there twice", prefix+name)
		}
		into[prefix+name] = v
	}
	return nil
}

// Validate implements kong.Resolver. It is not called for files named by a
// flag, so Resolve's caller asks CheckNames.
func (f *file) Validate(*kong.Application) error { return nil }

// CheckNames refuses names in the file that no flag of any subcommand has.
func CheckNames(r kong.Resolver, app *kong.Application) error {
	f, ok := r.(*file)
	if !ok {
		return nil
	}
	left := maps.Clone(f.values)
	err := kong.Visit(app, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok {
			delete(left, key(flag))
		}
		return next(nil)
	})
	if err != nil || len(left) == 0 {
		return err
	}
	names := slices.Sorted(maps.Keys(left))
	return wrong("The configuration file has an unknown setting: %s.", strings.Join(names, ", "))
}

// Resolve implements kong.Resolver. The environment wins over the file.
func (f *file) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	for _, env := range flag.Envs {
		if _, set := os.LookupEnv(env); set {
			return nil, nil
		}
	}
	v, ok := f.values[key(flag)]
	if !ok {
		return nil, nil
	}
	if list, ok := v.([]any); ok {
		return listValue(flag, list)
	}
	return v, nil
}

// listValue hands lists of objects on as JSON text and lists of texts joined.
func listValue(flag *kong.Flag, list []any) (any, error) {
	texts := make([]string, 0, len(list))
	for _, v := range list {
		text, ok := v.(string)
		if !ok {
			b, err := json.Marshal(list)
			return string(b), err
		}
		texts = append(texts, text)
	}
	if len(texts) == 0 && flag.Target.Type() == providersType {
		return "[]", nil
	}
	return strings.Join(texts, ","), nil
}

func key(flag *kong.Flag) string { return strings.ReplaceAll(flag.Name, "-", "_") }

var providersType = reflect.TypeFor[Providers]()

// File is the flag --config.
type File string

// BeforeResolve reads the file and adds it below flags and environment.
func (f File) BeforeResolve(k *kong.Kong, ctx *kong.Context, trace *kong.Path) error {
	name, _ := ctx.FlagValue(trace.Flag).(File)
	r, err := os.Open(string(name))
	if err != nil {
		return wrong("The configuration file %s cannot be read: %s.", string(name), errors.Unwrap(err))
	}
	defer func() { _ = r.Close() }()
	resolver, err := Loader(r)
	if err != nil {
		return wrong("The configuration file %s is invalid: %s.", string(name), err)
	}
	if err := CheckNames(resolver, k.Model); err != nil {
		return err
	}
	ctx.AddResolver(resolver)
	return nil
}
