import { Download, Upload } from 'lucide-react';
import { Suspense, useState } from 'react';
import { say } from '~/api';
import { lazyPart } from '~/lib/lazyPart';
import { ListMenu } from '~/section/ListMenu';
import { useCan, useIsPhone, useOrganization } from '~/session';
import { MenuItem, toast } from '~/ui';
import { useAddShown } from './access';
import { type AreaFormat, exportAreas } from './files';

const AreaImport = lazyPart(() => import('./AreaImport'), 'AreaImport');

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** The menu of the list's head: files in and out. */
export function AreaMenu() {
  const { id: organizationId } = useOrganization();
  const isPhone = useIsPhone();
  const isShown = useAddShown();
  const mayAdd = useCan('ADD_AREA');
  const mayEdit = useCan('EDIT_AREA');
  const [isImporting, setImporting] = useState(false);
  const save = async (format: AreaFormat) => {
    try {
      await exportAreas(organizationId, format);
      toast('Areas exported');
    } catch (error) {
      toast(say('areas.file', error), { tone: 'danger' });
    }
  };
  return (
    <>
      <ListMenu>
        {!isPhone && isShown && mayAdd && mayEdit && (
          <MenuItem icon={<Upload {...icon} />} onAction={() => setImporting(true)}>
            Import…
          </MenuItem>
        )}
        <MenuItem icon={<Download {...icon} />} onAction={() => void save('geojson')}>
          Export GeoJSON
        </MenuItem>
        <MenuItem icon={<Download {...icon} />} onAction={() => void save('kml')}>
          Export KML
        </MenuItem>
      </ListMenu>
      <Suspense>{isImporting && <AreaImport onClose={() => setImporting(false)} />}</Suspense>
    </>
  );
}
