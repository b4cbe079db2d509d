import { useState } from 'react';
import { type Operation, say } from '~/api';
import { useAtNow } from '~/live';
import { ageText } from '~/model/format';
import type { Hazard } from '~/model/hazard';
import { ENDED_MS, endOf, isHazardActive } from '~/model/hazardFilter';
import type { Words } from '~/model/organization';
import { DetailScreen, Hero } from '~/section/DetailScreen';
import look from '~/section/detail.module.css';
import { EditLink } from '~/section/EditLink';
import { Figures, placeFact } from '~/section/facts';
import { DetailSection } from '~/section/parts';
import { useFullReach, useMay } from '~/section/reach';
import { useWords } from '~/section/words';
import { Button, ErrorNotice, KeyValues, toast } from '~/ui';
import { HazardMark } from './HazardMark';
import styles from './hazards.module.css';
import { HAZARDS } from './noun';
import { clearHazard, confirmHazard } from './queries';
import {
  confirmationText,
  confirmedText,
  endedText,
  endText,
  expiresText,
  leftText,
  sourceText,
  timeText,
  typeText,
} from './words';

/** The detail of one hazard. */
export function HazardDetail({ id }: { id: string }) {
  return (
    <DetailScreen
      noun={HAZARDS}
      id={id}
      shown={HAZARDS.useShown(id)}
      missing="It may be too old, or your organization doesn't have access to it."
    >
      {hazard => <Detail hazard={hazard} />}
    </DetailScreen>
  );
}

function Detail({ hazard }: { hazard: Hazard }) {
  const words = useWords();
  const confirmed = useAtNow(now => confirmationText(hazard, now));
  const times = useAtNow(now => [hazard.start_time, hazard.expires_at].map(at => timeText(at, words, now)).join('|'));
  const [start = '', expires = ''] = times.split('|');
  return (
    <>
      <Head hazard={hazard} words={words} />
      <DetailSection title="Hazard">
        <KeyValues
          rows={[
            ['Description', hazard.description],
            ['Street', hazard.street],
            placeFact(hazard),
            ['Source', sourceText(hazard)],
            ...(hazard.reported_by === null ? [] : [['Reported by', hazard.reported_by] as const]),
            ['Confirmed', confirmed],
            ['Reported', start],
            ['Expires', expires],
            ['System ID', hazard.external_id],
            ['Organization', hazard.organization_name],
          ]}
        />
      </DetailSection>
    </>
  );
}

function Head({ hazard, words }: { hazard: Hazard; words: Words }) {
  const isActive = useAtNow(now => isHazardActive(hazard, now));
  return (
    <Hero
      id={hazard.id}
      mark={<HazardMark type={hazard.type} isActive={isActive} size={48} />}
      name={typeText(hazard.type)}
      what="hazard"
      isOnMap={isActive}
      aside={isActive && <Edit hazard={hazard} />}
      status={
        <>
          <State hazard={hazard} words={words} />
          <Actions hazard={hazard} />
        </>
      }
    >
      <p>{[hazard.street, sourceText(hazard)].filter(Boolean).join(' · ')}</p>
    </Hero>
  );
}

/** What somebody reported by hand can be edited. */
function Edit({ hazard }: { hazard: Hazard }) {
  const may = useMay('EDIT_HAZARD', hazard.organization_id);
  return may && hazard.reported_by !== null ? <EditLink to={HAZARDS.edit(hazard.id)} what="hazard" /> : null;
}

/** Whether it stands and how long still, or why it does not. */
function State({ hazard, words }: { hazard: Hazard; words: Words }) {
  const end = useAtNow(now => endText(hazard, words, now));
  const endedAt = useAtNow(now => (endOf(hazard, now) === 0 ? '' : endedText(hazard, words, now)));
  const says = useAtNow(now =>
    end ? endedAt : [expiresText(hazard, now), confirmedText(hazard)].filter(Boolean).join(' · '),
  );
  const figures = useAtNow(now =>
    [ageText(hazard.start_time, now), end ? '' : leftText(hazard.expires_at, now)].join('|'),
  );
  const [age = '', left = ''] = figures.split('|');
  return (
    <>
      <p className={look.statusLine} role="status">
        <b className={end ? 's-offline' : styles.expires}>{end || 'Active'}</b>
        <span>{says}</span>
      </p>
      {!end && (
        <Figures
          rows={[
            ['Age', age],
            ['Expires in', left],
          ]}
        />
      )}
    </>
  );
}

/** Anybody on shift says that it is still there, or gone; what was said wrongly is undone by the other. */
function Actions({ hazard }: { hazard: Hazard }) {
  const acts = useFullReach(hazard.organization_id);
  const isActive = useAtNow(now => isHazardActive(hazard, now));
  const mayReturn = useAtNow(now => !isActive && endOf(hazard, now) > now - ENDED_MS);
  const [pending, setPending] = useState<Operation>();
  const [failure, setFailure] = useState<string>();
  if (!acts || !(isActive || mayReturn)) return null;
  const act = async (
    operation: 'hazard.confirm' | 'hazard.clear',
    run: (id: string) => Promise<void>,
    done: string,
  ) => {
    setPending(operation);
    setFailure(undefined);
    try {
      await run(hazard.id);
      toast(done);
    } catch (error) {
      setFailure(say(operation, error));
    }
    setPending(undefined);
  };
  const confirm = isActive ? 'Confirm' : hazard.end_reason === 'cleared' ? 'Undo clear' : "Confirm it's still there";
  return (
    <>
      <div className={styles.actions}>
        <Button
          variant={isActive ? 'default' : 'primary'}
          isPending={pending === 'hazard.confirm'}
          isDisabled={pending === 'hazard.clear'}
          onPress={() =>
            void act('hazard.confirm', confirmHazard, isActive ? 'Hazard confirmed' : 'Hazard is active again')
          }
        >
          {confirm}
        </Button>
        {isActive && (
          <Button
            isPending={pending === 'hazard.clear'}
            isDisabled={pending === 'hazard.confirm'}
            onPress={() => void act('hazard.clear', clearHazard, 'Hazard cleared')}
          >
            Clear
          </Button>
        )}
      </div>
      {failure && <ErrorNotice className={styles.failure ?? ''}>{failure}</ErrorNotice>}
    </>
  );
}
