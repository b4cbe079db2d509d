package app

import (
	"context"
	"encoding/json"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

// hazardFiles are imports of hazards. Changes that time alone makes to a hazard do not keep it from being undone.
var hazardFiles = importKind{noun: "hazard_import", records: hazards.Name, undo: []string{"EDIT_ORGANIZATION"}, title: hazardFileTitle,
	back: takeBack(hazards, wayBack[fleet.Hazard]{
		name: func(h *fleet.Hazard) string { return h.ExternalID },
		touched: func(h *fleet.Hazard, made *fleet.AuditRow, now fleet.Instant) (string, error) {
			var was hazardDoc
			if err := json.Unmarshal(made.After, &was); err != nil {
				return "", err
			}
			left := was.hazard(*h, now)
			what := h.TouchedSince(&left, now)
			if what != "" {
				what = "It was " + what + " in the meantime."
			}
			return what, nil
		},
		restore: func(a *App, h *fleet.Hazard, before json.RawMessage) error {
			var was hazardDoc
			err := json.Unmarshal(before, &was)
			*h = was.hazard(*h, a.now())
			return err
		},
		remove: func(h *fleet.Hazard, by *undoing, now fleet.Instant) {
			h.Unsay(fleet.HazardHand{Kind: "user", ID: by.actor.UserID, Name: by.name, OrganizationID: by.actor.OrganizationID}, now)
		},
		docs: func(old, next *fleet.Hazard) (before, after any) { return docOfHazard(old), docOfHazard(next) },
	})}

// hazardDoc is a hazard as the audit stores it: its stored row, and what rows do not contain.
type hazardDoc struct {
	wire.Hazard
	ReportedAt fleet.Instant     `json:"said_at"`
	Confirmer  *fleet.HazardHand `json:"confirmer,omitempty"`
	Ender      *fleet.HazardHand `json:"ender,omitempty"`
}

func docOfHazard(h *fleet.Hazard) any {
	return hazardDoc{(*App)(nil).hazardWire(h), h.ReportedAt, h.ConfirmedBy, h.EndedBy}
}

// hazard returns the hazard with what the document contains; its time goes on.
func (d *hazardDoc) hazard(h fleet.Hazard, now fleet.Instant) fleet.Hazard {
	version, updated := h.Version, h.UpdatedAt
	wire.Same(&h, &d.Hazard)
	h.Version, h.UpdatedAt, h.Kind, h.StartAt, h.ReportedAt = version, updated, d.Type, d.StartTime, d.ReportedAt
	h.ConfirmedBy, h.EndedBy, h.EndReason = d.Confirmer, d.Ender, ""
	if d.EndReason != nil {
		h.EndReason = *d.EndReason
	}
	return h.At(now)
}

// hazardImportNote is what the audit stores about an import of hazards as a whole.
type hazardImportNote struct {
	File string `json:"file"`
}

func hazardFileTitle(note json.RawMessage) string {
	var said hazardImportNote
	_ = json.Unmarshal(note, &said) // without a name it has none
	return said.File
}

// UndoHazardImport undoes an import of hazards, for 24 hours. Hazards that somebody has confirmed, cleared or changed since, and
// those that a unit drove through, are left as they are and named in the answer. Requires EDIT_ORGANIZATION and full reach.
// Refusals: not_found, import_final, import_undone, rate_limited.
func (a *App) UndoHazardImport(ctx context.Context, actor *access.Actor, id string) (wire.HazardImportUndo, error) {
	done, err := a.undoImportOf(ctx, actor, &hazardFiles, id)
	out := wire.HazardImportUndo{Deleted: done.Deleted, Restored: done.Restored, Left: done.Left, Reasons: []wire.HazardLeft{}}
	for _, reason := range done.Reasons {
		out.Reasons = append(out.Reasons, wire.HazardLeft(reason))
	}
	return out, err
}
