import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { NONE } from '~/model/format';
import { ListPage, numberColumn, To, textColumn } from '~/office';
import { useCan } from '~/session';
import { type Column, Named } from '~/ui';
import { type OrganizationRow, placeText, typeName } from './organization';
import { contactColumn, RelationPill } from './parts';
import { organizations } from './queries';

const RANK = { own: 0, managed: 1, accessed: 2 } as const;
const wordsOf = (row: OrganizationRow) => [row.name, row.city, row.contact_name, row.email];

/** All organizations in reach, the own one first. */
export function OrganizationList() {
  const seesThings = useCan('VIEW_THINGS');
  return (
    <ListPage
      title="Organizations"
      sentence="Your organization, the ones you manage, and those that share assets with you."
      query={useQuery(organizations.list())}
      operation="organization.load"
      columns={useMemo(() => columnsOf(seesThings), [seesThings])}
      initialSort={{ column: 'Relationship', descending: false }}
      words={wordsOf}
      noun={['organization', 'organizations']}
      hints={['Try another name or location.']}
    />
  );
}

// spec: 6.link.02: the asset count shows with thing manage or read.
function columnsOf(seesThings: boolean): readonly Column<OrganizationRow>[] {
  const countColumn = (title: string, of: (row: OrganizationRow) => number | undefined) =>
    numberColumn<OrganizationRow>(
      title,
      row => of(row) ?? -1,
      row => <span className="num">{of(row) ?? NONE}</span>,
      {
        width: '90px',
        align: 'end',
      },
    );
  return [
    textColumn('Organization', row => row.name, {
      width: '32%',
      cell: row => (
        <Named sub={typeName(row)}>
          <To tab="organization" id={row.id}>
            {row.name}
          </To>
        </Named>
      ),
    }),
    textColumn('Relationship', row => `${RANK[row.relation]} ${row.name}`, { cell: row => <RelationPill row={row} /> }),
    textColumn('Location', placeText),
    contactColumn(row => row.phone_number),
    countColumn('Users', row => row.users_count),
    ...(seesThings ? [countColumn('Assets', row => row.things_count)] : []),
  ];
}
