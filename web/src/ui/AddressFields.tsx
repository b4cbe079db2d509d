import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import { SelectLine, TextLine } from './Lines';
import { FormRow } from './Office';
import type { Option } from './options';

/** The names under which a form keeps its address. */
export interface AddressNames<Form extends FieldValues> {
  address1: FieldPath<Form>;
  address2: FieldPath<Form>;
  city: FieldPath<Form>;
  state: FieldPath<Form>;
  postalCode: FieldPath<Form>;
  countryCode: FieldPath<Form>;
}

export interface AddressFieldsProps<Form extends FieldValues> {
  control: Control<Form>;
  names: AddressNames<Form>;
  /** What state and postal code are called in the chosen country. */
  words: { state: string; postalCode: string };
  countries: readonly Option[];
  /** The states to choose from; without them the state is a line of text. */
  states?: readonly Option[] | undefined;
  /** Another country has been chosen: the state of the one before does not fit. */
  onCountry: () => void;
}

/** The fields of a postal address; labels and kind of field follow the country. */
export function AddressFields<Form extends FieldValues>(props: AddressFieldsProps<Form>) {
  const { control, names, words, countries, states, onCountry } = props;
  return (
    <>
      <SelectLine control={control} name={names.countryCode} label="Country" options={countries} onChosen={onCountry} />
      <TextLine control={control} name={names.address1} label="Address" autoComplete="address-line1" />
      <TextLine
        control={control}
        name={names.address2}
        label="Address 2"
        autoComplete="address-line2"
        hint="Optional"
      />
      <FormRow three>
        <TextLine control={control} name={names.city} label="City" autoComplete="address-level2" />
        {states ? (
          <SelectLine control={control} name={names.state} label={words.state} options={states} placeholder="Choose" />
        ) : (
          <TextLine control={control} name={names.state} label={words.state} autoComplete="address-level1" />
        )}
        <TextLine control={control} name={names.postalCode} label={words.postalCode} autoComplete="postal-code" />
      </FormRow>
    </>
  );
}
