import { say } from '~/api';
import type { MonthlyMail } from '~/model/monthlyReport';
import { useProfile } from '~/session';
import { Card, ToggleRow, toast } from '~/ui';
import { useMonthlyMail } from './queries';
import styles from './reports.module.css';

/** Whether I am mailed the reports of organizations: of each by itself, at once. */
export function MailMe({ mails }: { mails: readonly MonthlyMail[] }) {
  const { email } = useProfile();
  return (
    <div className={styles.mail}>
      <Card title="Your mail" hint={`To ${email}, when a month's report is first made.`}>
        <div className={styles.mails}>
          {mails.map(mail => (
            <One key={mail.organization_id} mail={mail} isOnly={mails.length === 1} />
          ))}
        </div>
      </Card>
    </div>
  );
}

function One({ mail: row, isOnly }: { mail: MonthlyMail; isOnly: boolean }) {
  const save = useMonthlyMail({
    onSuccess: ({ mail }) => toast(mail ? 'You will be mailed' : 'You will not be mailed'),
    onError: error => toast(say('generic', error), { tone: 'danger' }),
  });
  return (
    <ToggleRow
      label={isOnly ? 'Mail me this report each month' : `Mail me the report of ${row.organization_name} each month`}
      isSelected={save.isPending ? save.variables.mail : row.mail}
      isDisabled={save.isPending}
      onChange={mail => save.mutate({ ...row, mail })}
    />
  );
}
