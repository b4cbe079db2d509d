package cable

import (
	"encoding/json"
	"errors"
)

// channelName is the only channel.
const channelName = "EventsChannel"

// identifierBytes limits an identifier; the canonical one takes 86.
const identifierBytes = 512

// Command is a message from a client (Action Cable's protocol and its history extension). Unknown fields are ignored.
type Command struct {
	_          struct{} `additionalProperties:"true"`
	Command    string   `json:"command" enum:"subscribe,unsubscribe"`
	Identifier string   `json:"identifier" doc:"JSON text: {\"channel\": \"EventsChannel\", \"organization_id\": …}" maxLength:"512"`
	Batch      bool     `json:"batch,omitempty" doc:"all messages of a moment in one frame"`
	History    *History `json:"history,omitempty" doc:"of the client's last message; what it missed since then is sent first"`
}

// History is the last message a client has, given once or, as AnyCable's client gives it, by stream. Its time of the last message
// (since) is not read: with a clock ahead of ours it would skip messages, and nobody would notice.
type History struct {
	_       struct{}                  `additionalProperties:"true"`
	Epoch   string                    `json:"epoch,omitempty"`
	Offset  uint64                    `json:"offset,omitempty"`
	Streams map[string]StreamPosition `json:"streams,omitempty" doc:"in place of epoch and offset, by stream_id; at most 100"`
}

// StreamPosition is a place in a stream.
type StreamPosition struct {
	Epoch  string `json:"epoch"`
	Offset uint64 `json:"offset"`
}

// streamsInHistory limits the positions of one command; a subscription has one stream.
const streamsInHistory = 100

// position is the client's position in a stream; in a stream that it doesn't name, none.
func (h *History) position(streamID string) StreamPosition {
	if h.Epoch != "" {
		return StreamPosition{h.Epoch, h.Offset}
	}
	return h.Streams[streamID]
}

var errCommand = errors.New("cable: not a command")

// parseCommand reads a client's frame. Fields it does not know are ignored.
func parseCommand(b []byte) (Command, error) {
	var c Command
	if err := json.Unmarshal(b, &c); err != nil {
		return Command{}, errCommand
	}
	if (c.Command != "subscribe" && c.Command != "unsubscribe") || len(c.Identifier) > identifierBytes ||
		(c.History != nil && len(c.History.Streams) > streamsInHistory) {
		return Command{}, errCommand
	}
	return c, nil
}

// parseIdentifier returns the organization of an identifier; false when the text is no identifier of the channel.
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
