import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { say } from '~/api';
import { searchOf } from '~/model/search';
import { things } from '~/office';
import { useMay, useOrganization } from '~/session';
import { Button, Dialog, PickField } from '~/ui';
import { MAY, type Vehicle } from './integration';
import styles from './integrations.module.css';
import { marksText, NEW } from './vehicles';

/** So many are offered: who looks for another one types more of its name. */
const OFFERED = 50;

interface AssetDialogProps {
  vehicle: Vehicle;
  /** which asset it is now; '' = none, NEW = one is made of it */
  thingId: string;
  onChoose: (thingId: string) => void;
  onClose: () => void;
}

/** Which asset a vehicle is. */
export function AssetDialog({ vehicle, thingId, onChoose, onClose }: AssetDialogProps) {
  const [chosen, setChosen] = useState(thingId === NEW ? '' : thingId);
  const mayCreate = useMay(MAY.newThings);
  const [text, setText] = useState('');
  const { options, nameOf, empty } = useAssets(text);
  return (
    <Dialog
      isOpen
      wide
      onOpenChange={open => !open && onClose()}
      title={`Which asset is ${vehicle.name || vehicle.external_id}?`}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          {mayCreate && <Button onPress={() => onChoose(NEW)}>Create a new asset</Button>}
          <Button variant="primary" onPress={() => onChoose(chosen)}>
            {chosen === '' ? 'Link no asset' : 'Choose'}
          </Button>
        </>
      }
    >
      <p className={styles.marks}>{marksText(vehicle)}</p>
      <PickField
        label="Asset"
        placeholder="Name, number, VIN, or plate"
        options={options}
        text={text}
        onText={setText}
        empty={empty}
        chosen={chosen === '' ? [] : [{ id: chosen, label: nameOf(chosen) }]}
        onChange={ids => setChosen(ids.at(-1) ?? '')}
      />
    </Dialog>
  );
}

/** The organization's own assets for a text. */
function useAssets(text: string) {
  const { id } = useOrganization();
  const { data, error } = useQuery(things.list(id));
  const all = useMemo(
    () =>
      (data ?? [])
        .filter(one => one.organization.id === id)
        .map(one => ({
          id: one.id,
          label: [one.nickname || one.haas_id, one.nickname && one.haas_id].filter(Boolean).join(' · '),
          words: searchOf([one.nickname, one.haas_id, one.vin_number, one.license_plate_number].join(' ')),
        }))
        .sort((a, b) => a.label.localeCompare(b.label, 'en', { numeric: true })),
    [data, id],
  );
  const options = useMemo(() => {
    const search = searchOf(text);
    return all.filter(one => one.words.includes(search)).slice(0, OFFERED);
  }, [all, text]);
  const nameOf = (thingId: string) => all.find(one => one.id === thingId)?.label ?? thingId;
  const none = text === '' ? 'No assets yet' : 'No asset has this name or number';
  return { options, nameOf, empty: data ? none : error ? say('generic', error) : 'Loading…' };
}
