package provider

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"lightbar/catalog"
	"lightbar/internal/outbound"
)

const (
	geotabServer = "my.geotab.com"
	// thisServer is what MyGeotab answers if the account's sessions are known where they were asked for.
	thisServer = "ThisServer"
	idTextMax  = 1000 // bytes of a session or a version
)

var signInWait = catalog.LimitMs("provider", "geotabSignInMs")

// geotab asks MyGeotab by its JSON-RPC.
type geotab struct {
	api
	home    string // where to sign in
	session string
	// MyGeotab lets an account sign in ten times a minute, all its programs together. So one that failed is not repeated
	// within a minute, and a session that dies at once is renewed once.
	refused   *Error
	refusedAt time.Time
	signedIn  [2]time.Time // the last two times
	inputs    inputs
	head      map[string]*pause
}

func newGeotab(a api) *geotab {
	a.name = "Geotab"
	if a.server == "" {
		a.server = geotabServer
	}
	return &geotab{api: a, home: a.server, inputs: inputs{}, head: map[string]*pause{}}
}

type object = map[string]any

// errorKind reads what MyGeotab says in an answer of status 200: the type of the error, or else the name of its first part.
func errorKind(in *reader) (string, error) {
	var data struct {
		Type string `json:"type"`
	}
	var first struct {
		Name string `json:"name"`
	}
	err := in.object(func(name string) error {
		switch {
		case name == "data":
			return shapeless(in.value(&data))
		case name == "errors":
			return shapeless(in.list(func() error {
				if first.Name == "" {
					return shapeless(in.value(&first))
				}
				return in.skip()
			}))
		}
		return in.skip()
	})
	if data.Type == "" {
		data.Type = first.Name
	}
	return data.Type, shapeless(err)
}

const invalidUser = "InvalidUserException" // a wrong password, and a session that is no more

// rpc calls a method. kind is MyGeotab's name of the error, if it says one.
func (g *geotab) rpc(ctx context.Context, server, method string, params object, result func(*reader) error) (kind string, err error) {
	body, err := json.Marshal(object{"method": method, "params": params, "id": -1})
	if err != nil {
		return "", err
	}
	call := outbound.Call{Method: http.MethodPost, URL: "https://" + server + "/apiv1", Body: body,
		Header: http.Header{"Content-Type": {"application/json"}, "Idempotency-Key": {}}} // not sent: a closed connection may be tried again
	err = g.ask(ctx, call, func(said *answer) (err error) {
		kind, err = g.heard(ctx, said, result)
		return err
	})
	return kind, err
}

// heard reads an answer.
func (g *geotab) heard(ctx context.Context, said *answer, result func(*reader) error) (kind string, err error) {
	if err := g.status(said); err != nil {
		return "", err
	}
	if said.code != http.StatusOK && said.isHTML() {
		return "", g.failed(Unavailable, said.retryAfter, "%s answers %d from a server that stands before it.", g.name, said.code)
	}
	var answered, failed bool
	in := read(ctx, said.body)
	err = in.object(func(name string) error {
		switch name {
		case "result":
			answered = true
			return result(in)
		case "error":
			var err error
			failed = true
			kind, err = errorKind(in)
			return err
		}
		return in.skip()
	})
	if err == nil {
		err = in.end()
	}
	switch {
	case err != nil:
		return "", g.shaped(err)
	case failed:
		return kind, g.refusal(kind, said.retryAfter)
	case said.code != http.StatusOK || !answered:
		return "", g.failed(Unreadable, 0, "%s answers %d without a result.", g.name, said.code)
	}
	return "", nil
}

// shapeless takes a value of which not all could be read.
func shapeless(err error) error {
	if err == errShape { //nolint:errorlint // it is never wrapped
		return nil
	}
	return err
}

// shaped says that an answer has another shape than is documented.
func (a *api) shaped(err error) error {
	if err == errShape { //nolint:errorlint // it is never wrapped
		return a.failed(Unreadable, 0, "The answer of %s is not what it documents.", a.name)
	}
	return err
}

// refusal says what an error of MyGeotab means. Only its type tells: its text may speak of something else.
func (g *geotab) refusal(kind string, retryAfter time.Duration) error {
	switch kind {
	case invalidUser, "InvalidPermissionsException", "ExpiredPasswordException":
		return g.failed(Unauthorized, 0, "%s does not let this user read the account's vehicles (%s).", g.name, kind)
	case "OverLimitException":
		if retryAfter == 0 {
			retryAfter = time.Minute
		}
		return g.failed(OverLimit, retryAfter, "%s was asked too often.", g.name)
	case "DbUnavailableException": // also of a name that is none
		return g.failed(Unavailable, retryAfter, "The account's database at %s is not available, or has another name (%s).", g.name, kind)
	case "GenericException", "ServiceUnavailableException":
		return g.failed(Unavailable, retryAfter, "%s is not available (%s).", g.name, kind)
	case "":
		return g.failed(Unreadable, 0, "%s answers an error without a type.", g.name)
	}
	return g.failed(Unreadable, 0, "%s cannot do what it was asked%s.", g.name, g.exception(kind))
}

// exception is the name of an error, if it is one.
func (g *geotab) exception(kind string) string {
	isLetter := func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
	isName := len(kind) <= 60 && strings.HasSuffix(kind, "Exception") && strings.TrimFunc(kind, isLetter) == ""
	if !isName || strings.Contains(kind, g.account.Secret) {
		return ""
	}
	return " (" + kind + ")"
}

// signIn opens a session.
func (g *geotab) signIn(ctx context.Context) error {
	now := g.now()
	if left := signInWait - now.Sub(g.refusedAt); g.refused != nil && left > 0 {
		again := *g.refused
		if again.Reason != Unauthorized {
			again.RetryAfter = left
		}
		return &again
	}
	if left := signInWait - now.Sub(g.signedIn[0]); !g.signedIn[0].IsZero() && left > 0 {
		return g.failed(Unavailable, left, "%s ends its sessions at once.", g.name)
	}
	g.signedIn[0], g.signedIn[1] = g.signedIn[1], now
	var answer struct {
		Credentials struct {
			SessionID string `json:"sessionId"`
		} `json:"credentials"`
		Path string `json:"path"`
	}
	params := object{"database": g.account.Database, "userName": g.account.User, "password": g.account.Secret}
	kind, err := g.rpc(ctx, g.home, "Authenticate", params, func(in *reader) error { return in.value(&answer) })
	session, path := answer.Credentials.SessionID, answer.Path
	switch {
	case kind == invalidUser:
		err = g.failed(Unauthorized, 0, "%s refuses the database, the user, or the password.", g.name)
	case err == nil && (session == "" || len(session) > idTextMax || path != "" && path != thisServer && !isHost(path)):
		err = g.failed(Unreadable, 0, "%s opens no session.", g.name)
	}
	if err != nil {
		g.refused, g.refusedAt = nil, now
		if e, ok := err.(*Error); ok { //nolint:errorlint // it is never wrapped
			g.refused = e
		}
		return err
	}
	g.refused, g.session, g.server = nil, session, g.home
	if path != "" && path != thisServer {
		g.server = path
	}
	return nil
}

// data calls a method in the session, and in a new one if that is no more.
// begin is called before each answer, and gives what reads it.
func (g *geotab) data(ctx context.Context, method string, params object, begin func() func(*reader) error) (kind string, err error) {
	for again := false; ; again = true {
		if g.session == "" {
			if err := g.signIn(ctx); err != nil {
				return "", err
			}
		}
		params["credentials"] = object{"database": g.account.Database, "userName": g.account.User, "sessionId": g.session}
		kind, err = g.rpc(ctx, g.server, method, params, begin())
		if kind != invalidUser {
			if e, ok := err.(*Error); ok && e.Reason == Unavailable && g.server != g.home { //nolint:errorlint // it is never wrapped
				g.session = "" // the database may have moved: home knows where it is
			}
			return kind, err
		}
		g.session = ""
		if again {
			return kind, err
		}
	}
}
