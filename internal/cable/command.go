package cable

import (
	"encoding/json"
	"errors"
)

// channelName is the only channel.
const channelName = "EventsChannel"

// identifierBytes limits an identifier; the canonical one takes 86.
const identifierBytes = 512

// command is what a client sends (Action Cable's protocol and its history extension).
type command struct {
	Command    string   `json:"command"`
	Identifier string   `json:"identifier"`
	Batch      bool     `json:"batch"`
	History    *history `json:"history"`
}

// history is the last message a client has.
type history struct {
	Epoch  string `json:"epoch"`
	Offset uint64 `json:"offset"`
}

var errCommand = errors.New("cable: not a command")

// parseCommand reads a client's frame. Fields it does not know are ignored.
func parseCommand(b []byte) (command, error) {
	var c command
	if err := json.Unmarshal(b, &c); err != nil {
		return command{}, errCommand
	}
	if (c.Command != "subscribe" && c.Command != "unsubscribe") || len(c.Identifier) > identifierBytes {
		return command{}, errCommand
	}
	return c, nil
}

// parseIdentifier answers the organization of an identifier; false when the
// text is no identifier of the channel.
func parseIdentifier(identifier string) (organizationID string, ok bool) {
	var id struct {
		Channel        string `json:"channel"`
		OrganizationID string `json:"organization_id"`
	}
	if json.Unmarshal([]byte(identifier), &id) != nil || id.Channel != channelName {
		return "", false
	}
	return id.OrganizationID, id.OrganizationID != ""
}
