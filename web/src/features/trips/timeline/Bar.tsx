import { ChevronDown, ChevronUp, Navigation, Pause, Play, SkipForward } from 'lucide-react';
import { useStore } from '~/lib/store';
import { DATE_PATTERNS, dateText } from '~/model/format';
import { useWords } from '~/section/words';
import { IconButton, IconToggle } from '~/ui/IconButton';
import { Select } from '~/ui/Select';
import { clock, playOrPause, RATES, type Rate, setFollow, setRate, setSkipping } from '../clock';
import styles from './timeline.module.css';

const RATE_OPTIONS = RATES.map(rate => ({ id: String(rate), label: `${rate}×` }));

interface BarProps {
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}

/** Play, how fast, when, and what the camera does. */
export function Bar({ isOpen, onOpen }: BarProps) {
  const playing = useStore(clock, state => state.playing);
  const rate = useStore(clock, state => state.rate);
  const follow = useStore(clock, state => state.follow);
  const skipping = useStore(clock, state => state.skipping);
  const hasSkips = useStore(clock, state => state.skips.length > 0);
  return (
    <div className={styles.bar}>
      <IconButton
        label={playing ? 'Pause' : 'Play'}
        shortcut="Space"
        variant="primary"
        className={styles.play}
        onPress={playOrPause}
      >
        {playing ? <Pause size={16} /> : <Play size={16} />}
      </IconButton>
      <Now />
      <Select
        label="Speed of playback"
        hideLabel
        options={RATE_OPTIONS}
        value={String(rate)}
        onChange={id => setRate(Number(id) as Rate)}
        className={styles.rate ?? ''}
      />
      <span className={styles.space} />
      {hasSkips && (
        <IconToggle label="Skip time without data" isSelected={skipping} onChange={setSkipping} variant="ghost">
          <SkipForward size={16} />
        </IconToggle>
      )}
      <IconToggle label="Follow" shortcut="f" isSelected={follow} onChange={setFollow} variant="ghost">
        <Navigation size={16} />
      </IconToggle>
      <IconButton
        label={isOpen ? 'Show less' : 'Show lanes'}
        variant="ghost"
        aria-expanded={isOpen}
        onPress={() => onOpen(!isOpen)}
      >
        {isOpen ? <ChevronDown size={16} /> : <ChevronUp size={16} />}
      </IconButton>
    </div>
  );
}

/** The clock's instant, to the second. */
function Now() {
  const second = useStore(clock, ({ at }) => Math.floor(at / 1000) * 1000);
  const { timeZone } = useWords();
  return (
    <p className={styles.now}>
      <b>{dateText(second, timeZone, DATE_PATTERNS.timeSeconds)}</b>
      <span>{dateText(second, timeZone, DATE_PATTERNS.monthFirst)}</span>
    </p>
  );
}
