import { fileURLToPath } from 'node:url';

import react from '@vitejs/plugin-react';
import { type Plugin, defineConfig } from 'vite';

/** Nothing but the page's own files, and no inline script or style. WebAssembly needs its own word. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Puts the policy into the built page. The development server needs inline scripts, so it has none. */
function contentSecurityPolicy(): Plugin {
  return {
    name: 'content-security-policy',
    apply: 'build',
    transformIndexHtml: () => [
      { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY }, injectTo: 'head-prepend' },
    ],
  };
}

export default defineConfig({
  // The folder works under any path.
  base: './',
  plugins: [react(), contentSecurityPolicy()],
  resolve: {
    alias: [
      { find: /^virt-autopilot-ui\/ui\.css$/, replacement: fileURLToPath(new URL('../ui/src/ui.css', import.meta.url)) },
      { find: /^virt-autopilot-ui$/, replacement: fileURLToPath(new URL('../ui/src/index.ts', import.meta.url)) },
    ],
  },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // Inlined files would be `data:` addresses, which the policy refuses for fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
  },
  server: { host: '127.0.0.1' },
  preview: { host: '127.0.0.1' },
});
