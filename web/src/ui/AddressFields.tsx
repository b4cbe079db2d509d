import { useMemo } from 'react';
import { type FieldPath, type FieldPathValue, type UseFormReturn, useWatch } from 'react-hook-form';
import { SelectLine, TextLine } from './Lines';
import { FormRow } from './Office';
import type { Option } from './options';

/** An address as forms keep it among their other fields. */
export interface AddressValues {
  address1: string;
  address2: string;
  city: string;
  state: string;
  postalCode: string;
  countryCode: string;
}

/** What countries call the parts of an address. */
export interface AddressLaw {
  words: (countryCode: string) => { state: string; postalCode: string };
  countries: () => readonly Option[];
  /** The states to choose from; undefined where the state is a line of text. */
  states: (countryCode: string) => readonly Option[] | undefined;
}

/** The fields of a postal address; labels and kind of field follow the country. */
export function AddressFields<Form extends AddressValues>({
  form,
  law,
}: {
  form: UseFormReturn<Form>;
  law: AddressLaw;
}) {
  const { control } = form;
  // Every path of an address is one of the form's: the compiler cannot follow that through a type parameter.
  const at = (name: keyof AddressValues) => name as FieldPath<Form>;
  const country = String(useWatch({ control, name: at('countryCode') }) ?? '');
  const countries = useMemo(() => law.countries(), [law]);
  const words = law.words(country);
  const states = law.states(country);
  // The state of another country does not fit.
  const clearState = () =>
    form.setValue(at('state'), '' as FieldPathValue<Form, FieldPath<Form>>, { shouldDirty: true });
  return (
    <>
      <SelectLine
        control={control}
        name={at('countryCode')}
        label="Country"
        options={countries}
        onChosen={clearState}
      />
      <TextLine control={control} name={at('address1')} label="Address" autoComplete="address-line1" />
      <TextLine
        control={control}
        name={at('address2')}
        label="Address 2"
        autoComplete="address-line2"
        hint="Optional"
      />
      <FormRow three>
        <TextLine control={control} name={at('city')} label="City" autoComplete="address-level2" />
        {states ? (
          <SelectLine control={control} name={at('state')} label={words.state} options={states} placeholder="Choose" />
        ) : (
          <TextLine control={control} name={at('state')} label={words.state} autoComplete="address-level1" />
        )}
        <TextLine control={control} name={at('postalCode')} label={words.postalCode} autoComplete="postal-code" />
      </FormRow>
    </>
  );
}
