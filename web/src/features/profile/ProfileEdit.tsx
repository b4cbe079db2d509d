import permissions from '@catalog/permissions.json';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form';
import { say, texts } from '~/api';
import { addressWords, countries, statesOf } from '~/model/address';
import { NONE } from '~/model/format';
import { useCan, useProfile } from '~/session';
import {
  AddressFields,
  BackIcon,
  Bone,
  Button,
  backLinkClass,
  buttonClass,
  Conflict,
  differences,
  EmptyState,
  ErrorNotice,
  FormFoot,
  FormRow,
  FormSection,
  LeaveGuard,
  PageHead,
  Skeleton,
  TextField,
  TextLine,
  toast,
  useSaving,
} from '~/ui';
import { formOf, type Person, type PersonForm, personSchema, troubleOf, updateOf } from './person';
import { personQuery, useProfileVerbs } from './queries';

/** Where the form leads when it is done: to an address, or back to what showed it. */
type Way = { back: string; onDone?: never } | { back?: never; onDone: () => void };

/** Edits the own profile: names, phone, address. Role and organization are read-only. */
export function ProfileEdit(way: Way) {
  const { data, error, refetch } = useQuery(personQuery);
  const mayEdit = useCan('EDIT_USER');
  // The form begins with what stood here when it opened; a fresher answer must not change a draft.
  const [begun, setBegun] = useState(data);
  if (!begun && data) setBegun(data);
  return (
    <>
      {way.back && (
        <PageHead
          back={
            <Link to={way.back as '/'} className={backLinkClass}>
              <BackIcon />
              Account
            </Link>
          }
          title="Edit profile"
        />
      )}
      {!mayEdit ? (
        <EmptyState title={texts.chrome.forbidden} />
      ) : begun ? (
        <Form person={begun} way={way} />
      ) : error ? (
        <ErrorNotice onRetry={() => void refetch()}>{say('profile.update', error)}</ErrorNotice>
      ) : (
        <Skeleton label="Loading profile">
          <Bone height={240} />
        </Skeleton>
      )}
    </>
  );
}

function Form({ person, way }: { person: Person; way: Way }) {
  const navigate = useNavigate();
  const verbs = useProfileVerbs();
  const queries = useQueryClient();
  const { organizations } = useProfile();
  const [own] = organizations;
  const valuesOf = (row: Person) => formOf(row, own.countryCode);
  const form = useForm<PersonForm>({
    defaultValues: valuesOf(person),
    resolver: zodResolver(personSchema),
    mode: 'onTouched',
  });
  const saving = useSaving<PersonForm, Person>(form, person, {
    send: async (values, base) => {
      await verbs.save(base, updateOf(base, values));
      toast('Profile saved');
      if (way.back === undefined) way.onDone();
      else await navigate({ href: way.back });
    },
    trouble: error => troubleOf(error, () => queries.fetchQuery({ ...personQuery, staleTime: 0 })),
    formOf: valuesOf,
  });
  const { control } = form;
  return (
    <form onSubmit={saving.submit} noValidate aria-label="Edit profile">
      <LeaveGuard isDirty={saving.isUnsaved} />
      <FormSection title="Person" hint="As colleagues know you.">
        <FormRow>
          <TextLine control={control} name="firstName" label="First name" isRequired autoComplete="given-name" />
          <TextLine control={control} name="lastName" label="Last name" isRequired autoComplete="family-name" />
        </FormRow>
        <TextLine control={control} name="phone" label="Phone" type="tel" autoComplete="tel" />
      </FormSection>
      <FormSection title="Address" hint="Only if your organization needs it.">
        <PersonAddress form={form} />
      </FormSection>
      <FormSection title="Access" hint="Another administrator changes these.">
        <FormRow>
          <TextField
            label="Role"
            value={permissions.roles.find(role => role.id === person.roleId)?.label ?? NONE}
            isReadOnly
          />
          <TextField label="Organization" value={own.name} isReadOnly />
        </FormRow>
      </FormSection>
      <FormFoot alert={saving.failure && <ErrorNotice>{saving.failure}</ErrorNotice>}>
        {way.back === undefined ? (
          <Button onPress={way.onDone}>Cancel</Button>
        ) : (
          <Link to={way.back as '/'} className={buttonClass({})}>
            Cancel
          </Link>
        )}
        <Button variant="primary" type="submit" isPending={saving.isPending}>
          Save
        </Button>
      </FormFoot>
      {saving.conflict && (
        <Conflict
          rows={differences(form.getValues(), valuesOf(saving.conflict), LABELS)}
          onKeepMine={saving.keepMine}
          onTakeTheirs={saving.takeTheirs}
        >
          Somebody else has saved your profile since you opened it.
        </Conflict>
      )}
    </form>
  );
}

function PersonAddress({ form }: { form: UseFormReturn<PersonForm> }) {
  const country = useWatch({ control: form.control, name: 'countryCode' });
  const all = useMemo(countries, []);
  return (
    <AddressFields
      control={form.control}
      names={{
        address1: 'address1',
        address2: 'address2',
        city: 'city',
        state: 'state',
        postalCode: 'postalCode',
        countryCode: 'countryCode',
      }}
      words={addressWords(country)}
      countries={all}
      states={statesOf(country)?.map(({ code, name }) => ({ id: code, label: name }))}
      onCountry={() => form.setValue('state', '', { shouldDirty: true })}
    />
  );
}

const LABELS: Record<keyof PersonForm, string> = {
  firstName: 'First name',
  lastName: 'Last name',
  phone: 'Phone',
  address1: 'Address',
  address2: 'Address 2',
  city: 'City',
  state: 'State',
  postalCode: 'Postal code',
  countryCode: 'Country',
};
