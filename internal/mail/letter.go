package mail

import (
	"embed"
	"fmt"
	htmltemplate "html/template"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"time"
)

//go:embed letters
var letterFiles embed.FS

// The letters: letters.txt defines KIND.subject, KIND.body and, with a link,
// KIND.button and KIND.after; page.html is the frame of the HTML alternative.
var (
	letters = template.Must(template.New("").Option("missingkey=error").ParseFS(letterFiles, "letters/letters.txt"))
	page    = htmltemplate.Must(htmltemplate.New("").ParseFS(letterFiles, "letters/page.html"))
)

// Kinds are the letters there are, in alphabetical order.
func Kinds() []string {
	var out []string
	for _, t := range letters.Templates() {
		if kind, ok := strings.CutSuffix(t.Name(), ".subject"); ok {
			out = append(out, kind)
		}
	}
	slices.Sort(out)
	return out
}

// Words fill a letter. Nothing in them can begin a line, a header or markup.
type Words struct {
	Brand   string // name of the product
	Support string // address for questions, may be empty
	Home    string // public address of the installation
	Name    string // first name of the receiver, may be empty
	Link    string // where the button leads; from the public address alone
	Data    map[string]string
}

// Letter is a filled letter.
type Letter struct{ Subject, Text, HTML string }

// Render fills the letter of a kind. It fails for unknown kinds and missing words.
func Render(kind string, w Words) (Letter, error) {
	if letters.Lookup(kind+".subject") == nil {
		return Letter{}, fmt.Errorf("mail: there is no letter %q", kind)
	}
	clean := Words{Brand: oneLine(w.Brand, 80), Support: oneLine(w.Support, 200), Home: w.Home, Name: Greetable(w.Name), Link: w.Link,
		Data: map[string]string{}}
	if hasBreak(w.Home) || hasBreak(w.Link) {
		return Letter{}, fmt.Errorf("mail: letter %q: the link is not one line", kind)
	}
	for name, value := range w.Data {
		clean.Data[name] = plain(value)
	}
	var out Letter
	parts := map[string]string{}
	for _, part := range []string{"subject", "body", "button", "after"} {
		text, err := fill(kind+"."+part, clean)
		if err != nil {
			return Letter{}, err
		}
		parts[part] = text
	}
	out.Subject = oneLine(parts["subject"], 200)
	body, after := paragraphs(parts["body"]), paragraphs(parts["after"])
	footer, err := fill("footer", clean)
	if err != nil {
		return Letter{}, err
	}
	out.Text = textOf(clean, body, parts["button"], after, footer)
	var html strings.Builder
	err = page.ExecuteTemplate(&html, "page.html", map[string]any{"Subject": out.Subject, "Brand": clean.Brand, "Body": body,
		"Button": parts["button"], "Link": clean.Link, "After": after, "Footer": paragraphs(footer)})
	out.HTML = html.String()
	return out, err
}

func fill(name string, w Words) (string, error) {
	t := letters.Lookup(name)
	if t == nil {
		return "", nil
	}
	var out strings.Builder
	if err := t.Execute(&out, w); err != nil {
		return "", fmt.Errorf("mail: letter %s: %w", name, err)
	}
	return strings.TrimSpace(out.String()), nil
}

func textOf(w Words, body []string, button string, after []string, footer string) string {
	parts := slices.Clone(body)
	if button != "" {
		parts = append(parts, button+":\n"+w.Link)
	}
	parts = append(parts, after...)
	return strings.Join(append(parts, "-- \n"+footer), "\n\n") + "\n"
}

// paragraphs splits at empty lines; the lines of one paragraph become one.
func paragraphs(text string) []string {
	var out []string
	for part := range strings.SplitSeq(text, "\n\n") {
		if part = strings.Join(strings.Fields(part), " "); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// addressLike finds what a mail program would turn into a link or an address.
var addressLike = regexp.MustCompile(`(?i)[a-z][a-z0-9+.-]*:/|www\.|[\p{L}\p{N}]\.\p{L}|@|/`)

// plain is a word that somebody typed (a name, a description) as part of a
// sentence: one line, at most 100 characters, and nothing that a mail program
// would make a link of, so that nobody can send advertising or a false link
// under our name.
func plain(s string) string {
	return addressLike.ReplaceAllStringFunc(oneLine(s, 100), func(m string) string {
		return strings.NewReplacer(":", " ", "/", " ", "@", " at ", ".", " ").Replace(m)
	})
}

// Greetable is a first name that a letter may begin with: letters, marks,
// digits, spaces and - ' . as names have them, at most 60 characters;
// otherwise nothing.
func Greetable(name string) string {
	name = oneLine(name, 61)
	if len([]rune(name)) > 60 || !greetable.MatchString(name) || addressLike.MatchString(name) {
		return ""
	}
	return name
}

var greetable = regexp.MustCompile(`^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} .'’-]*$`)

// Message makes the message of a letter.
func (l Letter) Message(id, kind string, at time.Time, to, toName string) Message {
	return Message{ID: id, Kind: kind, At: at, To: to, ToName: toName, Subject: l.Subject, Text: l.Text, HTML: l.HTML}
}
