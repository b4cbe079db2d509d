import { type Preferences, setPreference, useCan, usePreference } from '~/session';
import { Card, Segmented, ToggleRow } from '~/ui';
import styles from './profile.module.css';

type Flag = { [K in keyof Preferences]: Preferences[K] extends boolean ? K : never }[keyof Preferences];

interface Line {
  name: Flag;
  label: string;
  hint: string;
}

const live: readonly Line[] = [
  {
    name: 'showOffline',
    label: 'Show offline assets',
    hint: 'Assets that have not checked in for 96 hours stay listed.',
  },
  { name: 'groupView', label: 'Group view', hint: 'The list groups assets by organization.' },
];

const density: Line = {
  name: 'densityView',
  label: 'Density view',
  hint: 'The map shows where many assets are instead of each one.',
};

const help: readonly Line[] = [
  {
    name: 'hideOfflineNotice',
    label: 'Hide the offline-assets notice',
    hint: 'No note when offline assets are left out.',
  },
  { name: 'alwaysShowSupport', label: 'Always show support', hint: 'The support dialog opens at every visit.' },
  { name: 'hideSupportDialog', label: 'Hide the support dialog', hint: 'It no longer opens by itself.' },
];

const comfort: readonly Line[] = [
  { name: 'sound', label: 'Sound', hint: 'For a new on-scene asset and for a lost connection.' },
  { name: 'shortcuts', label: 'Single-key shortcuts', hint: 'Such as / for search and ? for help.' },
];

const themes = [
  { id: 'system', label: 'System' },
  { id: 'dark', label: 'Dark' },
  { id: 'light', label: 'Light' },
] as const;

/** The saved preferences of this browser (specification section 3); each counts at once. */
export function PreferencesCard() {
  const seesDensity = useCan('VIEW_HEATMAP');
  const theme = usePreference('theme');
  return (
    <Card title="Preferences" hint="Kept in this browser; each counts at once.">
      <h3 className={styles.groupTitle}>Live</h3>
      {(seesDensity ? [...live, density] : live).map(line => (
        <FlagRow key={line.name} {...line} />
      ))}
      <h3 className={styles.groupTitle}>Help and notices</h3>
      {help.map(line => (
        <FlagRow key={line.name} {...line} />
      ))}
      <h3 className={styles.groupTitle}>Look and sound</h3>
      <div className={styles.row}>
        <div className={styles.rowText}>Theme</div>
        <Segmented label="Theme" value={theme} onChange={chosen => setPreference('theme', chosen)} options={themes} />
      </div>
      {comfort.map(line => (
        <FlagRow key={line.name} {...line} />
      ))}
    </Card>
  );
}

/** Two wishes about one dialog cannot both hold: the newer one wins. */
const OPPOSITE: Partial<Record<Flag, Flag>> = {
  alwaysShowSupport: 'hideSupportDialog',
  hideSupportDialog: 'alwaysShowSupport',
};

function FlagRow({ name, label, hint }: Line) {
  const isOn = usePreference(name);
  const change = (on: boolean) => {
    setPreference(name, on);
    const other = OPPOSITE[name];
    if (on && other) setPreference(other, false);
  };
  return <ToggleRow label={label} hint={hint} isSelected={isOn} onChange={change} />;
}
