package wire

import "lightbar/internal/fleet"

// The states of a test mail.
const (
	TestMailTaken    = "taken"
	TestMailRefused  = "refused"
	TestMailFailed   = "failed"
	TestMailNoServer = "no_server"
)

// TestMail is how a test mail went.
type TestMail struct {
	To     string        `json:"to"`
	SentAt fleet.Instant `json:"sent_at" nullable:"false"`
	State  string        `json:"state" enum:"taken,refused,failed,no_server" doc:"the mail server took it, refused it for good, could not be asked or put it off, or no mail server is set up"`
	Answer string        `json:"answer" doc:"what the mail server said, without addresses and passwords"`
}

// Concern is something that needs an administrator.
type Concern struct {
	Kind     string        `json:"kind" enum:"key_ends,feed,integration,never_heard,silent,unpublished,held_back,unconfirmed,certificate,no_mail_server,mail_waits,mail_given_up,disk,backup"`
	ID       string        `json:"id" doc:"of the key, feed subscription, or integration; empty for the other kinds"`
	Name     string        `json:"name"`
	Count    int64         `json:"count" doc:"of assets, closures, or mails; of disk: the days until it is full, with the reason free: how many percent are free"`
	At       fleet.Instant `json:"at" doc:"when it ends; else since when it is so; null = never, or it is not known"`
	Reason   string        `json:"reason" doc:"the word that its noun has for why"`
	Assets   []Heard       `json:"assets" nullable:"false" doc:"some of the assets that are meant, those silent longest first"`
	Closures []Heard       `json:"closures" nullable:"false" doc:"some of the closures that are meant, with since when it is so"`
}

// Heard is an asset, and when something last came from it; or a closure, and since when it is as it is.
type Heard struct {
	ID   string        `json:"id"`
	Name string        `json:"name"`
	At   fleet.Instant `json:"at" doc:"null: never"`
}

// StatusMail says whether the caller is mailed what needs them.
type StatusMail struct {
	Mail bool `json:"mail"`
}

// Concerns are what of an organization needs an administrator.
type Concerns struct {
	AsOf     fleet.Instant `json:"as_of" nullable:"false"`
	Concerns []Concern     `json:"concerns" nullable:"false"`
	Mail     bool          `json:"mail" doc:"whether the caller is mailed once a day what needs them; false for another organization than their own"`
}

// ServerStatus is what of this installation needs an administrator, and what it knows of itself.
type ServerStatus struct {
	AsOf              fleet.Instant `json:"as_of" nullable:"false"`
	Concerns          []Concern     `json:"concerns" nullable:"false"`
	CertificateEndsAt fleet.Instant `json:"certificate_ends_at" doc:"null: this server has none of its own"`
	MailServer        bool          `json:"mail_server" doc:"one is set up"`
	MailsWaiting      int64         `json:"mails_waiting"`
	BackupAt          fleet.Instant `json:"backup_at" doc:"of the newest backup in the data folder; null: none is there"`
	DiskBytes         int64         `json:"disk_bytes" doc:"0: not known, as with PostgreSQL"`
	DiskFreeBytes     int64         `json:"disk_free_bytes"`
	DaysUntilFull     *int          `json:"days_until_full" doc:"null: not within ten years, or not known"`
}
