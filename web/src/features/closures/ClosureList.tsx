import list from '~/section/list.module.css';
import screen from '~/section/screen.module.css';
import { useNoneSelected } from '~/section/view';

/** The list screen of the section. */
export function ClosureList() {
  useNoneSelected();
  return (
    <section className={screen.screen} aria-labelledby="closures-title">
      <header className={list.head} data-sheet-head>
        <h1 id="closures-title" className={list.title}>
          Closures
        </h1>
      </header>
    </section>
  );
}
