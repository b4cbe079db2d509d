import { Clock } from 'lucide-react';
import { Suspense, useState } from 'react';
import { cx } from '~/lib/cx';
import { lazyPart } from '~/lib/lazyPart';
import { useStore } from '~/lib/store';
import { streamStore } from '~/live';
import type { Closure } from '~/model/closure';
import { IconButton, Switch } from '~/ui';
import styles from './closures.module.css';
import { useMaySwitch, useQuickSwitch } from './quick';

const UntilDialog = lazyPart(() => import('./UntilDialog'), 'UntilDialog');

/** The switch and the clock of a manual closure; nothing for whoever may not, or where a board or a feed says it. */
export function QuickActions({ closure, words }: { closure: Closure /** beside the switch */; words?: boolean }) {
  return useMaySwitch(closure) ? <Actions closure={closure} words={words ?? false} /> : null;
}

function Actions({ closure, words }: { closure: Closure; words: boolean }) {
  const { isOn, isPending, turn } = useQuickSwitch(closure);
  const isOffline = useStore(streamStore, state => !state.online);
  const [asks, setAsks] = useState(false);
  const name = closure.description;
  return (
    // What these do is not the row's.
    // biome-ignore lint/a11y/noStaticElementInteractions: the controls inside are what is pressed
    // biome-ignore lint/a11y/useKeyWithClickEvents: the same
    <div className={cx(styles.quick, words && styles.inHero)} onClick={event => event.stopPropagation()}>
      <IconButton
        label={words ? 'Set end time' : `Set end time for ${name}`}
        variant="ghost"
        size="small"
        isDisabled={isOffline}
        onPress={() => setAsks(true)}
      >
        <Clock size={16} strokeWidth={1.75} aria-hidden="true" />
      </IconButton>
      <Switch
        isSelected={isOn}
        isDisabled={isPending || isOffline}
        onChange={turn}
        className={styles.switch ?? ''}
        {...(!words && { 'aria-label': `${name} active` })}
      >
        {words ? 'Active' : null}
      </Switch>
      <Suspense>{asks && <UntilDialog closure={closure} onClose={() => setAsks(false)} />}</Suspense>
    </div>
  );
}
