package geo

import "io"

// write lays the index out as readRoads wants it.
func (d *roadsData) write(to io.Writer) error {
	return roadsLayout.write(to, d.bounds, blobOf(d.points), blobOf(d.edges), blobOf(d.nodes), blobOf(d.firstArc), blobOf(d.arcs),
		blobOf(d.chunks), blobOf(d.boxes), blobOf(d.levels), blobOf(d.texts.text), blobOf(d.texts.start))
}
