package app

import (
	"context"
	"fmt"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/wire"
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

// ReportBatch is what a device sent in one request: decoded items, and those that could not even be decoded.
type ReportBatch struct {
	Reports []fleet.Report
	Events  []fleet.EventReport
	Hazards []fleet.HazardReport
	Refused []RefusedReport
	// Source is how it arrived.
	Source fleet.Source
	// HasFollower: the device is notified of commands through FollowCommands, not in the answer.
	HasFollower bool
}

// RefusedReport is one item that was refused, and why.
type RefusedReport struct {
	Index   int    `json:"index"`
	Error   string `json:"error"`
	Field   string `json:"field"`
	Message string `json:"message"`
	// Asset and At are what could be read from an item that could not be fully decoded: it still is a sign of life.
	Asset string        `json:"-"`
	At    fleet.Instant `json:"-"`
}

// ReportResult is the result of a batch.
type ReportResult struct {
	Accepted   int             `json:"accepted"`
	Duplicates int             `json:"duplicates"`
	Refused    []RefusedReport `json:"refused"`
	// Ignored counts optional values that were left out, by field.
	Ignored map[string]int `json:"ignored,omitempty" doc:"optional values that mean \"not known\" and were left out, by field"`
	// Commands wait for the device of the one asset that the batch is of.
	Commands []wire.PolledCommand `json:"commands,omitempty" doc:"when all items are of one asset: what its device is asked to do, as GET /ingest/commands answers it"`
}

// RecordPoints stores a batch of reports from a device or gateway. It returns after the commit that holds them; concurrent batches
// share one. Invalid items are refused one by one and never stop the rest; a refused item of a known asset is counted there, and is
// a sign of life. Only API keys may report: for the assets of their organization, or for their one asset. With the key of one
// asset, the device itself is the sender: its repeated reports are a sign of life, too.
//
// Refusals: forbidden, scope_ingest_missing, too_many_items (413), busy and storage_full and storage_failed and outcome_unknown
// (503, RetryAfterS): then nothing of the batch was taken (outcome_unknown: perhaps), send it again.
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
	sub.source = batch.Source
	if result.Refused == nil {
		result.Refused = []RefusedReport{}
	}
	only := int64(0)
	if !batch.HasFollower {
		only = sub.only()
	}
	if err := a.submit(ctx, sub); err != nil {
		return ReportResult{}, err
	}
	if sub.duplicates > 0 && sub.device != 0 && !sub.alive { // a repeat: sending it was a sign of life
		sign := newSubmission(a.now())
		sign.source = batch.Source
		sign.half(fleet.Report{Kind: fleet.ReportHeartbeat, At: sign.at}, sub.device)
		if err := a.submit(ctx, sign); err != nil {
			return ReportResult{}, err
		}
	}
	result.Accepted, result.Duplicates = result.Accepted+sub.accepted, result.Duplicates+sub.duplicates
	result.Commands = a.commandsBeside(ctx, actor, only)
	if batch.HasFollower {
		a.offerConfig(actor.KeyThingID)
	}
	return result, nil
}

// submit passes reports to the committer and waits for it.
func (a *App) submit(ctx context.Context, sub *submission) error {
	if sub.size() == 0 {
		return nil
	}
	for i := range sub.points {
		sub.points[i].Source = sub.source
	}
	for i := range sub.signals {
		sub.signals[i].Source = sub.source
	}
	err := a.ingest.submit(ctx, a, sub)
	if refusal := StorageRefusal(err); err != nil && refusal != nil {
		return refusal
	}
	return err
}

// sort judges the reports and finds their assets.
func (a *App) sort(actor *access.Actor, reports []fleet.Report, result *ReportResult) *submission {
	now := a.now()
	sub := newSubmission(now)
	sub.points = make([]fleet.Point, 0, len(reports))
	names := a.Live.Resolve(actor.OrganizationID, actor.KeyThingID)
	defer names.Done()
	if actor.KeyThingID != "" {
		sub.device, _ = names.No("")
	}
	for _, r := range result.Refused {
		half := fleet.Report{Kind: fleet.ReportHeartbeat, Asset: r.Asset, At: r.At}
		if no, unnamed := nameIn(names, actor, &half); unnamed == nil {
			sub.refuse(no, r.Error, &half)
		}
	}
	for i := range reports {
		r := &reports[i]
		no, unnamed := nameIn(names, actor, r)
		refusal := r.Check(now)
		if refusal == nil || refusal.Code == fleet.NoFix && unnamed != nil {
			refusal = unnamed
		}
		if r.HasConfig && unnamed == nil {
			if !names.MayClaim(no, r.Config) {
				r.Ignored |= fleet.FieldConfig
			} else if fleet.UsableAt(r.At, now) {
				sub.claim(no, r)
			}
		}
		result.ignore(r.Ignored)
		sub.alive = sub.alive || r.Alive && unnamed == nil
		switch {
		case refusal != nil:
			result.Refused = append(result.Refused, RefusedReport{Index: r.Index, Error: refusal.Code, Field: refusal.Field,
				Message: refusal.Message})
			if unnamed == nil {
				sub.refuse(no, refusal.Code, r)
			}
		case r.Kind == fleet.ReportPoint:
			sub.points = append(sub.points, r.Point(no, now))
		default:
			sub.signals, sub.before = append(sub.signals, r.Signal(no, now)), append(sub.before, len(sub.points))
		}
	}
	if sub.alive && sub.device != 0 {
		sub.half(fleet.Report{Kind: fleet.ReportHeartbeat, At: now}, sub.device)
	}
	return sub
}

// keyAsset stands for the one asset of a key in a report that names none.
const keyAsset = "\x00"

// nameIn finds the asset of a report, or returns why there is none.
func nameIn(names live.Resolver, actor *access.Actor, r *fleet.Report) (int64, *fleet.Refusal) {
	said := r.Asset
	if said == "" && actor.KeyThingID != "" {
		r.Asset = keyAsset
	}
	if no, known := names.No(said); known {
		return no, nil
	}
	return 0, unnamed(names, said)
}
