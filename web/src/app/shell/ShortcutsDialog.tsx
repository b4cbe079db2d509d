import { Fragment } from 'react';
import { useStore } from '~/lib/store';
import { setPreference, usePreference } from '~/session';
import { Button } from '~/ui/Button';
import { Dialog } from '~/ui/Dialog';
import { Switch } from '~/ui/Switch';
import styles from './Dialogs.module.css';
import { shortcutsHelp } from './shortcutsHelp';

const keys: readonly [keys: readonly string[], what: string][] = [
  [['/'], 'Search'],
  [['j', 'k'], 'Next and previous row'],
  [['Enter'], 'Open the row'],
  [['Esc'], 'Back'],
  [['f'], 'Follow the selected asset'],
  [['Space'], 'Play or pause trips'],
  [['←', '→'], '10 s back or on in trips, with Shift 1 min'],
  [['Home', 'End'], 'Begin and end of trips'],
  [['g'], 'Group by organization'],
  [['?'], 'This help'],
];

/** What each key does, and the way to switch single keys off. */
export default function ShortcutsDialog() {
  const open = useStore(shortcutsHelp);
  const on = usePreference('shortcuts');
  return (
    <Dialog
      isOpen={open}
      onOpenChange={shortcutsHelp.set}
      title="Keyboard shortcuts"
      actions={
        <Button variant="primary" onPress={() => shortcutsHelp.set(false)}>
          Close
        </Button>
      }
    >
      <dl className={styles.keys}>
        {keys.map(([names, what]) => (
          <Fragment key={what}>
            <dt>
              {names.map(name => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </Fragment>
        ))}
      </dl>
      <Switch isSelected={on} onChange={value => setPreference('shortcuts', value)} atEnd>
        Single-key shortcuts
      </Switch>
    </Dialog>
  );
}
