import { type ReactNode, useMemo } from 'react';
import { type FieldPath, type FieldPathValue, type UseFormReturn, useWatch } from 'react-hook-form';
import { type Address, addressLines, addressWords, countries, statesOf } from '~/model/address';
import { FormRow, FormTextField, SelectLine } from '~/ui';

/** The fields of a postal address; labels, kind of field and what is wrong follow the country. */
export function AddressFields<Form extends Address>({ form }: { form: UseFormReturn<Form> }) {
  const { control } = form;
  // Every path of an address is one of the form's: the compiler cannot follow that through a type parameter.
  const at = (name: keyof Address) => name as FieldPath<Form>;
  const country = String(useWatch({ control, name: at('country_code') }) ?? '');
  const all = useMemo(countries, []);
  const words = addressWords(country);
  const states = statesOf(country)?.map(({ code, name }) => ({ id: code, label: name }));
  const moved = () => {
    // The state of another country does not fit, and another country has other laws.
    form.setValue(at('state'), '' as FieldPathValue<Form, FieldPath<Form>>, { shouldDirty: true });
    void form.trigger([at('state'), at('postal_code')]);
  };
  return (
    <>
      <SelectLine control={control} name={at('country_code')} label="Country" options={all} onChosen={moved} />
      <FormTextField control={control} name={at('address1')} label="Address" autoComplete="address-line1" />
      <FormTextField
        control={control}
        name={at('address2')}
        label="Address 2"
        autoComplete="address-line2"
        hint="Optional"
      />
      <FormRow three>
        <FormTextField control={control} name={at('city')} label="City" autoComplete="address-level2" />
        {states ? (
          <SelectLine control={control} name={at('state')} label={words.state} options={states} placeholder="Choose" />
        ) : (
          <FormTextField control={control} name={at('state')} label={words.state} autoComplete="address-level1" />
        )}
        <FormTextField control={control} name={at('postal_code')} label={words.postalCode} autoComplete="postal-code" />
      </FormRow>
    </>
  );
}

/** An address to read, for `Facts`. */
export const addressFact = (row: Address): readonly [label: string, value: ReactNode] => [
  'Address',
  addressLines(row).length > 0 && addressLines(row).map(line => <div key={line}>{line}</div>),
];
