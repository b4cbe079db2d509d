package api

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/feeds"
	"lightbar/internal/wire"
)

var (
	anonymousReads = int(catalog.LimitInt("closure", "anonymousReadsPerMinute"))
	pageReloadMin  = int(catalog.LimitInt("closure", "pageReloadMinS"))
	pageReloadMax  = int(catalog.LimitInt("closure", "pageReloadMaxS"))
	feedChecks     = int(catalog.LimitInt("feedCheck", "perMinute"))
)

const feedCheckPath = "/feeds/check"

func (s *server) feedRoutes() {
	read(group{s, "Closures"}, "getFeeds", "/organizations/{id}/feeds", "The feeds of an organization's closures, and who reads them. "+
		"A consumer is a key with the scope feeds.", byID, s.app.Feeds)
	do(group{s, "Closures"}, http.MethodPost, "checkFeed", feedCheckPath, "Check a work zone feed for errors. Same as "+
		"the command feed check. Takes WZDx 4.0 to 4.2, CWZ 1.0, and CIFS, as an address or a document. Nothing is stored.",
		body[wire.FeedCheck], s.checkFeed)
}

// checkFeed is limited: it fetches and computes for whoever asks.
func (s *server) checkFeed(ctx context.Context, actor *access.Actor, in wire.FeedCheck) (out feeds.CheckedFeed, err error) {
	if err := s.app.MayCheckFeed(actor); err != nil {
		return out, err
	}
	if ok, wait := s.checks.allow(actor.UserID+actor.KeyID, 1, s.app.Now()); !ok {
		return out, tooOften(wait)
	}
	return s.app.CheckFeed(ctx, actor, in)
}

// tooOften asks to come again later.
func tooOften(wait time.Duration) *Failure {
	f := fail("rate_limited")
	f.headers.Set("Retry-After", strconv.Itoa(int(wait/time.Second)+1))
	return f
}

// serveFeed answers a public document of closures: GET /feeds/{organizationId}/{document},
// with a key of scope feeds as Authorization: Bearer or ?key= (decisions,
// "Public feeds"), or without one where the organization allows that. Consumers
// ask with If-None-Match.
func (s *server) serveFeed(w http.ResponseWriter, r *http.Request) {
	actor, err := s.keyOf(r)
	if err != nil {
		failureOf(err).write(w, r)
		return
	}
	doc, err := s.app.Feed(r.Context(), actor, r.PathValue("organization"), r.PathValue("document"))
	if err != nil {
		failureOf(err).write(w, r)
		return
	}
	serveFeedDocument(w, r, doc)
}

// brakeReader refuses networks that read without a key too often; nil = go on.
func (s *server) brakeReader(r *http.Request) *Failure {
	ok, wait := s.readers.allow(callOf(r.Context()).Network, s.app.Now())
	if ok {
		return nil
	}
	return tooOften(wait)
}

func serveFeedDocument(w http.ResponseWriter, r *http.Request, doc app.FeedDocument) {
	h := w.Header()
	h.Set("ETag", doc.ETag)
	h.Set("Content-Type", doc.MediaType)
	if h.Set("Cache-Control", "private, max-age=0, must-revalidate"); doc.Fresh > 0 {
		h.Set("Cache-Control", fmt.Sprintf("public, max-age=%d", int(doc.Fresh/time.Second)))
	}
	if doc.Fresh > 0 || doc.IsOpen {
		openToPages(h) // maps of others read it in browsers
	}
	if doc.License != "" { // not every format has a place for it (RFC 8288; "license" of RFC 4946)
		h.Add("Link", "<"+doc.License+`>; rel="license"`)
	}
	if knowsETag(r, doc.ETag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = w.Write(doc.Body) // the reader has gone if this fails
}

// noClosures stands where an organization has no public page, and where there is no such organization.
var noClosures = page{Title: "Page not found",
	Text: "The address may be mistyped, or the organization doesn't publish its closures."}

// noReload stands where an address asks the page to reload itself at no time that can be.
var noReload = page{Title: "Can't reload like that",
	Text: fmt.Sprintf("“refresh” must be a whole number of seconds from %d to %d. Without it the page doesn't reload itself.",
		pageReloadMin, pageReloadMax)}

// serveClosures answers the public page of an organization's closures, the only
// one that other sites may frame. It reloads itself only if the address asks for
// it, as wall screens and frames do: a reader would lose the place.
func (s *server) serveClosures(w http.ResponseWriter, r *http.Request) {
	if f := s.brakeReader(r); f != nil {
		f.write(w, r)
		return
	}
	doc, err := s.app.ClosuresPage(r.Context(), r.PathValue("organization"))
	if err != nil {
		failure := failureOf(err)
		if failure.status == http.StatusNotFound {
			servePage(w, failure.status, noClosures)
			return
		}
		failure.write(w, r)
		return
	}
	if every := r.URL.Query().Get("refresh"); every != "" {
		seconds, err := strconv.Atoi(every)
		if err != nil || seconds < pageReloadMin || seconds > pageReloadMax {
			servePage(w, http.StatusBadRequest, noReload)
			return
		}
		w.Header().Set("Refresh", strconv.Itoa(seconds))
	}
	setPage(w.Header(), doc.Policy)
	w.Header().Del("X-Frame-Options") // frame-ancestors says who may
	serveFeedDocument(w, r, doc)
}
