package people

import (
	"context"
	"slices"
	"strings"

	"lightbar/internal/fleet"
	"lightbar/internal/secret"
	"lightbar/internal/store"
)

// devicesKept is how many people's tokens one browser stores: those of a station.
const devicesKept = 8

// deviceTokens are the tokens in a browser's cookie, newest first; anything else is left out.
func deviceTokens(cookie string) []string {
	var out []string
	for _, token := range strings.SplitN(cookie, ".", devicesKept+1) {
		if secret.WellFormed(prefixDevice, token) && len(out) < devicesKept {
			out = append(out, token)
		}
	}
	return out
}

// knownDevice returns the hash of a device from which this user has signed in, or nothing. It makes the same queries for an unknown
// user.
func (a *Accounts) knownDevice(ctx context.Context, cookie, userID string) (string, error) {
	for _, token := range deviceTokens(cookie) {
		hash := deviceHash(token, userID)
		known, err := store.IsKnownDevice(ctx, a.Store.Reader(), hash, userID, a.now().Add(-knownDeviceLife))
		if err != nil {
			return "", err
		}
		if known {
			return hash, nil
		}
	}
	return "", nil
}

// isKnownNetwork reports whether one of the user's sessions began in a network (/24 or /56). It makes the same queries for an
// unknown user.
func (a *Accounts) isKnownNetwork(ctx context.Context, network, userID string) (bool, error) {
	sessions, err := store.SessionsOf(ctx, a.Store.Reader(), userID)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(sessions, func(s fleet.Session) bool { return fleet.LimitNetwork(s.Network) == network }), nil
}

// newDevice makes the token that marks a user's device, and the cookie that
// holds it ahead of those of other users. The token is always new: one that
// somebody else has placed in this browser, and knows, must not become this
// user's.
func newDevice(cookie string) (token, next string) {
	token = secret.RandomToken(prefixDevice, secretBytes)
	kept := append([]string{token}, deviceTokens(cookie)...)
	return token, strings.Join(kept[:min(len(kept), devicesKept)], ".")
}

// deviceHash ties a device to a user: one browser may be known to several.
func deviceHash(token, userID string) string { return secret.Hash(userID + "|" + token) }
