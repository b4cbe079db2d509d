package app

import (
	"context"
	"fmt"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
)

var (
	itemsPerBatch   = int(catalog.LimitInt("ingest", "itemsPerBatch"))
	pointsPerCommit = int(catalog.LimitInt("ingest", "pointsPerCommit"))
)

// ItemsPerBatch is how many items a device may send at once.
func ItemsPerBatch() int { return itemsPerBatch }

// TooManyItems refuses a batch; list is the field that holds its items.
func TooManyItems(list string) *fleet.Refusal {
	return fleet.Refuse("too_many_items", list, fmt.Sprintf("A batch can have at most %d items.", itemsPerBatch))
}

// ReportBatch is what a device sent in one request: decoded items, and those
// that could not even be decoded.
type ReportBatch struct {
	Reports []fleet.Report
	Events  []fleet.EventReport
	Hazards []fleet.HazardReport
	Refused []RefusedReport
}

// RefusedReport is one item that was not taken, and why.
type RefusedReport struct {
	Index   int    `json:"index"`
	Error   string `json:"error"`
	Field   string `json:"field"`
	Message string `json:"message"`
}

// ReportResult is what became of a batch.
type ReportResult struct {
	Accepted   int             `json:"accepted"`
	Duplicates int             `json:"duplicates"`
	Refused    []RefusedReport `json:"refused"`
}

// RecordPoints takes a batch of reports of a device or gateway. It answers
// after the commit that holds them; concurrent batches share one. Items that
// cannot be taken are refused one by one and never stop the rest. Only API
// keys may report: for the assets of their organization, or for their one asset.
//
// Refusals: forbidden, scope_ingest_missing, too_many_items (413), busy and storage_full and
// storage_failed and outcome_unknown (503, RetryAfterS): then nothing of the
// batch was taken (outcome_unknown: perhaps), send it again.
func (a *App) RecordPoints(ctx context.Context, actor *access.Actor, batch ReportBatch) (ReportResult, error) {
	if actor.KeyID == "" {
		return ReportResult{}, fleet.Refuse("forbidden", "", "Only an API key can send reports.")
	}
	if err := actor.MustIngest(); err != nil {
		return ReportResult{}, err
	}
	if len(batch.Reports)+len(batch.Events)+len(batch.Hazards)+len(batch.Refused) > itemsPerBatch {
		return ReportResult{}, TooManyItems("items")
	}
	result := ReportResult{Refused: batch.Refused}
	if err := a.recordEvents(ctx, actor, batch.Events, &result); err != nil {
		return ReportResult{}, err
	}
	if err := a.recordHazards(ctx, actor, batch.Hazards, &result); err != nil {
		return ReportResult{}, err
	}
	sub := a.sort(actor, batch.Reports, &result)
	if result.Refused == nil {
		result.Refused = []RefusedReport{}
	}
	if len(sub.points)+len(sub.signals) == 0 {
		return result, nil
	}
	if err := a.ingest.submit(ctx, a, sub); err != nil {
		if refusal := StorageRefusal(err); refusal != nil {
			return ReportResult{}, refusal
		}
		return ReportResult{}, err
	}
	result.Accepted, result.Duplicates = result.Accepted+sub.accepted, result.Duplicates+sub.duplicates
	return result, nil
}

// sort judges the reports and names their assets.
func (a *App) sort(actor *access.Actor, reports []fleet.Report, result *ReportResult) *submission {
	now := a.now()
	sub := &submission{done: make(chan error, 1)}
	sub.points = make([]fleet.Point, 0, len(reports))
	names := a.Live.Resolve(actor.OrganizationID, actor.KeyThingID)
	defer names.Done()
	for i := range reports {
		r := &reports[i]
		if actor.KeyThingID != "" && r.Asset == "" {
			r.Asset = keyAsset
		}
		refusal := r.Check(now)
		noFix := refusal != nil && refusal.Code == fleet.NoFix
		var no int64
		if refusal == nil || noFix {
			name := r.Asset
			if name == keyAsset {
				name = ""
			}
			var known bool
			if no, known = names.No(name); !known {
				refusal, noFix = fleet.Refuse("asset_unknown", "asset", "This key has no asset with that system name or external ID."), false
			}
		}
		switch {
		case refusal != nil:
			result.Refused = append(result.Refused, RefusedReport{Index: r.Index, Error: refusal.Code, Field: refusal.Field,
				Message: refusal.Message})
			if noFix {
				sign := r.WithoutFix()
				sub.halves = append(sub.halves, len(sub.signals))
				sub.signals, sub.before = append(sub.signals, sign.Signal(no, now)), append(sub.before, len(sub.points))
			}
		case r.Kind == fleet.ReportPoint:
			sub.points = append(sub.points, r.Point(no, now))
		default:
			sub.signals, sub.before = append(sub.signals, r.Signal(no, now)), append(sub.before, len(sub.points))
		}
	}
	return sub
}

// keyAsset stands for the one asset of a key in a report that names none.
const keyAsset = "\x00"
