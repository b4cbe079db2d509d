package places

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode"
)

// likeName is a name that words may mean; less is better.
type likeName struct {
	name  uint32
	score float64
	// isBegun: the words are not the name, they only begin it: "Dunc" for Duncan Road, "US 13" for US 13 Business.
	isBegun bool
	// isPartial: it is another road, or lacks a requested direction.
	isPartial bool
}

const scoreDirection = 0.5 // "Market St" for "North Market Street"

func isDirection(word string) bool {
	switch word {
	case "n", "s", "e", "w", "ne", "nw", "se", "sw":
		return true
	}
	return false
}

// isNumber reports whether a word is one: "1", "22a", "5th".
func isNumber(word string) bool {
	return strings.IndexFunc(word, unicode.IsDigit) == 0
}

// reading is how far words are trusted.
type reading bool

const (
	whole  reading = false // every word is as its writer left it
	typing reading = true  // the last word may be unfinished, and others shortened
)

// namesLike gives the names that words may mean, best first; words of a name
// may be left out. A number is always whole: 1 is not 113, and 2 is not 22A.
func (p *Places) namesLike(words []string, as reading, limit int) []likeName {
	found := map[uint32]likeName{}
	note := func(n likeName) {
		if before, ok := found[n.name]; !ok || n.score < before.score {
			found[n.name] = n
		}
	}
	last := len(words) - 1
	for _, e := range endings(words[last], as) {
		p.inARow(append(slices.Clone(words[:last]), e.word), e, note)
	}
	if len(found) < limit && len(words) > 1 {
		p.inOrder(words, as, note)
	}
	if len(found) == 0 && len(words) > 1 && isDirection(words[0]) {
		out := p.namesLike(words[1:], as, limit)
		for i := range out {
			out[i].isPartial = true
		}
		return out
	}
	out := make([]likeName, 0, len(found))
	for _, n := range found {
		out = append(out, n)
	}
	slices.SortFunc(out, compareLike)
	return out[:min(limit, len(out))]
}

func compareLike(a, b likeName) int {
	return cmp.Or(comparePartial(a.isPartial, b.isPartial), cmp.Compare(a.score, b.score), cmp.Compare(a.name, b.name))
}

// ending is a possible meaning of the last word of a query.
type ending struct {
	word            string
	isOpen, isBegun bool // it may continue within the word; it is not the word as written
}

// endings returns what a last word may become: "aven" is "ave" in the names, and 5 is 5th.
func endings(word string, as reading) []ending {
	out := []ending{{word: word, isOpen: as == typing && !isNumber(word)}}
	if as == whole {
		return out
	}
	if isNumber(word) {
		digits := strings.TrimRightFunc(word, unicode.IsLetter)
		for _, ordinal := range [...]string{"st", "nd", "rd", "th"} {
			if whole := digits + ordinal; whole != word && strings.HasPrefix(whole, word) {
				out = append(out, ending{word: whole, isBegun: true})
			}
		}
		return out
	}
	for _, short := range shortenedTo(word) {
		out = append(out, ending{word: short, isBegun: true})
	}
	return out
}

// inARow notes the names in which the words follow each other in this order.
func (p *Places) inARow(words []string, e ending, note func(likeName)) {
	text := strings.Join(words, " ")
	keys := p.having(text)
	if e.isOpen {
		keys = p.beginning(text)
	}
	for _, k := range keys[:min(len(keys), maxKeysSeen)] {
		before := strings.TrimSuffix(p.texts.At(p.names[k.name].key)[:k.at], " ")
		after, _ := strings.CutPrefix(p.keyText(k), text)
		score, isCut := leftOut(before, scoreInside), after != "" && after[0] != ' '
		after = strings.TrimPrefix(after, " ")
		if isCut {
			score += scoreBeginning
		} else {
			score += leftOut(after, scoreBeginning)
		}
		other := isOther(words, before, after)
		note(likeName{k.name, score, e.isBegun || isCut || other, other})
	}
}

// having gives the keys that begin with whole words.
func (p *Places) having(text string) []nameKey {
	from := sort.Search(len(p.keys), func(i int) bool { return p.keyText(p.keys[i]) >= text })
	rest := p.keys[from:]
	to := sort.Search(len(rest), func(i int) bool { return p.keyText(rest[i]) >= text+"!" }) // what follows a blank
	return rest[:to]
}

// leftOut is the score of words of a name that were not requested.
func leftOut(words string, score float64) float64 {
	switch {
	case words == "":
		return scoreExact
	case isDirection(words):
		return scoreDirection
	}
	return score
}

// isOther reports whether the words of a name around the requested ones make it another road with the same number: "US 13
// Business", "Old Route 7".
func isOther(asked []string, before, after string) bool {
	if !isHouse(asked[len(asked)-1]) {
		return false
	}
	isQualified := slices.ContainsFunc(strings.Fields(before), func(w string) bool { return slices.Contains(qualifiers, w) })
	return isQualified || after != "" && !isDirection(after)
}

var qualifiers = []string{"alt", "bus", "byp", "express", "loop", "old", "spur", "temp", "temporary", "toll", "trk", "truck"}

// inOrder notes the names that have the words in their order, with others between.
func (p *Places) inOrder(words []string, as reading, note func(likeName)) {
	longest := slices.MaxFunc(words, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	keys := p.having(longest)
	if as == typing && !isNumber(longest) {
		keys = p.beginning(longest)
	}
	for _, k := range keys[:min(len(keys), maxKeysSeen)] {
		if n, ok := ordered(p.texts.At(p.names[k.name].key), words, as); ok {
			n.name = k.name
			note(n)
		}
	}
}

func ordered(key string, words []string, as reading) (n likeName, ok bool) {
	left := words
	n.score = scoreBeginning
	var others []string
	for word := range strings.SplitSeq(key, " ") {
		switch {
		case len(left) > 0 && word == left[0]:
			left = left[1:]
		case len(left) > 0 && as == typing && !isNumber(left[0]) && strings.HasPrefix(word, left[0]):
			left = left[1:]
			n.score += 0.5
			n.isBegun = true
		case isDirection(word):
			n.score += scoreDirection
		default:
			others = append(others, word)
			n.score++
		}
	}
	n.isPartial = isOther(words, strings.Join(others, " "), "")
	n.isBegun = n.isBegun || n.isPartial
	return n, len(left) == 0
}
