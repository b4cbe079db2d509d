package store

import (
	"context"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

var commands = table[fleet.Command]{name: "device_command", columns: func(c *fleet.Command) []column {
	return []column{
		{"id", &c.ID, keyed}, {"thing_id", &c.ThingID, once}, {"organization_id", &c.OrganizationID, once},
		{"type", &c.Type, once}, {"value", &c.Value, once}, {"status", &c.Status, edit},
		{"issued_at", &c.IssuedAt, once}, {"sent_at", &c.SentAt, edit}, {"acknowledged_at", &c.AcknowledgedAt, edit},
		{"said_at", &c.DeviceAt, edit}, {"expires_at", &c.ExpiresAt, once},
		{"issued_kind", &c.IssuedKind, once}, {"issued_id", &c.IssuedID, once}, {"issued_name", &c.IssuedName, once},
		{"issued_in", &c.IssuedIn, once}, {"message", &c.Message, edit}, {"once_key", &c.OnceKey, once}, {"version", &c.Version, edit},
	}
}}

const openCommand = "status IN ('accepted', 'sent')"

var (
	insertCommand  = commands.inserts("")
	updateCommand  = commands.updates(edit, "version", "AND "+openOrExpired)
	commandByID    = commands.selects("WHERE id = $1")
	commandByOnce  = commands.selects("WHERE once_key = $1 AND once_key <> ''")
	openCommands   = commands.selects("WHERE " + openCommand + " ORDER BY id")
	openCommandsOf = commands.selects("WHERE thing_id = $1 AND " + openCommand + " ORDER BY id")
	commandsDue    = commands.selects("WHERE " + openCommand + " AND expires_at <= $1 ORDER BY expires_at, id LIMIT $2")
	commandsPage   = commands.selects("WHERE thing_id = $1 AND organization_id = $2 ORDER BY id DESC LIMIT $3 OFFSET $4")
)

// openOrExpired is what may still be changed: for an expired command, that its device's answer came late.
const openOrExpired = "status IN ('accepted', 'sent', 'expired')"

const countCommands = `SELECT COUNT(*) FROM device_command WHERE thing_id = $1 AND organization_id = $2`

// CommandByID finds a command. ErrNotFound when there is none.
func CommandByID(ctx context.Context, r Reader, id string) (fleet.Command, error) {
	return commandByID.one(ctx, r, id)
}

// CommandByOnce finds the command of a press. ErrNotFound when there is none.
func CommandByOnce(ctx context.Context, r Reader, key string) (fleet.Command, error) {
	return commandByOnce.one(ctx, r, key)
}

// OpenCommands reads all commands whose fate is not known, the oldest first.
func OpenCommands(ctx context.Context, r Reader) ([]fleet.Command, error) {
	return openCommands.all(ctx, r)
}

// OpenCommandsOf reads those of one asset.
func OpenCommandsOf(ctx context.Context, r Reader, thingID string) ([]fleet.Command, error) {
	return openCommandsOf.all(ctx, r, thingID)
}

// CommandsDue reads open commands that have expired, at most so many.
func CommandsDue(ctx context.Context, r Reader, now fleet.Instant, most int) ([]fleet.Command, error) {
	return commandsDue.all(ctx, r, int64(now), most)
}

// CommandsPage reads a page of the commands that an organization's people gave for its asset, newest first, and how many there are.
func CommandsPage(ctx context.Context, r Reader, thingID, organizationID string, page, perPage int) (rows []fleet.Command, total int,
	err error) {
	if err = r.QueryRowContext(ctx, countCommands, thingID, organizationID).Scan(&total); err != nil {
		return nil, 0, err
	}
	rows, err = commandsPage.all(ctx, r, thingID, organizationID, perPage, (page-1)*perPage)
	return rows, total, err
}

// InsertCommand adds a command.
func (tx *Tx) InsertCommand(ctx context.Context, c *fleet.Command) error {
	_, err := insertCommand.run(ctx, tx, c)
	return err
}

// SaveCommand writes the new state of a command whose version is one above the stored one. ErrNotFound when the stored version
// differs, or the command has ended.
func (tx *Tx) SaveCommand(ctx context.Context, c *fleet.Command) error {
	ok, err := updateCommand.run(ctx, tx, c, c.Version-1)
	if err == nil && !ok {
		return ErrNotFound
	}
	return err
}

const testModesDue = `SELECT id FROM thing WHERE test_mode_until > 0 AND test_mode_until <= $1 AND deleted_at = 0 ORDER BY test_mode_until`

// TestModesDue lists assets whose test mode ends by itself.
func TestModesDue(ctx context.Context, r Reader, now fleet.Instant) ([]string, error) {
	return engine.List(ctx, r, engine.Text, testModesDue, int64(now))
}
