package geo

import (
	"bufio"
	"context"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"
)

func TestGrowWrite(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("COPIES"))
	if n == 0 { t.Skip() }
	in, _ := os.Open(os.Getenv("SRC"))
	info, _ := in.Stat()
	pbf, err := openPBF(in, info.Size())
	if err != nil { t.Fatal(err) }
	out, _ := os.Create(os.Getenv("DST"))
	w := bufio.NewWriterSize(out, 1<<20)
	w.Write((&extract{}).encode())
	kinds := []memberKind{}
	_ = kinds
	flat := func(tags []tag) (s []string) { for _, t := range tags { s = append(s, t.key, t.value) }; return }
	for _, pass := range []uint8{hasNodes, hasWays, hasRelations} {
		for c := 0; c < n; c++ {
			idOff := int64(c) * 6e9
			dLng, dLat := float64(c%40)*1.1, -float64(c/40)*2.0
			err := pbf.each(context.Background(), pass, 1, func(int64, int64) {}, func(_, i int, b *block) error {
				var e extract
				switch pass {
				case hasNodes:
					b.nodes(func(id int64, p point, _ bool, tags []tag) error {
						e.nodes = append(e.nodes, testNode{id + idOff, fromFixed(p.lat) + dLat, fromFixed(p.lng) + dLng, flat(tags)}); return nil })
					if len(e.nodes) == 0 { return nil }
					w.Write(appendBlob(nil, "OSMData", e.nodeBlock()))
				case hasWays:
					b.ways(func(id int64, tags []tag, refs []int64) error {
						r := make([]int64, len(refs)); for i := range refs { r[i] = refs[i] + idOff }
						e.ways = append(e.ways, testWay{id + idOff, r, flat(tags)}); return nil })
					if len(e.ways) == 0 { return nil }
					w.Write(appendBlob(nil, "OSMData", e.wayBlock()))
				default:
					b.relations(func(id int64, tags []tag, ms []member) error {
						m := make([]member, len(ms)); for i := range ms { m[i] = ms[i]; m[i].id += idOff }
						e.relations = append(e.relations, testRelation{id + idOff, m, flat(tags)}); return nil })
					if len(e.relations) == 0 { return nil }
					w.Write(appendBlob(nil, "OSMData", e.relationBlock()))
				}
				return nil
			})
			if err != nil { t.Fatal(err) }
		}
	}
	w.Flush(); out.Close()
}

func TestGrowImport(t *testing.T) {
	src := os.Getenv("GROW")
	if src == "" { t.Skip() }
	last := ""; var at time.Time
	rep, err := Import(context.Background(), src, "/tmp/geo/grow", ImportOptions{Progress: func(s string, d, n int64) {
		if s != last { if last != "" { t.Logf("%s %.2fs", last, time.Since(at).Seconds()) }; last, at = s, time.Now() } }})
	if err != nil { t.Fatal(err) }
	t.Logf("%s %.2fs", last, time.Since(at).Seconds())
	var ru syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &ru)
	t.Logf("%+v", rep)
	t.Logf("peak RSS %d MB, user %v", ru.Maxrss/1024, ru.Utime.Sec)
	start := time.Now()
	r, err := OpenRoads("/tmp/geo/grow/" + RoadsFile)
	if err != nil { t.Fatal(err) }
	t.Logf("open %v, nodes %d", time.Since(start), len(r.nodes))
}
