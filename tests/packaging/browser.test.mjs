// The packed package, bundled by Vite and by webpack, in Chromium: in the page and in a worker.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';

import { chromium } from 'playwright-core';
import { build as vite } from 'vite';
import webpack from 'webpack';

const project = process.env.PROJECT;
const app = join(project, 'app');
cpSync(new URL('app', import.meta.url), app, { recursive: true });

const bundlers = {
  async vite(out) {
    await vite({ root: app, base: './', logLevel: 'warn', worker: { format: 'es' }, build: { outDir: out, target: 'es2022' } });
  },
  async webpack(out) {
    const stats = await promisify(webpack)({
      mode: 'production',
      context: app,
      entry: './main.js',
      output: { path: out, filename: 'main.js' },
    });
    assert.ok(!stats.hasErrors(), stats.toString('errors-only'));
    // Its bundle is a script of the old kind.
    const page = readFileSync(join(app, 'index.html'), 'utf8').replace('type="module"', 'defer');
    writeFileSync(join(out, 'index.html'), page);
  },
};

const profile = mkdtempSync(join(tmpdir(), 'chromium-'));
let browser;
before(async () => {
  browser = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM,
    headless: true,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
});
after(async () => {
  await browser?.close();
  rmSync(profile, { recursive: true, force: true });
});

/** Serves a folder under a path, as sites do that are not alone on their host. */
async function serve(folder, wasmType, use) {
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': wasmType };
  const server = createServer(({ url }, response) => {
    const path = new URL(url, 'http://localhost').pathname;
    try {
      const body = readFileSync(join(folder, path.replace(/^\/deep\/down\/$/, '/deep/down/index.html').slice('/deep/down'.length)));
      response.writeHead(200, { 'content-type': types[extname(path)] ?? 'text/html' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(`http://127.0.0.1:${server.address().port}/deep/down/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

for (const [name, bundle] of Object.entries(bundlers)) {
  const out = join(project, `bundle-${name}`);

  test(`${name} bundles it`, async () => {
    await bundle(out);
  });

  for (const wasmType of ['application/wasm', 'application/octet-stream']) {
    test(`the bundle of ${name} runs in a page and in a worker, the wasm served as ${wasmType}`, async () => {
      await serve(out, wasmType, async (address) => {
        const page = await browser.newPage();
        const problems = [];
        page.on('pageerror', (error) => problems.push(String(error)));
        page.on('console', (message) => ['error', 'warning'].includes(message.type()) && problems.push(message.text()));
        await page.goto(address);
        await page.waitForFunction(() => window.results !== undefined);
        const results = await page.evaluate(() => {
          const late = new Promise((_, reject) => setTimeout(reject, 60_000, new Error('no results within a minute')));
          return Promise.race([window.results, late]);
        });
        await page.close();
        for (const result of Object.values(results)) {
          assert.equal(result.before, 'NotInitialized');
          assert.deepEqual(result.activation, { kind: 'all' });
          assert.equal(result.big, '9007199254740993');
          assert.ok(result.rendered.includes('hco-golden-config'), result.rendered);
        }
        assert.deepEqual(Object.keys(results), ['page', 'worker']);
        assert.deepEqual(problems, []);
      });
    });
  }
}
