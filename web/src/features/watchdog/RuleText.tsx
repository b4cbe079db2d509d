import type { ReactNode } from 'react';
import { ruleTitle, ruleWords } from '~/model/finding';
import { foundText, type Rule } from './watchdog';
import styles from './watchdog.module.css';

/** A rule: what it is called, what it means, how often it found something; at its end what it is set to. */
export function RuleText({ rule, children }: { rule: Rule; children: ReactNode }) {
  return (
    <div className={styles.rule}>
      <div>
        <b>{ruleTitle(rule.rule)}</b>
        <p>{ruleWords(rule.rule).means}</p>
        <p className="num">{foundText(rule)}</p>
      </div>
      {children}
    </div>
  );
}
