package file

import (
	_ "embed"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/text/unicode/norm"

	"lightbar/internal/fleet"
)

// A printed document: pages of paper on which texts, tables and marks are set. Lengths are millimeters, sizes of type points.

//go:embed font/Inter-Regular.ttf
var pdfRegular []byte

//go:embed font/Inter-SemiBold.ttf
var pdfSemiBold []byte

//go:embed font/letters.txt
var pdfLetterRanges string

// pdfLetters are the letters that the fonts have (scripts/font.py).
var pdfLetters = func() (has [1 << 16]bool) {
	for _, line := range strings.Fields(pdfLetterRanges) {
		var from, to rune
		if _, err := fmt.Sscanf(line, "%x-%x", &from, &to); err != nil {
			panic("file: font/letters.txt: " + err.Error())
		}
		for ; from <= to; from++ {
			has[from] = true
		}
	}
	return has
}()

const (
	// pdfBox replaces a letter that the fonts lack.
	pdfBox = '□'
	// pdfTextRunes is how much of a text is looked at: no line holds more.
	pdfTextRunes = 400

	mmPerPoint = 25.4 / 72
)

type pdfColor [3]int

var (
	pdfInk    = pdfColor{0x13, 0x1a, 0x21}
	pdfInk2   = pdfColor{0x4b, 0x58, 0x65}
	pdfLine   = pdfColor{0xe2, 0xe7, 0xec}
	pdfStrong = pdfColor{0xc7, 0xd0, 0xd9}
	pdfSunken = pdfColor{0xf4, 0xf6, 0xf8}
	pdfAccent = pdfColor{0x0b, 0x62, 0xd6}
	pdfSoft   = pdfColor{0xb9, 0xd3, 0xf5}
)

// pdfStyle is how a text looks.
type pdfStyle struct {
	size  float64
	bold  bool
	color pdfColor
}

var (
	pdfBody  = pdfStyle{8.5, false, pdfInk}
	pdfCell  = pdfStyle{8, false, pdfInk}
	pdfSmall = pdfStyle{7.5, false, pdfInk2}
	pdfLabel = pdfStyle{7.5, true, pdfInk2}
)

// pdfSheet is a document in the making.
type pdfSheet struct {
	*fpdf.Fpdf
	left, right, top, bottom float64 // edges of the text area
	y                        float64 // where the next thing begins
	isReplaced               bool    // a letter was replaced
	onPage                   func()  // sets what each new page begins with
}

// newPDF begins a document that makes the same bytes for the same content: its time is given, and its parts have an order.
func newPDF(width, height float64, at fleet.Instant, title string) *pdfSheet {
	f := fpdf.NewCustom(&fpdf.InitType{UnitStr: "mm", Size: fpdf.SizeType{Wd: width, Ht: height}})
	f.SetCatalogSort(true)
	f.SetCreationDate(at.Time())
	f.SetModificationDate(at.Time())
	f.SetProducer("Lightbar", true)
	f.SetLang("en-US")
	f.SetAutoPageBreak(false, 0)
	f.SetMargins(0, 0, 0)
	f.SetCellMargin(0)
	f.AddUTF8FontFromBytes("inter", "", pdfRegular)
	f.AddUTF8FontFromBytes("inter", "B", pdfSemiBold)
	s := &pdfSheet{Fpdf: f, left: 18, right: width - 18, top: 20, bottom: height - 20, onPage: func() {}}
	f.SetTitle(s.clean(title), true)
	return s
}

func (s *pdfSheet) width() float64 { return s.right - s.left }

// page begins a new page.
func (s *pdfSheet) page() {
	s.AddPage()
	s.y = s.top
	s.onPage()
}

// need begins a new page unless so much is left on this one.
func (s *pdfSheet) need(height float64) bool {
	if s.y+height <= s.bottom {
		return false
	}
	s.page()
	return true
}

// clean makes a text of letters that the fonts have, on one line. Letters without a shape are left out; those that the fonts lack
// become a box, so that a reader sees that there is something.
func (s *pdfSheet) clean(text string) string {
	if cut, ok := cutRunes(text, 4*pdfTextRunes); ok {
		text = cut
	}
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, string(pdfBox))
	}
	var b strings.Builder
	n, blank, isMarked := 0, false, false
	for _, r := range norm.NFC.String(text) {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			blank = b.Len() > 0
			continue
		case unicode.In(r, unicode.Cf, unicode.Me), unicode.Is(unicode.Mn, r) && (isMarked || r >= 1<<16 || !pdfLetters[r]):
			continue // only one of several marks on a letter is set
		case r < 1<<16 && pdfLetters[r]:
		default:
			r, s.isReplaced = pdfBox, true
		}
		if blank {
			b.WriteByte(' ')
			blank = false
		}
		b.WriteRune(r)
		isMarked = unicode.Is(unicode.Mn, r)
		if n++; n == pdfTextRunes {
			b.WriteRune('…')
			break
		}
	}
	return b.String()
}

func cutRunes(text string, n int) (string, bool) {
	if len(text) <= n {
		return text, false
	}
	for at := range text {
		if n--; n < 0 {
			return text[:at], true
		}
	}
	return text, false
}

func (s *pdfSheet) style(st pdfStyle) {
	face := ""
	if st.bold {
		face = "B"
	}
	s.SetFont("inter", face, st.size)
	s.SetTextColor(st.color[0], st.color[1], st.color[2])
}

func (s *pdfSheet) fill(c pdfColor) { s.SetFillColor(c[0], c[1], c[2]) }
func (s *pdfSheet) pen(c pdfColor, width float64) {
	s.SetDrawColor(c[0], c[1], c[2])
	s.SetLineWidth(width)
}

// rule draws a hairline across what is set.
func (s *pdfSheet) rule(y float64, c pdfColor) {
	s.pen(c, 0.2)
	s.Line(s.left, y, s.right, y)
}

// fit cuts a clean text so that it takes no more than a width in the style that is set.
func (s *pdfSheet) fit(text string, width float64) string {
	if s.GetStringWidth(text) <= width {
		return text
	}
	runes := []rune(text)
	low, high := 0, len(runes)
	for low < high {
		if mid := (low + high + 1) / 2; s.GetStringWidth(string(runes[:mid])+"…") <= width {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return strings.TrimRight(string(runes[:low]), " ") + "…"
}

// The alignment of a text at its x.
const (
	pdfLeft   = 0.0
	pdfCenter = 0.5
	pdfRight  = 1.0
)

// text sets a text on a baseline, cut to a width, 0 = as long as it is.
func (s *pdfSheet) text(x, y float64, text string, st pdfStyle, side, width float64) {
	s.style(st)
	text = s.clean(text)
	if width > 0 {
		text = s.fit(text, width)
	}
	if text != "" {
		s.Text(x-side*s.GetStringWidth(text), y, text)
	}
}

// lines breaks a text into at most so many lines of a width, the last one cut.
func (s *pdfSheet) lines(text string, st pdfStyle, width float64, most int) (out []string) {
	s.style(st)
	words := strings.Fields(s.clean(text))
	for len(words) > 0 {
		n := 1
		for n < len(words) && s.GetStringWidth(strings.Join(words[:n+1], " ")) <= width {
			n++
		}
		if len(out) == most-1 {
			n = len(words)
		}
		out = append(out, s.fit(strings.Join(words[:n], " "), width))
		words = words[n:]
	}
	return out
}

// paragraph sets a text at y and moves on; lines that do not fit go to the next page.
func (s *pdfSheet) paragraph(text string, st pdfStyle, most int) {
	step := st.size * mmPerPoint * 1.4
	for _, line := range s.lines(text, st, s.width(), most) {
		s.need(step)
		s.y += step
		s.text(s.left, s.y-step*0.28, line, st, pdfLeft, 0)
	}
}

// pdfColumn is a column of a table; shares of all columns together are the width.
type pdfColumn struct {
	title   string
	share   float64
	isRight bool
}

const pdfRowHeight = 5.6

// table sets rows under their columns, again on each page that they reach.
func (s *pdfSheet) table(columns []pdfColumn, rows [][]string) {
	whole := 0.0
	for _, c := range columns {
		whole += c.share
	}
	set := func(cells func(i int) string, st pdfStyle) {
		x := s.left
		for i, c := range columns {
			width := s.width() * c.share / whole
			at, side := x, pdfLeft
			if c.isRight {
				at, side = x+width, pdfRight
				if i < len(columns)-1 {
					at -= 2.5
				}
			}
			s.text(at, s.y+3.9, cells(i), st, side, width-2.5)
			x += width
		}
		s.y += pdfRowHeight
	}
	head := func() {
		set(func(i int) string { return columns[i].title }, pdfLabel)
		s.rule(s.y, pdfStrong)
	}
	s.need(3 * pdfRowHeight)
	head()
	for _, row := range rows {
		if s.need(pdfRowHeight) {
			head()
		}
		set(func(i int) string { return row[i] }, pdfCell)
		s.rule(s.y, pdfLine)
	}
	s.y += 3
}
