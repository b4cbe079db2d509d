package file

import (
	"encoding/json"
	"errors"
	"io"

	"lightbar/internal/wire"
)

// WriteAuditCSV writes rows of the audit log, as all hands them on.
func WriteAuditCSV(to io.Writer, all func(func(wire.AuditEntry) error) error) error {
	w, err := newCSVWriter(to)
	if err != nil {
		return err
	}
	if err := w.row("at", "actor_kind", "actor_id", "actor", "network", "verb", "noun", "noun_id", "before", "after",
		"request_id", "id"); err != nil {
		return err
	}
	err = all(func(e wire.AuditEntry) error {
		before, after := "", ""
		if doc, ok := e.Before.(json.RawMessage); ok {
			before = string(doc)
		}
		if doc, ok := e.After.(json.RawMessage); ok {
			after = string(doc)
		}
		return w.row(e.At.String(), e.Actor.Kind, e.Actor.ID, e.Actor.Name, e.Network, e.Verb, e.Noun, e.NounID, before, after,
			e.RequestID, e.ID)
	})
	return errors.Join(err, w.end())
}
