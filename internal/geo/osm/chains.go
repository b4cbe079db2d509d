package osm

// chainLines joins lines that share end nodes into longer ones. directed lines
// are only joined end to beginning and keep their direction; others are turned
// round as needed. At a node where several could follow, the first does. The
// result depends on the lines' order alone.
func chainLines(lines [][]uint32, directed bool) [][]uint32 {
	begins, finish := lineEnds{}, lineEnds{}
	for i, l := range lines {
		begins[l[0]] = append(begins[l[0]], i)
		finish[l[len(l)-1]] = append(finish[l[len(l)-1]], i)
	}
	used := make([]bool, len(lines))
	var out [][]uint32
	for i := range lines {
		if used[i] {
			continue
		}
		used[i] = true
		var after, before []uint32 // before grows away from the line's beginning
		after = append(after, lines[i]...)
		for after[0] != after[len(after)-1] {
			end := after[len(after)-1]
			if n, ok := begins.take(end, used); ok {
				after = append(after, lines[n][1:]...)
			} else if n, ok := finish.takeIf(!directed, end, used); ok {
				after = appendBackwards(after, lines[n])
			} else {
				break
			}
		}
		before = append(before, after[0])
		for before[len(before)-1] != after[len(after)-1] {
			end := before[len(before)-1]
			if n, ok := finish.take(end, used); ok {
				before = appendBackwards(before, lines[n])
			} else if n, ok := begins.takeIf(!directed, end, used); ok {
				before = append(before, lines[n][1:]...)
			} else {
				break
			}
		}
		out = append(out, stitch(before, after))
	}
	return out
}

// stitch puts a line before another; before[0] is after[0].
func stitch(before, after []uint32) []uint32 {
	if len(before) == 1 {
		return after
	}
	line := make([]uint32, 0, len(before)+len(after)-1)
	for i := len(before) - 1; i > 0; i-- {
		line = append(line, before[i])
	}
	return append(line, after...)
}

// lineEnds lists the lines that begin (or end) at a node.
type lineEnds map[uint32][]int

// take finds the first line at a node that is not used yet, and uses it.
func (e lineEnds) take(node uint32, used []bool) (int, bool) {
	list := e[node]
	for len(list) > 0 && used[list[0]] {
		list = list[1:]
	}
	e[node] = list // what is used is never looked at again
	if len(list) == 0 {
		return 0, false
	}
	used[list[0]] = true
	return list[0], true
}

func (e lineEnds) takeIf(allowed bool, node uint32, used []bool) (int, bool) {
	if !allowed {
		return 0, false
	}
	return e.take(node, used)
}

// appendBackwards continues a line with one that ends where it ends.
func appendBackwards(line, way []uint32) []uint32 {
	for i := len(way) - 2; i >= 0; i-- {
		line = append(line, way[i])
	}
	return line
}
