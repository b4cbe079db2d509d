import enums from '@catalog/enums.json';
import limits from '@catalog/limits.json';
import { useState } from 'react';
import { type Control, useController } from 'react-hook-form';
import { FormTextField, Select, Sub, useWords } from '~/ui';
import { licenseName, type OrganizationForm } from './organization';
import styles from './organizations.module.css';

const NONE = 'none';
const OWN = 'own';

const options = [
  { id: NONE, label: 'None stated' },
  ...enums.feedLicenses.map(({ id, name }) => ({ id, label: name })),
  { id: OWN, label: 'Your own terms' },
];

/** Under which license the feeds are published: a known one, the address of other terms, or none. */
export function LicenseLine({ control }: { control: Control<OrganizationForm> }) {
  const { field } = useController({ control, name: 'feed_license' });
  useWords('feed_license', 'License', value => licenseName(String(value ?? '')));
  const isKnown = enums.feedLicenses.some(one => one.id === field.value);
  const [isOwn, setOwn] = useState(field.value !== '' && !isKnown);
  const own = isOwn || (field.value !== '' && !isKnown);
  return (
    <>
      <Select
        label="License"
        options={options}
        value={own ? OWN : field.value || NONE}
        onChange={chosen => {
          setOwn(chosen === OWN);
          field.onChange(chosen === NONE || chosen === OWN ? '' : chosen);
        }}
        onBlur={field.onBlur}
        buttonRef={field.ref}
      />
      {own && (
        <FormTextField
          control={control}
          name="feed_license"
          label="Address of your terms"
          max={limits.closure.licenseText.value}
        />
      )}
      <div className={styles.who}>
        <Sub>
          Readers may use your feeds under this license. Lines that follow the map's roads come from OpenStreetMap,
          whose license is ODbL 1.0. Ask your counsel if you choose another one.
        </Sub>
        <Sub>
          WZDx and CWZ allow only CC0 1.0. With another choice the WZDx feed states no license, and some readers may
          reject the CWZ feed.
        </Sub>
      </div>
    </>
  );
}
