import { zodResolver } from '@hookform/resolvers/zod';
import { useRef, useState } from 'react';
import { type Control, Controller, type FieldPath, useForm, useWatch } from 'react-hook-form';
import { asFailure, say } from '~/api';
import { serverClock } from '~/lib/clock';
import { cx } from '~/lib/cx';
import { changedText } from '~/model/changed';
import type { Thing } from '~/model/thing';
import { thingOfWire } from '~/model/thing';
import { subtypesFor, subtypeText } from '~/model/thingType';
import screen from '~/section/screen.module.css';
import { Button, ErrorNotice, errorOf, LeaveGuard, Select, Switch, TextField, toast } from '~/ui';
import { ConflictNotice } from './ConflictNotice';
import {
  conflictRow,
  FIELD_OF_WIRE,
  formOf,
  NICKNAME_MAX,
  PLATE_MAX,
  REGISTRY_MAX,
  remaining,
  type ThingForm,
  thingSchema,
  updateOf,
} from './form';
import styles from './form.module.css';
import { IntegrationFields } from './IntegrationFields';
import { saveThing, useThingSubtypes, useThingTypes } from './queries';

const NO_SUBTYPE = 'none';

/** The profile of an asset as a form (specification section 5, Asset). Texts of failures stand under the buttons. */
export function ProfileForm({ thing, onDone }: { thing: Thing; onDone: () => void }) {
  /** what the draft is compared with and whose version a save names: another person's save replaces it */
  const [base, setBase] = useState(thing);
  const [conflict, setConflict] = useState<{ theirs: Thing; who: string }>();
  const [failure, setFailure] = useState<string>();
  const form = useForm<ThingForm>({
    defaultValues: formOf(thing),
    resolver: zodResolver(thingSchema),
    mode: 'onTouched',
  });
  const { control, handleSubmit, formState } = form;
  // Read while drawing: the form only keeps track of what is read then.
  const { isDirty } = formState;
  const isSaved = useRef(false);

  const save = async (values: ThingForm, against: Thing) => {
    setFailure(undefined);
    setConflict(undefined);
    try {
      await saveThing(thing.id, updateOf(against, values), against.version);
      isSaved.current = true;
      toast('Asset saved');
      onDone();
    } catch (error) {
      const failure = asFailure(error);
      const row = conflictRow(failure);
      const now = serverClock.now();
      if (row) setConflict({ theirs: thingOfWire(row, now), who: changedText(error, 'asset', now) });
      else setFailure(say('thing.update', error));
      for (const [wire, message] of Object.entries(failure.fields)) {
        const name = FIELD_OF_WIRE[wire];
        if (name) form.setError(name, { message });
      }
    }
  };

  return (
    <form className={styles.form} onSubmit={handleSubmit(values => save(values, base))} noValidate aria-label="Profile">
      <LeaveGuard isDirty={() => isDirty && !isSaved.current} />
      <div className={styles.formBody}>
        <Line control={control} name="nickname" label="Nickname" max={NICKNAME_MAX} isRequired />
        <TypeFields control={control} onType={() => form.setValue('thingSubtypeId', '', { shouldDirty: true })} />
        <Line control={control} name="vinNumber" label="VIN" isMono />
        <Line control={control} name="plateNumber" label="Plate#" max={PLATE_MAX} />
        <Line control={control} name="registryNumber" label="Vehicle Id" max={REGISTRY_MAX} />
        <IntegrationFields control={control} />
        <Toggle control={control} name="inService" label="In service" />
        <Toggle control={control} name="isPubliclyReporting" label="Publicly reporting" />
      </div>
      <div className={screen.foot}>
        <Button onPress={onDone}>Cancel</Button>
        <Button variant="primary" type="submit" isPending={formState.isSubmitting}>
          Save
        </Button>
      </div>
      {conflict && (
        <ConflictNotice
          mine={form.getValues()}
          theirs={conflict.theirs}
          who={conflict.who}
          onKeepMine={() => {
            setBase(conflict.theirs);
            void handleSubmit(values => save(values, conflict.theirs))();
          }}
          onTakeTheirs={() => {
            setBase(conflict.theirs);
            setConflict(undefined);
            form.reset(formOf(conflict.theirs));
          }}
        />
      )}
      {failure && <ErrorNotice className={styles.footError ?? ''}>{failure}</ErrorNotice>}
    </form>
  );
}

interface LineProps {
  control: Control<ThingForm>;
  name: FieldPath<ThingForm> & ('nickname' | 'vinNumber' | 'plateNumber' | 'registryNumber');
  label: string;
  max?: number;
  isRequired?: boolean;
  isMono?: boolean;
}

/** A line of text with its rule's text, and how many characters are left once it gets close. */
function Line({ control, name, label, max, isRequired, isMono }: LineProps) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field, fieldState, formState }) => (
        <TextField
          label={label}
          value={field.value}
          onChange={field.onChange}
          onBlur={field.onBlur}
          name={field.name}
          isRequired={isRequired ?? false}
          inputRef={field.ref}
          className={isMono ? (styles.monoField ?? '') : ''}
          error={errorOf(fieldState, formState)}
          after={max !== undefined && <Counter text={field.value} max={max} />}
        />
      )}
    />
  );
}

/** Characters left; turns to the warning color within 5 of the maximum. */
function Counter({ text, max }: { text: string; max: number }) {
  const { left, warns } = remaining(text, max);
  if (left > max / 2) return null;
  return (
    <span className={cx(styles.counter, warns && styles.counterWarns, 'num')} aria-live={warns ? 'polite' : 'off'}>
      {left}
      <span className="visually-hidden"> characters left</span>
    </span>
  );
}

function TypeFields(props: { control: Control<ThingForm>; onType: () => void }) {
  const types = useThingTypes() ?? [];
  const subtypes = useThingSubtypes() ?? [];
  const typeId = useWatch({ control: props.control, name: 'thingTypeId' });
  const offered = subtypesFor(typeId, subtypes, types);
  return (
    <div className={styles.two}>
      <Controller
        control={props.control}
        name="thingTypeId"
        render={({ field, fieldState, formState }) => (
          <Select
            label="Type"
            options={types.map(t => ({ id: t.id, label: t.displayName }))}
            value={field.value || null}
            placeholder="Choose a type"
            onChange={id => {
              if (id === field.value) return;
              field.onChange(id);
              props.onType();
            }}
            onBlur={field.onBlur}
            error={errorOf(fieldState, formState)}
          />
        )}
      />
      <Controller
        control={props.control}
        name="thingSubtypeId"
        render={({ field }) => (
          <Select
            label="Subtype"
            options={[
              { id: NO_SUBTYPE, label: 'None' },
              ...offered.map(s => ({ id: s.id, label: subtypeText(s, typeId, types) })),
            ]}
            value={field.value || NO_SUBTYPE}
            onChange={id => field.onChange(id === NO_SUBTYPE ? '' : id)}
            onBlur={field.onBlur}
            isDisabled={offered.length === 0}
          />
        )}
      />
    </div>
  );
}

function Toggle(props: { control: Control<ThingForm>; name: 'inService' | 'isPubliclyReporting'; label: string }) {
  return (
    <Controller
      control={props.control}
      name={props.name}
      render={({ field }) => (
        <Switch atEnd isSelected={field.value} onChange={field.onChange} className={styles.toggle ?? ''}>
          {props.label}
        </Switch>
      )}
    />
  );
}
