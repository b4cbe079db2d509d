package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/store"
)

type auditCmd struct {
	Verify auditVerifyCmd `cmd:"" help:"Compute the audit's hash chain again and name what was altered, removed or moved."`
}

type auditVerifyCmd struct {
	Expect string `help:"A head that an earlier check printed; it must still be in the chain." placeholder:"HASH"`
}

// Help implements kong.HelpProvider.
func (auditVerifyCmd) Help() string {
	return `Every change and every sign-in leaves a row. Rows are sealed every few seconds: each seal covers its rows
and the seal before it, under a key of this installation that does not lie in the database. Whoever can
write the database alone can alter, remove or move rows, but not without this check finding it.

Note the head that is printed in another place, and give it with --expect next time: then a chain whose
end was cut off is found too. Rows of the last seconds are not sealed yet. Exit code 1 when the chain does not hold.

  lightbar audit verify --data /var/lib/lightbar`
}

func (c *auditVerifyCmd) Run(e *env) error {
	var proof app.AuditProof
	if err := call(e, auditVerb, c.Expect, &proof); err != nil {
		return err
	}
	for _, fault := range proof.Faults {
		_, _ = fmt.Fprintln(e.stdout, fault)
	}
	_, _ = fmt.Fprintf(e.stdout, "%d rows in %d seals, %d rows not sealed yet.\n", proof.Rows, proof.Seals, proof.Unsealed)
	if proof.Head != "" {
		_, _ = fmt.Fprintln(e.stdout, "head", proof.Head)
	}
	if len(proof.Faults) > 0 {
		_, _ = fmt.Fprintln(e.stdout, "The chain does not hold.")
		return quietExit(exitFailed)
	}
	_, err := fmt.Fprintln(e.stdout, "The chain holds.")
	return err
}

const auditVerb = "audit-verify"

// auditHere checks the chain without a server. It only reads: whoever examines
// a database does not want it upgraded.
func auditHere(e *env, args json.RawMessage) (json.RawMessage, error) {
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
		return nil, place("The database is at schema %d; its audit has no seals before %d. Start the server once, which upgrades it.", have, auditSchema)
	}
	proof, err := verbs[auditVerb](e.ctx, &app.App{Store: s, ServerKey: key, Log: e.log, Now: time.Now, NewID: app.NewID}, args)
	if err != nil {
		return nil, err
	}
	return json.Marshal(proof)
}

// auditSchema is the first schema whose audit rows are sealed (migrations/00002_people.sql).
const auditSchema = 2

func auditVerify(ctx context.Context, a *app.App, expected string) (app.AuditProof, error) {
	return a.VerifyAudit(ctx, app.SystemActor(), expected)
}
