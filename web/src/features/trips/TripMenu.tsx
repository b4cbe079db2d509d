import { Download } from 'lucide-react';
import { say } from '~/api';
import type { TripQuery } from '~/model/trip';
import { IconButton, Menu, MenuItem, toast } from '~/ui';
import { exportTrips, TRIP_FORMATS, type TripFormat } from './queries';

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** What is shown as a file, for the programs of others. */
export function TripMenu({ query }: { query: TripQuery }) {
  const save = async (format: TripFormat) => {
    try {
      await exportTrips(query, format);
      toast('Trips exported');
    } catch (error) {
      toast(say('trips.load', error), { tone: 'danger' });
    }
  };
  return (
    <Menu
      label="Export trips"
      trigger={
        <IconButton label="Export trips" size="small">
          <Download {...icon} />
        </IconButton>
      }
    >
      {TRIP_FORMATS.map(({ format, label }) => (
        <MenuItem key={format} icon={<Download {...icon} />} onAction={() => void save(format)}>
          {`Export ${label}`}
        </MenuItem>
      ))}
    </Menu>
  );
}
