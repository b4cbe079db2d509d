import limits from '@catalog/limits.json';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { asFailure, say, texts } from '~/api';
import { serverClock } from '~/lib/clock';
import { dateText } from '~/model/format';
import { instantOf } from '~/model/instant';
import { keepsRules, matchError, type PasswordPolicy, passwordNote, passwordRules, ruleState } from '~/model/password';
import { useDraft } from '~/office';
import { useOrganization } from '~/session';
import { usePasswordPolicy } from '~/session/methods';
import { Button, Card, Dialog, ErrorNotice, PasswordLine, RuleList, toast } from '~/ui';
import styles from './profile.module.css';
import { personQuery, useProfileMutations } from './queries';

const DAYS = Math.round(limits.session.passwordExpiryMs.value / 86_400_000);

/** When the password ends, and the way to another one. */
export function PasswordCard() {
  const { data } = useQuery(personQuery);
  const { timezone } = useOrganization();
  const [isOpen, setOpen] = useState(false);
  const ends = instantOf(data?.password_expires_at);
  const past = ends > 0 && ends <= serverClock.now();
  const when = dateText(ends, timezone, 'LLL-dd-y');
  return (
    <Card
      title="Password"
      hint={ends === 0 ? 'You can change it at any time.' : `${past ? 'Expired' : 'Expires'} ${when}.`}
      action={
        <Button size="small" onPress={() => setOpen(true)}>
          Change password
        </Button>
      }
    >
      {isOpen && <PasswordDialog onClose={() => setOpen(false)} />}
    </Card>
  );
}

const schemaOf = (policy: PasswordPolicy | undefined) =>
  z
    .object({
      current_password: z.string().check(z.minLength(1, texts.validation.required)),
      password: z.string().check(z.minLength(1, texts.validation.required)),
      confirmation: z.string(),
    })
    .check(
      z.refine(form => form.password === '' || keepsRules(form.password, policy), {
        path: ['password'],
        error: 'Follow the rules below',
      }),
      z.check(context => {
        const message = matchError(context.value.password, context.value.confirmation);
        if (message) context.issues.push({ code: 'custom', message, path: ['confirmation'], input: context.value });
      }),
    );
const sayPassword = (error: unknown) => {
  const { code, message } = asFailure(error);
  return code === 'password_wrong' ? message : say('reset', error);
};

function PasswordDialog({ onClose }: { onClose: () => void }) {
  const mutations = useProfileMutations();
  const policy = usePasswordPolicy();
  const draft = useDraft({
    schema: useMemo(() => schemaOf(policy), [policy]),
    begun: { current_password: '', password: '', confirmation: '' },
    send: async (_, __, { current_password, password }) => {
      await mutations.changePassword({ current_password, password });
      toast('Password changed. Your other devices are signed out.');
      onClose();
    },
    say: sayPassword,
  });
  const { control, failure } = draft;
  const password = useWatch({ control, name: 'password' });
  return (
    <Dialog isOpen title="Change password" onOpenChange={open => !open && onClose()}>
      <form noValidate onSubmit={draft.submit} aria-label="Change password">
        <p className={styles.lead}>
          {policy === 'specified' && `Expires in ${DAYS} days. `}
          {passwordNote(policy)} Your other devices are signed out.
        </p>
        <PasswordLine
          control={control}
          name="current_password"
          label="Current password"
          autoComplete="current-password"
          autoFocus
        />
        <PasswordLine control={control} name="password" label="New password" autoComplete="new-password" />
        <RuleList
          label="Password rules"
          rules={passwordRules(policy).map(({ id, text, test }) => ({
            id,
            text,
            state: ruleState(test(password), password),
          }))}
        />
        <PasswordLine control={control} name="confirmation" label="Confirm password" autoComplete="new-password" />
        {failure && <ErrorNotice>{failure}</ErrorNotice>}
        <div className={styles.foot}>
          <Button onPress={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" isPending={draft.isPending}>
            Change password
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
