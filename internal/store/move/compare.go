package move

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"

	"lightbar/internal/store/backup"
	"lightbar/internal/store/engine"
)

// Sum is the content of a table: its rows, and a digest of their values, whatever their order.
type Sum struct {
	Table  string
	Rows   int64
	digest [4]uint64
}

// Digest is the digest's text.
func (s Sum) Digest() string {
	var b []byte
	for _, part := range s.digest {
		b = binary.BigEndian.AppendUint64(b, part)
	}
	return hex.EncodeToString(b)
}

// add takes a row in. Digests of rows are added up, so that no engine's order of rows counts.
func (s *Sum) add(values []any) {
	h := sha256.Sum256(encode(nil, values))
	for i := range s.digest {
		s.digest[i] += binary.BigEndian.Uint64(h[8*i:])
	}
	s.Rows++
}

// encode writes values so that different ones are different bytes.
func encode(b []byte, values []any) []byte {
	for _, value := range values {
		switch v := value.(type) {
		case nil:
			b = append(b, 'n')
		case bool:
			b = append(b, 'f')
			if v {
				b[len(b)-1] = 't'
			}
		case int64:
			b = binary.BigEndian.AppendUint64(append(b, 'i'), uint64(v))
		case float64:
			if v == 0 {
				v = 0 // the two zeros are one number
			}
			b = binary.BigEndian.AppendUint64(append(b, 'r'), math.Float64bits(v))
		case string:
			b = append(binary.BigEndian.AppendUint64(append(b, 's'), uint64(len(v))), v...)
		case []byte:
			b = append(binary.BigEndian.AppendUint64(append(b, 'b'), uint64(len(v))), v...)
		}
	}
	return b
}

// Sums reads every row of a database.
func Sums(ctx context.Context, s *engine.Store, progress backup.Progress) ([]Sum, error) {
	tables, err := engine.Tables(ctx)
	if err != nil {
		return nil, err
	}
	var out []Sum
	err = s.Snapshot(ctx, func(r engine.Reader) error {
		all := &counter{stage: "comparing, " + string(s.Engine()), progress: progress}
		if err := all.expect(ctx, r, tables); err != nil {
			return err
		}
		for _, t := range tables {
			c, err := read(ctx, r, t)
			if err != nil {
				return err
			}
			c.all = all
			sum := Sum{Table: t.Name}
			for c.Next() {
				values, err := c.Values()
				if err != nil {
					return c.end(err)
				}
				sum.add(values)
			}
			if err := c.end(nil); err != nil {
				return err
			}
			out = append(out, sum)
		}
		return nil
	})
	return out, err
}

// Compare reads both databases again and returns their content, or names the first table in which they differ.
func Compare(ctx context.Context, from, to *engine.Store, progress backup.Progress) ([]Sum, error) {
	want, err := Sums(ctx, from, progress)
	if err != nil {
		return nil, err
	}
	have, err := Sums(ctx, to, progress)
	if err != nil {
		return nil, err
	}
	for i, w := range want {
		switch h := have[i]; {
		case w.Rows != h.Rows:
			return nil, engine.Unusablef(nil, "The table %s has %d rows in %s and %d in %s.", w.Table, w.Rows, from.Engine(), h.Rows, to.Engine())
		case w.digest != h.digest:
			return nil, engine.Unusablef(nil, "The %d rows of the table %s are not the same in %s and in %s.", w.Rows, w.Table, from.Engine(),
				to.Engine())
		}
	}
	return want, nil
}

// counter reports the progress over all rows.
type counter struct {
	stage       string
	progress    backup.Progress
	done, total int64
}

// expect counts the rows that are to come.
func (c *counter) expect(ctx context.Context, r engine.Reader, tables []engine.Table) error {
	for _, t := range tables {
		var n int64
		if err := r.QueryRowContext(ctx, "SELECT count(*) FROM "+quoted(t.Name)).Scan(&n); err != nil {
			return fmt.Errorf("store: count %s: %w", t.Name, engine.Classify(err))
		}
		c.total += n
	}
	return nil
}

func (c *counter) one() {
	if c.done++; c.progress != nil && c.done%1000 == 0 {
		c.progress(c.stage, c.done, c.total)
	}
}
