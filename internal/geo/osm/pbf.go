package osm

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/zlib"

	"lightbar/internal/geo"
)

// Limits of the PBF format (wiki.openstreetmap.org/wiki/PBF_Format).
const (
	maxBlobHeader = 64 << 10
	maxBlob       = 32 << 20
)

// ErrNotPBF is wrapped by every error about a source that is not a readable
// OpenStreetMap PBF file: empty, truncated, damaged or of another kind.
var ErrNotPBF = errors.New("not a readable OpenStreetMap PBF file")

func badPBF(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrNotPBF, fmt.Sprintf(format, args...))
}

// Which kinds of elements a blob holds; learned in the first pass, so that
// later passes read only the blobs they need.
const (
	hasNodes uint8 = 1 << iota
	hasWays
	hasRelations
)

type blobAt struct {
	offset int64
	size   int32
	kinds  uint8
}

// pbfFile is an OpenStreetMap PBF by random access: the blobs' places, found
// by walking the blob headers without unpacking anything.
type pbfFile struct {
	r      io.ReaderAt
	size   int64
	blobs  []blobAt
	bounds geo.Box // the box in the header; emptyBox when it has none
}

func openPBF(r io.ReaderAt, size int64) (*pbfFile, error) {
	f := &pbfFile{r: r, size: size, bounds: geo.EmptyBox}
	if size == 0 {
		return nil, badPBF("the file is empty")
	}
	for at := int64(0); at < size; {
		kind, data, next, err := f.blobHeader(at)
		if err != nil {
			return nil, err
		}
		switch {
		case at == 0 && kind != "OSMHeader":
			return nil, badPBF("it does not begin with an OSMHeader")
		case at == 0:
			if err := f.checkHeader(data, next); err != nil {
				return nil, err
			}
		case kind == "OSMData":
			f.blobs = append(f.blobs, blobAt{offset: data, size: int32(next - data), kinds: hasNodes | hasWays | hasRelations})
		}
		at = next // by the format, other kinds are skipped
	}
	if len(f.blobs) == 0 {
		return nil, badPBF("it holds no data")
	}
	return f, nil
}

// blobHeader reads the header at a file offset: the blob's kind, where its
// data begins, and where the next header is.
func (f *pbfFile) blobHeader(at int64) (kind string, data, next int64, err error) {
	var length [4]byte
	if _, err := f.r.ReadAt(length[:], at); err != nil {
		return "", 0, 0, badPBF("truncated at byte %d", at)
	}
	n := int64(binary.BigEndian.Uint32(length[:]))
	if n == 0 || n > maxBlobHeader {
		return "", 0, 0, badPBF("no blob header at byte %d", at)
	}
	header := make([]byte, n)
	if _, err := f.r.ReadAt(header, at+4); err != nil {
		return "", 0, 0, badPBF("truncated at byte %d", at)
	}
	size := int64(-1)
	w := geo.Wire{B: header}
	for {
		field, t, ok := w.Next()
		if !ok {
			break
		}
		switch field {
		case 1:
			kind = string(w.Message(t))
		case 3:
			size = int64(w.Number(t))
		default:
			w.Skip(t)
		}
	}
	if w.Err != nil || size < 0 || size > maxBlob {
		return "", 0, 0, badPBF("broken blob header at byte %d", at)
	}
	data = at + 4 + n
	if data+size > f.size {
		return "", 0, 0, badPBF("truncated: the blob at byte %d ends %d bytes behind the end of the file", at, data+size-f.size)
	}
	return kind, data, data + size, nil
}

func (f *pbfFile) checkHeader(data, next int64) error {
	var u unpacker
	raw, err := u.unpack(f.r, blobAt{offset: data, size: int32(next - data)})
	if err != nil {
		return err
	}
	w := geo.Wire{B: raw}
	for {
		field, t, ok := w.Next()
		if !ok {
			break
		}
		switch field {
		case 1: // bbox
			f.bounds = headerBox(w.Message(t))
		case 4: // required_features
			switch feature := string(w.Message(t)); feature {
			case "OsmSchema-V0.6", "DenseNodes", "":
			case "HistoricalInformation":
				return badPBF("it is a history file; an extract of one moment is needed")
			default:
				return badPBF("it needs the feature %q, which is not supported", feature)
			}
		default:
			w.Skip(t)
		}
	}
	if w.Err != nil {
		return badPBF("broken OSMHeader")
	}
	return nil
}

// headerBox reads the header's box: nanodegrees left, right, top, bottom.
func headerBox(raw []byte) geo.Box {
	var side [5]int64
	w := geo.Wire{B: raw}
	for {
		field, t, ok := w.Next()
		if !ok {
			break
		}
		if field <= 4 && t == geo.WireVarint {
			side[field] = w.Zigzag() / 100
		} else {
			w.Skip(t)
		}
	}
	left, right, top, bottom := side[1], side[2], side[3], side[4]
	if w.Err != nil || left < -180*geo.Fixed || right > 180*geo.Fixed || bottom < -90*geo.Fixed || top > 90*geo.Fixed ||
		left >= right || bottom >= top {
		return geo.EmptyBox
	}
	return geo.Box{MinLat: int32(bottom), MinLng: int32(left), MaxLat: int32(top), MaxLng: int32(right)}
}

// unpacker reads and inflates blobs, reusing its buffers.
type unpacker struct {
	packed, raw []byte
	inflate     io.ReadCloser
}

func (u *unpacker) unpack(r io.ReaderAt, at blobAt) ([]byte, error) {
	if cap(u.packed) < int(at.size) {
		u.packed = make([]byte, at.size)
	}
	u.packed = u.packed[:at.size]
	if _, err := r.ReadAt(u.packed, at.offset); err != nil {
		return nil, fmt.Errorf("read at byte %d: %w", at.offset, err)
	}
	var plain, zipped []byte
	var size uint64
	w := geo.Wire{B: u.packed}
	for {
		field, t, ok := w.Next()
		if !ok {
			break
		}
		switch field {
		case 1:
			plain = w.Message(t)
		case 2:
			size = w.Number(t)
		case 3:
			zipped = w.Message(t)
		case 4, 5, 6, 7:
			return nil, badPBF("the blob at byte %d is packed with a method other than zlib", at.offset)
		default:
			w.Skip(t)
		}
	}
	switch {
	case w.Err != nil:
		return nil, badPBF("broken blob at byte %d", at.offset)
	case plain != nil:
		return plain, nil
	case zipped == nil || size > maxBlob:
		return nil, badPBF("broken blob at byte %d", at.offset)
	}
	if err := u.inflateInto(zipped, int(size)); err != nil {
		return nil, badPBF("damaged data in the blob at byte %d: %v", at.offset, err)
	}
	return u.raw, nil
}

func (u *unpacker) inflateInto(zipped []byte, size int) error {
	src := bytes.NewReader(zipped)
	if u.inflate == nil {
		z, err := zlib.NewReader(src)
		if err != nil {
			return err
		}
		u.inflate = z
	} else if err := u.inflate.(zlib.Resetter).Reset(src, nil); err != nil {
		return err
	}
	if cap(u.raw) < size {
		u.raw = make([]byte, size+size/4)
	}
	u.raw = u.raw[:size]
	if _, err := io.ReadFull(u.inflate, u.raw); err != nil {
		return err
	}
	var more [1]byte // reading to the end checks the Adler-32 sum
	if n, err := io.ReadFull(u.inflate, more[:]); n != 0 || err != io.EOF {
		return errors.New("longer than declared, or its checksum is wrong")
	}
	return nil
}

// each unpacks all blobs that may hold one of kinds and calls visit for each, from several goroutines: worker distinguishes them (0
// ≤ worker < workers). progress gets the bytes of the file that are done.
func (f *pbfFile) each(ctx context.Context, kinds uint8, workers int, progress func(done, total int64),
	visit func(worker, blob int, b *block) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var nextBlob, bytesDone atomic.Int64
	var total int64
	for _, at := range f.blobs {
		if at.kinds&kinds != 0 {
			total += int64(at.size)
		}
	}
	var wg sync.WaitGroup
	for worker := range workers {
		wg.Go(func() {
			var u unpacker
			var b block
			for ctx.Err() == nil {
				i := int(nextBlob.Add(1) - 1)
				if i >= len(f.blobs) {
					return
				}
				at := f.blobs[i]
				if at.kinds&kinds == 0 {
					continue
				}
				if err := f.visitBlob(&u, &b, worker, i, visit); err != nil {
					cancel(err)
					return
				}
				progress(bytesDone.Add(int64(at.size)), total)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

func (f *pbfFile) visitBlob(u *unpacker, b *block, worker, i int, visit func(worker, blob int, b *block) error) error {
	raw, err := u.unpack(f.r, f.blobs[i])
	if err != nil {
		return err
	}
	if err := b.decode(raw); err != nil {
		return badPBF("broken data in the blob at byte %d", f.blobs[i].offset)
	}
	if err := visit(worker, i, b); err != nil {
		if errors.Is(err, geo.ErrWire) {
			return badPBF("broken data in the blob at byte %d", f.blobs[i].offset)
		}
		return err
	}
	return nil
}
