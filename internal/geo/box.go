package geo

// box is a box of stored coordinates.
type box struct{ minLat, minLng, maxLat, maxLng int32 }

var emptyBox = box{1<<31 - 1, 1<<31 - 1, -1 << 31, -1 << 31}

func (b box) add(p point) box {
	return box{min(b.minLat, p.lat), min(b.minLng, p.lng), max(b.maxLat, p.lat), max(b.maxLng, p.lng)}
}

func (b box) join(o box) box {
	return box{min(b.minLat, o.minLat), min(b.minLng, o.minLng), max(b.maxLat, o.maxLat), max(b.maxLng, o.maxLng)}
}

func (b box) meets(o box) bool {
	return b.minLat <= o.maxLat && b.maxLat >= o.minLat && b.minLng <= o.maxLng && b.maxLng >= o.minLng
}

func (b box) degrees() Bounds {
	return Bounds{MinLat: fromFixed(b.minLat), MinLng: fromFixed(b.minLng), MaxLat: fromFixed(b.maxLat), MaxLng: fromFixed(b.maxLng)}
}
