import type { LucideIcon } from 'lucide-react';
import styles from './Steps.module.css';

export interface StepsProps {
  steps: readonly string[];
  /** Where one is, from 0. */
  at: number;
}

/** The steps of something that is made in a few: where one is, and what comes. */
export const Steps = ({ steps, at }: StepsProps) => (
  <ol className={styles.steps} aria-label="Steps">
    {steps.map((label, index) => (
      <li key={label} {...(index === at ? { 'aria-current': 'step' as const } : {})}>
        {label}
      </li>
    ))}
  </ol>
);

export interface ChoiceCard<Id extends string> {
  id: Id;
  Icon: LucideIcon;
  title: string;
  /** What it is, in one sentence. */
  sentence: string;
  /** Why it can't be chosen. */
  refusal?: string | undefined;
}

export interface ChoiceCardsProps<Id extends string> {
  cards: readonly ChoiceCard<Id>[];
  onChoose: (id: Id) => void;
}

/** A few large choices, of which one leads on. */
export const ChoiceCards = <Id extends string>({ cards, onChoose }: ChoiceCardsProps<Id>) => (
  <div className={styles.cards}>
    {cards.map(({ id, Icon, title, sentence, refusal }) => (
      <button key={id} type="button" className={styles.card} disabled={!!refusal} onClick={() => onChoose(id)}>
        <Icon size={24} strokeWidth={1.75} aria-hidden="true" />
        <b>{title}</b>
        <span>{sentence}</span>
        {refusal && <span className={styles.why}>{refusal}</span>}
      </button>
    ))}
  </div>
);
