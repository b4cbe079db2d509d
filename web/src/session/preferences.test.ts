import { describe, expect, it } from 'vitest';
import { parsePreferences } from './preferences';

describe('preferences', () => {
  // spec: 3.pref.01 3.pref.02
  it('have the defaults of the requirements, then ours', () => {
    expect(parsePreferences(undefined)).toEqual({
      showOffline: true,
      hideOfflineNotice: false,
      hiddenMapInstructions: [],
      alwaysShowSupport: false,
      groupView: true,
      densityView: false,
      stationView: false,
      hideSupportDialog: false,
      theme: 'system',
      sound: false,
      shortcuts: true,
      mapType: 'roadmap',
      layers: ['closures', 'hazards'],
    });
  });

  // spec: 3.pref.01
  it('are kept as they were stored', () => {
    const stored = {
      ...parsePreferences(undefined),
      showOffline: false,
      densityView: true,
      theme: 'light',
      version: 1,
    };
    expect(parsePreferences(JSON.parse(JSON.stringify(stored)))).toMatchObject({
      showOffline: false,
      densityView: true,
      theme: 'light',
    });
  });

  it('lose only what is damaged', () => {
    const read = parsePreferences({ theme: 'pink', groupView: 'yes', sound: true, unknown: 1 });
    expect(read).toMatchObject({ theme: 'system', groupView: true, sound: true });
    expect(read).not.toHaveProperty('unknown');
  });

  it.each([null, 7, 'text', [1]])('start anew from %o', stored => {
    expect(parsePreferences(stored).theme).toBe('system');
  });
});
