import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useController } from 'react-hook-form';
import { say } from '~/api';
import { type ExportType, MOST_EXPORTED } from '~/model/export';
import { searchOf } from '~/model/search';
import { things } from '~/office';
import { useFoundThings } from '~/section/foundThings';
import { useOrganization } from '~/session';
import { errorOf, PickField } from '~/ui';
import type { ExportFormOf } from './form';

/** So many are offered: who looks for another one types more of its name. */
const OFFERED = 50;

interface AssetsLineProps {
  form: ExportFormOf;
  type: ExportType;
  organizationId: string;
}

/** Chooses assets of the export's organization by their names and numbers. */
export function AssetsLine({ form: { control }, type, organizationId }: AssetsLineProps) {
  const { field, fieldState, formState } = useController({ control, name: 'thing_uuids' });
  const [text, setText] = useState('');
  const { options, empty } = useOptions(text, organizationId);
  // What was chosen is called as it was then, also once another text is looked for.
  const [names] = useState(() => new Map<string, string>());
  const chosen = field.value.map(id => ({ id, label: names.get(id) ?? id }));
  return (
    <PickField
      label="Assets"
      placeholder={type === 'point' || chosen.length > 0 ? 'Name or number' : everything[type]}
      options={options}
      text={text}
      onText={setText}
      empty={empty}
      chosen={chosen}
      onChange={ids => {
        for (const { id, label } of options) if (ids.includes(id)) names.set(id, label);
        field.onChange([...ids]);
        field.onBlur();
      }}
      hint={hints[type]}
      error={errorOf(fieldState, formState)}
      inputRef={field.ref}
    />
  );
}

/** What no chosen asset means. */
const everything = {
  incident: 'All assets',
  asset: 'All assets',
  closure: 'No assets',
};

const hints: Readonly<Record<ExportType, string>> = {
  point: `1 to ${MOST_EXPORTED} assets`,
  incident: `All assets, or up to ${MOST_EXPORTED} of them`,
  asset: `All assets, or up to ${MOST_EXPORTED} of them`,
  closure: `Up to ${MOST_EXPORTED} assets`,
};

/** The assets to choose from: of the organization that is looked at from the live picture, of another one from its list. */
function useOptions(text: string, organizationId: string) {
  const isHere = organizationId === useOrganization().id;
  const found = useFoundThings(text, organizationId);
  const { data, error } = useQuery({ ...things.list(organizationId), enabled: !isHere });
  const options = useMemo(() => {
    if (isHere) return found.map(thing => optionOf(thing.id, thing.primaryDisplayName, thing.secondaryDisplayName));
    const search = searchOf(text);
    return (data ?? [])
      .filter(row => row.organization.id === organizationId)
      .map(row => optionOf(row.id, row.nickname || row.haas_id, row.nickname && row.haas_id))
      .filter(({ label }) => label.toLowerCase().includes(search))
      .slice(0, OFFERED);
  }, [isHere, found, data, text, organizationId]);
  const isComing = !isHere && data === undefined;
  const none = text === '' ? 'No assets yet' : 'No asset has this name or number';
  return { options, empty: isComing ? (error ? say('generic', error) : 'Loading…') : none };
}

const optionOf = (id: string, name: string, number: string) => ({
  id,
  label: [name, number].filter(Boolean).join(' · '),
});
