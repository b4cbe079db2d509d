package app

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"lightbar/internal/durable"
	"lightbar/internal/file"
	"lightbar/internal/fleet"
)

// An export of points takes minutes, so the next server continues what a stopped one has made. Beside the partial files lies a
// mark: how much of them is complete and on the disk. It is a file and not a column because it belongs to these files: a restored
// database has neither.

// exportMarkEvery is how often a mark is made: a stop costs at most this much work, and each mark costs a sync of what was written
// since the last one.
const exportMarkEvery = 15 * time.Second

// exportMark is the content of a mark.
type exportMark struct {
	Of    string        `json:"of"` // what would be made, see resumed
	At    fleet.Instant `json:"at"` // when the files were begun
	Next  int           `json:"next"`
	Rows  int64         `json:"rows"`
	Lacks []string      `json:"lacks"`
	Files []markedFile  `json:"files"`
	marks []file.ExportMark
}

// markedFile is a file of a mark; its directory follows the text.
type markedFile struct {
	Bytes     int64 `json:"bytes"`
	Entries   int   `json:"entries"`
	Directory int   `json:"directory"`
}

var errExportMark = errors.New("app: this is no mark of an export")

// encode returns the mark as it is written to disk: a checksum, a line of JSON, the directories.
func (m *exportMark) encode() ([]byte, error) {
	m.Files = m.Files[:0]
	for _, f := range m.marks {
		m.Files = append(m.Files, markedFile{f.Bytes, f.Entries, len(f.Directory)})
	}
	head, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	size := sha256.Size + len(head) + 1
	for _, f := range m.marks {
		size += len(f.Directory)
	}
	b := append(append(make([]byte, sha256.Size, size), head...), '\n')
	for _, f := range m.marks {
		b = append(b, f.Directory...)
	}
	sum := sha256.Sum256(b[sha256.Size:])
	copy(b, sum[:])
	return b, nil
}

// decodeExportMark reads a mark. One that a crash or a disk has damaged is an error.
func decodeExportMark(b []byte) (*exportMark, error) {
	if len(b) < sha256.Size {
		return nil, errExportMark
	}
	if sum := sha256.Sum256(b[sha256.Size:]); !bytes.Equal(sum[:], b[:sha256.Size]) {
		return nil, errExportMark
	}
	head, rest, found := bytes.Cut(b[sha256.Size:], []byte("\n"))
	m := &exportMark{}
	if err := json.Unmarshal(head, m); err != nil || !found {
		return nil, errExportMark
	}
	if m.Next < 0 || m.Rows < 0 || m.At <= 0 || len(m.Lacks) > mostLacks+1 {
		return nil, errExportMark
	}
	for _, f := range m.Files {
		if f.Bytes < 0 || f.Entries < 0 || f.Directory < 0 || f.Directory > len(rest) {
			return nil, errExportMark
		}
		m.marks = append(m.marks, file.ExportMark{Bytes: f.Bytes, Entries: f.Entries, Directory: rest[:f.Directory:f.Directory]})
		rest = rest[f.Directory:]
	}
	if len(rest) != 0 {
		return nil, errExportMark
	}
	return m, nil
}

// exportPartOf is the path where a file of an export is made, and where its mark is.
func (a *App) exportPartOf(exportID, what string) string {
	return a.exportFile(exportPart + exportID + "-" + what)
}

func (m *exportMaker) markPath() string { return m.exportPartOf(m.x.ID, "mark") }

// resumes reports whether all files of the export can be continued: they have a table for each asset and day.
func (m *exportMaker) resumes() bool {
	return m.x.Kind == fleet.ExportPoints && !slices.ContainsFunc(m.x.Formats, func(f string) bool { return !file.ExportFormats[f].Resumes })
}

// plan is a digest of what would be made; if it differs, the files are started again. It covers the assets and when they were the
// organization's, in order, with what their tables and rows contain about them, the columns, and the program, which decides how
// rows are written. It does not cover the points: those of a day are whatever they are when it is written, as without a stop.
func (m *exportMaker) plan() (string, error) {
	type planned struct {
		No             int64
		ID, Name, Says string
		Owned          []fleet.Stretch
	}
	var rows []planned
	for _, a := range m.exported {
		rows = append(rows, planned{a.No, a.ID, a.Name(), a.SystemName, a.Owned})
	}
	program := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		program = info.String()
	}
	text, err := json.Marshal([]any{program, file.PointColumns, m.x.TimeZone, m.days(), m.x.Formats, rows})
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}

// openParts opens the partial files at the position of their mark, if there is a valid one, else empty.
func (m *exportMaker) openParts() error {
	mark := &exportMark{At: fleet.InstantOf(m.Now())}
	if m.resumes() {
		of, err := m.plan()
		if err != nil {
			return err
		}
		if kept := m.readMark(of); kept != nil {
			mark = kept
		}
		mark.Of = of
	}
	if m.mark = *mark; mark.Next == 0 {
		m.dropParts()
	}
	m.begin, m.rows, m.lacks = mark.Next, mark.Rows, mark.Lacks
	for i, format := range m.x.Formats {
		f, err := os.OpenFile(m.exportPartOf(m.x.ID, format), os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return err
		}
		m.open = append(m.open, f)
		m.writers = append(m.writers, file.ExportFormats[format].New(f, m.zone, mark.At.Time()))
		if mark.Next == 0 {
			continue
		}
		if err := errors.Join(f.Truncate(mark.marks[i].Bytes), m.writers[i].(file.ResumableExport).Resume(mark.marks[i])); err != nil {
			return err
		}
		if _, err := f.Seek(0, io.SeekEnd); err != nil {
			return err
		}
	}
	return nil
}

// readMark is the mark to continue from; nil if there is none for this plan and for the existing files.
func (m *exportMaker) readMark(of string) *exportMark {
	b, err := os.ReadFile(m.markPath())
	if err != nil {
		return nil
	}
	mark, err := decodeExportMark(b)
	if err != nil || mark.Of != of || len(mark.marks) != len(m.x.Formats) || mark.Next > len(m.exported)*len(m.days()) {
		return nil
	}
	for i, format := range m.x.Formats {
		info, err := os.Stat(m.exportPartOf(m.x.ID, format))
		w := file.ExportFormats[format].New(io.Discard, m.zone, m.Now())
		if err != nil || info.Size() < mark.marks[i].Bytes || w.(file.ResumableExport).Resume(mark.marks[i]) != nil {
			return nil
		}
	}
	return mark
}

// keep makes a mark after the first next days of assets: the data is on the disk before the mark is.
func (m *exportMaker) keep(next int) error {
	m.mark.Next, m.mark.Rows, m.mark.Lacks, m.mark.marks = next, m.rows, m.lacks, m.mark.marks[:0]
	for i, w := range m.writers {
		mark, err := w.(file.ResumableExport).Mark()
		if err != nil {
			return err
		}
		if err := m.open[i].Sync(); err != nil {
			return err
		}
		m.mark.marks = append(m.mark.marks, mark)
	}
	b, err := m.mark.encode()
	clear(m.mark.marks) // the writers' directories grow elsewhere
	if err != nil {
		return err
	}
	if err := durable.Write(m.markPath(), b); err != nil { // the names of the files are then on the disk, too
		return err
	}
	if m.exporting.marked != nil {
		m.exporting.marked(next)
	}
	return nil
}

// dropParts closes and removes incomplete files and their mark.
func (m *exportMaker) dropParts() {
	for _, f := range m.open {
		_ = f.Close() // closed before, unless it failed
	}
	left, _ := os.ReadDir(m.ExportFolder)
	for _, e := range left {
		if strings.HasPrefix(e.Name(), exportPart+m.x.ID) {
			_ = os.Remove(m.exportFile(e.Name())) // otherwise the next purge does
		}
	}
}
