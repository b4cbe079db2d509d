import { Plus, Trash2 } from 'lucide-react';
import { type Control, useFieldArray } from 'react-hook-form';
import styles from '~/section/form.module.css';
import { Button, FormTextField, IconButton, SelectLine, useWords } from '~/ui';
import { INTEGRATIONS_MAX, PROVIDERS, type ThingForm } from './form';

const providers = PROVIDERS.map(id => ({ id, label: id }));
const textOf = (value: unknown) =>
  (value as ThingForm['external_identifiers']).map(one => `${one.system_name} · ${one.identifier_id}`).join(', ');

/** The asset's integrations: provider and id, at most 2, each provider once. */
export function IntegrationFields({ control }: { control: Control<ThingForm> }) {
  const name = 'external_identifiers';
  const { fields, append, remove } = useFieldArray({ control, name });
  useWords(name, 'Integrations', textOf);
  return (
    <fieldset className={styles.integrations}>
      <legend>Integrations</legend>
      {fields.map((row, i) => (
        <div key={row.id} className={styles.integration}>
          <SelectLine
            control={control}
            name={`${name}.${i}.system_name`}
            label="Provider"
            options={providers}
            placeholder="Provider"
          />
          <FormTextField control={control} name={`${name}.${i}.identifier_id`} label="ID" />
          <IconButton label={`Remove integration ${i + 1}`} variant="ghost" onPress={() => remove(i)}>
            <Trash2 size={16} strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
        </div>
      ))}
      {fields.length < INTEGRATIONS_MAX && (
        <Button
          size="small"
          icon={<Plus size={14} strokeWidth={1.75} aria-hidden="true" />}
          onPress={() => append({ system_name: '', identifier_id: '' })}
        >
          Add integration
        </Button>
      )}
    </fieldset>
  );
}
