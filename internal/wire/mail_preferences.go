package wire

// MailPreferences are the mails about closures that a user wants (GET and PUT /user/mails).
type MailPreferences struct {
	OwnClosures   bool `json:"own_closures" doc:"ask me by email whether closures I am responsible for are still in place; default true"`
	OtherClosures bool `json:"other_closures" doc:"the same for other closures of my organization that nobody has answered for; default false"`
}
