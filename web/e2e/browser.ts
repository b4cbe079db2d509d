// How the browser of the journeys is started.
import type { LaunchOptions } from 'playwright-core';

/**
 * Chromium with software WebGL, and none of its background traffic. Without a graphics card only the map is drawn as if
 * there was one; letters and boxes are painted, and pages put together, directly.
 */
export const CHROMIUM: LaunchOptions = {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--headless=new',
    '--no-sandbox',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
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
