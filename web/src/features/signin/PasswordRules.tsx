import { type PasswordPolicy, passwordNote, passwordRules, ruleState } from '~/model/password';
import { RuleList } from '~/ui/Codes';
import styles from './PublicPage.module.css';

export interface PasswordRulesProps {
  password: string;
  policy: PasswordPolicy | undefined;
}

/** The rules of a new password, each turning from neutral to error or valid while it is typed. */
export function PasswordRules({ password, policy }: PasswordRulesProps) {
  if (!policy) return null;
  const rules = passwordRules(policy).map(({ id, text, test }) => ({
    id,
    text,
    state: ruleState(test(password), password),
  }));
  return (
    <>
      <RuleList label="Password rules" rules={rules} />
      <p className={styles.note}>{passwordNote(policy)}</p>
    </>
  );
}
