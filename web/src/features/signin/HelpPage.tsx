import { useEffect } from 'react';
import { hasSupportMail, setTitle, useBrand } from '~/session';
import styles from './LegalPage.module.css';

const topics = [
  {
    id: 'rename-assets',
    title: 'Rename assets',
    text:
      'Open Live, choose the asset in the list or on the map, then Edit next to Profile. Everyone sees the ' +
      'nickname; without one, the system name shows. Your role must allow you to edit assets.',
  },
  {
    id: 'add-users',
    title: 'Add users',
    text:
      "Open the profile menu, then Manage Accounts & Users, Users, then Add user. They'll get an email " +
      'with a link to choose a password. Only administrators can add users.',
  },
  {
    id: 'view-reports',
    title: 'View reports',
    text:
      'Choose Data at the top right of the map, then Monthly Reports, and a month. Your role must allow you to ' +
      'view reports.',
  },
  {
    id: 'create-exports',
    title: 'Create exports',
    text:
      'Choose Data at the top right of the map, then Data Exports, then New export. The list shows when the files ' +
      'are ready. Your role must allow you to create exports.',
  },
] as const;

/** /help: the topics of the support dialog, until an operator sets an address of their own (brand.help_url). */
export function HelpPage() {
  const brand = useBrand();
  const { name } = brand;
  useEffect(() => {
    setTitle(`Help · ${name}`);
    // The page is drawn after the browser has looked for the anchor.
    document.getElementById(window.location.hash.slice(1))?.scrollIntoView();
  }, [name]);
  return (
    <main className={styles.page}>
      <p className={styles.brand}>
        <span className="light-bar" aria-hidden="true" />
        {name}
      </p>
      <h1>Help</h1>
      {topics.map(topic => (
        <section key={topic.id} id={topic.id}>
          <h2>{topic.title}</h2>
          <p>{topic.text}</p>
        </section>
      ))}
      {hasSupportMail(brand) && (
        <p>
          Anything else: <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>
        </p>
      )}
      <a href="/">Take me back to the main page</a>
    </main>
  );
}
