package file

import (
	"encoding/csv"
	"encoding/json"
	"io"

	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

// WriteAuditCSV writes rows of the audit log, as all hands them on.
func WriteAuditCSV(to io.Writer, all func(func(wire.AuditEntry) error) error) error {
	w := csv.NewWriter(to)
	if err := w.Write([]string{"at", "actor_kind", "actor_id", "actor", "network", "verb", "noun", "noun_id", "before", "after",
		"request_id", "id"}); err != nil {
		return err
	}
	err := all(func(e wire.AuditEntry) error {
		before, after := "", ""
		if doc, ok := e.Before.(json.RawMessage); ok {
			before = string(doc)
		}
		if doc, ok := e.After.(json.RawMessage); ok {
			after = string(doc)
		}
		row := []string{e.At.String(), e.Actor.Kind, e.Actor.ID, e.Actor.Name, e.Network, e.Verb, e.Noun, e.NounID, before, after,
			e.RequestID, e.ID}
		for i := range row {
			row[i] = fleet.NeutralCell(row[i])
		}
		return w.Write(row)
	})
	w.Flush()
	if err != nil {
		return err
	}
	return w.Error()
}
