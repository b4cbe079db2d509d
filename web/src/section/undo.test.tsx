// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answered, firstOf, recorded, replayed } from '~/api/recorded';
import { stubBrowser } from '~/lib/testing';
import { liveStore } from '~/live';
import { T0 } from '~/live/testing';
import { session } from '~/session';
import { profileOf } from '~/session/profile';
import { wireProfile } from '~/session/session.fakes';
import { ToastRegion } from '~/ui';
import { UndoDialog } from './UndoDialog';
import { toastUndo } from './undo';

let root: Root;
let host: HTMLElement;
let sent: { path: string; body: unknown }[];
let answer: (path: string) => Response | Promise<Response>;

beforeEach(() => {
  stubBrowser();
  liveStore.reset('o1');
  session.state.set({ phase: 'signedIn', profile: profileOf(wireProfile()), organizationId: 'o1' });
  sent = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const path = url.replace('/api', '').split('?')[0] ?? '';
    if (init.method === 'POST') sent.push({ path, body: JSON.parse(String(init.body ?? 'null')) });
    return answer(path);
  });
  host = document.body.appendChild(document.createElement('div'));
  root = createRoot(host);
});
afterEach(() => {
  root.unmount();
  host.remove();
  vi.unstubAllGlobals();
});

const text = () => document.body.textContent ?? '';
const says = (words: string) => vi.waitFor(() => expect(text()).toContain(words));
const buttons = (words: string) =>
  [...document.querySelectorAll<HTMLButtonElement>('button')].filter(button => button.textContent === words);
const pressFirst = async (words: string) => (await vi.waitFor(() => buttons(words)[0] ?? Promise.reject())).click();
const show = (what: React.ReactNode) =>
  root.render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      {what}
    </QueryClientProvider>,
  );
const restored = recorded('undoArea.ok').data;

describe('the way back after a change', () => {
  it('sends the version that the change made, and shows what came back', async () => {
    answer = () => replayed('undoArea.ok');
    show(<ToastRegion />);
    toastUndo('Area deleted', 'area', { id: restored.id, version: 3 });
    await says('Area deleted');
    const button = buttons('Undo')[0];
    expect(button?.closest('[role=status]')).not.toBeNull();
    await pressFirst('Undo');
    await says('Change undone');
    expect(sent).toEqual([{ path: `/organization/exclusion_zone/${restored.id}/undo`, body: { version: 3 } }]);
    expect(liveStore.of('area').get(restored.id)?.name).toBe(restored.name);
  });

  it('takes an area away again when its return is undone', async () => {
    const rows = liveStore.of('area');
    rows.merge([restored], 0, T0);
    answer = () => replayed('undoArea.deleted');
    show(<ToastRegion />);
    toastUndo('Area restored', 'area', { id: restored.id, version: 8 });
    await pressFirst('Undo');
    await vi.waitFor(() => expect(rows.get(restored.id)).toBeUndefined());
  });

  it('says why it cannot be undone', async () => {
    answer = () => replayed('undoArea.undo_expired');
    show(<ToastRegion />);
    toastUndo('Area saved', 'area', { id: restored.id, version: 9 });
    await pressFirst('Undo');
    await says('Changes can only be undone for 24 hours.');
  });
});

describe('the changes of the last 24 hours', () => {
  it('stand in a list, each with its way back; a refusal stands in its row', async () => {
    const rows = [
      ...recorded('listUndo.edited').data,
      ...recorded('listUndo.events').data,
      ...recorded('listUndo.closures').data.filter(row => row.verb === 'delete'),
    ];
    answer = path =>
      path === '/organization/undo' ? answered('listUndo.edited', rows) : replayed('undoArea.conflict');
    show(<UndoDialog onClose={() => undefined} />);
    await says(firstOf(recorded('listUndo.edited').data).name);
    await says('Area edited by you');
    await says('Closure deleted by you');
    expect(buttons('Undo')).toHaveLength(3);
    await pressFirst('Undo');
    await says('This area was changed again since then.');
    expect(document.querySelectorAll('li')[0]?.querySelector('[role=alert]')).not.toBeNull();
    answer = () => replayed('undoLocation.ok');
    buttons('Undo')[1]?.click();
    await says('Undone');
    expect(sent[1]?.path).toBe(`/locations/${rows[1]?.id}/undo`);
    expect(buttons('Undo')).toHaveLength(2);
    answer = () => replayed('undoClosure.ok');
    buttons('Undo')[1]?.click();
    await vi.waitFor(() => expect(buttons('Undo')).toHaveLength(1));
    expect(sent[2]?.path).toBe(`/organization/closure/${rows[2]?.id}/undo`);
    expect(liveStore.of('closure').get(rows[2]?.id ?? '')?.description).toBe(rows[2]?.name);
  });

  it('have a file of hazards as one row, which says what stays', async () => {
    const [row] = recorded('listUndo.imported_hazards').data.filter(({ noun }) => noun === 'hazard_import');
    answer = path =>
      path === '/organization/undo'
        ? answered('listUndo.imported_hazards', row ? [row] : [])
        : replayed('undoHazardImport.ok');
    show(<UndoDialog onClose={() => undefined} />);
    await says('detours.csv');
    await says('Import done by you');
    await pressFirst('Undo');
    await says('Undone: 1 deleted, 0 restored, 1 not undone.');
    expect(sent[0]?.path).toBe(`/organization/hazards/import/${row?.id}/undo`);
  });

  it('waits, says when there are none, and why they cannot be had', async () => {
    let give: (response: Response) => void = () => undefined;
    answer = () => new Promise<Response>(resolve => (give = resolve));
    show(<UndoDialog onClose={() => undefined} />);
    await vi.waitFor(() => expect(document.querySelector('[role=status], [aria-busy]')).not.toBeNull());
    give(replayed('listUndo.empty'));
    await says('Nothing to undo.');
    answer = () => Promise.reject(new TypeError('offline'));
    show(<UndoDialog key="again" onClose={() => undefined} />);
    await says('Connection failed.');
  });
});
