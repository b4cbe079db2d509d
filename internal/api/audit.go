package api

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/file"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

type (
	// AuditFilter are the filters of lists and exports (exported for reflection).
	AuditFilter struct {
		OrganizationID ID     `query:"organization_id" maxLength:"36" doc:"default the caller's own; the word none = events without an organization (haas:manage)"`
		Since          string `query:"since" doc:"from this instant on"`
		Until          string `query:"until" doc:"before this instant"`
		Verb           string `query:"verb" maxLength:"100"`
		Noun           string `query:"noun" maxLength:"100"`
		NounID         string `query:"noun_id" maxLength:"100"`
		Actor          ID     `query:"actor" maxLength:"36" doc:"id of a user or an API key"`
	}
	auditInput struct {
		AuditFilter
		PageFilter
	}
	auditExportInput struct {
		AuditFilter
		Format string `query:"format" enum:"jsonl,csv" default:"jsonl"`
	}
	refusalsInput struct {
		Since string `query:"since" doc:"from this time on; default the last 24 hours"`
	}
)

// RefusalCounts are the counts of all networks.
type RefusalCounts struct {
	Data []wire.RefusalCount `json:"data"`
}

func (s *server) auditRoutes() {
	rows := group{s, "Audit"}
	list(rows, "listAudit", "/audit", "Who changed what, newest first.", (*auditInput).page, s.app.Audit.List)
	signedIn(s, rows.op(http.MethodGet, "exportAudit", "/audit/export",
		"The same rows as a file. JSON lines or CSV, every page.", nil), s.exportAudit)
	unwrapped(rows, http.MethodGet, "listRefusals", "/audit/refusals", "Refusals by network, code and minute. Requires haas:manage.",
		whole, s.listRefusals)
}

func (f *AuditFilter) query() (q audit.Query, err error) {
	q = audit.Query{OrganizationID: f.OrganizationID.String(), Verb: f.Verb, Noun: f.Noun, NounID: f.NounID, ActorID: f.Actor.String()}
	if q.From, err = parseSince("since", f.Since); err != nil {
		return q, err
	}
	q.To, err = parseSince("until", f.Until)
	return q, err
}

func (in *auditInput) page() (audit.Query, error) {
	q, err := in.query()
	q.Page, q.PerPage = in.Page, in.PerPage
	return q, err
}

const (
	exportPath = "/api/audit/export"
	// exportTimeout ends an export at last; a million rows take some minutes.
	exportTimeout = 30 * time.Minute
	// exportStall is how long one page of it may wait for its reader.
	exportStall = 30 * time.Second
)

// goingOn lifts the deadlines of a usual answer: each page has one of its own,
// and only who stops reading is cut off.
func goingOn(hc huma.Context, all func(func(wire.AuditEntry) error) error) func(func(wire.AuditEntry) error) error {
	_, w := humago.Unwrap(hc)
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // recorders in tests know none
	return func(each func(wire.AuditEntry) error) error {
		n := 0
		return all(func(e wire.AuditEntry) error {
			if n%exportRows == 0 {
				_ = control.SetWriteDeadline(time.Now().Add(exportStall))
			}
			n++
			return each(e)
		})
	}
}

// exportRows is how many rows are written for each setting of the deadline.
const exportRows = 100

// exportAudit streams; a fault after the first byte can only cut the answer short.
func (s *server) exportAudit(ctx context.Context, actor *access.Actor, in *auditExportInput) (*huma.StreamResponse, error) {
	q, err := in.query()
	if err != nil {
		return nil, err
	}
	all, err := s.app.Audit.Export(ctx, actor, q)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		name := "audit-" + s.app.Now().UTC().Format("2006-01-02")
		hc.SetHeader("Cache-Control", "no-store")
		var err error
		all := goingOn(hc, all)
		if in.Format == "csv" {
			hc.SetHeader("Content-Type", "text/csv; charset=utf-8")
			hc.SetHeader("Content-Disposition", `attachment; filename="`+name+`.csv"`)
			err = file.WriteAuditCSV(hc.BodyWriter(), all)
		} else {
			hc.SetHeader("Content-Type", "application/x-ndjson")
			hc.SetHeader("Content-Disposition", `attachment; filename="`+name+`.jsonl"`)
			lines := json.NewEncoder(hc.BodyWriter())
			err = all(func(e wire.AuditEntry) error { return lines.Encode(e) })
		}
		if err != nil {
			s.app.Log.Warn("audit export cut short", "error", err)
			panic(http.ErrAbortHandler) // the client must not take a part for the whole
		}
	}}, nil
}

func (s *server) listRefusals(ctx context.Context, actor *access.Actor, in *refusalsInput) (out RefusalCounts, err error) {
	since, err := parseSince("since", in.Since)
	if err != nil {
		return out, err
	}
	if since == 0 {
		since = fleet.InstantOf(s.app.Now().Add(-24 * time.Hour))
	}
	out.Data, err = s.app.Audit.Refusals(ctx, actor, since)
	return out, err
}
