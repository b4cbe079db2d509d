import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { precompress } from './scripts/precompress.ts';
import { slimLimits } from './scripts/slimLimits.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  plugins: [react(), slimLimits(), precompress()],
  resolve: { alias: { '@catalog': here('../catalog'), '~': here('./src') } },
  server: {
    port: 5173,
    strictPort: true,
    fs: { allow: [here('..')] },
    proxy: {
      '/api': 'http://localhost:8080',
      '/map': 'http://localhost:8080',
      // The server checks where a socket comes from; behind this proxy it comes from itself.
      '/cable': { target: 'http://localhost:8080', ws: true, headers: { origin: 'http://localhost:8080' } },
    },
  },
  build: {
    target: 'es2022',
    sourcemap: false,
    assetsInlineLimit: 0, // a strict Content-Security-Policy allows no data: fonts or scripts
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      output: {
        // What every page needs is one file: a dozen small ones cost a request each and shrink badly.
        codeSplitting: {
          groups: [
            {
              name: 'base',
              test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(?!react-virtual|virtual)[^/]+)\//,
            },
          ],
        },
      },
    },
  },
  test: {
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: [here('./scripts/patience.ts')],
    environment: 'node',
    pool: 'threads', // a sixth less work than processes
    restoreMocks: true,
    testTimeout: 90_000,
  },
});
