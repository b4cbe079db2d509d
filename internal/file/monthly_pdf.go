package file

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"lightbar/catalog"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

// MonthlyDocument has the data of a printed monthly report.
type MonthlyDocument struct {
	Brand     string // name of the product
	Report    wire.MonthlyReportWhole
	Miles     bool // distances in miles, else kilometers
	Incidents []fleet.MonthlyIncidentRow
	Closures  []fleet.MonthlyClosureRow
	Assets    []fleet.MonthlyAssetRow
}

// monthlyListed is how many rows a list of a printed report has at most; the page in the app has all.
const monthlyListed = 20

// monthlyPDF is a monthly report in the making.
type monthlyPDF struct {
	*pdfSheet
	MonthlyDocument
	zone     *time.Location
	contents []monthlyChapter // found so far
	known    []monthlyChapter // found by the draft
	pages    int              // of the draft
}

type monthlyChapter struct {
	title string
	page  int
}

// WriteMonthlyPDF writes a monthly report as PDF. The same report makes the same bytes. It is set twice: the draft shows how many
// pages there are and where each part begins.
func WriteMonthlyPDF(w io.Writer, m MonthlyDocument) error {
	draft := newMonthlyPDF(m)
	draft.set()
	final := newMonthlyPDF(m)
	final.known, final.pages, final.isReplaced = draft.contents, draft.PageCount(), draft.isReplaced
	final.set()
	to := bufio.NewWriter(w)
	if err := final.Output(to); err != nil {
		return fmt.Errorf("file: monthly report as PDF: %w", err)
	}
	return to.Flush()
}

func newMonthlyPDF(m MonthlyDocument) *monthlyPDF {
	zone, err := time.LoadLocation(m.Report.TimeZone)
	if err != nil {
		zone = time.UTC
	}
	width, height := 210.0, 297.0
	// North America prints on Letter.
	if strings.HasPrefix(m.Report.TimeZone, "America/") || m.Report.TimeZone == "Pacific/Honolulu" {
		width, height = 215.9, 279.4
	}
	p := &monthlyPDF{MonthlyDocument: m, zone: zone}
	p.pdfSheet = newPDF(width, height, m.Report.MadeAt, "Monthly report "+p.month()+", "+m.Report.OrganizationName)
	p.SetAuthor(p.clean(m.Report.OrganizationName), true)
	p.SetCreator(p.clean(m.Brand), true)
	p.onPage = p.frame
	return p
}

// month is the month of the report: "November 2026".
func (p *monthlyPDF) month() string { return monthName(p.Report.Year, p.Report.Month, 0) }

// before and yearBefore are the figures with which the report is compared.
func (p *monthlyPDF) before() string {
	at := time.Date(p.Report.Year, time.Month(p.Report.Month)-1, 1, 0, 0, 0, 0, time.UTC)
	return monthName(at.Year(), int(at.Month()), p.Report.Year)
}

func (p *monthlyPDF) yearBefore() string {
	return monthName(p.Report.Year-1, p.Report.Month, p.Report.Year)
}

// when is an instant by the organization's clock; a dash for none.
func (p *monthlyPDF) when(at fleet.Instant) string {
	if at == 0 {
		return noFigure
	}
	return at.Time().In(p.zone).Format("Jan-02-2006 3:04 PM")
}

// frame is on every page: whose report of when it is, the time zone of its times, when it was made.
func (p *monthlyPDF) frame() {
	y := p.bottom + 7
	p.rule(y, pdfStrong)
	quiet := pdfStyle{7, false, pdfInk2}
	p.text(p.left, y+4, p.Report.OrganizationName+" · Monthly report, "+p.month(), quiet, pdfLeft, p.width()-25)
	p.text(p.right, y+4, fmt.Sprintf("Page %d of %d", p.PageNo(), max(p.pages, p.PageNo())), quiet, pdfRight, 0)
	p.text(p.left, y+7.6, fmt.Sprintf("Times of %s · Made %s %s · Version %d · %s", p.Report.TimeZone, p.when(p.Report.MadeAt),
		p.Report.MadeAt.Time().In(p.zone).Format("MST"), p.Report.Version, p.Brand), quiet, pdfLeft, p.width())
}

// set sets the whole report.
func (p *monthlyPDF) set() {
	p.glance()
	p.second()
	p.page()
	for i, section := range catalog.MonthlyReport().Sections {
		if i > 0 {
			p.y += 5
		}
		p.section(section)
	}
	p.longest()
	p.definitions()
}

// chapter begins a chapter; so much must fit below its title.
func (p *monthlyPDF) chapter(title string, needs float64) {
	p.need(needs + 12)
	p.contents = append(p.contents, monthlyChapter{title, p.PageNo()})
	p.Bookmark(title, 0, p.y)
	p.text(p.left, p.y+5.5, title, pdfStyle{13, true, pdfInk}, pdfLeft, p.width())
	p.y += 9.5
}

// caption names the table that comes next within a chapter.
func (p *monthlyPDF) caption(title string) {
	p.need(3*pdfRowHeight + 7)
	p.text(p.left, p.y+4, title, pdfStyle{9, true, pdfInk}, pdfLeft, p.width())
	p.y += 6
}

func figuresOf(section string) (out []*catalog.MonthlyFigure) {
	all := catalog.MonthlyReport().Figures
	for i := range all {
		if all[i].Section == section {
			out = append(out, &all[i])
		}
	}
	return out
}

// section sets a section: its figures beside those of the months that it is compared with, then what is its own.
func (p *monthlyPDF) section(of catalog.Named) {
	figures := figuresOf(of.Name)
	p.chapter(of.DisplayName, float64(len(figures)+1)*pdfRowHeight)
	columns := []pdfColumn{{"Figure", 27, false}, {p.month(), 17, true}, {p.before(), 15, true}, {"Change", 21, true},
		{p.yearBefore(), 16, true}, {"Change", 21, true}}
	var rows [][]string
	for _, f := range figures {
		row := []string{f.DisplayName, figureWords(f, &p.Report.Figures, p.Miles)}
		for _, then := range []*fleet.MonthlyFigures{p.Report.PreviousMonth, p.Report.PreviousYear} {
			value := "no report"
			if then != nil {
				value = figureWords(f, then, p.Miles)
			}
			row = append(row, value, changeShort(f, &p.Report.Figures, then, p.Miles))
		}
		rows = append(rows, row)
	}
	p.table(columns, rows)
	switch of.Name {
	case "assets":
		p.assets()
	case "incidents":
		p.incidents()
	case "driving":
		p.driving()
	case "closures":
		p.impacts()
	case "feeds":
		p.consumers()
	case "stations":
		p.stations()
	case "data":
		p.completeness()
	}
}

// most sets a list of at most so many rows, and adds how many it leaves out.
func (p *monthlyPDF) most(columns []pdfColumn, rows [][]string, total int) {
	p.table(columns, rows)
	if more := total - len(rows); more > 0 {
		p.y -= 1.5
		p.paragraph(fmt.Sprintf("And %s more, which the app lists.", countWords(int64(more))), pdfSmall, 1)
		p.y += 2
	}
}

func (p *monthlyPDF) assets() {
	var rows [][]string
	for _, t := range p.Report.Figures.Assets.ByType {
		if len(rows) < monthlyListed {
			rows = append(rows, []string{typeWords(t.Type), countWords(int64(t.Total)), countWords(int64(t.InService))})
		}
	}
	if len(rows) > 0 {
		p.caption("By type")
		p.most([]pdfColumn{{"Type", 50, false}, {"Assets", 20, true}, {"In service", 20, true}}, rows, len(p.Report.Figures.Assets.ByType))
	}
}

func (p *monthlyPDF) driving() {
	list := slices.Clone(p.Assets)
	slices.SortStableFunc(list, func(x, y fleet.MonthlyAssetRow) int {
		return cmp.Or(cmp.Compare(y.AlertingMs, x.AlertingMs), cmp.Compare(y.RunDistanceM+y.OtherDistance, x.RunDistanceM+x.OtherDistance))
	})
	var rows [][]string
	for i := range list[:min(len(list), monthlyListed)] {
		a := &list[i]
		rows = append(rows, []string{cmp.Or(a.Name, noFigure), typeWords(a.Type), countWords(int64(a.Runs)),
			distanceWords(a.RunDistanceM+a.OtherDistance, p.Miles),
			spanWords(float64(a.AlertingMs)), shareText(a.CoveredMs, a.OfMs)})
	}
	if len(rows) > 0 {
		p.caption("Assets with the longest lights-on time")
		p.most([]pdfColumn{{"Asset", 40, false}, {"Type", 30, false}, {"Runs", 12, true}, {"Distance", 18, true}, {"Lights on", 20, true},
			{"Data complete", 20, true}}, rows, len(list))
	}
}

func shareText(part, whole int64) string {
	if share := shareOf(part, whole); share != nil {
		return shareWords(*share)
	}
	return noFigure
}

// typeWords is the name of a type of assets in words; its own name where we have none.
func typeWords(name string) string {
	for _, t := range catalog.AllEnums().ThingTypes {
		if t.Name == name {
			return t.DisplayName
		}
	}
	return cmp.Or(name, noFigure)
}

func impactWords(name string) string {
	for _, v := range catalog.AllEnums().VehicleImpacts {
		if v.Name == name {
			return v.DisplayName
		}
	}
	return cmp.Or(name, noFigure)
}

func (p *monthlyPDF) impacts() {
	var rows [][]string
	list := p.Report.Figures.Closures.ByImpact
	for i := range list[:min(len(list), monthlyListed)] {
		rows = append(rows, []string{impactWords(list[i].Impact), countWords(int64(list[i].Total)), spanWords(float64(list[i].ActiveMs))})
	}
	if len(rows) > 0 {
		p.caption("By impact on vehicles")
		p.most([]pdfColumn{{"Impact", 50, false}, {"Closures", 20, true}, {"Closure time", 20, true}}, rows, len(list))
	}
}

func (p *monthlyPDF) consumers() {
	var rows [][]string
	list := p.Report.Figures.Feeds.Consumers
	for i := range list[:min(len(list), monthlyListed)] {
		rows = append(rows, []string{cmp.Or(list[i].Name, "Readers without a key"), countWords(list[i].Requests),
			countWords(int64(list[i].Days))})
	}
	if len(rows) > 0 {
		p.caption("By consumer")
		p.most([]pdfColumn{{"Consumer", 50, false}, {"Requests", 20, true}, {"On days", 20, true}}, rows, len(list))
	}
}

func (p *monthlyPDF) stations() {
	var rows [][]string
	list := p.Report.Figures.Stations.Rows
	for i := range list[:min(len(list), monthlyListed)] {
		rows = append(rows, []string{list[i].Name, shareText(list[i].CoveredMs, list[i].OfMs),
			spanWords(float64(list[i].OfMs - list[i].CoveredMs)),
			countWords(int64(list[i].Visits))})
	}
	if len(rows) > 0 {
		p.caption("By station, least covered first")
		p.most([]pdfColumn{{"Station", 50, false}, {"Cover", 16, true}, {"Not covered", 20, true}, {"Visits", 14, true}}, rows, len(list))
	}
}

// lacks are sentences about what is missing in the figures.
func (p *monthlyPDF) lacks() (out []string) {
	say, d := catalog.MonthlyReport().Words, &p.Report.Figures.Data
	if d.DamagedBlocks > 0 {
		out = append(out, numbered(int64(d.DamagedBlocks), say.DamagedOne, say.Damaged))
	}
	if share := shareOf(d.CoveredMs, d.OfMs); share != nil && *share < 1 {
		out = append(out, says(say.Silence, "share", shareWords(*share)))
	}
	if d.Refused == nil {
		out = append(out, say.RefusedUnknown)
	} else if *d.Refused > 0 {
		out = append(out, numbered(*d.Refused, say.RefusedOne, say.Refused))
	}
	if !p.Report.Figures.Feeds.IsCounted {
		out = append(out, say.FeedsUnknown)
	}
	if at := p.Report.FinalAt; at > p.Report.MadeAt {
		out = append(out, says(say.MayChange, "at", p.when(at)))
	}
	return out
}

// numbered chooses a sentence in the singular or the plural.
func numbered(n int64, one, several string) string {
	if n == 1 {
		return one
	}
	return says(several, "n", countWords(n))
}

func (p *monthlyPDF) completeness() {
	for _, sentence := range p.lacks() {
		p.paragraph(sentence, pdfBody, 2)
	}
	p.y += 2
}

// definitions explain what each figure means.
func (p *monthlyPDF) definitions() {
	p.y += 5
	p.chapter("Definitions", 30)
	p.paragraph("A month, its days and all times are those of "+p.Report.TimeZone+", the organization's time zone when the report was made.",
		pdfBody, 2)
	p.y += 2
	for _, section := range catalog.MonthlyReport().Sections {
		for _, f := range figuresOf(section.Name) {
			lines := p.lines(f.Means, pdfCell, p.width()-44, 4)
			p.need(float64(len(lines))*4 + 1.6)
			p.text(p.left, p.y+3.6, f.DisplayName, pdfStyle{8, true, pdfInk}, pdfLeft, 42)
			for i, line := range lines {
				p.text(p.left+44, p.y+3.6+4*float64(i), line, pdfCell, pdfLeft, 0)
			}
			p.y += float64(len(lines))*4 + 1.6
		}
	}
	if p.isReplaced {
		p.y += 2
		p.paragraph("□ stands for a letter that the type of this document lacks. The app shows it.", pdfSmall, 1)
	}
}
