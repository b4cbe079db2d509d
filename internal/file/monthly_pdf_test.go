package file_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"lightbar/internal/file"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

func instant(text string) fleet.Instant {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return fleet.InstantOf(at)
}

func ms(v int64) *int64 { return &v }

// emptyMonth is a month in which nothing happened and nothing was measured.
func emptyMonth() file.MonthlyDocument {
	m := file.MonthlyDocument{Brand: "Safety Cloud"}
	m.Report.MonthlyReport = wire.MonthlyReport{FileID: "01900000-0000-7000-8000-000000000001", OrganizationName: "Elsmere Fire Company",
		Year: 2026, Month: 11, TimeZone: "America/New_York", StartAt: instant("2026-11-01T00:00:00-04:00"),
		EndAt: instant("2026-12-01T00:00:00-05:00"), MadeAt: instant("2026-12-01T03:00:00-05:00"),
		FinalAt: instant("2026-12-31T03:00:00-05:00"), Version: 1}
	for day := range 30 {
		m.Report.Figures.Days = append(m.Report.Figures.Days, fleet.MonthlyDay{Date: fmt.Sprintf("2026-11-%02d", day+1)})
	}
	return m
}

// busyMonth is a month with so many incidents.
func busyMonth(incidents int) file.MonthlyDocument {
	m := emptyMonth()
	f := &m.Report.Figures
	types := []string{"fire", "ambulance", "arrow_board", "Service Truck"}
	streets := []string{"Kirkwood Highway", "Maryland Avenue", "I-95", "New Road", "Union Street", ""}
	for i := range 34 {
		m.Assets = append(m.Assets, fleet.MonthlyAssetRow{ThingID: fmt.Sprint(i), Name: fmt.Sprintf("Engine %d", 10+i), Type: types[i%4],
			InService: i%9 != 0, Runs: 20 + i*7%13, RunDistanceM: float64(40_000 + i*3177), OtherDistance: float64(90_000 + i*911),
			AlertingMs: int64(i*i%97) * 500_000,
			Points:     81_000, CoveredMs: 2_300_000_000 - int64(i)*7_000_000, OfMs: 2_592_000_000})
	}
	for i := range incidents {
		start := m.Report.StartAt + fleet.Instant(int64(i)*int64(m.Report.EndAt-m.Report.StartAt)/int64(incidents))
		row := fleet.MonthlyIncidentRow{LocationID: fmt.Sprintf("%06d", i), Name: "Fire alarm", Street: streets[i%6], Lat: 39.735 +
			float64(i*i%211)/9000,
			Lng: -75.62 + float64(i*37%307)/5000, StartAt: start, EndAt: start + fleet.Instant(600_000+i%50*91_000)}
		if i%3 == 0 {
			row.Lat, row.Lng, row.Street = 39.7391+float64(i%7)/9000, -75.5902+float64(i%5)/9000, "Kirkwood Highway"
		}
		if i%17 == 0 {
			row.EndAt = 0
		}
		row.Stays = []fleet.MonthlyStay{{ThingID: "1", Name: "Engine 11", ToSceneMs: ms(400_000), OnSceneMs: ms(900_000)}}
		m.Incidents = append(m.Incidents, row)
		f.Days[i*30/incidents].Incidents++
	}
	for i := range f.Days {
		f.Days[i].Runs, f.Days[i].DistanceM, f.Days[i].AlertingMs = 10+i%7, float64(200_000+i*i%31*9_000), int64(3_600_000*(1+i*5%11))
	}
	f.Assets = fleet.MonthlyAssets{Total: 34, InService: 30, ByType: []fleet.MonthlyType{{Type: "fire", Total: 12, InService: 10},
		{Type: "ambulance", Total: 10, InService: 9}, {Type: "arrow_board", Total: 8, InService: 8}, {Type: "Service Truck", Total: 4,
			InService: 3}}}
	f.Incidents = fleet.MonthlyIncidents{Total: incidents, ToScene: fleet.MonthlySpread{Count: 61, MedianMs: ms(400_000),
		P90Ms: ms(745_000), LongestMs: ms(1_900_000)},
		OnScene: fleet.MonthlySpread{Count: 120, MedianMs: ms(1_512_000), P90Ms: ms(5_000_000), LongestMs: ms(20_000_000)}}
	f.Driving = fleet.MonthlyDriving{Runs: 412, RunMs: 412 * 540_000, RunDistanceM: 3_120_400, OtherDistance: 6_810_000,
		AlertingMs: 940_000_000, AlertPoints: 918_233}
	f.Closures = fleet.MonthlyClosures{Total: 21, ActiveMs: 4_725_000_000, PublishedMs: 4_100_000_000, Confirmed: 14, Expired: 2,
		ByImpact: []fleet.MonthlyImpact{
			{Impact: "some-lanes-closed", Total: 12, ActiveMs: 3_000_000_000}, {Impact: "all-lanes-closed", Total: 6, ActiveMs: 1_425_000_000},
			{Impact: "flagging", Total: 3, ActiveMs: 300_000_000}}}
	for i := range 21 {
		m.Closures = append(m.Closures, fleet.MonthlyClosureRow{ClosureID: fmt.Sprint(i), Name: fmt.Sprintf("Resurfacing %d", i+1),
			RoadName: streets[i%5], Impact: "some-lanes-closed",
			StartAt: m.Report.StartAt - 86_400_000 + fleet.Instant(i)*40_000_000, ActiveMs: int64(i*i%41) * 9_000_000,
			PublishedMs: int64(i*i%41) * 8_000_000})
	}
	f.Feeds = fleet.MonthlyFeeds{IsCounted: true, Requests: 129_600, Consumers: []fleet.MonthlyConsumer{{Name: "Navigation provider",
		Requests: 86_400, Days: 30}, {Requests: 43_200, Days: 12}}}
	f.Stations = fleet.MonthlyStations{Total: 3, CoveredMs: 6_900_000_000, OfMs: 7_776_000_000, Rows: []fleet.MonthlyStation{
		{AreaID: "a", Name: "Station 16", CoveredMs: 2_000_000_000, OfMs: 2_592_000_000, Visits: 71}, {AreaID: "b", Name: "Station 17",
			CoveredMs: 2_400_000_000, OfMs: 2_592_000_000, Visits: 60},
		{AreaID: "c", Name: "Station 18", CoveredMs: 2_500_000_000, OfMs: 2_592_000_000, Visits: 55}}}
	f.Data = fleet.MonthlyData{CoveredMs: 78_000_000_000, OfMs: 88_128_000_000, Points: 2_754_100, SilentDays: 19, Refused: ms(18),
		DamagedBlocks: 1}
	before := *f
	before.Incidents.Total, before.Driving.Runs, before.Closures.Total = incidents-12, 430, 21
	before.Incidents.ToScene.MedianMs, before.Data.Refused = ms(480_000), nil
	m.Report.PreviousMonth = &before
	return m
}

// printed reads a PDF of ours: its pages, and the texts of each one.
func printed(t testing.TB, m file.MonthlyDocument) (pdf []byte, pages []string) {
	t.Helper()
	var b bytes.Buffer
	if err := file.WriteMonthlyPDF(&b, m); err != nil {
		t.Fatal(err)
	}
	pdf = b.Bytes()
	if !bytes.HasPrefix(pdf, []byte("%PDF-")) || !bytes.HasSuffix(bytes.TrimSpace(pdf), []byte("%%EOF")) {
		t.Fatalf("no PDF: %.20q", pdf)
	}
	for _, found := range regexp.MustCompile(`/Length (\d+)>>\nstream\n`).FindAllSubmatchIndex(pdf, -1) {
		length, _ := strconv.Atoi(string(pdf[found[2]:found[3]]))
		stream, err := zlib.NewReader(bytes.NewReader(pdf[found[1] : found[1]+length]))
		if err != nil {
			continue
		}
		content, err := io.ReadAll(stream)
		if err != nil || !bytes.Contains(content, []byte(" Tj ET")) {
			continue
		}
		pages = append(pages, textsOf(content))
	}
	return pdf, pages
}

// textsOf are the texts of a page's stream, a line each: (UTF-16, big end first, with escapes) Tj.
func textsOf(content []byte) string {
	var out strings.Builder
	for {
		at := bytes.Index(content, []byte(" Td ("))
		if at < 0 {
			return out.String()
		}
		content = content[at+5:]
		var raw []byte
		for content[0] != ')' {
			if content[0] == '\\' {
				content = content[1:]
				if content[0] == 'r' {
					content[0] = '\r'
				}
			}
			raw, content = append(raw, content[0]), content[1:]
		}
		units := make([]uint16, len(raw)/2)
		for i := range units {
			units[i] = uint16(raw[2*i])<<8 | uint16(raw[2*i+1])
		}
		out.WriteString(string(utf16.Decode(units)) + "\n")
	}
}

func mustSay(t *testing.T, text string, wanted ...string) {
	t.Helper()
	for _, w := range wanted {
		if !strings.Contains(text, w) {
			t.Errorf("%q is not printed", w)
		}
	}
}

// LIGHTBAR_PDF names a folder for the documents of this test, for a look at them.
func keep(t *testing.T, name string, pdf []byte) {
	t.Helper()
	if folder := os.Getenv("LIGHTBAR_PDF"); folder != "" {
		if err := os.WriteFile(folder+"/"+name+".pdf", pdf, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestMonthlyPDF(t *testing.T) {
	m := busyMonth(79)
	pdf, pages := printed(t, m)
	keep(t, "busy", pdf)
	text := strings.Join(pages, "\n")
	mustSay(t, pages[0], "Monthly report", "Elsmere Fire Company", "November 2026", "Nov-01-2026 to Nov-30-2026, America/New_York",
		"Incidents\n79\n",
		"12 more than in October (+18%)", "No report of November 2025", "6 min 40 s", "1 min 20 s shorter than in October\n(−17%)", "261 h",
		"not measured",
		"Same as in October", "88.5%", "Page 1 of "+strconv.Itoa(len(pages)),
		"Times of America/New_York · Made Dec-01-2026 3:00 AM EST · Version 1 · Safety Cloud")
	mustSay(t, pages[1], "Incidents by day", "Lights-on time by day, hours", "Distance driven by day, km", "Contents", "Definitions",
		"1 block of stored positions could not be read: what was in it is", "18 reports were refused.")
	mustSay(t, text, "9,930 km", "−18 (−4%)", "Some Lanes Closed", "EMS/Ambulance", "Service Truck", "Readers without a key", "Station 16",
		"77.1%", "Kirkwood Highway",
		"79 incidents, true to scale", "Longest incidents", "not ended", "And 59 more, which the app lists.", "Longest closures", "no report",
		"Page 3 of "+strconv.Itoa(len(pages)))
	if count := bytes.Count(pdf, []byte("/Type /Page\n")); count != len(pages) || count < 6 || count > 12 {
		t.Errorf("%d pages, %d with texts", count, len(pages))
	}
	m.Miles = true
	_, pages = printed(t, m)
	mustSay(t, strings.Join(pages, "\n"), "6,170 mi", "Distance driven by day, mi")
	m.Report.TimeZone = "Europe/Berlin"
	pdf, _ = printed(t, m)
	if !bytes.Contains(pdf, []byte("595.28 841.89")) {
		t.Error("not on A4")
	}
}

// The same report makes the same bytes.
func TestMonthlyPDFIsDeterministic(t *testing.T) {
	first, _ := printed(t, busyMonth(200))
	if !bytes.Contains(first, []byte("/CreationDate (D:20261201080000)")) || !bytes.Contains(first, []byte("/ModDate (D:20261201080000)")) {
		t.Error("it is not dated by the moment the report was made")
	}
	for range 3 {
		if again, _ := printed(t, busyMonth(200)); !bytes.Equal(first, again) {
			t.Fatal("other bytes")
		}
	}
}

func TestMonthlyPDFOfAnEmptyMonth(t *testing.T) {
	pdf, pages := printed(t, emptyMonth())
	keep(t, "empty", pdf)
	mustSay(t, strings.Join(pages, "\n"), "No report of October", "not counted", "not measured", "no stations", "None in this month",
		"Definitions",
		"Refused reports were not counted for this month.")
	if strings.Count(pages[1], "\n0\n1\n") != 3 || strings.Contains(pages[1], "0.0") {
		t.Error("a chart of nothing counts fractions")
	}
	if len(pages) < 4 || len(pages) > 6 {
		t.Errorf("%d pages", len(pages))
	}
	m := file.MonthlyDocument{}
	printed(t, m) // nothing is said at all
}

func TestMonthlyPDFIsBounded(t *testing.T) {
	_, pages := printed(t, busyMonth(100))
	pdf, many := printed(t, busyMonth(2000))
	keep(t, "many", pdf)
	mustSay(t, strings.Join(many, "\n"), "2,000", "And 1,980 more, which the app lists.")
	if len(many) > len(pages)+1 || len(pdf) > 300_000 {
		t.Errorf("2000 incidents have %d pages and %d bytes, 100 have %d pages", len(many), len(pdf), len(pages))
	}
	m := busyMonth(50)
	m.Incidents[0].Lat, m.Incidents[0].Lng = -33.9, 151.2
	m.Incidents[1].Lat, m.Incidents[1].Lng = 0, 0
	pdf, pages = printed(t, m)
	keep(t, "far", pdf)
	mustSay(t, strings.ReplaceAll(strings.Join(pages, "\n"), "\n", " "),
		"48 incidents, true to scale. A larger mark stands for several that lie close together. 2 incidents were far")
	for i := range m.Incidents { // on both sides of 180 degrees
		m.Incidents[i].Lat, m.Incidents[i].Lng = 51.9, 179.99+float64(i%3)/100
		if m.Incidents[i].Lng > 180 {
			m.Incidents[i].Lng -= 360
		}
	}
	pdf, pages = printed(t, m)
	keep(t, "dateline", pdf)
	mustSay(t, strings.Join(pages, "\n"), "50 incidents, true to scale", "180.00° E", "179.99° W", "1 km")
}

// Names of any script and length: what the type lacks is a box, nothing runs over its cell, and the app is named for the rest.
func TestMonthlyPDFOfAnyNames(t *testing.T) {
	m := busyMonth(40)
	m.Report.OrganizationName = strings.Repeat("Freiwillige Feuerwehr der Großgemeinde Łódź ", 9)
	m.Incidents[0].Name, m.Incidents[0].Street = "🚒🔥 Fire \u202eevil", "شارع الملك فيصل"
	m.Incidents[0].EndAt = 0
	m.Assets[0].Name, m.Assets[0].AlertingMs = "消防車\x00\xff 7", 1e12
	m.Assets[1].Name, m.Assets[1].AlertingMs = strings.Repeat("W", 5000), 1e12
	m.Assets[2].Name, m.Assets[2].AlertingMs = "e"+strings.Repeat("\u0301", 3000), 1e12
	pdf, pages := printed(t, m)
	keep(t, "names", pdf)
	text := strings.Join(pages, "\n")
	mustSay(t, text, "Großgemeinde Łódź", "□□ Fire evil", "□□□□ □□□□□ □□□□", "□□□ □ 7", "WWWW…", "\né\u0301\n",
		"□ stands for a letter that the type of this document lacks.")
	if strings.Contains(text, strings.Repeat("W", 40)) {
		t.Error("a name runs over its cell")
	}
	if strings.Contains(text, "\u202e") {
		t.Error("the direction of a text is turned")
	}
	_, pages = printed(t, busyMonth(3))
	if strings.Contains(strings.Join(pages, ""), "□") {
		t.Error("a box where nothing is lacking")
	}
}

func FuzzMonthlyPDF(f *testing.F) {
	f.Add("Elsmere Fire Company", "Engine 16", "America/New_York", 39.7, -75.5, int64(79))
	f.Add("🚒", "\xff\x00\\()", "Nowhere", 91.0, 720.0, int64(-1))
	f.Add(strings.Repeat("ש", 999), strings.Repeat("e\u0301", 500), "", 0.0, 0.0, int64(1)<<62)
	f.Fuzz(func(t *testing.T, organization, name, zone string, lat, lng float64, n int64) {
		m := emptyMonth()
		m.Brand, m.Report.OrganizationName, m.Report.TimeZone = name, organization, zone
		m.Report.Figures.Incidents.Total, m.Report.Figures.Driving.AlertingMs = int(n), n
		m.Report.Figures.Driving.RunDistanceM, m.Report.Figures.Days[0].DistanceM = lat, lng
		m.Report.Figures.Data.CoveredMs, m.Report.Figures.Data.OfMs = n, 1000
		m.Report.PreviousMonth = &fleet.MonthlyFigures{}
		m.Incidents = []fleet.MonthlyIncidentRow{{Name: name, Street: organization, Lat: lat, Lng: lng}, {Name: organization, Lat: lng,
			Lng: lat, EndAt: fleet.Instant(n)}}
		m.Closures = []fleet.MonthlyClosureRow{{Name: name, RoadName: organization, Impact: zone, ActiveMs: n}}
		m.Assets = []fleet.MonthlyAssetRow{{Name: name, Type: organization, CoveredMs: n, OfMs: n / 2, RunDistanceM: lat}}
		pdf, pages := printed(t, m)
		if len(pages) > 12 || len(pdf) > 300_000 {
			t.Errorf("%d pages, %d bytes", len(pages), len(pdf))
		}
	})
}
