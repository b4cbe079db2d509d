package fleet

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"lightbar/catalog"
)

// Source is the way by which a report came. The numbers are stored: they never change.
type Source uint8

// The sources; their names are catalog/enums.json, reportSources.
const (
	SourceUnknown Source = iota // read back from the store, which does not keep it
	SourceHTTP
	SourceOsmAnd
	SourceMQTT
	SourceGeotab
	SourceSamsara
	sourcesEnd
)

var sourceNames = [sourcesEnd]string{SourceHTTP: "http", SourceOsmAnd: "osmand", SourceMQTT: "mqtt", SourceGeotab: ProviderGeotab,
	SourceSamsara: ProviderSamsara}

// String is the source as in the API; empty when it is not known.
func (s Source) String() string {
	if s >= sourcesEnd {
		return ""
	}
	return closedWord(catalog.AllEnums().ReportSources, sourceNames[s], "")
}

// SourceOf is the source of a provider's reports.
func SourceOf(provider string) Source {
	return Source(max(0, slices.Index(sourceNames[:], provider)))
}

// Why a source's position is shown or is not; the list is catalog/enums.json, sourceReasons.
const (
	SourceNewest      = "newest"       // it is shown: no other position has a newer instant
	SourceAhead       = "clock_ahead"  // it is shown, but its clock is ahead: the instant is when it came
	SourceOlder       = "older"        // the shown position has a newer instant
	SourceSameInstant = "same_instant" // another position with the same instant is shown
	SourceNoPosition  = "no_position"  // its newest report had no position that could be shown
)

// SourceSeen is the newest report of a source.
type SourceSeen struct {
	At         Instant // effective
	ReceivedAt Instant
	Ahead      bool // its own instant was after its receipt
}

// Sources are the ways by which an asset's reports came: of each the newest report,
// and whose position is shown. It is a join: the same reports give the same in any
// order. The store does not keep the source of a report, so what is replayed at a
// start counts for none, and until the next report it may not be known who is shown.
type Sources struct {
	Shown Source // SourceUnknown = not known
	Seen  [sourcesEnd - 1]SourceSeen
}

// IsZero reports whether there are none.
func (s Sources) IsZero() bool { return s == Sources{} }

// IsNews reports whether a report with an effective instant is the newest of its source.
func (s *Sources) IsNews(of Source, at Instant) bool {
	return of != SourceUnknown && of < sourcesEnd && at > s.Seen[of-1].At
}

// Note takes in a report. Of several at one instant the one that came first counts.
func (s *Sources) Note(of Source, said, at, received Instant) {
	if of == SourceUnknown || of >= sourcesEnd {
		return
	}
	if seen := &s.Seen[of-1]; at > seen.At || at == seen.At && received < seen.ReceivedAt {
		*seen = SourceSeen{At: at, ReceivedAt: received, Ahead: said > at}
	}
}

// MarshalText is how sources are stored: of each its number, marked when it is
// shown (*) or its clock is ahead (+), its instant and when it came.
func (s Sources) MarshalText() ([]byte, error) { return s.AppendText(nil) }

// AppendText is MarshalText into a buffer.
func (s Sources) AppendText(b []byte) ([]byte, error) {
	begin := len(b)
	for i, seen := range s.Seen {
		of := Source(i + 1)
		if seen.At == 0 && s.Shown != of {
			continue
		}
		if len(b) > begin {
			b = append(b, ' ')
		}
		b = strconv.AppendInt(b, int64(of), 10)
		if s.Shown == of {
			b = append(b, '*')
		}
		if seen.Ahead {
			b = append(b, '+')
		}
		b = strconv.AppendInt(append(b, ':'), int64(seen.At), 10)
		b = strconv.AppendInt(append(b, ':'), int64(seen.ReceivedAt), 10)
	}
	return b, nil
}

var errSources = errors.New("fleet: these are no sources")

// UnmarshalText reads them back. A source of a later version is left out.
func (s *Sources) UnmarshalText(text []byte) error {
	*s = Sources{}
	for word := range strings.FieldsSeq(string(text)) {
		mark, rest, _ := strings.Cut(word, ":")
		at, received, _ := strings.Cut(rest, ":")
		of, err := strconv.ParseUint(strings.TrimRight(mark, "*+"), 10, 8)
		seen := SourceSeen{Ahead: strings.HasSuffix(mark, "+")}
		a, errAt := strconv.ParseInt(at, 10, 64)
		r, errReceived := strconv.ParseInt(received, 10, 64)
		if err != nil || errAt != nil || errReceived != nil || of == 0 {
			return errSources
		}
		if of >= uint64(sourcesEnd) {
			continue
		}
		seen.At, seen.ReceivedAt = Instant(a), Instant(r)
		if s.Seen[of-1] = seen; strings.Contains(mark, "*") {
			s.Shown = Source(of)
		}
	}
	return nil
}

// SourceRow is a source of an asset, and why its position is shown or is not.
type SourceRow struct {
	Source             Source
	LastAt, ReceivedAt Instant
	IsShown            bool
	Why                string
}

// SourcesOf are the sources of an asset, the shown one first, then the newest.
func SourcesOf(s *State) []SourceRow {
	var out []SourceRow
	for i, seen := range s.Sources.Seen {
		if seen.At == 0 {
			continue
		}
		of := Source(i + 1)
		row := SourceRow{Source: of, LastAt: seen.At, ReceivedAt: seen.ReceivedAt, IsShown: s.HasPosition && s.Sources.Shown == of}
		row.Why = closedWord(catalog.AllEnums().SourceReasons, whyShown(s, &row, seen.Ahead), SourceOlder)
		out = append(out, row)
	}
	slices.SortStableFunc(out, func(a, b SourceRow) int {
		if a.IsShown != b.IsShown {
			return map[bool]int{true: -1, false: 1}[a.IsShown]
		}
		return cmp.Compare(b.LastAt, a.LastAt)
	})
	return out
}

func whyShown(s *State, row *SourceRow, isAhead bool) string {
	switch {
	case row.IsShown && isAhead:
		return SourceAhead
	case row.IsShown:
		return SourceNewest
	case !s.HasPosition || row.LastAt > s.At:
		return SourceNoPosition
	case row.LastAt == s.At:
		return SourceSameInstant
	}
	return SourceOlder
}
