import limits from '@catalog/limits.json';
import { Circle, CircleCheck, CircleX } from 'lucide-react';
import { passwordRules, type RuleState, ruleState } from '~/model/password';
import styles from './PublicPage.module.css';

const marks: Readonly<Record<RuleState, { Icon: typeof Circle; word: string }>> = {
  neutral: { Icon: Circle, word: '' },
  error: { Icon: CircleX, word: 'not met' },
  valid: { Icon: CircleCheck, word: 'met' },
};

/** The rules of a new password, each turning from neutral to error or valid while it is typed. */
export function PasswordRules({ password }: { password: string }) {
  return (
    <>
      <ul className={styles.rules} aria-label="Password rules">
        {passwordRules.map(rule => {
          const state = ruleState(rule.test(password), password);
          const { Icon, word } = marks[state];
          return (
            <li key={rule.id} className={styles.rule} data-state={state}>
              <Icon size={14} strokeWidth={2} aria-hidden="true" />
              {rule.text}
              {word && <span className="visually-hidden"> ({word})</span>}
            </li>
          );
        })}
      </ul>
      <p className={styles.note}>Not one of your last {limits.session.passwordHistory.value} passwords.</p>
    </>
  );
}
