package geo

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// likeName is a name that words may mean; less is better.
type likeName struct {
	name  uint32
	score float64
}

const scoreDirection = 0.5 // "Market St" for "North Market Street"

func isDirection(word string) bool {
	switch word {
	case "n", "s", "e", "w", "ne", "nw", "se", "sw":
		return true
	}
	return false
}

// namesLike gives the names that words may mean, best first. The last word may
// be unfinished; the others may be shortened, and words may be left out.
func (p *Places) namesLike(words []string, limit int) []likeName {
	scores := map[uint32]float64{}
	note := func(name uint32, score float64) {
		if before, ok := scores[name]; !ok || score < before {
			scores[name] = score
		}
	}
	last := len(words) - 1
	for i, variant := range typing(words[last]) {
		p.inARow(strings.Join(append(slices.Clone(words[:last]), variant), " "), i > 0, note)
	}
	if len(scores) < limit && len(words) > 1 {
		p.inOrder(words, note)
	}
	if len(scores) == 0 && len(words) > 1 && isDirection(words[0]) {
		return p.namesLike(words[1:], limit)
	}
	out := make([]likeName, 0, len(scores))
	for name, score := range scores {
		out = append(out, likeName{name, score})
	}
	slices.SortFunc(out, func(a, b likeName) int { return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.name, b.name)) })
	return out[:min(limit, len(out))]
}

// inARow notes the names in which the text stands as it is; finished says that its last word ends there.
func (p *Places) inARow(text string, finished bool, note func(uint32, float64)) {
	keys := p.beginning(text)
	for _, k := range keys[:min(len(keys), maxKeysSeen)] {
		before := p.texts.at(p.names[k.name].key)[:k.at]
		after, _ := strings.CutPrefix(p.keyText(k), text)
		isCut := after != "" && after[0] != ' '
		if isCut && finished {
			continue
		}
		score := leftOut(strings.TrimSuffix(before, " "), scoreInside)
		if isCut {
			score += scoreBeginning
		} else {
			score += leftOut(strings.TrimPrefix(after, " "), scoreBeginning)
		}
		note(k.name, score)
	}
}

// leftOut is the score of words of a name that were not asked for.
func leftOut(words string, score float64) float64 {
	switch {
	case words == "":
		return scoreExact
	case isDirection(words):
		return scoreDirection
	}
	return score
}

// inOrder notes the names that have words which begin with those asked for, in their order.
func (p *Places) inOrder(words []string, note func(uint32, float64)) {
	longest := slices.MaxFunc(words, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	keys := p.beginning(longest)
	for _, k := range keys[:min(len(keys), maxKeysSeen)] {
		if score := orderScore(p.texts.at(p.names[k.name].key), words); !math.IsInf(score, 1) {
			note(k.name, score)
		}
	}
}

func orderScore(key string, words []string) float64 {
	score, left := scoreBeginning, words
	for word := range strings.SplitSeq(key, " ") {
		switch {
		case len(left) > 0 && word == left[0]:
			left = left[1:]
		case len(left) > 0 && strings.HasPrefix(word, left[0]):
			left = left[1:]
			score += 0.5
		case isDirection(word):
			score += scoreDirection
		default:
			score++
		}
	}
	if len(left) > 0 {
		return math.Inf(1)
	}
	return score
}
