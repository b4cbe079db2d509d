import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { say } from '~/api';
import { zoneText } from '~/model/recurrence';
import { Back, RowPage } from '~/office';
import { WATCHDOG_TAB } from '~/section/finding';
import { useMay, useOrganization, useProfile } from '~/session';
import { DescriptionList, FormSection, PageHead, Pill, ToggleRow, toast } from '~/ui';
import { RuleText } from './RuleText';
import { SettingsForm } from './SettingsForm';
import { modeText, quietText, useWatchdogMutations, type Watchdog, watchdogQuery } from './watchdog';

/** What the watchdog looks for, when it keeps quiet, and whether it mails who looks at this. */
export function SettingsPage() {
  const { id, name, relation } = useOrganization();
  const mayEdit = useMay('EDIT_ORGANIZATION');
  const back = <Back tab={WATCHDOG_TAB}>Watchdog</Back>;
  return (
    <RowPage query={useQuery(watchdogQuery(id))} back={back} title="Watchdog settings">
      {watchdog => (
        <>
          <PageHead
            back={back}
            title="Watchdog settings"
            sentence={`What the watchdog of ${name} looks for, and when it keeps quiet.`}
          />
          {relation === 'own' && <MailMe mail={watchdog.mail} />}
          {mayEdit ? <SettingsForm watchdog={watchdog} /> : <Settings watchdog={watchdog} />}
        </>
      )}
    </RowPage>
  );
}

/** Each for themselves, and at once. */
function MailMe({ mail }: { mail: boolean }) {
  const { id } = useOrganization();
  const { email } = useProfile();
  const mutations = useWatchdogMutations(id);
  const [asked, setAsked] = useState<boolean>();
  const change = async (on: boolean) => {
    setAsked(on);
    try {
      await mutations.mail(on);
      toast(on ? 'You will be mailed' : 'You will not be mailed');
    } catch (error) {
      toast(say('generic', error), { tone: 'danger' });
    } finally {
      setAsked(undefined);
    }
  };
  return (
    <FormSection title="Your mail" hint={`To ${email}.`}>
      <ToggleRow
        label="Mail me"
        hint="About what is found by a rule that is on, outside quiet hours."
        isSelected={asked ?? mail}
        onChange={on => void change(on)}
        isDisabled={asked !== undefined}
      />
    </FormSection>
  );
}

/** The settings for who may not change them. */
function Settings({ watchdog }: { watchdog: Watchdog }) {
  const { timezone } = useOrganization();
  return (
    <>
      <FormSection title="Rules">
        {watchdog.rules.map(rule => (
          <RuleText key={rule.rule} rule={rule}>
            <Pill tone={rule.mode === 'on' ? 'accent' : 'neutral'}>{modeText(rule.mode)}</Pill>
          </RuleText>
        ))}
      </FormSection>
      <FormSection title="Quiet hours">
        <DescriptionList
          rows={[
            ['Quiet hours', quietText(watchdog) || 'None'],
            ['Time zone', zoneText(timezone)],
          ]}
        />
      </FormSection>
    </>
  );
}
