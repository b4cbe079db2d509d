package geo

// Box is a box of stored coordinates.
type Box struct{ MinLat, MinLng, MaxLat, MaxLng int32 }

var EmptyBox = Box{1<<31 - 1, 1<<31 - 1, -1 << 31, -1 << 31}

func (b Box) Add(p Point) Box {
	return Box{min(b.MinLat, p.Lat), min(b.MinLng, p.Lng), max(b.MaxLat, p.Lat), max(b.MaxLng, p.Lng)}
}

func (b Box) Join(o Box) Box {
	return Box{min(b.MinLat, o.MinLat), min(b.MinLng, o.MinLng), max(b.MaxLat, o.MaxLat), max(b.MaxLng, o.MaxLng)}
}

func (b Box) Meets(o Box) bool {
	return b.MinLat <= o.MaxLat && b.MaxLat >= o.MinLat && b.MinLng <= o.MaxLng && b.MaxLng >= o.MinLng
}

func (b Box) Degrees() Bounds {
	return Bounds{MinLat: FromFixed(b.MinLat), MinLng: FromFixed(b.MinLng), MaxLat: FromFixed(b.MaxLat), MaxLng: FromFixed(b.MaxLng)}
}
