package store

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// MonthlyReport is a report as lists read it: without its figures, and with fields that are needed only for making it.
type MonthlyReport struct {
	fleet.MonthlyReport
	State     string        // a mark of figures and rows
	CheckedAt fleet.Instant // when it was made last, whether or not that changed it
	ToMail    bool          // the people who requested it have not been mailed yet
}

var monthlyReports = table[MonthlyReport]{name: "monthly_report", columns: func(m *MonthlyReport) []column {
	return []column{
		{"id", &m.ID, keyed}, {"organization_id", &m.OrganizationID, once}, {"year", &m.Year, once}, {"month", &m.Month, once},
		{"time_zone", &m.TimeZone, once}, {"start_at", &m.StartAt, once}, {"end_at", &m.EndAt, once},
		{"state", &m.State, edit}, {"checked_at", &m.CheckedAt, edit}, {"made_at", &m.MadeAt, edit},
		{"version", &m.Version, edit}, {"updated_at", &m.UpdatedAt, edit}, {"to_mail", &m.ToMail, edit},
	}
}}

var (
	monthlyReportByID = monthlyReports.selects("WHERE id = $1")
	monthlyReportOf   = monthlyReports.selects("WHERE organization_id = $1 AND year = $2 AND month = $3")
	monthlyReportsOf  = monthlyReports.selects("WHERE organization_id = $1 AND updated_at >= $2 ORDER BY year DESC, month DESC")
	putMonthlyReport  = monthlyReports.upserts("")
)

// The figures are one body; of rows, so many are in a body that a page unpacks one or two.
const (
	monthlyFiguresKind = "figures"
	rowsAtOnce         = 500
)

// MonthlyReportByID reads a report without its figures. ErrNotFound when there is none.
func MonthlyReportByID(ctx context.Context, r Reader, id string) (MonthlyReport, error) {
	return monthlyReportByID.one(ctx, r, id)
}

// MonthlyReportOf reads the report of a month without its figures. ErrNotFound when there is none.
func MonthlyReportOf(ctx context.Context, r Reader, organizationID string, year, month int) (MonthlyReport, error) {
	return monthlyReportOf.one(ctx, r, organizationID, year, month)
}

// MonthlyReportsOf reads an organization's reports that changed at or after an instant, 0 = all, the newest month first,
// without their figures.
func MonthlyReportsOf(ctx context.Context, r Reader, organizationID string, since fleet.Instant) ([]MonthlyReport, error) {
	return monthlyReportsOf.all(ctx, r, organizationID, int64(since))
}

// SaveMonthlyReport writes when a report was made, and replaces its content.
func (tx *Tx) SaveMonthlyReport(ctx context.Context, m *MonthlyReport, rows map[string][]json.RawMessage) error {
	if _, err := putMonthlyReport.run(ctx, tx, m); err != nil {
		return err
	}
	if rows == nil {
		return nil
	}
	if _, err := tx.ExecContext(ctx, deleteMonthlyBodies, m.ID); err != nil {
		return err
	}
	figures, err := json.Marshal(m.Figures)
	if err != nil {
		return err
	}
	if err := tx.insertMonthlyBody(ctx, m.ID, monthlyFiguresKind, 0, 1, figures); err != nil {
		return err
	}
	for kind, list := range rows {
		for part := 0; part*rowsAtOnce < len(list); part++ {
			some := list[part*rowsAtOnce : min((part+1)*rowsAtOnce, len(list))]
			body, err := json.Marshal(some)
			if err != nil {
				return err
			}
			if err := tx.insertMonthlyBody(ctx, m.ID, kind, part, len(some), body); err != nil {
				return err
			}
		}
	}
	return nil
}

const (
	deleteMonthlyBodies = `DELETE FROM monthly_report_body WHERE report_id = $1`
	insertMonthlyBody   = `INSERT INTO monthly_report_body (report_id, kind, part, row_count, body) VALUES ($1, $2, $3, $4, $5)`
)

func (tx *Tx) insertMonthlyBody(ctx context.Context, id, kind string, part, n int, body []byte) error {
	_, err := tx.ExecContext(ctx, insertMonthlyBody, id, kind, part, n, monthlyPacker().EncodeAll(body, nil))
	return err
}

const monthlyBody = `SELECT body FROM monthly_report_body WHERE report_id = $1 AND kind = $2 AND part = $3`

// MonthlyFigures reads the figures of a report. ErrNotFound when there is none.
func MonthlyFigures(ctx context.Context, r Reader, id string) (out fleet.MonthlyFigures, err error) {
	return out, readMonthlyBody(ctx, r, id, monthlyFiguresKind, 0, &out)
}

func readMonthlyBody(ctx context.Context, r Reader, id, kind string, part int, into any) error {
	var packed []byte
	if err := r.QueryRowContext(ctx, monthlyBody, id, kind, part).Scan(&packed); err != nil {
		return engine.OrNotFound(err)
	}
	body, err := monthlyUnpacker().DecodeAll(packed, nil)
	if err == nil {
		err = json.Unmarshal(body, into)
	}
	if err != nil {
		return fmt.Errorf("store: monthly report %s, %s %d: %w", id, kind, part, err)
	}
	return nil
}

const countMonthlyRows = `SELECT CAST(COALESCE(SUM(row_count), 0) AS BIGINT) FROM monthly_report_body WHERE report_id = $1 AND kind = $2`

// MonthlyRows reads rows of a kind behind a report, at most as many as requested, and how many there are.
func MonthlyRows[Row any](ctx context.Context, r Reader, id, kind string, skip, most int) (out []Row, total int, err error) {
	if err := r.QueryRowContext(ctx, countMonthlyRows, id, kind).Scan(&total); err != nil {
		return nil, 0, err
	}
	for part := skip / rowsAtOnce; len(out) < most && part*rowsAtOnce < total; part++ {
		var some []Row
		if err := readMonthlyBody(ctx, r, id, kind, part, &some); err != nil {
			return nil, 0, err
		}
		some = some[min(len(some), max(0, skip-part*rowsAtOnce)):]
		out = append(out, some[:min(len(some), most-len(out))]...)
	}
	return out, total, nil
}

// bodyBytes bounds what is unpacked.
const bodyBytes = 64 << 20

// The packer and its counterpart hold their tables between bodies; both may be used by several goroutines at once.
var (
	monthlyPacker = sync.OnceValue(func() *zstd.Encoder {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true), zstd.WithWindowSize(1<<20))
		if err != nil {
			panic(err) // the options are wrong
		}
		return e
	})
	monthlyUnpacker = sync.OnceValue(func() *zstd.Decoder {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(bodyBytes))
		if err != nil {
			panic(err)
		}
		return d
	})
)
