package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"lightbar/internal/config"
	"lightbar/internal/mail"
	"lightbar/internal/people"
	"lightbar/internal/wire"
)

type mailCmd struct {
	Test mailTestCmd `cmd:"" help:"Send a test mail and print what the mail server said."`
}

type mailTestCmd struct {
	To            string `help:"Who gets it." required:"" placeholder:"EMAIL"`
	config.Server `embed:""`
}

// Help implements kong.HelpProvider.
func (mailTestCmd) Help() string {
	return `Use the same settings as for serve. The server can keep running; it isn't asked, and nothing is written.

Exit codes: 0 the mail server took the mail, 1 it did not.

  lightbar mail test --to you@example.org --config /etc/lightbar/lightbar.json`
}

// tryMail is how long the mail server has.
const tryMail = 30 * time.Second

func (c *mailTestCmd) Run(e *env) error {
	if c.Mail.URL == "" {
		return config.Error("No mail server is set up: --smtp-url is missing, so mails are only written to " + outboxDir(e.common.Data) + ".")
	}
	l, err := lettersOf(&c.Server)
	if err != nil {
		return err
	}
	brand := cmp.Or(c.Brand.Name, people.DefaultBrandName())
	post, err := l.post(e, brand)
	if err != nil {
		return err
	}
	at := e.now().UTC()
	letter, err := mail.Render("test", mail.Words{Brand: brand, Support: people.Helper(nil, c.Brand.Settings()), Home: c.PublicURL,
		Data: map[string]string{"at": at.Format("January 2, 2006, 3:04 PM MST")}})
	if err != nil {
		return err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(e.ctx, tryMail)
	defer cancel()
	state, answer := people.TryMail(ctx, post, letter.Message(id.String(), "test", at, c.To, ""))
	if state != wire.TestMailTaken {
		return fmt.Errorf("the mail was not taken: %s", answer)
	}
	_, err = fmt.Fprintf(e.stdout, "The mail server took it. It said: %s\n", answer)
	return err
}
