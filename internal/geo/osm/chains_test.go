package osm

import (
	"slices"
	"testing"
)

func TestChainLines(t *testing.T) {
	lines := func() [][]uint32 { return [][]uint32{{3, 4}, {1, 2}, {9, 8, 5}, {2, 3}, {5, 4}} }
	if got := chainLines(lines(), false); len(got) != 1 || !slices.Equal(got[0], []uint32{1, 2, 3, 4, 5, 8, 9}) {
		t.Errorf("joined: %v", got)
	}
	got := chainLines(lines(), true)
	if len(got) != 2 || !slices.Equal(got[0], []uint32{1, 2, 3, 4}) || !slices.Equal(got[1], []uint32{9, 8, 5, 4}) {
		t.Errorf("directed: %v", got)
	}
	if got := chainLines([][]uint32{{1, 2, 3, 1}, {1, 7}}, false); len(got) != 2 && len(got[0]) != 5 {
		t.Errorf("a loop with a tail: %v", got)
	}
}
