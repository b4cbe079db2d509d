import type { ReactNode } from 'react';
import { EVERY_MAP_VIEW, type Preferences, setPreference, useCan, usePreference } from '~/session';
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
    hint: 'Keep assets in the list after 96 hours without a check-in.',
  },
  { name: 'groupView', label: 'Group view', hint: 'Groups the list by organization.' },
];

const density: Line = {
  name: 'densityView',
  label: 'Density view',
  hint: 'Shows a heat map instead of individual assets. Alerting assets always stay visible.',
};

const NOTICE = [
  { id: 'show', label: 'Show' },
  { id: 'hide', label: 'Hide' },
] as const;

const SUPPORT = [
  { id: 'first', label: 'First time' },
  { id: 'always', label: 'Always' },
  { id: 'never', label: 'Never' },
] as const;
type Support = (typeof SUPPORT)[number]['id'];

const comfort: readonly Line[] = [
  { name: 'sound', label: 'Sound', hint: 'Plays when an asset arrives on scene and when the connection is lost.' },
  { name: 'shortcuts', label: 'Single-key shortcuts', hint: 'Such as / for search and ? for help.' },
];

const themes = [
  { id: 'system', label: 'System' },
  { id: 'dark', label: 'Dark' },
  { id: 'light', label: 'Light' },
] as const;

/** The saved preferences of this browser (requirements 3.pref); each counts at once. */
export function PreferencesCard() {
  const seesDensity = useCan('VIEW_HEATMAP');
  const theme = usePreference('theme');
  return (
    <Card title="Preferences" hint="Saved in this browser. Changes apply immediately.">
      <h3 className={styles.groupTitle}>Live</h3>
      {(seesDensity ? [...live, density] : live).map(line => (
        <FlagRow key={line.name} {...line} />
      ))}
      <h3 className={styles.groupTitle}>Help and notices</h3>
      <OfflineNoticeRow />
      <SupportRow />
      <InstructionsRow />
      <h3 className={styles.groupTitle}>Look and sound</h3>
      <Row label="Theme">
        <Segmented label="Theme" value={theme} onChange={chosen => setPreference('theme', chosen)} options={themes} />
      </Row>
      {comfort.map(line => (
        <FlagRow key={line.name} {...line} />
      ))}
    </Card>
  );
}

/** Off as soon as those of one view are not wanted; on brings all of them back. */
function InstructionsRow() {
  const hidden = usePreference('hiddenMapInstructions');
  return (
    <ToggleRow
      label="Show map instructions"
      hint="Open the steps for each map view automatically, including the ones you turned off."
      isSelected={hidden.length === 0}
      onChange={on => setPreference('hiddenMapInstructions', on ? [] : [EVERY_MAP_VIEW])}
    />
  );
}

function OfflineNoticeRow() {
  const isHidden = usePreference('hideOfflineNotice');
  return (
    <Row label="Offline-assets notice">
      <Segmented
        label="Offline-assets notice"
        value={isHidden ? 'hide' : 'show'}
        onChange={chosen => setPreference('hideOfflineNotice', chosen === 'hide')}
        options={NOTICE}
      />
    </Row>
  );
}

/** One choice of what the browser keeps as two flags. */
function SupportRow() {
  const isAlways = usePreference('alwaysShowSupport');
  const isNever = usePreference('hideSupportDialog');
  const choose = (chosen: Support) => {
    setPreference('alwaysShowSupport', chosen === 'always');
    setPreference('hideSupportDialog', chosen === 'never');
  };
  return (
    <Row label="Support at sign-in">
      <Segmented
        label="Support at sign-in"
        value={isAlways ? 'always' : isNever ? 'never' : 'first'}
        onChange={choose}
        options={SUPPORT}
      />
    </Row>
  );
}

const Row = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={styles.row}>
    <div className={styles.rowText}>{label}</div>
    {children}
  </div>
);

function FlagRow({ name, label, hint }: Line) {
  const isOn = usePreference(name);
  return <ToggleRow label={label} hint={hint} isSelected={isOn} onChange={on => setPreference(name, on)} />;
}
