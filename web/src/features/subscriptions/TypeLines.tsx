import enums from '@catalog/enums.json';
import limits from '@catalog/limits.json';
import { Plus, Trash2 } from 'lucide-react';
import { type Control, useFieldArray } from 'react-hook-form';
import { Button, FormTextField, IconButton, SelectLine, useWords } from '~/ui';
import type { SubscriptionForm } from './subscription';
import styles from './subscriptions.module.css';

const kinds = enums.hazardTypes.map(({ name, displayName }) => ({ id: name, label: displayName }));
const textOf = (value: unknown) =>
  (value as SubscriptionForm['types']).map(({ word, kind }) => `${word} · ${kind}`).join(', ');

/** What a feed calls a type of hazards, and which one that is here. */
export function TypeLines({ control }: { control: Control<SubscriptionForm> }) {
  const { fields, append, remove } = useFieldArray({ control, name: 'types' });
  useWords('types', 'Types', textOf);
  return (
    <>
      {fields.map((row, i) => (
        <div key={row.id} className={styles.type}>
          <FormTextField control={control} name={`types.${i}.word`} label="Feed's type" />
          <SelectLine control={control} name={`types.${i}.kind`} label="Type" options={kinds} />
          <IconButton label={`Remove type ${i + 1}`} variant="ghost" onPress={() => remove(i)}>
            <Trash2 size={16} strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
        </div>
      ))}
      {fields.length < limits.subscription.types.value && (
        <Button
          size="small"
          icon={<Plus size={14} strokeWidth={1.75} aria-hidden="true" />}
          onPress={() => append({ word: '', kind: 'other' })}
        >
          Add type
        </Button>
      )}
    </>
  );
}
