/** What stands between this browser and a map. */
export type MapSupport = 'ok' | 'no-webgl';

/** Probes WebGL2 before MapLibre is started: it would throw, and only after the page has waited for it. */
export function probeSupport(document: Document): MapSupport {
  try {
    const canvas = document.createElement('canvas');
    const gl = canvas.getContext('webgl2');
    if (!gl) return 'no-webgl';
    gl.getExtension('WEBGL_lose_context')?.loseContext(); // a browser grants only a few contexts
    return 'ok';
  } catch {
    return 'no-webgl';
  }
}

export type BrowserName = 'chrome' | 'edge' | 'firefox' | 'safari' | 'other';

/** Which browser's steps to show; reads the user agent only for this help text. On iOS they all draw with what Safari draws with. */
export function browserName(userAgent: string): BrowserName {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'safari';
  if (/EdgA?\//.test(userAgent)) return 'edge';
  if (/Firefox\//.test(userAgent)) return 'firefox';
  if (/Chrome\/|Chromium\//.test(userAgent)) return 'chrome';
  return /Safari\//.test(userAgent) ? 'safari' : 'other';
}

/** How WebGL is enabled, by browser. */
export const WEBGL_STEPS: Readonly<Record<BrowserName, readonly string[]>> = {
  chrome: [
    'Open chrome://settings/system in a new tab.',
    'Turn on "Use graphics acceleration when available" and choose Relaunch.',
    'If the map still does not show, open chrome://gpu and check that WebGL2 reads "Hardware accelerated".',
  ],
  edge: [
    'Open edge://settings/system in a new tab.',
    'Turn on "Use graphics acceleration when available" and choose Restart.',
    'If the map still does not show, open edge://gpu and check that WebGL2 reads "Hardware accelerated".',
  ],
  firefox: [
    'Open about:config in a new tab and accept the notice.',
    'Search for webgl.disabled and set it to false.',
    'In Settings, General, Performance, tick "Use recommended performance settings", then restart Firefox.',
  ],
  safari: [
    'Update macOS or iOS: WebGL 2 needs Safari 15 or newer.',
    'In Safari, Settings, Advanced, tick "Show features for web developers".',
    'In Develop, Feature Flags, turn on WebGL 2.0, then restart Safari.',
  ],
  other: [
    'Update the browser to its newest version.',
    'Turn on hardware (graphics) acceleration in its settings and restart it.',
    'Update the driver of the graphics card.',
  ],
};
