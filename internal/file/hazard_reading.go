package file

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"lightbar/catalog"
	"lightbar/internal/fleet"
	"lightbar/internal/geo"
)

const (
	readingRows  = 2000 // looked through for names, words, and times
	readingWords = 40   // of the type column are named
	readingChars = 200  // no name or word is longer
)

// HazardReading is how a file of hazards is read.
type HazardReading struct {
	Names      []string // of its columns, or of its features' properties
	Columns    fleet.HazardColumns
	Types      []HazardWord // the first words of the type column
	TimeFormat string
}

// HazardWord is a word of the type column and the type it means.
type HazardWord struct{ Word, Kind string }

// errEnough ends a look through a file.
var errEnough = errors.New("enough rows")

// GuessHazards finds out how a file of hazards must be read. The given file.Types and file.TimeFormat count, and so do given
// columns; the rest is guessed from names, words, and times. Files that ReadHazards refuses are left to it, except for a CSV file
// without names of columns.
func GuessHazards(ctx context.Context, file HazardFile, said *fleet.HazardColumns) (HazardReading, error) {
	out := HazardReading{Names: []string{}, TimeFormat: file.TimeFormat}
	if err := checkFileSize(file.Content, hazardFileBytes); err != nil {
		return out, err
	}
	rows := hazardLook{work: work{ctx: ctx}, file: file}
	seen := map[string]bool{}
	if err := rows.each(func(name, _ string) {
		if name != "" && len(out.Names) < csvColumns && !seen[name] {
			name = strings.Clone(name)
			seen[name], out.Names = true, append(out.Names, name)
		}
	}); err != nil {
		return out, err
	}
	if file.Format == "csv" && len(out.Names) < 2 {
		return out, fleet.RefuseFields(map[string]string{
			"content": "The first line of the file must list the column names, separated by commas, semicolons, or tabs."})
	}
	if said != nil {
		out.Columns = *said
	} else {
		out.Columns = guessColumns(out.Names, file.Format == "csv")
		if err := rows.place(&out.Columns); err != nil {
			return out, err
		}
	}
	var words, times []string
	if err := rows.each(func(name, cell string) {
		if cell = strings.TrimSpace(cell); name == "" || cell == "" || len(cell) > readingChars {
			return
		}
		if strings.EqualFold(name, out.Columns.Type) && len(words) < readingWords && !slices.Contains(words, cell) {
			words = append(words, strings.Clone(cell))
		}
		if (strings.EqualFold(name, out.Columns.Start) || strings.EqualFold(name, out.Columns.Updated)) && !fleet.IsNoTime(cell) {
			times = append(times, strings.Clone(cell))
		}
	}); err != nil {
		return out, err
	}
	for _, word := range words {
		kind := file.Types[word]
		if kind == "" {
			kind = guessKind(word)
		}
		out.Types = append(out.Types, HazardWord{word, kind})
	}
	if out.TimeFormat == "" {
		out.TimeFormat = guessTimeFormat(times)
	}
	return out, nil
}

// hazardLook looks through the first rows of a file.
type hazardLook struct {
	work
	file HazardFile
}

// place finds the column that has both numbers of a position, as "(39.7, -75.5)", where none has one of them.
func (l *hazardLook) place(c *fleet.HazardColumns) error {
	if l.file.Format != "csv" || c.Lat != "" || c.Lng != "" {
		return nil
	}
	const mostTried = 1000 // each is compared with many forms
	tried := 0
	return l.each(func(name, cell string) {
		if c.Lat != "" || name == "" || tried == mostTried || !strings.ContainsAny(cell, ".°") {
			return
		}
		tried++
		if _, ok := geo.ReadPosition(cell); ok {
			c.Lat, c.Lng = name, name
		}
	})
}

// each hands on each cell with the name of its column, and first the names of a CSV file alone.
func (l *hazardLook) each(visit func(name, cell string)) error {
	if l.file.Format == "csv" {
		return l.csv(visit)
	}
	rows := 0
	_, err := l.features([]byte(strings.TrimPrefix(l.file.Content, "\ufeff")), func(feature []byte) error {
		if rows++; rows > readingRows {
			return errEnough
		}
		return l.members(feature, func(name, value []byte) error {
			if !isNamed(name, "properties") {
				return nil
			}
			return l.members(value, func(name, value []byte) error {
				if len(name) <= readingChars {
					visit(plainJSON(name), scalar(value[:min(len(value), 2*readingChars)]))
				}
				return nil
			})
		})
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

func (l *hazardLook) csv(visit func(name, cell string)) error {
	in := newCSVRows(l.file.Content)
	header, _, err := in.next()
	if err != nil {
		return nil // ReadHazards refuses it
	}
	header, seen := slices.Clone(header), map[string]bool{}
	for i, name := range header {
		if header[i] = strings.TrimSpace(name); len(name) > readingChars || seen[foldCell(name)] {
			header[i] = "" // of two that are called alike the first one counts
		}
		seen[foldCell(name)] = true
		visit(header[i], "")
	}
	for range readingRows {
		cells, _, err := in.next()
		if err != nil {
			return nil // the end
		}
		for i := range min(len(cells), len(header)) {
			if header[i] != "" {
				visit(header[i], fleet.PlainCell(cells[i]))
			}
		}
		if err := l.step(); err != nil {
			return err
		}
	}
	return nil
}

// hazardNames are the names of the columns in files, the best name first.
func hazardNames(c *fleet.HazardColumns, isCSV bool) []columnNames {
	all := []columnNames{{&c.ID, "id uuid guid externalid eventid key number globalid objectid fid"}}
	if isCSV {
		all = append(all, columnNames{&c.Lat, "lat latitude y pointy ycoord"}, columnNames{&c.Lng, "lng lon long longitude x pointx xcoord"})
	}
	return append(all,
		columnNames{&c.Type, "type hazardtype category kind eventtype class"},
		columnNames{&c.Description, "description desc details comment notes headline text"},
		columnNames{&c.Start, "start starttime startdate begin created createdat reported time date"},
		columnNames{&c.Updated, "updated updatedat lastupdated updatetime modified lastmodified"})
}

type columnNames struct {
	at    *string
	names string
}

// guessColumns guesses by their names what columns mean: the same word first, then one that contains it. None is taken twice.
func guessColumns(names []string, isCSV bool) (out fleet.HazardColumns) {
	free := slices.Clone(names)
	look := func(fits func(column, name string) bool) {
		for _, c := range hazardNames(&out, isCSV) {
			for _, name := range strings.Fields(c.names) {
				i := slices.IndexFunc(free, func(column string) bool { return fits(plainName(column), name) })
				if *c.at == "" && i >= 0 {
					*c.at = free[i]
					free = slices.Delete(free, i, i+1)
				}
			}
		}
	}
	look(func(column, name string) bool { return column == name })
	look(func(column, name string) bool { return len(name) > 3 && strings.Contains(column, name) })
	return out
}

// plainName is a name without what people separate its words by.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if r = unicode.ToLower(r); r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, name)
}

// guessKind guesses which type a word means: one whose words all begin one of its own, else other.
func guessKind(word string) string {
	types := catalog.AllEnums().HazardTypes
	for _, t := range types {
		if plainName(t.Name) == plainName(word) || plainName(t.DisplayName) == plainName(word) {
			return t.Name
		}
	}
	said := strings.FieldsFunc(strings.ToLower(word), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	for _, t := range types {
		if !slices.ContainsFunc(strings.Split(t.Name, "_"), func(part string) bool {
			return !slices.ContainsFunc(said, func(one string) bool { return strings.HasPrefix(one, part) })
		}) {
			return t.Name
		}
	}
	return fleet.HazardKind("")
}

var (
	epochTime   = regexp.MustCompile(`^\d{9,13}(\.\d+)?$`)
	writtenTime = regexp.MustCompile(`^(\d+)([/.-])\d+([/.-])(\d+)(?:(,? )(\d+:\d+)(:\d+)?( ?[AaPp](?:[Mm]|\.[Mm]\.))?( ?[+-]\d\d:\d\d)?)?$`)
)

// guessTimeFormat guesses how a file writes times, by some of them; iso if nothing else fits.
func guessTimeFormat(times []string) string {
	if len(times) == 0 {
		return "iso"
	}
	if epochTime.MatchString(times[0]) {
		whole, _, _ := strings.Cut(times[0], ".")
		if n, _ := strconv.ParseInt(whole, 10, 64); n < 1e11 {
			return "unix"
		}
		return "unix_ms"
	}
	m := writtenTime.FindStringSubmatch(fleet.PlainBlanks(times[0]))
	if m == nil || m[2] != m[3] || m[2] == "-" && len(m[1]) == 4 {
		return "iso"
	}
	year := "yy"
	if len(m[4]) == 4 {
		year = "yyyy"
	}
	day := []string{"M", "d", year}
	switch {
	case len(m[1]) == 4:
		day = []string{"yyyy", "M", "d"}
	case slices.ContainsFunc(times, func(one string) bool {
		first, _, _ := strings.Cut(one, m[2])
		n, _ := strconv.Atoi(first)
		return n > 12
	}):
		day = []string{"d", "M", year}
	}
	out := strings.Join(day, m[2])
	if m[6] == "" {
		return out
	}
	clock, half, offset := "HH:mm", "", ""
	if m[8] != "" {
		clock, half = "h:mm", strings.Repeat(" ", strings.Count(m[8], " "))+"a"
	}
	if m[7] != "" {
		clock += ":ss"
	}
	if m[9] != "" {
		offset = strings.Repeat(" ", strings.Count(m[9], " ")) + "XXX"
	}
	return out + m[5] + clock + half + offset
}
