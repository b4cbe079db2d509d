import { useCallback, useEffect, useState } from 'react';
import { say } from '~/api';
import { locate } from '~/map/geolocation';
import type { LatLng } from '~/map/types';
import { useBrand, useOrganization } from '~/session';
import { Button, Dialog, ErrorNotice, toast } from '~/ui';
import { usualText } from './form';
import { HazardMark } from './HazardMark';
import styles from './hazards.module.css';
import { HAZARDS } from './noun';
import { HAZARD_TYPES, typeText } from './words';

/** Reports a hazard where the user is, in two taps with a glove: what it is, and yes. It can be undone for ten seconds. */
export function ReportHazard({ onClose }: { onClose: () => void }) {
  const { id: organization_id } = useOrganization();
  const here = useHere();
  const [type, setType] = useState('');
  // Sent again after a lost answer it makes no second one.
  const [uuid] = useState(() => crypto.randomUUID());
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState('');
  const report = async ({ lat, lng }: LatLng) => {
    setSending(true);
    setFailure('');
    try {
      await HAZARDS.add({ uuid, organization_id, type, lat, lng });
      toast(`${typeText(type)} reported`, { action: { label: 'Undo', onPress: () => void takeBack(uuid) } });
      onClose();
    } catch (error) {
      setFailure(say('hazard.add', error));
      setSending(false);
    }
  };
  const place = here.place;
  return (
    <Dialog
      isOpen
      onOpenChange={isOpen => !isOpen && onClose()}
      title={type ? `Report ${typeText(type).toLowerCase()} here?` : 'What is on the road?'}
      wide
      actions={
        <>
          <Button onPress={type ? () => setType('') : onClose}>{type ? 'Back' : 'Cancel'}</Button>
          {type && (
            <Button
              variant="primary"
              className={styles.report}
              isDisabled={!place}
              isPending={isSending}
              onPress={() => place && void report(place)}
            >
              Report
            </Button>
          )}
        </>
      }
    >
      {type ? (
        <p className={styles.lasts}>
          It is shown where you are now, and ends after {usualText(type)} unless somebody confirms it.
        </p>
      ) : (
        <div className={styles.kinds}>
          {HAZARD_TYPES.map(({ id, label }) => (
            <Button key={id} className={styles.kind} onPress={() => setType(id)}>
              <HazardMark type={id} isActive size={32} />
              {label}
            </Button>
          ))}
        </div>
      )}
      {!place && !here.failure && <p role="status">Waiting for your location…</p>}
      {here.failure && <ErrorNotice onRetry={here.ask}>{here.failure}</ErrorNotice>}
      {failure && <ErrorNotice>{failure}</ErrorNotice>}
    </Dialog>
  );
}

async function takeBack(id: string): Promise<void> {
  try {
    await HAZARDS.remove(id);
    toast('Hazard taken back');
  } catch (error) {
    toast(say('hazard.delete', error), { tone: 'danger' });
  }
}

/** Where the user is, asked as soon as the dialog stands. */
function useHere() {
  const { name } = useBrand();
  const [place, setPlace] = useState<LatLng | null>(null);
  const [failure, setFailure] = useState('');
  const ask = useCallback(() => {
    setFailure('');
    void locate(navigator.geolocation, name).then(found => {
      if ('place' in found) setPlace(found.place);
      else setFailure(found.failure);
    });
  }, [name]);
  useEffect(ask, [ask]);
  return { place, failure, ask };
}
