import { type UseFormReturn, useWatch } from 'react-hook-form';
import { useRow } from '~/live';
import type { Closure } from '~/model/closure';
import { Checkbox, FormRow, FormTextField, Notice, Segmented, SelectLine, SwitchLine, useWords } from '~/ui';
import { ClosureLine } from './ClosureLine';
import { ALERT_MAX, type ClosureDraft, DESCRIPTION_MAX, ID_MAX, IMPACTS, METHODS } from './form';
import styles from './form.module.css';
import { LanesField } from './LanesField';
import { Times } from './Times';
import { DIRECTION_CHOICES, directionText } from './words';

type Form = UseFormReturn<ClosureDraft>;

interface FieldsProps {
  form: Form;
  id: string;
  /** its organization publishes work zones */
  isWzdx: boolean;
  /** the closure that is edited; none of a new one */
  closure?: Closure;
}

/** What is filled in of a closure, new or not. An automated one has no status of its own: its asset has. */
export function ClosureFields({ form, id, isWzdx, closure }: FieldsProps) {
  const { control } = form;
  return (
    <>
      {closure?.type === 'automated' ? (
        <Notice className={styles.publish ?? ''}>Its asset activates and ends this closure.</Notice>
      ) : (
        <Times form={form} />
      )}
      <FormTextField control={control} name="description" label="Description" isRequired max={DESCRIPTION_MAX} />
      <FormTextField
        control={control}
        name="alert_message"
        label="Alert Message"
        max={ALERT_MAX}
        hint="What drivers are told"
      />
      <ClosureLine form={form} id={id} />
      <FormTextField control={control} name="road_name" label="Road Name" hint="Filled in from the map; correct it" />
      <FormRow>
        <FormTextField control={control} name="street_start" label="From" />
        <FormTextField control={control} name="street_end" label="To" />
      </FormRow>
      <Direction form={form} isRequired={isWzdx} />
      {!closure && <Both form={form} />}
      <LanesField form={form} />
      <FormRow>
        <SelectLine control={control} name="vehicle_impact" label="Vehicle Impact" options={IMPACTS} none="Not said" />
        <SelectLine
          control={control}
          name="location_method"
          label="Location Method"
          options={METHODS}
          none="Not said"
        />
      </FormRow>
      <FormTextField
        control={control}
        name="group_id"
        label="Group"
        hint="Closures of one project have the same group"
      />
      {isWzdx && <Publish form={form} id={id} />}
      <SwitchLine
        control={control}
        name="is_in_service"
        label="In Service"
        hint="A closure that is out of service is hidden from lists until somebody asks for those."
      />
    </>
  );
}

/** The way that the traffic goes: that of the line, unless somebody says otherwise. */
function Direction({ form, isRequired }: { form: Form; isRequired: boolean }) {
  const direction = useWatch({ control: form.control, name: 'direction' });
  useWords('direction', 'Direction', value => directionText(String(value)) || 'Not said');
  const error = form.formState.errors.direction?.message;
  return (
    <fieldset className={styles.choice}>
      <legend>Direction{isRequired && ' (required)'}</legend>
      <Segmented
        label="Direction"
        className={styles.wide ?? ''}
        value={direction}
        onChange={next =>
          form.setValue('direction', next, { shouldDirty: true, shouldTouch: true, shouldValidate: true })
        }
        options={DIRECTION_CHOICES.map(({ id }) => ({ id, label: <abbr title={directionText(id)}>{id}</abbr> }))}
      />
      {error && (
        <p role="alert" className={styles.wrong}>
          {error}
        </p>
      )}
    </fieldset>
  );
}

function Both({ form }: { form: Form }) {
  const isSelected = useWatch({ control: form.control, name: 'both' });
  return (
    <p>
      <Checkbox isSelected={isSelected} onChange={on => form.setValue('both', on, { shouldDirty: true })}>
        Both directions: add the closure of the other direction as well
      </Checkbox>
    </p>
  );
}

/** Whether the public feeds have it, under which id, and why they do not have it yet. */
function Publish({ form, id }: { form: Form; id: string }) {
  const { control } = form;
  const isOn = useWatch({ control, name: 'is_wzdx_compliant' });
  const problems = useRow('closure', id)?.publishProblems ?? [];
  return (
    <>
      <SwitchLine
        control={control}
        name="is_wzdx_compliant"
        label="Publish to Work Zone Feeds"
        hint="Navigation services and vehicles read these feeds."
      />
      {isOn && (
        <FormTextField
          control={control}
          name="external_id"
          label="Feed Id"
          isRequired
          max={ID_MAX}
          hint="What the feeds know it by; no other closure may have it"
        />
      )}
      {isOn && problems.length > 0 && (
        <Notice tone="warn" className={styles.publish ?? ''}>
          Saved, but not published yet:
          <ul>
            {problems.map(({ rule, field, message }) => (
              <li key={`${rule} ${field}`}>{message}</li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}
