package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/audit"
	"lightbar/internal/record"
	"lightbar/internal/store"
)

type auditCmd struct {
	Verify auditVerifyCmd `cmd:"" help:"Verify the audit's hash chain and name what was altered, removed, or moved."`
	Head   auditHeadCmd   `cmd:"" help:"Print the audit's newest seal, to keep a copy elsewhere."`
}

type auditVerifyCmd struct {
	Expect string `help:"A head printed by an earlier check. The chain must still contain it." placeholder:"HASH"`
}

// Help implements kong.HelpProvider.
func (auditVerifyCmd) Help() string {
	return `Every change and every sign-in leaves a row. Rows are sealed every 10 s: each seal covers its rows and the previous
seal, with a key that isn't in the database. The newest seal is also kept outside the database, in audit.head, and the
chain must contain it. Someone with write access to the database alone can alter, remove, move, or insert rows, restart
the chain, or cut off its end, but this check finds it. Rows sealed with an earlier server key can still be verified.
Faults: rows altered, rows moved, rows removed, rows put in, seals removed or altered, chain rewritten, end cut off,
head missing, head altered, head of another database.

Rows of the last 10 s are not sealed yet: the running server notices if one of them is altered or removed, but not if
one is added. After a crash they stay unsealed until the next start. Someone who can also write to the data folder and
read its key can forge a valid chain. So copy the printed head to another machine, and pass it with --expect next time.
The server also logs it every hour.

After lightbar server-key new, what the lost key had sealed is not checkable for the time before: the check says so and
ends with 4. Alterations after that are found, also of those rows (exit code 1).

Exit codes: 0 the chain holds, 1 it does not, 2 the command line is wrong, 3 the database or the key cannot be read, 4 the
chain holds as far as it can be checked.

  lightbar audit verify --data /var/lib/lightbar`
}

func (c *auditVerifyCmd) Run(e *env) error {
	var proof audit.Proof
	if err := call(e, auditVerb, c.Expect, &proof); err != nil {
		return err
	}
	for _, fault := range proof.Faults {
		_, _ = fmt.Fprintln(e.stdout, fault.Text)
	}
	for _, note := range proof.Notes {
		_, _ = fmt.Fprintln(e.stdout, note)
	}
	_, _ = fmt.Fprintln(e.stdout, proof.Compared)
	_, _ = fmt.Fprintf(e.stdout, "%s in %s, %s not sealed yet.\n", counted(proof.Rows, "row"), counted(proof.Seals, "seal"),
		counted(proof.Unsealed, "row"))
	if proof.Head != "" {
		_, _ = fmt.Fprintln(e.stdout, "head", proof.Head)
	}
	if len(proof.Faults) > 0 {
		_, _ = fmt.Fprintf(e.stdout, "The chain does not hold: %s.\n", strings.Join(proof.Kinds(), ", "))
		return quietExit(exitFailed)
	}
	if proof.Unchecked > 0 {
		_, _ = fmt.Fprintf(e.stdout, "The chain holds as far as it can be checked, without %s sealed with a key that was lost.\n",
			counted(proof.Unchecked, "row"))
		return quietExit(exitUnchecked)
	}
	_, err := fmt.Fprintln(e.stdout, "The chain holds.")
	return err
}

// exitUnchecked is the code of audit verify alone: no fault, but not all of it can be checked.
const exitUnchecked = 4

const auditVerb = "audit-verify"

// auditHere reads the chain or its head without a server. It only reads: whoever
// examines a database does not want it upgraded.
func auditHere(e *env, name string, args json.RawMessage) (json.RawMessage, error) {
	key, err := keyOfInstallation(e)
	if err != nil {
		return nil, err
	}
	s, err := store.Open(e.ctx, storeOptions(e, true))
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.Close() }()
	have, err := s.Version(e.ctx)
	if err != nil {
		return nil, err
	}
	if have < auditSchema {
		return nil, place("The database is at schema %d; its audit has no seals before %d. Start the server once, which upgrades it.", have,
			auditSchema)
	}
	if err := cutOff(e.ctx, e, s.Reader(), have, key); err != nil {
		return nil, err
	}
	a := app.New(app.Options{
		Base:          record.Base{Store: s, ServerKey: key, Log: e.log, Now: time.Now, NewID: app.NewID},
		AuditHeadPath: auditHeadPath(e),
	})
	result, err := verbs[name](e.ctx, a, args)
	if err != nil {
		return nil, err
	}
	return json.Marshal(result)
}

// auditSchema is the first schema whose audit rows are sealed (migrations/00002_people.sql).
const auditSchema = 2

func auditVerify(ctx context.Context, a *app.App, expected string) (audit.Proof, error) {
	return a.Audit.Verify(ctx, access.System(), expected)
}
