package api

import (
	"bytes"
	"cmp"
	"embed"
	"html/template"
	"net/http"

	"lightbar/internal/people"
)

//go:embed pages
var pageFiles embed.FS

var pages = template.Must(template.ParseFS(pageFiles, "pages/*.html"))

// page is a short page of the server's own.
type page struct {
	Title, Text string
	Form        *setupPage
}

var notBuilt = page{Title: "The web app is not built", Text: "The server runs, but this binary was built without its web app. " +
	"Build it with “make build”, or open the documentation of the API below /api/docs."}

// legalPages stand until an operator sets brand.license_url and brand.terms_url.
var legalPages = map[string]page{
	"license": {Title: "End-user license agreement", Text: "The operator of this installation has published no agreement of its own. " +
		"The software is licensed under the Apache License 2.0 and comes without warranty of any kind."},
	"terms": {Title: "Terms of use", Text: "The operator of this installation has published no terms of its own. " +
		"What is shown here is confidential to the organizations that use it. Positions and statuses may be late or missing: " +
		"never rely on them alone."},
}

func (s *server) serveLegal(w http.ResponseWriter, r *http.Request) {
	p, ok := legalPages[r.PathValue("name")]
	if !ok {
		fail("not_found").write(w, r)
		return
	}
	servePage(w, http.StatusOK, p)
}

func servePage(w http.ResponseWriter, status int, p page) {
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(&b, "page.html", p); err != nil {
		panic("api: page: " + err.Error()) // the templates lie in the binary and are tested
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	policy := formPolicy
	if p.Form != nil {
		policy = setupPolicy
	}
	setPage(h, policy)
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
}

// setupPage is the form of the first administrator; the password is never sent back.
type setupPage struct {
	// Token is that of the link, once the form has been sent; before, setup.js puts it there, or a person whose browser runs no script.
	Token string

	Organization, Timezone, Email, FirstName, LastName string
	Fields                                             map[string]string // what is wrong with each
	Alert                                              string            // what is wrong; empty = nothing
}

// setupForm shows the form. The link's token is in the fragment, which stays in
// the browser: setup.js puts it into the form, and the POST consumes it.
func (s *server) setupForm(w http.ResponseWriter, r *http.Request) {
	if err := s.app.SetupDue(r.Context()); err != nil {
		s.setupRefused(w, r, err, &setupPage{})
		return
	}
	keepOrigin(w)
	servePage(w, http.StatusOK, setupForm(&setupPage{}))
}

// keepOrigin lets the form's POST name its origin: under no-referrer browsers
// send "Origin: null", which over plain HTTP looks like another site's.
func keepOrigin(w http.ResponseWriter) { w.Header().Set("Referrer-Policy", "same-origin") }

func setupForm(f *setupPage) page {
	return page{Title: "Set up your installation", Text: "Create the first organization and its administrator. This link works once.", Form: f}
}

func (s *server) setupDone(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	if err := r.ParseForm(); err != nil {
		s.setupRefused(w, r, cmp.Or(failureOfBody(err), fail("invalid_request")), &setupPage{})
		return
	}
	in := people.Setup{OrganizationName: r.PostFormValue("organization"), Timezone: r.PostFormValue("timezone"),
		Email:     r.PostFormValue("email"),
		FirstName: r.PostFormValue("firstname"), LastName: r.PostFormValue("lastname"), Password: r.PostFormValue("password"),
		Confirmation: r.PostFormValue("confirmation")}
	typed := &setupPage{Token: r.PostFormValue("token"), Organization: in.OrganizationName, Timezone: in.Timezone, Email: in.Email,
		FirstName: in.FirstName, LastName: in.LastName}
	if refused := s.brake(r); refused != nil {
		s.setupRefused(w, r, refused, typed)
		return
	}
	if err := s.app.CompleteSetup(r.Context(), typed.Token, in, callOf(r.Context()).caller()); err != nil {
		s.setupRefused(w, r, err, typed)
		return
	}
	http.Redirect(w, r, "/welcome/signin", http.StatusSeeOther)
}

// setupRefused shows the form again as it was typed, with what is wrong. Only a link that is gone has none.
func (s *server) setupRefused(w http.ResponseWriter, r *http.Request, err error, f *setupPage) {
	failure := failureOf(err).in(callOf(r.Context()))
	if failure.Failure.Error == "setup_link_expired" {
		servePage(w, failure.status, page{Title: "This link does not work", Text: failure.Message})
		return
	}
	if f.Fields, f.Alert = failure.Fields, failure.Message; len(f.Fields) > 0 {
		f.Alert = "Please check the marked fields."
	}
	if sentence, ok := f.Fields["name"]; ok {
		f.Fields["organization"] = sentence
	}
	if wait := failure.headers.Get("Retry-After"); wait != "" {
		w.Header().Set("Retry-After", wait)
	}
	keepOrigin(w)
	servePage(w, failure.status, setupForm(f))
}

// pageTypes are what the server's own pages load.
var pageTypes = map[string]string{"pages.css": "text/css; charset=utf-8", "setup.js": "text/javascript; charset=utf-8"}

// serveDocsFile answers the stylesheet and the script of the server's own pages.
func (s *server) serveDocsFile(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	data, err := pageFiles.ReadFile("pages/" + name)
	if err != nil || pageTypes[name] == "" {
		fail("not_found").write(w, r)
		return
	}
	serveBytes(w, r, pageTypes[name], data)
}
