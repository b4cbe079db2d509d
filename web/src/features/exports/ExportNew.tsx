import { useState } from 'react';
import type { ExportType } from '~/model/export';
import { useFullReach } from '~/section/reach';
import { useOrganization } from '~/session';
import { EmptyState, OfficePage } from '~/ui';
import { ExportForm } from './ExportForm';
import { Head } from './Head';
import { Making } from './Making';
import { TypeStep } from './TypeStep';

/** A new export; only who acts for the organization that is looked at makes one. */
export default function ExportNew() {
  const { id, name } = useOrganization();
  const isOpen = useFullReach(id);
  return (
    <OfficePage narrow>
      {isOpen ? (
        <Wizard key={id} />
      ) : (
        <>
          <Head title="New export" />
          <EmptyState title={`You can't create exports of ${name}.`}>
            Only {name} and those who manage it can see and create them.
          </EmptyState>
        </>
      )}
    </OfficePage>
  );
}

/** What it has rows of, what it is about, and then how far it is. */
function Wizard() {
  const [type, setType] = useState<ExportType>();
  const [made, setMade] = useState<string>();
  const again = () => {
    setType(undefined);
    setMade(undefined);
  };
  if (made !== undefined) return <Making id={made} onAgain={again} />;
  // Back leaves nothing of the form (requirements 2.exports).
  if (type !== undefined) return <ExportForm type={type} onBack={again} onMade={setMade} />;
  return <TypeStep onChoose={setType} />;
}
