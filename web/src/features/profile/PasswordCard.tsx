import limits from '@catalog/limits.json';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { asFailure, say, texts } from '~/api';
import { serverClock } from '~/lib/clock';
import { dateText } from '~/model/format';
import { instantOf } from '~/model/instant';
import { keepsRules, matchError, type PasswordPolicy, passwordNote, passwordRules, ruleState } from '~/model/password';
import { useOrganization } from '~/session';
import { usePasswordPolicy } from '~/session/methods';
import { Button, Card, Dialog, ErrorNotice, PasswordLine, RuleList, toast } from '~/ui';
import styles from './profile.module.css';
import { personQuery, useProfileVerbs } from './queries';

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
      current: z.string().check(z.minLength(1, texts.validation.required)),
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
type PasswordForm = z.infer<ReturnType<typeof schemaOf>>;

function PasswordDialog({ onClose }: { onClose: () => void }) {
  const verbs = useProfileVerbs();
  const policy = usePasswordPolicy();
  const schema = useMemo(() => schemaOf(policy), [policy]);
  const [failure, setFailure] = useState<string>();
  const { control, handleSubmit, formState, setError } = useForm<PasswordForm>({
    defaultValues: { current: '', password: '', confirmation: '' },
    resolver: zodResolver(schema),
    mode: 'onTouched',
  });
  const save = async ({ current, password }: PasswordForm) => {
    setFailure(undefined);
    try {
      await verbs.changePassword(current, password);
      toast('Password changed. Your other devices are signed out.');
      onClose();
    } catch (error) {
      const { code, message } = asFailure(error);
      if (code === 'password_wrong') setError('current', { message });
      else setFailure(say('reset', error));
    }
  };
  const password = useWatch({ control, name: 'password' });
  return (
    <Dialog isOpen title="Change password" onOpenChange={open => !open && onClose()}>
      <form noValidate onSubmit={handleSubmit(save)} aria-label="Change password">
        <p className={styles.lead}>
          {policy === 'specified' && `Expires in ${DAYS} days. `}
          {passwordNote(policy)} Your other devices are signed out.
        </p>
        <PasswordLine
          control={control}
          name="current"
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
          <Button variant="primary" type="submit" isPending={formState.isSubmitting}>
            Change password
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
