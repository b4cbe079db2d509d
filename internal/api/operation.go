package api

import (
	"context"
	"net/http"
	"reflect"
	"strings"
	"unicode"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"lightbar/catalog"
	"lightbar/internal/access"
)

var bodyLimit = catalog.LimitInt("http", "bodyBytes")

// bearer is the security of every operation that needs a signed-in user.
var bearer = []map[string][]string{{"bearer": {}}}

// signedIn registers an operation for signed-in users. The actor is found
// before anything of the request is read, and handed on as an argument.
func signedIn[I, O any](s *server, op huma.Operation, run func(ctx context.Context, actor *access.Actor, in *I) (*O, error)) {
	op.Security = bearer
	op.Middlewares = huma.Middlewares{s.authenticate}
	op.Errors = append(op.Errors, commonErrors(op)...)
	prepare[I](&op)
	s.remember(op)
	huma.Register(s.huma, op, func(ctx context.Context, in *I) (*O, error) {
		c := callOf(ctx)
		actor, looks := c.actor.Watched()
		defer func() { s.app.NoteLooks(ctx, actor, lookNoun(op.OperationID), looks) }()
		out, err := run(ctx, actor, in)
		if err != nil {
			return nil, failureOf(err).in(c)
		}
		return out, nil
	})
}

// lookNouns are the nouns of operations whose names do not end in theirs. The
// lists that name organizations share one, and so do the doors to one thing.
var lookNouns = map[string]string{
	"getProfile": "organizations", "listAssignableOrganizations": "organizations", "relateOrganizations": "organization",
	"listMembers": "users", "listActiveLocations": "locations",
}

// lookNoun is what a super user looked at by an operation: listThings → things, getDeviceConfig → device_config.
func lookNoun(operationID string) string {
	if noun := lookNouns[operationID]; noun != "" {
		return noun
	}
	var b strings.Builder
	verb := strings.IndexFunc(operationID, unicode.IsUpper)
	for i, r := range operationID[max(verb, 0):] {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// open registers an operation that needs nobody signed in.
func open[I, O any](g group, method, id, path, about string, run func(ctx context.Context, c *call, in *I) (*O, error), errors ...int) {
	op := g.op(method, id, path, about, errors)
	prepare[I](&op)
	g.s.remember(op)
	huma.Register(g.s.huma, op, func(ctx context.Context, in *I) (*O, error) {
		c := callOf(ctx)
		out, err := run(ctx, c, in)
		if err != nil {
			return nil, failureOf(err).in(c)
		}
		return out, nil
	})
}

func prepare[I any](op *huma.Operation) {
	op.MaxBodyBytes = bodyLimitOf("/api" + op.Path)
	op.BodyReadTimeout = -1 // the budget knows better when a sender has stopped
	op.SkipValidateParams = false
	if _, body := reflect.TypeFor[I]().FieldByName("Body"); body {
		op.Errors = append(op.Errors, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
}

// commonErrors are what every operation of signed-in users may answer; it names what it may answer beside.
func commonErrors(op huma.Operation) []int {
	out := []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusUnprocessableEntity,
		http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable}
	if strings.Contains(op.Path, "{") || strings.Contains(op.Path, "organization") || strings.Contains(op.Path, "locations") {
		out = append(out, http.StatusNotFound)
	}
	if op.Method == http.MethodPut {
		out = append(out, http.StatusConflict)
	}
	return out
}

// authenticate turns the bearer token into the call's actor, or answers 401.
func (s *server) authenticate(ctx huma.Context, next func(huma.Context)) {
	c := callOf(ctx.Context())
	actor, err := s.actorOf(ctx.Context(), c, ctx.Header("Authorization"))
	if err != nil {
		r, w := humago.Unwrap(ctx)
		failureOf(err).write(w, r)
		return
	}
	c.actor = actor
	turns := &s.turns
	if path := c.Request.URL.Path; path == exportPath || path == "/api"+tripFilesPath {
		turns = &s.exports
	}
	leave, busy := turns.enter(ctx.Context(), actor.UserID)
	if busy != nil {
		r, w := humago.Unwrap(ctx)
		busy.write(w, r)
		return
	}
	defer leave()
	next(ctx)
}

// actorOf reads "Bearer TOKEN". Tokens are never accepted in a query.
func (s *server) actorOf(ctx context.Context, c *call, authorization string) (*access.Actor, error) {
	if c.actor != nil {
		return c.actor, nil
	}
	token, ok := bearerOf(authorization)
	if !ok || token == "" {
		f := fail("unauthorized")
		f.headers.Set("WWW-Authenticate", "Bearer")
		return nil, f
	}
	actor, err := s.app.Authenticate(ctx, token, c.Network)
	if err != nil {
		return nil, err
	}
	actor.RequestID = c.ID
	c.body.SetHolder(actor.UserID)
	return actor, nil
}

// bodyLimitOf is the largest body of a call: files come as text inside JSON.
func bodyLimitOf(path string) int64 {
	switch path {
	case "/api" + importPath, "/api" + usersImportPath:
		return importBodyLimit
	case "/api" + hazardImportPath, "/api" + areasImportPath, "/api" + feedCheckPath:
		return fileBodyLimit
	}
	return bodyLimit
}

// remember notes a path for the 405 answer and the metrics.
func (s *server) remember(op huma.Operation) {
	s.methods[op.Path] = append(s.methods[op.Path], op.Method)
}
