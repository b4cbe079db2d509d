import permissions from '@catalog/permissions.json';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import { say, texts } from '~/api';
import { addressLaw } from '~/model/address';
import { NONE } from '~/model/format';
import { useCan, useProfile } from '~/session';
import {
  AddressFields,
  BackIcon,
  Bone,
  Button,
  backLinkClass,
  buttonClass,
  differences,
  EditForm,
  EmptyState,
  ErrorNotice,
  FormRow,
  FormSection,
  PageHead,
  Skeleton,
  TextField,
  TextLine,
  toast,
  useBegun,
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
  const begun = useBegun(data);
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
    <EditForm
      label="Edit profile"
      saving={saving}
      cancel={
        way.back === undefined ? (
          <Button onPress={way.onDone}>Cancel</Button>
        ) : (
          <Link to={way.back as '/'} className={buttonClass({})}>
            Cancel
          </Link>
        )
      }
      rows={theirs => differences(form.getValues(), valuesOf(theirs), LABELS)}
    >
      <FormSection title="Person" hint="Your name and phone number.">
        <FormRow>
          <TextLine control={control} name="firstName" label="First name" isRequired autoComplete="given-name" />
          <TextLine control={control} name="lastName" label="Last name" isRequired autoComplete="family-name" />
        </FormRow>
        <TextLine control={control} name="phone" label="Phone" type="tel" autoComplete="tel" />
      </FormSection>
      <FormSection title="Address" hint="Optional.">
        <AddressFields form={form} law={addressLaw} />
      </FormSection>
      <FormSection title="Access" hint="Only another administrator can change these.">
        <FormRow>
          <TextField
            label="Role"
            value={permissions.roles.find(role => role.id === person.roleId)?.label ?? NONE}
            isReadOnly
          />
          <TextField label="Organization" value={own.name} isReadOnly />
        </FormRow>
        <TextField label="Organization type" value={own.typeName || NONE} isReadOnly />
      </FormSection>
    </EditForm>
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
