import { Square, Volume2, VolumeX } from 'lucide-react';
import { cx } from '~/lib/cx';
import { useStore } from '~/lib/store';
import type { Ahead, Side, Urgency } from '~/model/ahead';
import { farText, sideText, soonText } from '~/model/aheadWords';
import type { SpeedUnit } from '~/model/speedUnit';
import { Button } from '~/ui/Button';
import type { Drive, DriveState, Shown } from './drive';
import styles from './drive.module.css';

interface Props {
  drive: Drive;
  unit: SpeedUnit;
  onStop: () => void;
}

/** While driving: one alert at a time in huge type, what else is ahead below it, and whether all of this is true. */
export function Driving({ drive, unit, onStop }: Props) {
  const shown = useStore(drive.shown);
  const [first, ...rest] = shown.list;
  const icon = { size: 28, strokeWidth: 2, 'aria-hidden': true } as const;
  return (
    <div className={styles.driving}>
      <h1 className="visually-hidden">Driver alerts</h1>
      <StateLine standing={shown.standing} />
      {first ? <Nearest one={first} unit={unit} /> : <Quiet shown={shown} />}
      {rest.length > 0 && <Others list={rest} unit={unit} />}
      {shown.isAwake === false && (
        <p className={styles.hint}>The screen may turn off by itself: this browser doesn't keep it on.</p>
      )}
      <div className={styles.controls}>
        <Button
          size="large"
          className={styles.big}
          icon={shown.isMuted ? <VolumeX {...icon} /> : <Volume2 {...icon} />}
          onPress={() => drive.mute(!shown.isMuted)}
        >
          {shown.isMuted ? 'Unmute' : 'Mute'}
        </Button>
        <Button size="large" className={styles.big} icon={<Square {...icon} />} onPress={onStop}>
          Stop
        </Button>
      </div>
    </div>
  );
}

const standingText: Readonly<Record<DriveState, string>> = {
  live: 'Live',
  connecting: 'Connecting',
  missing: 'Alerts may be missing',
  noPosition: 'No position',
  refused: 'Not allowed',
};

function StateLine({ standing }: { standing: DriveState }) {
  return (
    <p className={cx(styles.state, standing === 'live' && styles.live)} role="status" data-standing={standing}>
      <span className={styles.lamp} aria-hidden="true" />
      {standingText[standing]}
    </p>
  );
}

const urgencyText: Readonly<Record<Urgency, string>> = { later: '', soon: 'Soon', now: 'Close' };

function Nearest({ one, unit }: { one: Ahead; unit: SpeedUnit }) {
  const { alert, meters, seconds, side, urgency } = one;
  const where = meters === 0 ? 'You are in it' : [urgencyText[urgency], sideText[side]].filter(Boolean).join(', ');
  return (
    <section className={cx(styles.nearest, styles[urgency])} aria-label="Nearest" data-alert={alert.id}>
      <Badge side={side} urgency={urgency} />
      <div className={styles.words}>
        <p className={styles.what}>{alert.what}</p>
        <p className={cx(styles.far, 'num')}>{farText(unit, meters)}</p>
        <p className={cx(styles.soonText, 'num')}>{soonText(seconds, meters)}</p>
        <p className={styles.where}>{where}</p>
        {alert.road && <p className={styles.road}>{alert.road}</p>}
      </div>
    </section>
  );
}

/** Colors of urgency go with a shape: a ring, a diamond, an octagon. */
const shapes: Readonly<Record<Urgency, string>> = {
  later: 'M50 6a44 44 0 1 1 0 88a44 44 0 0 1 0-88Z',
  soon: 'M50 2L98 50L50 98L2 50Z',
  now: 'M32 5H68L95 32V68L68 95H32L5 68V32Z',
};
const turns: Readonly<Record<Side, number>> = { ahead: 0, left: -45, right: 45 };
const ARROW = 'M50 20L74 48H59V80H41V48H26Z';

const Badge = ({ side, urgency }: { side: Side; urgency: Urgency }) => (
  <svg className={styles.badge} viewBox="0 0 100 100" role="img" aria-label={sideText[side]}>
    <path className={styles.shape} d={shapes[urgency]} />
    <path className={styles.arrow} d={ARROW} transform={`rotate(${turns[side]} 50 50)`} />
  </svg>
);

function Quiet({ shown }: { shown: Shown }) {
  const [title, text] = quietText(shown);
  return (
    <section className={styles.quiet} aria-label="Ahead">
      <p className={styles.title}>{title}</p>
      {text && <p className={styles.hint}>{text}</p>}
    </section>
  );
}

/** "Nothing ahead" is said only when it is known. */
function quietText({ standing, trouble, hasHeading }: Shown): readonly [title: string, text: string] {
  switch (standing) {
    case 'refused':
      return ['These alerts are closed', 'They are no longer public, or the key was revoked. Press Stop.'];
    case 'noPosition':
      return trouble === 'denied'
        ? ['No position', 'Allow this page to use your location in the browser’s settings, then press Stop and Start.']
        : ['No position', 'Waiting for the phone to find where you are.'];
    case 'missing':
      return ['Alerts may be missing', 'The connection is lost. It comes back by itself.'];
    case 'connecting':
      return ['Connecting', ''];
    case 'live':
      return hasHeading ? ['Nothing ahead', ''] : ['Ready', 'What is ahead is known once you drive.'];
  }
}

/** No more than fit at a glance. */
const OTHERS = 3;

function Others({ list, unit }: { list: readonly Ahead[]; unit: SpeedUnit }) {
  return (
    <ul className={styles.others} aria-label="Also ahead">
      {list.slice(0, OTHERS).map(({ alert, meters }) => (
        <li key={alert.id}>
          <span>{alert.what}</span>
          <span className="num">{farText(unit, meters)}</span>
        </li>
      ))}
      {list.length > OTHERS && <li>{list.length - OTHERS} more</li>}
    </ul>
  );
}
