package read

import (
	"bufio"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// xml walks a CIFS document: the root incidents and its incidents, each handed
// on as the JSON of the same names.
func (w *walker) xml(text *bufio.Reader) error {
	g := &gate{in: declaredText(text), most: w.limits.Feature}
	g.open()
	d := xml.NewDecoder(g)
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
		case start.Name.Local != "incident":
			err = d.Skip()
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

// attributes hands on what the root says of the document.
func (w *walker) attributes(root xml.StartElement) {
	for _, a := range root.Attr {
		if text, err := json.Marshal(a.Value); err == nil && a.Name.Local == "timestamp" {
			w.visit(Part{Key: "timestamp", Index: -1, JSON: text})
		}
	}
}

// xmlErr tells apart an early end, other syntax and failures of the reader.
func xmlErr(err error) error {
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		if strings.Contains(syntax.Msg, "unexpected EOF") {
			return io.EOF
		}
		return errSyntax
	}
	return err
}

func (w *walker) incident(d *xml.Decoder, start xml.StartElement) error {
	deep := 0
	tree, err := element(d, start, 1, &deep)
	if err != nil {
		return err
	}
	text, err := json.Marshal(tree)
	if err != nil {
		return err
	}
	w.feature(incidents, cut{text: text, size: int64(len(text)), deep: deep})
	return nil
}

// maxElements is how deep elements are followed; those below are skipped.
const maxElements = 100

// element is an element as JSON has it: its text, or an object of attributes and
// children, of which repeated ones are lists.
func element(d *xml.Decoder, start xml.StartElement, depth int, deepest *int) (any, error) {
	*deepest = max(*deepest, depth)
	if depth > maxElements {
		return nil, d.Skip()
	}
	fields := map[string]any{}
	for _, a := range start.Attr {
		fields[a.Name.Local] = a.Value
	}
	var text strings.Builder
	for {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.CharData:
			text.Write(t)
		case xml.StartElement:
			child, err := element(d, t, depth+1, deepest)
			if err != nil {
				return nil, err
			}
			fields[t.Name.Local] = together(fields[t.Name.Local], child)
		case xml.EndElement:
			if len(fields) > 0 {
				return fields, nil
			}
			return strings.TrimSpace(text.String()), nil
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
