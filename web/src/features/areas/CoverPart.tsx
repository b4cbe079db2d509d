import enums from '@catalog/enums.json';
import limits from '@catalog/limits.json';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { say } from '~/api';
import { useNow } from '~/live';
import type { Area } from '~/model/area';
import { whenText } from '~/model/format';
import { DetailSection } from '~/section/parts';
import { useOrganization } from '~/session';
import { Button, Checkbox, Dialog, ErrorNotice, Notice, TextField, toast } from '~/ui';
import styles from './areas.module.css';
import { askCover, type Cover, endCover, missingText, useCover } from './cover';

const MOST = limits.area.coverAfterMinutes.value;
const TYPES = enums.thingTypes;

/** What the user asked to be told of the station, and whether it has its units now. */
export function CoverPart({ area }: { area: Area }) {
  const cover = useCover(area.id);
  const [isOpen, setOpen] = useState(false);
  return (
    <DetailSection
      title="Coverage"
      action={
        <Button size="small" variant="ghost" onPress={() => setOpen(true)}>
          {cover ? 'Change' : 'Watch'}
        </Button>
      }
    >
      {cover ? (
        <State cover={cover} />
      ) : (
        <p className={styles.none}>Get notified here when no unit is at this station.</p>
      )}
      {isOpen && <CoverForm area={area} cover={cover} onClose={() => setOpen(false)} />}
    </DetailSection>
  );
}

function State({ cover }: { cover: Cover }) {
  const { timezone } = useOrganization();
  const now = useNow();
  const wanted =
    cover.typeIds.map(id => TYPES.find(type => type.id === id)?.displayName ?? '').join(', ') || 'Any asset';
  const since = whenText(cover.since, timezone, now);
  return (
    <>
      {cover.isCovered === null && <p>Unknown. Assets aren't matched to an inactive area.</p>}
      {cover.isCovered === false && (
        <Notice tone="warn">
          {missingText(cover)} since {since}
        </Notice>
      )}
      {cover.isCovered && (
        <p>{cover.since === 0 ? 'Covered' : `${missingText(cover)} since ${since}, not yet notified`}</p>
      )}
      <p className={styles.none}>
        Watched: {wanted}
        {cover.afterMinutes > 0 && `, after ${cover.afterMinutes} min`}
      </p>
    </>
  );
}

function CoverForm({ area, cover, onClose }: { area: Area; cover: Cover | undefined; onClose: () => void }) {
  const client = useQueryClient();
  const [types, setTypes] = useState<readonly string[]>(cover?.typeIds ?? []);
  const [minutes, setMinutes] = useState(String(cover?.afterMinutes ?? 0));
  const [error, setError] = useState<string>();
  const [isPending, setPending] = useState(false);
  const isNumber = /^\d{1,4}$/.test(minutes.trim()) && Number(minutes) <= MOST;
  const send = async (run: () => Promise<unknown>, done: string) => {
    setPending(true);
    setError(undefined);
    try {
      await run();
      toast(done);
      onClose();
    } catch (thrown) {
      setError(say('area.cover', thrown));
      setPending(false);
    }
  };
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={`Watch ${area.name}`}
      actions={
        <>
          {cover && (
            <Button
              variant="ghost"
              isDisabled={isPending}
              onPress={() => void send(() => endCover(client, area.id), 'No longer watched')}
            >
              Stop watching
            </Button>
          )}
          <Button onPress={onClose}>Cancel</Button>
          <Button
            variant="primary"
            isDisabled={!isNumber || isPending}
            onPress={() => void send(() => askCover(client, area.id, types, Number(minutes)), 'Station watched')}
          >
            Save
          </Button>
        </>
      }
    >
      <fieldset className={styles.wanted}>
        <legend>Types that must be here. Choose none for any asset.</legend>
        {TYPES.map(({ id, displayName }) => (
          <Checkbox
            key={id}
            isSelected={types.includes(id)}
            onChange={on => setTypes(on ? [...types, id] : types.filter(other => other !== id))}
          >
            {displayName}
          </Checkbox>
        ))}
      </fieldset>
      <TextField
        label="Notify me after (minutes)"
        value={minutes}
        onChange={setMinutes}
        inputMode="numeric"
        hint="How long the station can be without them. 0 means right away."
        error={isNumber ? undefined : `Must be a number from 0 to ${MOST}`}
      />
      {error && <ErrorNotice>{error}</ErrorNotice>}
    </Dialog>
  );
}
