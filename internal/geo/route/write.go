package route

import (
	"io"

	"lightbar/internal/geo"
)

// Write lays the index out as readRoads wants it.
func (d *RoadsData) Write(to io.Writer) error {
	return roadsLayout.Write(to, d.Bounds, geo.BlobOf(d.Points), geo.BlobOf(d.Edges), geo.BlobOf(d.Nodes), geo.BlobOf(d.firstArc),
		geo.BlobOf(d.arcs),
		geo.BlobOf(d.chunks), geo.BlobOf(d.boxes), geo.BlobOf(d.levels), geo.BlobOf(d.Texts.Text), geo.BlobOf(d.Texts.Start))
}
