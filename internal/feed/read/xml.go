package read

import (
	"bufio"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"

	"lightbar/internal/file"
)

// xml walks a CIFS document: the root incidents and its incidents, each handed
// on as the JSON of the same names.
func (w *walker) xml(text *bufio.Reader) error {
	whole := transform.NewReader(declaredText(text), runes.ReplaceIllFormed()) // one broken character costs no other incident
	g := &gate{in: bufio.NewReaderSize(whole, window), most: w.limits.Feature}
	g.open()
	d := xml.NewDecoder(&file.Tags{In: g})
	d.Strict, d.Entity = false, xml.HTMLEntity
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it comes as UTF-8
	root := false
	for {
		token, err := d.Token()
		if err != nil {
			if err == io.EOF && root { // an open element would have been a syntax error
				return nil
			}
			return w.broken(xmlErr(err))
		}
		start, ok := token.(xml.StartElement)
		switch {
		case !ok:
			continue
		case !root && start.Name.Local != incidents:
			return unreadable(UnknownText, "This XML isn't CIFS. Its root is %s, not incidents.",
				shortened(start.Name.Local, 40))
		case !root:
			root, w.List = true, incidents
			w.attributes(start)
			continue
		case start.Name.Local != incident:
			err = (&elements{Decoder: d}).skip()
		default:
			g.open()
			err = w.incident(d, start)
		}
		if err != nil {
			return w.broken(xmlErr(err))
		}
		g.open()
	}
}

// attributes passes on what the root contains about the document.
func (w *walker) attributes(root xml.StartElement) {
	for _, a := range root.Attr {
		if text, err := json.Marshal(a.Value); err == nil && a.Name.Local == "timestamp" {
			w.visit(Part{Key: "timestamp", Index: -1, JSON: text})
		}
	}
}

// xmlErr distinguishes an early end, other syntax errors and failures of the reader.
func xmlErr(err error) error {
	var syntax *xml.SyntaxError
	if errors.Is(err, file.ErrLongTag) {
		return unreadable(TooLarge, "One element has too many attributes.")
	}
	if errors.As(err, &syntax) {
		if strings.Contains(syntax.Msg, "unexpected EOF") {
			return io.EOF
		}
		return errSyntax
	}
	return err
}

func (w *walker) incident(d *xml.Decoder, start xml.StartElement) error {
	e := elements{Decoder: d}
	tree, err := e.tree(start, 1)
	if err != nil {
		return err
	}
	text, err := json.Marshal(tree)
	if err != nil {
		return err
	}
	return w.feature(incidents, cut{text: text, size: int64(len(text)), deep: e.deepest})
}

// maxElements is how deep elements are followed; those below are skipped.
const maxElements = 100

// mostOpen is how deep those that are skipped may be.
const mostOpen = 10_000

// elements reads elements as JSON has them.
type elements struct {
	*xml.Decoder
	deepest, values int
}

// count adds to the size of an incident.
func (e *elements) count(values int) error {
	if e.values += values; e.values > MostValues {
		return unreadable(TooLarge, "One incident has more than %d elements.", MostValues)
	}
	return nil
}

// skip passes over what is in an element. A decoder remembers each that is open.
func (e *elements) skip() error {
	for open := 1; open > 0; {
		token, err := e.Token()
		if err != nil {
			return err
		}
		switch token.(type) {
		case xml.StartElement:
			if open++; open > mostOpen {
				return unreadable(TooLarge, "Its elements are nested too deeply.")
			}
		case xml.EndElement:
			open--
		}
	}
	return nil
}

// declaring are the name spaces of attributes that mean nothing for an incident.
var declaring = []string{"xmlns", "xml", "http://www.w3.org/XML/1998/namespace", "xsi", "http://www.w3.org/2001/XMLSchema-instance"}

// tree is an element as JSON has it: its text, or an object of attributes and
// children, of which repeated ones are lists.
func (e *elements) tree(start xml.StartElement, depth int) (any, error) {
	e.deepest = max(e.deepest, depth)
	if depth > maxElements {
		return nil, e.skip()
	}
	if err := e.count(1 + len(start.Attr)); err != nil {
		return nil, err
	}
	in := elementMembers{children: map[string]any{}, attributes: map[string]any{}}
	for _, a := range start.Attr {
		if a.Name.Local != "xmlns" && !slices.Contains(declaring, a.Name.Space) {
			in.attributes[a.Name.Local] = a.Value
		}
	}
	var text strings.Builder
	for {
		token, err := e.Token()
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.CharData:
			text.Write(t)
		case xml.StartElement:
			child, err := e.tree(t, depth+1)
			if err != nil {
				return nil, err
			}
			in.children[t.Name.Local] = together(in.children[t.Name.Local], child)
		case xml.EndElement:
			in.text = text.String()
			return in.joined(), nil
		}
	}
}

func together(before, child any) any {
	switch before := before.(type) {
	case nil:
		return child
	case []any:
		return append(before, child)
	}
	return []any{before, child}
}
