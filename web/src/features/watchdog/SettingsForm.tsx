import { useState } from 'react';
import { type Control, useController } from 'react-hook-form';
import { ruleTitle } from '~/model/finding';
import { zoneText } from '~/model/recurrence';
import { Cancel, EditForm, sayMarked, useDraft, useGoTo } from '~/office';
import { WATCHDOG_TAB } from '~/section/finding';
import { toastBack } from '~/section/undo';
import { useOrganization } from '~/session';
import { FormRow, FormSection, FormTextField, Segmented, useWords } from '~/ui';
import { RuleText } from './RuleText';
import {
  bodyOf,
  modes,
  modeText,
  QUIET,
  type Rule,
  readWatchdog,
  schemaOf,
  useWatchdogMutations,
  type Watchdog,
} from './watchdog';

/** Edits what the watchdog looks for, and when it keeps quiet. */
export function SettingsForm({ watchdog }: { watchdog: Watchdog }) {
  const { id, timezone } = useOrganization();
  const goTo = useGoTo();
  const mutations = useWatchdogMutations(id);
  const [begun] = useState(watchdog);
  const [schema] = useState(() => schemaOf(begun));
  const draft = useDraft({
    schema,
    begun,
    read: readWatchdog,
    together: [QUIET],
    send: async (changes, base) => {
      const saved = await mutations.save(base, bodyOf(changes));
      const before = bodyOf(readWatchdog(base));
      if (saved.version !== base.version) toastBack('Watchdog saved', () => mutations.save(saved, before));
      await goTo({ tab: WATCHDOG_TAB });
    },
    say: sayMarked('generic'),
    noun: 'watchdog',
    theirs: current => current as Watchdog,
  });
  const { control } = draft;
  return (
    <EditForm label="Watchdog settings" draft={draft} cancel={<Cancel tab={WATCHDOG_TAB} />}>
      <FormSection
        title="Rules"
        hint="On trial, the list says what the watchdog would have told, and nobody is mailed. Turn a rule on once what it finds is right."
      >
        {watchdog.rules.map(rule => (
          <RuleLine key={rule.rule} control={control} rule={rule} />
        ))}
      </FormSection>
      <FormSection
        title="Quiet hours"
        hint={`No mail between these times. What is still open is mailed at their end. Empty: no quiet hours. ${zoneText(timezone)}.`}
      >
        <FormRow>
          <FormTextField control={control} name="quiet_from" label="From" type="time" />
          <FormTextField control={control} name="quiet_to" label="To" type="time" />
        </FormRow>
      </FormSection>
    </EditForm>
  );
}

function RuleLine({ control, rule }: { control: Control<Record<string, string>>; rule: Rule }) {
  const { field } = useController({ control, name: rule.rule });
  const title = ruleTitle(rule.rule);
  useWords(rule.rule, title, modeText);
  return (
    <RuleText rule={rule}>
      <Segmented label={title} value={String(field.value)} onChange={field.onChange} options={modes} />
    </RuleText>
  );
}
