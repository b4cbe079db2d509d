import { useEffect, useRef } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { serverClock } from '~/lib/clock';
import { liveStore, useRow } from '~/live';
import type { Closure } from '~/model/closure';
import { useOrganization } from '~/session';
import {
  Checkbox,
  FormRow,
  FormTextField,
  Notice,
  Segmented,
  SegmentedLine,
  SelectLine,
  SwitchLine,
  useWords,
} from '~/ui';
import { ClosureLine } from './ClosureLine';
import { type Checked, useCheck } from './check';
import { useFormContext } from './context';
import { Driver } from './Driver';
import { proposedFeedId } from './feedId';
import { ALERT_MAX, type ClosureDraft, DESCRIPTION_MAX, ID_MAX, IMPACTS, METHODS, TYPES } from './form';
import styles from './form.module.css';
import { LanesField } from './LanesField';
import { Overlaps } from './Overlaps';
import { FieldProblem, Ready } from './Preview';
import { Times } from './Times';
import { DIRECTION_CHOICES, directionText } from './words';

type Form = UseFormReturn<ClosureDraft>;
const TOUCHED = { shouldDirty: true, shouldTouch: true, shouldValidate: true };
const NO_PROBLEMS: Closure['publish_problems'] = [];

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
  const context = useFormContext();
  const isAutomated = useWatch({ control, name: 'closure_type' }) === 'automated';
  const checked = useCheck({ form, id, organizationId: closure?.organization_id, context });
  const isPublished = useWatch({ control, name: 'is_wzdx_compliant' });
  const saved = useRow('closure', id)?.publish_problems ?? NO_PROBLEMS;
  const missing = (field: string) =>
    isWzdx && isPublished && <FieldProblem checked={checked} saved={saved} field={field} />;
  return (
    <>
      {!closure && (
        <div className={styles.mode}>
          <SegmentedLine control={control} name="closure_type" label="Type" options={TYPES} />
        </div>
      )}
      {closure?.closure_type === 'automated' && (
        <Notice className={styles.publish ?? ''}>
          Its asset activates and ends this closure. The type can't be changed: for a manual closure, add a new one.
        </Notice>
      )}
      {isAutomated ? <Driver form={form} closure={closure} /> : <Times form={form} />}
      <FormTextField control={control} name="description" label="Description" isRequired max={DESCRIPTION_MAX} />
      <FormTextField
        control={control}
        name="alert_message"
        label="Alert Message"
        max={ALERT_MAX}
        hint="Shown to drivers"
      />
      <ClosureLine form={form} id={id} />
      {missing('user_route')}
      <FormTextField
        control={control}
        name="road_name"
        label="Road Name"
        hint="Filled in from the map. Correct it if needed."
      />
      {missing('road_name')}
      <FormRow>
        <FormTextField control={control} name="street_start" label="From" />
        <FormTextField control={control} name="street_end" label="To" />
      </FormRow>
      <Direction form={form} isRequired={isWzdx} />
      {!closure && !isAutomated && <Both form={form} />}
      <Overlaps form={form} checked={checked} />
      <LanesField form={form} />
      {missing('impacted_lanes')}
      <FormRow>
        <SelectLine
          control={control}
          name="vehicle_impact"
          label="Vehicle Impact"
          options={IMPACTS}
          none="Not specified"
        />
        <SelectLine
          control={control}
          name="location_method"
          label="Location Method"
          options={METHODS}
          none="Not specified"
        />
      </FormRow>
      {missing('vehicle_impact')}
      <FormTextField
        control={control}
        name="group_id"
        label="Project"
        hint="Use the same name for all closures of one project."
      />
      {isWzdx && <Publish form={form} checked={checked} saved={saved} />}
      <SwitchLine
        control={control}
        name="is_in_service"
        label="In Service"
        hint="Out-of-service closures are hidden from lists. Use the filters to show them."
      />
    </>
  );
}

/** The way that the traffic goes: that of the line, unless someone says otherwise. */
function Direction({ form, isRequired }: { form: Form; isRequired: boolean }) {
  const direction = useWatch({ control: form.control, name: 'direction' });
  useWords('direction', 'Direction', value => directionText(String(value)) || 'Not specified');
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
    <p className={styles.both}>
      <Checkbox isSelected={isSelected} onChange={on => form.setValue('both', on, { shouldDirty: true })}>
        Both directions (adds two closures)
      </Checkbox>
    </p>
  );
}

/**
 * Whoever turns publishing on finds an id that can stay: the next of their own, never that of a publisher whose feed comes
 * in. What was said before, or emptied by hand, stays.
 */
function useProposedId(form: Form, isOn: boolean): void {
  const { id, name } = useOrganization();
  const wasOn = useRef(isOn);
  useEffect(() => {
    if (isOn && !wasOn.current && form.getValues('external_id') === '') {
      const own = liveStore
        .of('closure')
        .list()
        .filter(row => row.organization_id === id && row.is_dashboard_managed);
      const year = new Date(serverClock.now()).getUTCFullYear();
      form.setValue(
        'external_id',
        proposedFeedId(
          own.map(row => row.external_id),
          name,
          year,
        ),
        TOUCHED,
      );
    }
    wasOn.current = isOn;
  }, [form, isOn, id, name]);
}

interface PublishProps {
  form: Form;
  checked: Checked;
  saved: Closure['publish_problems'];
}

/** Whether the public feeds have it, under which id, why they do not have it yet, and what their readers would show. */
function Publish({ form, checked, saved }: PublishProps) {
  const { control } = form;
  const isOn = useWatch({ control, name: 'is_wzdx_compliant' });
  useProposedId(form, isOn);
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
          label="Feed ID"
          isRequired
          max={ID_MAX}
          hint="Identifies the closure in the feeds. Must be unique."
        />
      )}
      {isOn && <Ready form={form} checked={checked} saved={saved} />}
    </>
  );
}
