import { useRef, useState } from 'react';
import { type Control, useController } from 'react-hook-form';
import { errorOf, PickField, useHoldup, useWords } from '~/ui';
import { type IntegrationForm, type Provider, providerOf } from './integration';

const textOf = (value: unknown) => (value as string[]).join(', ');

/** The inputs that mean that emergency lights are on: any names, of which the usual one is offered. */
export function LightsLine({ control, provider }: { control: Control<IntegrationForm>; provider: Provider }) {
  const { field, fieldState, formState } = useController({ control, name: 'lights' });
  const { usualLights } = providerOf(provider);
  const [text, setText] = useState('');
  const [isHeld, setHeld] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useWords('lights', 'Emergency lights', textOf);
  const typed = text.trim();
  // What was typed and not chosen would be lost without a word.
  useHoldup(() => {
    setHeld(typed !== '');
    if (typed !== '') input.current?.focus();
    return typed !== '';
  });
  const offered = [typed, usualLights].filter(
    (one, index, all) => one !== '' && all.indexOf(one) === index && !field.value.includes(one),
  );
  return (
    <PickField
      label="Inputs that mean emergency lights are on"
      placeholder={usualLights && `Such as ${usualLights}`}
      chosen={field.value.map(one => ({ id: one, label: one }))}
      options={offered.map(one => ({ id: one, label: one }))}
      text={text}
      onText={next => {
        setText(next);
        setHeld(false);
      }}
      onChange={ids => {
        field.onChange([...ids]);
        field.onBlur();
      }}
      empty="Type the name of an input"
      hint="With none, vehicles report positions only, and never alert drivers."
      error={isHeld && typed !== '' ? 'Choose this name from the list, or clear it' : errorOf(fieldState, formState)}
      inputRef={element => {
        input.current = element;
        field.ref(element);
      }}
    />
  );
}
