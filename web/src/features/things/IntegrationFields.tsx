import { Plus, Trash2 } from 'lucide-react';
import { type Control, Controller, useFieldArray } from 'react-hook-form';
import { Button, errorOf, IconButton, Select, TextField } from '~/ui';
import { INTEGRATIONS_MAX, PROVIDERS, type ThingForm } from './form';
import styles from './form.module.css';

/** The asset's integrations: provider and id, at most 2, each provider once. */
export function IntegrationFields({ control }: { control: Control<ThingForm> }) {
  const { fields, append, remove } = useFieldArray({ control, name: 'integrations' });
  return (
    <fieldset className={styles.integrations}>
      <legend>Integrations</legend>
      {fields.map((row, i) => (
        <div key={row.id} className={styles.integration}>
          <Controller
            control={control}
            name={`integrations.${i}.name`}
            render={({ field, fieldState, formState }) => (
              <Select
                label="Provider"
                options={PROVIDERS.map(p => ({ id: p, label: p }))}
                value={field.value || null}
                placeholder="Provider"
                onChange={field.onChange}
                onBlur={field.onBlur}
                error={errorOf(fieldState, formState)}
              />
            )}
          />
          <Controller
            control={control}
            name={`integrations.${i}.id`}
            render={({ field, fieldState, formState }) => (
              <TextField
                label="ID"
                value={field.value}
                onChange={field.onChange}
                onBlur={field.onBlur}
                inputRef={field.ref}
                error={errorOf(fieldState, formState)}
              />
            )}
          />
          <IconButton label={`Remove integration ${i + 1}`} variant="ghost" onPress={() => remove(i)}>
            <Trash2 size={16} strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
        </div>
      ))}
      {fields.length < INTEGRATIONS_MAX && (
        <Button
          size="small"
          icon={<Plus size={14} strokeWidth={1.75} aria-hidden="true" />}
          onPress={() => append({ name: '', id: '' })}
        >
          Add integration
        </Button>
      )}
    </fieldset>
  );
}
