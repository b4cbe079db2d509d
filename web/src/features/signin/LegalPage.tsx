import { useBrand } from '~/session';
import styles from './LegalPage.module.css';

const documents = {
  license: {
    title: 'End User License Agreement',
    paragraphs: [
      'The software is licensed under the Apache License, Version 2.0. Your organization decides who may ' +
        'use this installation and for what. If it has published its own agreement, that agreement takes ' +
        'precedence.',
      "What you see here (positions, incidents, names) is confidential. Don't share it outside your organization.",
    ],
  },
  terms: {
    title: 'Terms',
    paragraphs: [
      "Use this service for your organization's work only, and only with your own account. Whoever runs " +
        'this installation may record sign-ins and changes.',
      "Positions and alerts come from devices in the field and may be late, incomplete, or wrong. They don't replace your own judgment.",
    ],
  },
} as const;

/** The documents that the sign-in screen links to, until an operator sets addresses of their own. */
function LegalPage({ id }: { id: keyof typeof documents }) {
  const { name } = useBrand();
  const { title, paragraphs } = documents[id];
  return (
    <main className={styles.page}>
      <p className={styles.brand}>
        <span className="light-bar" aria-hidden="true" />
        {name}
      </p>
      <h1>{title}</h1>
      {paragraphs.map(text => (
        <p key={text}>{text}</p>
      ))}
      <a href="/welcome/signin">Back to sign-in</a>
    </main>
  );
}

export const LicensePage = () => <LegalPage id="license" />;
export const TermsPage = () => <LegalPage id="terms" />;
