// How the browser of the journeys is started.
import { type BrowserServer, chromium, type LaunchOptions } from 'playwright-core';

/** What Playwright turns off itself: of two lists the browser takes the last alone. */
const OFF_BY_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
];

/**
 * What the address bar suggests is two pages, which each window loads in advance. No journey types an address there, and
 * each opens windows: that was a second of the processor for each.
 */
const OFF = [...OFF_BY_PLAYWRIGHT, 'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];
const TURN_OFF = '--disable-features=';

/**
 * Chromium with software WebGL, and none of its background traffic. Without a graphics card only the map is drawn as if
 * there was one; letters and boxes are painted, and pages put together, directly.
 */
const CHROMIUM: LaunchOptions = {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--headless=new',
    '--no-sandbox',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    `${TURN_OFF}${OFF.join(',')}`,
    // Letters stand where the type puts them, as on screens of today, not where whole pixels are.
    '--font-render-hinting=none',
    '--use-gl=angle',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    '--ignore-gpu-blocklist',
    '--disable-gpu-rasterization',
    '--disable-gpu-compositing',
  ],
};

/** Starts a browser for others to connect to. A new Playwright may turn off more, which then has to stand above. */
export async function launch(): Promise<BrowserServer> {
  const browser = await chromium.launchServer(CHROMIUM);
  const said = browser.process().spawnargs.filter(arg => arg.startsWith(TURN_OFF));
  const missing = said.flatMap(arg => arg.slice(TURN_OFF.length).split(',')).filter(name => !OFF.includes(name));
  if (missing.length === 0) return browser;
  await browser.close();
  throw new Error(`Playwright turns off what web/e2e/browser.ts does not: ${missing.join(', ')}`);
}
