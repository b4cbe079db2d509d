package device

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

var waitMost = int(catalog.LimitMs("command", "waitMs") / time.Second)

// NewCommands serves GET /api/ingest/commands?asset=NAME&wait=SECONDS: a device
// fetches what it is asked to do, by API key; asset may be left out with the key
// of one asset. With wait the answer comes when there is a command, at the latest after so many seconds.
func NewCommands(a *app.App, o Options) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			w.Header().Set("Allow", http.MethodGet)
			fail(w, "method_not_allowed", "")
			return
		}
		found, err := pollCommands(a, o, w, r)
		if err != nil {
			refuse(w, err)
			return
		}
		if found == nil {
			found = []wire.PolledCommand{}
		}
		writeData(w, found)
	})
}

func pollCommands(a *app.App, o Options, w http.ResponseWriter, r *http.Request) ([]wire.PolledCommand, error) {
	actor, err := a.AuthenticateKey(r.Context(), bearer(r), o.network(r))
	if err != nil {
		return nil, err
	}
	query := r.URL.Query()
	asset, wait := query.Get("asset"), 0
	if text := query.Get("wait"); text != "" {
		if wait, err = strconv.Atoi(text); err != nil || wait < 0 || wait > waitMost {
			return nil, fleet.RefuseFields(map[string]string{"wait": "Must be from 0 to " + strconv.Itoa(waitMost) + " seconds"})
		}
	}
	found, err := a.CommandsForKey(r.Context(), actor, asset)
	if err != nil || len(found) > 0 || wait == 0 {
		return found, err
	}
	limit := time.Duration(wait) * time.Second
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(limit + time.Minute)) // recorders in tests know no deadlines
	if err := a.AwaitCommands(r.Context(), actor, asset, limit); err != nil {
		return nil, err
	}
	if err := r.Context().Err(); err != nil {
		return nil, err // nobody is there to be given anything
	}
	// The key may have been revoked meanwhile.
	if actor, err = a.AuthenticateKey(r.Context(), bearer(r), o.network(r)); err != nil {
		return nil, err
	}
	return a.CommandsForKey(r.Context(), actor, asset)
}

// NewCommandWord serves POST /api/ingest/commands/{id}: a device reports the result of a command.
func NewCommandWord(a *app.App, o Options) http.Handler {
	return keyed(a, o, func(w http.ResponseWriter, r *http.Request, actor *access.Actor, body string) error {
		var said wire.CommandWord
		if err := json.Unmarshal([]byte(body), &said); err != nil {
			return unreadable(err, errWord)
		}
		if err := checkWord(&said); err != nil {
			return err
		}
		heard, err := a.AcknowledgeCommand(r.Context(), actor, strings.ToLower(r.PathValue("id")), wordOf(&said))
		if err != nil {
			return err
		}
		writeData(w, heard)
		return nil
	})
}

// wordOf is a device's answer in the form for the law.
func wordOf(said *wire.CommandWord) fleet.CommandWord {
	word := fleet.CommandWord{Status: said.Status, Message: said.Message, At: said.At}
	if said.ConfigVersion != nil {
		word.HasConfig, word.Config = true, *said.ConfigVersion
	}
	return word
}

// unreadable names the invalid member of an answer that cannot be read, if it is not the whole of it.
func unreadable(err error, whole error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && strings.HasSuffix(wrong.Field, "config_version") {
		return fleet.RefuseFields(map[string]string{"config_version": "Must be a whole number"})
	}
	return whole
}

// checkWord is what is wrong with a device's answer; nil = nothing.
func checkWord(said *wire.CommandWord) error {
	wrong := map[string]string{}
	if said.At == 0 {
		wrong["at"] = "Required"
	}
	if said.Status != fleet.CommandDelivered && said.Status != fleet.CommandFailed {
		wrong["status"] = "Must be delivered or failed"
	}
	if len(wrong) > 0 {
		return fleet.RefuseFields(wrong)
	}
	return nil
}

var errWord = fleet.Refuse("invalid_request", "", `The body must be {"at": "2026-11-21T10:42:07Z", "status": "delivered"} in JSON.`)

func writeData[T any](w http.ResponseWriter, data T) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(wire.One[T]{Data: data}) // the device has gone if this fails
}
