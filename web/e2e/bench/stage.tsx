/**
 * The map alone with a handful of assets, as the design's Live screen shows them:
 * for looking at, and for the smoke run. Query: theme, region (JSON of the box), phone.
 */
import { createRoot } from 'react-dom/client';
import '~/ui/base.css';
import {
  type AssetCardContent,
  LiveChip,
  type LocationCardContent,
  type MapAsset,
  MapController,
  MapStage,
  MapTypeControl,
  parseMapConfig,
  StatusMark,
  type ThemeName,
} from '~/map';
import { MARK_TYPES } from '~/map/marks';

const query = new URLSearchParams(location.search);
const theme: ThemeName = query.get('theme') === 'light' ? 'light' : 'dark';
const phone = query.has('phone');
document.documentElement.dataset.theme = theme;

const NOW = Date.UTC(2026, 10, 21, 10, 42, 7);
const controller = new MapController({ theme, now: () => NOW, name: 'Safety Cloud' });

// name, status, type, course, speed, east px and south px of Wilmington's centre at zoom 15.2
const UNITS: readonly [string, MapAsset['status'], MapAsset['type'], number | null, number, number, number][] = [
  ['Engine 4', 'LOCATION', 'fire', null, 0, -105, -55],
  ['Medic 2', 'LOCATION', 'ambulance', null, 0, -69, -78],
  ['Ladder 1', 'ACTIVE', 'fire', 38, 15.2, 65, -150],
  ['Unit 27', 'ACTIVE', 'police', 200, 18, 170, 70],
  ['Unit 31', 'ACTIVE', 'police', 140, 9, -320, -120],
  ['Arrow Board 12', 'ACTIVE', 'arrow_board', null, 0, -280, 190],
  ['Rescue 9', 'ACTIVE', 'emergency_response', 290, 12, 0, 260],
  ['DPW Truck 8', 'STANDBY', 'maintenance', 90, 5, 310, -30],
  ['Brandywine Tow 3', 'STANDBY', 'tow', null, 0, -150, 310],
  ['Recycling 5', 'STATIONARY', 'waste', null, 0, 280, 190],
  ['Unit 14', 'STANDBY', 'police', null, 0, 0, 160],
  ['Medic 9', 'STANDBY', 'ambulance', null, 0, 240, -220],
  ['Engine 7', 'STANDBY', 'fire', null, 0, -200, -200],
  ['Engine 8', 'STANDBY', 'fire', null, 0, -178, -182],
  ['Van 2', 'STANDBY', 'other', null, 0, 60, 20],
  ['Medic 6', 'PENDING', 'ambulance', null, 0, -60, 120],
  ['Plow 1', 'OFFLINE', 'maintenance', null, 0, 340, 350],
  ['Plow 2', 'OFFLINE', 'maintenance', null, 0, 120, 320],
];
const CENTER = { lat: 39.7455, lng: -75.5465 };
const ZOOM = 15.2;

function place(x: number, y: number): { lat: number; lng: number } {
  const degrees = 360 / (512 * 2 ** ZOOM);
  return { lat: CENTER.lat - y * degrees * Math.cos((CENTER.lat * Math.PI) / 180), lng: CENTER.lng + x * degrees };
}

function assetsAt(shift: number): MapAsset[] {
  return UNITS.map(([label, status, type, course, speed, x, y], row) => ({
    row,
    id: `asset-${row}`,
    ...place(x + (speed > 0 ? shift : 0), y),
    course,
    speed,
    status,
    type,
    inService: label !== 'Plow 2' && label !== 'Rescue 9',
    at: NOW,
    staleAt: status === 'PENDING' ? NOW - 1 : NOW + 600_000,
    label,
  }));
}

const assetCard = (id: string): AssetCardContent | null =>
  id === 'asset-2'
    ? {
        title: 'Ladder 1',
        subtitle: 'HA7-00418',
        statusText: 'Responding',
        lines: [
          { label: 'Street', value: 'N Market St' },
          { label: 'Direction · Speed', value: 'NE · 34 mph' },
          { label: 'Last heartbeat', value: 'now' },
        ],
      }
    : { title: id, statusText: 'Standby', lines: [] };

const locationCard = (): LocationCardContent => ({
  title: 'W 9th St',
  duration: '00:11:04',
  lines: [
    { label: 'Engine 4', value: '00:11:04' },
    { label: 'Medic 2', value: '00:08:10' },
    { label: 'Unit 14', value: 'left 10:38 AM', past: true },
  ],
});

const box = query.get('region');
const config = parseMapConfig({
  data: { region: box ? { tiles: '/map/region/{z}/{x}/{y}.mvt', max_zoom: 14, ...JSON.parse(box) } : null },
});

controller.assets.apply({ upserted: assetsAt(0), removed: [], reset: true });
controller.setLocations([{ id: 'location-1', ...place(-105, -55), active: true }]);
controller.setCards({ asset: assetCard, location: locationCard });
controller.goTo(CENTER, ZOOM);
controller.setTrail([place(2, -52), place(28, -98), place(56, -132), place(65, -150)]);
if (!phone) {
  controller.select('asset-2');
  controller.pin('location-1', true);
}

declare global {
  interface Window {
    stage: { controller: MapController; assetsAt: typeof assetsAt };
  }
}
window.stage = { controller, assetsAt };

const insets = phone ? { top: 52, right: 0, bottom: 458, left: 0 } : { top: 0, right: 0, bottom: 0, left: 400 };

createRoot(document.getElementById('root') as HTMLElement).render(
  <>
    <MapStage
      controller={controller}
      theme={theme}
      config={config}
      insets={insets}
      chip={<LiveChip state="live" label="Live" asOf="10:42:07" />}
    />
    <div style={{ position: 'absolute', top: 12, right: 12 }}>
      <MapTypeControl controller={controller} />
    </div>
    {!phone && (
      <aside style={{ position: 'absolute', inset: '0 auto 0 0', width: 400, background: 'var(--panel)', padding: 16 }}>
        {(['LOCATION', 'ACTIVE', 'STANDBY', 'STATIONARY', 'PENDING', 'OFFLINE'] as const).map(status => (
          <div key={status} style={{ display: 'flex', gap: 6, marginBottom: 10 }}>
            {MARK_TYPES.map(type => (
              <StatusMark key={type} status={status} type={type} course={38} speed={10} />
            ))}
          </div>
        ))}
        <StatusMark status="ACTIVE" type="fire" course={38} speed={10} size={48} />
        <StatusMark status="OFFLINE" type="maintenance" inService={false} size={48} />
        <StatusMark status="STANDBY" type="tow" stale size={48} />
        <StatusMark status="ACTIVE" type="police" inService={false} size={48} />
      </aside>
    )}
  </>,
);
