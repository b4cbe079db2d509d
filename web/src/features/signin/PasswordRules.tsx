import limits from '@catalog/limits.json';
import { passwordRules, ruleState } from '~/model/password';
import { RuleList } from '~/ui/Codes';
import styles from './PublicPage.module.css';

/** The rules of a new password, each turning from neutral to error or valid while it is typed. */
export function PasswordRules({ password }: { password: string }) {
  const rules = passwordRules.map(({ id, text, test }) => ({ id, text, state: ruleState(test(password), password) }));
  return (
    <>
      <RuleList label="Password rules" rules={rules} />
      <p className={styles.note}>Not one of your last {limits.session.passwordHistory.value} passwords.</p>
    </>
  );
}
