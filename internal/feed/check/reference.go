package check

import (
	"strconv"
	"strings"
)

// reference is an id that something else should have. That may come later, so all are held until the end of the document: they are
// small, and become places there.
type reference struct {
	id      string
	feature int32 // whose it is, of references.features
	index   int32 // in its list
	in      int   // of referencing
}

// referencing are the members that name something else.
var referencing = []string{"relationship.first[#]", "relationship.next[#]", "relationship.parents[#]", "relationship.children[#]",
	"related_road_events[#].id", "data_source_id"}

// relationships are the lists of before, in the order of referencing.
var relationships = []string{"first", "next", "parents", "children"}

const (
	toRelated = 4
	toSource  = 5
)

func (r reference) path() string {
	return "properties.core_details." + strings.Replace(referencing[r.in], "#", strconv.Itoa(int(r.index)), 1)
}

const (
	mostReferences = 200_000
	pageReferences = 4096
)

// references are those of a document, by pages: a slice that grows would be held twice.
type references struct {
	pages    [][]reference
	count    int
	features []string // that have some
}

func (rs *references) add(r reference, feature string) {
	if rs.count >= mostReferences {
		return
	}
	if rs.count%pageReferences == 0 {
		rs.pages = append(rs.pages, make([]reference, 0, pageReferences))
	}
	if len(rs.features) == 0 || rs.features[len(rs.features)-1] != feature {
		rs.features = append(rs.features, feature)
	}
	r.feature = int32(len(rs.features) - 1)
	last := &rs.pages[len(rs.pages)-1]
	*last = append(*last, r)
	rs.count++
}

// without calls tell for each whose id does not exist.
func (rs *references) without(there map[string]bool, tell func(at func() Place)) {
	for _, page := range rs.pages {
		for _, r := range page {
			if !there[r.id] {
				tell(func() Place { return Place{rs.features[r.feature], r.path(), "“" + short(r.id) + "”."} })
			}
		}
	}
}
