package file

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

// glance is the first page: whose month it is, and its main figures.
func (p *monthlyPDF) glance() {
	p.page()
	p.mark(p.left, p.y-2)
	p.text(p.left+12, p.y+0.9, p.Brand, pdfStyle{9, true, pdfInk}, pdfLeft, p.width()-12)
	p.y += 14
	p.text(p.left, p.y+2, "Monthly report", pdfStyle{11, true, pdfAccent}, pdfLeft, 0)
	p.y += 5
	for _, line := range p.lines(p.Report.OrganizationName, pdfStyle{22, true, pdfInk}, p.width(), 2) {
		p.y += 9
		p.text(p.left, p.y, line, pdfStyle{22, true, pdfInk}, pdfLeft, 0)
	}
	p.y += 8
	p.text(p.left, p.y, p.month(), pdfStyle{15, false, pdfInk}, pdfLeft, 0)
	p.y += 6
	until := p.Report.EndAt - 1
	p.text(p.left, p.y, fmt.Sprintf("%s to %s, %s", p.day(p.Report.StartAt), p.day(until), p.Report.TimeZone), pdfBody, pdfLeft, p.width())
	p.y += 8
	p.contents = append(p.contents, monthlyChapter{"At a glance", p.PageNo()})
	p.Bookmark("At a glance", 0, p.y)
	p.tiles()
}

func (p *monthlyPDF) day(at fleet.Instant) string { return at.Time().In(p.zone).Format("Jan-02-2006") }

// mark is the product's light bar.
func (p *monthlyPDF) mark(x, y float64) {
	p.fill(pdfColor{0xff, 0x4d, 0x45})
	p.RoundedRectExt(x, y, 4.4, 3.6, 1.8, 0, 0, 1.8, "F")
	p.fill(pdfColor{0x3b, 0x93, 0xff})
	p.RoundedRectExt(x+5, y, 4.4, 3.6, 0, 1.8, 1.8, 0, "F")
}

const (
	tileColumns = 3
	tileGap     = 4.0
	tileLeast   = 34.0 // of its height
)

// tiles are the main figures with their changes; they fill the page.
func (p *monthlyPDF) tiles() {
	var main []*catalog.MonthlyFigure
	all := catalog.MonthlyReport().Figures
	for i := range all {
		if all[i].IsMain {
			main = append(main, &all[i])
		}
	}
	rows := (len(main) + tileColumns - 1) / tileColumns
	width := (p.width() - (tileColumns-1)*tileGap) / tileColumns
	height := max((p.bottom-p.y-float64(rows-1)*tileGap)/float64(rows), tileLeast)
	for i, f := range main {
		p.tile(p.left+float64(i%tileColumns)*(width+tileGap), p.y+float64(i/tileColumns)*(height+tileGap), width, height, f)
	}
}

func (p *monthlyPDF) tile(x, y, width, height float64, f *catalog.MonthlyFigure) {
	p.fill(pdfSunken)
	p.pen(pdfLine, 0.2)
	p.RoundedRect(x, y, width, height, 2, "1234", "FD")
	inner := width - 8
	p.text(x+4, y+6, f.DisplayName, pdfLabel, pdfLeft, inner)
	big := pdfStyle{17, true, pdfInk}
	if monthlyFigures[f.Name](&p.Report.Figures) == nil {
		big = pdfStyle{12, false, pdfInk2}
	}
	p.text(x+4, y+15, figureWords(f, &p.Report.Figures, p.Miles), big, pdfLeft, inner)
	y += 21
	for _, with := range []struct {
		then  *fleet.MonthlyFigures
		month string
	}{{p.Report.PreviousMonth, p.before()}, {p.Report.PreviousYear, p.yearBefore()}} {
		words, sign := comparedWords(f, &p.Report.Figures, with.then, with.month, p.Miles)
		quiet := pdfStyle{7, false, pdfInk2}
		at := x + 4
		if sign != 0 {
			p.text(at, y, map[int]string{1: "↑", -1: "↓"}[sign], pdfStyle{7, true, pdfInk}, pdfLeft, 0)
			at += 3.2
		}
		for _, line := range p.lines(words, quiet, x+width-4-at, 2) {
			p.text(at, y, line, quiet, pdfLeft, 0)
			y += 3.4
		}
		y += 1
	}
}

// second is the second page: the month by its days, what the report lacks, and where to find what.
func (p *monthlyPDF) second() {
	p.page()
	p.text(p.left, p.y+2, "Day by day", pdfStyle{13, true, pdfInk}, pdfLeft, 0)
	p.y += 8
	days := p.Report.Figures.Days
	height := (p.bottom-p.y-66)/3 - 5
	p.days("Incidents by day", height, days, func(d *fleet.MonthlyDay) float64 { return float64(d.Incidents) }, func(v float64) string {
		return countWords(int64(v))
	}, 1)
	unit, meters := "km", 1000.0
	if p.Miles {
		unit, meters = "mi", 1609.344
	}
	p.days("Lights-on time by day, hours", height, days, func(d *fleet.MonthlyDay) float64 { return float64(d.AlertingMs) / 3_600_000 },
		func(v float64) string { return spanWords(v * 3_600_000) }, 0)
	p.days("Distance driven by day, "+unit, height, days, func(d *fleet.MonthlyDay) float64 { return d.DistanceM / meters },
		func(v float64) string { return distanceWords(v*meters, p.Miles) }, 0)
	top := p.y
	half := (p.width() - 8) / 2
	p.text(p.left, p.y+4, "What this report cannot tell", pdfStyle{9, true, pdfInk}, pdfLeft, half)
	y := p.y + 7
	for _, sentence := range p.lacks() {
		for _, line := range p.lines(sentence, pdfCell, half, 4) {
			y += 4
			p.text(p.left, y, line, pdfCell, pdfLeft, 0)
		}
		y += 1.6
	}
	x := p.left + half + 8
	p.text(x, top+4, "Contents", pdfStyle{9, true, pdfInk}, pdfLeft, half)
	y = top + 7
	for _, c := range p.known {
		y += 4.4
		p.text(x, y, c.title, pdfCell, pdfLeft, half-10)
		p.text(p.right, y, strconv.Itoa(c.page), pdfCell, pdfRight, 0)
	}
}

// stepOf is the distance of a chart's lines: 1, 2 or 5 times a power of ten, at most four of them.
func stepOf(most, least float64) float64 {
	if most <= 0 {
		return 1
	}
	step := math.Pow(10, math.Floor(math.Log10(most/4)))
	for _, times := range []float64{1, 2, 5, 10} {
		if step*times*4 >= most {
			step *= times
			break
		}
	}
	return max(step, least)
}

// days sets a chart of bars, a bar for each day; weekends stand on a ground of their own. words is a value in words; least the smallest
// step
// between its lines, 0 = any.
func (p *monthlyPDF) days(title string, height float64, days []fleet.MonthlyDay, of func(*fleet.MonthlyDay) float64,
	words func(float64) string, least float64) {
	most, at := 0.0, -1
	for i := range days {
		if v := of(&days[i]); v > most {
			most, at = v, i
		}
	}
	p.text(p.left, p.y+3.4, title, pdfStyle{9, true, pdfInk}, pdfLeft, 0)
	said := "None in this month"
	if at >= 0 {
		said = "Most: " + words(most) + " on " + dayWords(days[at].Date)
	}
	p.text(p.right, p.y+3.4, said, pdfSmall, pdfRight, p.width()/2)
	left, top, bottom := p.left+10, p.y+8, p.y+height-5
	step := stepOf(most, least)
	whole := max(math.Ceil(most/step-1e-9), 1) * step
	wide := (p.right - left) / float64(max(len(days), 1))
	quiet := pdfStyle{6.5, false, pdfInk2}
	for i := range days {
		x := left + float64(i)*wide
		if date, err := time.Parse(time.DateOnly, days[i].Date); err == nil {
			if day := date.Weekday(); day == time.Saturday || day == time.Sunday {
				p.fill(pdfSunken)
				p.Rect(x, top, wide, bottom-top, "F")
			}
			p.text(x+wide/2, bottom+3.6, strconv.Itoa(date.Day()), quiet, pdfCenter, 0)
		}
	}
	for v := 0.0; v <= whole+step/2; v += step {
		y := bottom - v/whole*(bottom-top)
		p.pen(pdfLine, 0.2)
		p.Line(left, y, p.right, y)
		p.text(left-1.5, y+0.9, strconv.FormatFloat(v, 'f', -1, 32), quiet, pdfRight, 0)
	}
	p.fill(pdfAccent)
	for i := range days {
		if v := of(&days[i]); v > 0 {
			tall := max(v/whole*(bottom-top), 0.3)
			p.Rect(left+float64(i)*wide+wide*0.16, bottom-tall, wide*0.68, tall, "F")
		}
	}
	p.pen(pdfStrong, 0.3)
	p.Line(left, bottom, p.right, bottom)
	p.y += height + 5
}

// dayWords is a day of the month: "Wed, Nov-11".
func dayWords(date string) string {
	at, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return date
	}
	return at.Format("Mon, Jan-02")
}
